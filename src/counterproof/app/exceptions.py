"""Writes exceptions: findings that the user accepts or knows to be wrong, each with reason, author and last day.

Invariant: a file that would not be read back as written is left unchanged.
"""

import json
import os
import shlex
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from counterproof.app.comparison import accepted_in
from counterproof.app.configuration import layers
from counterproof.app.files import write_whole
from counterproof.app.jobs import AUDIT
from counterproof.app.named_file import lies_inside
from counterproof.app.stored_runs import audit_report
from counterproof.model.canonical import digest
from counterproof.model.configuration import setting
from counterproof.model.errors import UserError
from counterproof.model.known import Acceptance
from counterproof.model.posture import PostureEntry
from counterproof.model.report import ReportedFinding
from counterproof.reports.inert import line
from counterproof.runtime.home import Home, RunFolder


@dataclass(frozen=True, slots=True)
class Excusable:
    """A finding, or a hardening recommendation, for which an exception can be written."""

    number: str
    fingerprint: str
    title: str


@dataclass(frozen=True, slots=True)
class Excepted:
    """The file with the new exception, and the command that uses it."""

    file: Path
    command: str


def excusable(run: RunFolder, name: str) -> Excusable:
    """The finding or recommendation of an audit with this number or fingerprint. Raises `UserError` unless there is one."""
    rows = AUDIT.find(audit_report(run), name) if name else ()
    found = [Excusable(row.number, row.fingerprint, _titled(row)) for row in rows]
    if len(found) == 1:
        return found[0]
    hint = f"{AUDIT.names}; `counterproof show {run.id}` lists them"
    raise UserError(f"{name!r} names {len(found) or 'no'} finding{'s' if found else ''} of run {run.id}", hint)


def _titled(row: ReportedFinding | PostureEntry) -> str:
    return row.title if isinstance(row, PostureEntry) else f"{row.finding.title}, {row.finding.location}"


def last_day(text: str) -> str:
    """A date from today on. Raises `UserError` otherwise."""
    try:
        day = date.fromisoformat(text.strip())
    except ValueError:
        raise UserError(f"{text.strip()!r} is not a date", "write it as 2027-01-31") from None
    if day < date.today():
        raise UserError(f"{day} is in the past", "give the last day on which the exception counts")
    return f"{day:%Y-%m-%d}"


def write(run: RunFolder, home: Home, found: Excusable, reason: str, expires: str, author: str, file: Path | None) -> Excepted:
    """Add an exception to a file: by default that of the settings, otherwise one in the user's data folder for this target."""
    facts = run.facts()
    target = Path(facts.get("target", "."))
    settled = _configured(target)
    path = file or settled or home.root / "exceptions" / f"{target.name}-{digest(str(target))[:8]}.toml"
    try:
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        held = accepted_in(before, path)
        if any(each.fingerprint == found.fingerprint for each in held):
            raise UserError(f"{path} already has an exception for {found.number}", "change its `reason` or `expires` there")
        added = Acceptance(found.fingerprint, line(reason), line(author), expires)
        after = "\n".join((f"{before.rstrip()}\n" if before else "", f"# {line(found.title)}", *_table(added), "")).lstrip()
        if accepted_in(after, path) != (*held, added):
            raise UserError(f"{path} cannot be extended", "write the exception by hand, or give another --exceptions FILE")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, after)
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot write {path}: {error}", "give another --exceptions FILE") from error
    return Excepted(path, _next(target, facts.get("mode", ""), path, settled))


def _table(added: Acceptance) -> tuple[str, ...]:
    quoted = {name: json.dumps(getattr(added, name), ensure_ascii=False) for name in ("fingerprint", "reason", "author")}
    return ("[[exception]]", *(f"{name} = {text}" for name, text in quoted.items()), f"expires = {added.expires}")


def _configured(target: Path) -> Path | None:
    """The file of the setting `audit.exceptions`."""
    exceptions = setting("audit", "exceptions")
    assert exceptions is not None
    seen = layers(target, None, "", os.environ).find(exceptions)
    return Path(str(seen[0])) if seen else None


def _next(target: Path, mode: str, path: Path, settled: Path | None) -> str:
    """The audit that honours the file; one in the target counts as of the revision that holds it."""
    words = ["counterproof", "audit", str(target), *(["--mode", mode] if mode in ("quick", "deep") else [])]
    words += [] if path == settled else ["--exceptions", str(path.absolute())]
    trusted = " --trust-ref REV, once REV, such as origin/main, holds the file" if lies_inside(path, target) else ""
    return f"{shlex.join(words)}{trusted}"
