"""Compares runs, and reads an earlier run and the file of accepted findings that the user gives."""

import json
import tomllib
from datetime import date
from pathlib import Path
from typing import Any, Final, cast

from counterproof.app.named_file import read_named
from counterproof.app.old_reports import fingerprints
from counterproof.app.stored_runs import audit_report, refuse_changed, stored
from counterproof.model.errors import InvalidValue, JournalError, UserError
from counterproof.model.known import Acceptance, KnownFinding
from counterproof.model.report import ReportedFinding
from counterproof.model.severity import Severity
from counterproof.reports.inert import line
from counterproof.runtime.home import Home, RunFolder

MAX_TITLE: Final = 200


def differences(before: RunFolder, after: RunFolder) -> str:
    """New, persisting and fixed findings, as text for a terminal."""
    old = {row.fingerprint: row for row in findings_of(before)}
    new = {row.fingerprint: row for row in findings_of(after)}
    parts = [
        ("New", [new[each] for each in new if each not in old]),
        ("Persisting", [new[each] for each in new if each in old]),
        ("Fixed", [old[each] for each in old if each not in new]),
    ]
    lines: list[str] = []
    for title, rows in parts:
        lines.append(f"{title}: {len(rows)}")
        lines.extend(f"  {row.severity.value:9}{line(row.title)}  {line(row.place)}" for row in rows)
    return "\n".join(lines) + "\n"


def known_findings(home: Home, name: str, target: Path, trust_ref: str = "") -> tuple[KnownFinding, ...]:
    """The findings of an earlier run, given by its id or by its JSON report."""
    path = Path(name)
    if path.is_file():
        return _from_json(path, read_named(path, target, trust_ref))
    return findings_of(home.find(name, target.absolute()))


def findings_of(run: RunFolder) -> tuple[KnownFinding, ...]:
    """The findings of a run; the stored ones if this version would decide differently; a broken journal is rejected."""
    refuse_changed(run)
    try:
        return tuple(known_row(row) for row in audit_report(run).findings)
    except JournalError:
        return _from_json(run.path, stored(run, "json"))


def known_row(row: ReportedFinding) -> KnownFinding:
    """Convert a reported finding to the form that later runs compare with."""
    return KnownFinding(row.fingerprint, row.finding.title, str(row.finding.location), row.severity)


def _from_json(path: Path, text: str) -> tuple[KnownFinding, ...]:
    try:
        rows: list[Any] = json.loads(text)["findings"]
        return tuple(
            KnownFinding(
                name,
                str(row["finding"]["title"])[:MAX_TITLE],
                f"{row['finding']['location']['path']}:{row['finding']['location']['start']}",
                Severity(row["severity"]),
            )
            for row, name in zip(rows, fingerprints(rows), strict=True)
        )
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UserError(
            f"{path} is not a JSON report written by counterproof", "give a run's id, or the report.json of one"
        ) from error


def accepted_findings(path: Path, target: Path, trust_ref: str = "") -> tuple[Acceptance, ...]:
    """The user's file of exceptions: `[[exception]]` tables with exactly fingerprint, reason, author and expires."""
    return accepted_in(read_named(path, target, trust_ref), path)


def accepted_in(text: str, path: Path) -> tuple[Acceptance, ...]:
    """The exceptions in a file's text."""
    try:
        table: dict[str, Any] = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UserError(f"{path} is not valid TOML: {error}", "each exception is an [[exception]] table") from error
    rows: Any = table.pop("exception", [])
    if table or not isinstance(rows, list):
        unknown = ", ".join(table) or "exception"
        raise UserError(f"{path}: {unknown} is not an [[exception]] table", "each exception is an [[exception]] table")
    try:
        return tuple(_acceptance(row) for row in cast("list[Any]", rows))
    except (KeyError, TypeError, ValueError, AttributeError, InvalidValue) as error:
        raise UserError(
            f"{path}: an exception is incomplete: {error}", "each needs fingerprint, reason, author and expires"
        ) from error


def _acceptance(row: dict[str, Any]) -> Acceptance:
    """Require exactly the four fields, so that a misspelt one is noticed."""
    unknown = sorted(set(row) - {"fingerprint", "reason", "author", "expires"})
    if unknown:
        raise InvalidValue(f"unknown field {unknown[0]}")
    expires = date.fromisoformat(str(row["expires"]))
    return Acceptance(str(row["fingerprint"]), str(row["reason"]), str(row["author"]), f"{expires:%Y-%m-%d}")
