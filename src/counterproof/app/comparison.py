"""Comparing runs, and reading what the user knows beforehand: an earlier run, and a file of accepted findings."""

import tomllib
from pathlib import Path
from typing import Any

from counterproof.app.runs import replayed
from counterproof.model.errors import InvalidValue, UserError
from counterproof.model.known import Acceptance, KnownFinding
from counterproof.model.report import Report, ReportedFinding
from counterproof.model.severity import Severity
from counterproof.reports.inert import line
from counterproof.runtime.home import Home, RunFolder

MAX_BYTES = 50_000_000


def differences(before: RunFolder, after: RunFolder) -> str:
    """New, persisting and fixed findings, as text for a terminal."""
    old = {row.fingerprint: row for row in replayed(before)[0].findings}
    new = {row.fingerprint: row for row in replayed(after)[0].findings}
    parts = [
        ("New", [new[each] for each in new if each not in old]),
        ("Persisting", [new[each] for each in new if each in old]),
        ("Fixed", [old[each] for each in old if each not in new]),
    ]
    lines: list[str] = []
    for title, rows in parts:
        lines.append(f"{title}: {len(rows)}")
        lines.extend(f"  {row.severity.value:9}{line(row.finding.title)}  {line(str(row.finding.location))}" for row in rows)
    return "\n".join(lines) + "\n"


def known_findings(home: Home, name: str) -> tuple[KnownFinding, ...]:
    """The findings of an earlier run, given by its id or by the JSON report it wrote."""
    path = Path(name)
    if path.is_file():
        return _from_json(path)
    return tuple(_known(row) for row in report_of(home.find(name)).findings)


def report_of(run: RunFolder) -> Report:
    return replayed(run)[0]


def _known(row: ReportedFinding) -> KnownFinding:
    return KnownFinding(row.fingerprint, row.finding.title, str(row.finding.location), row.severity)


def _from_json(path: Path) -> tuple[KnownFinding, ...]:
    import json

    try:
        if path.stat().st_size > MAX_BYTES:
            raise UserError(f"{path} is larger than {MAX_BYTES} bytes", "give a run's id or its report.json")
        rows: list[Any] = json.loads(path.read_text(encoding="utf-8"))["findings"]
        return tuple(
            KnownFinding(
                str(row["fingerprint"]),
                str(row["finding"]["title"])[:200],
                f"{row['finding']['location']['path']}:{row['finding']['location']['start']}",
                Severity(row["severity"]),
            )
            for row in rows
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{path} is no JSON report of ours", "give a run's id, or the report.json of one") from error


def accepted_findings(path: Path, target: Path) -> tuple[Acceptance, ...]:
    """The user's file of exceptions. One that lies in the reviewed code could be altered by what is reviewed: refused."""
    if path.resolve().is_relative_to(target.resolve()):
        raise UserError(
            f"{path} lies in the reviewed code, which could then accept its own findings", "keep the file outside the target"
        )
    try:
        table: Any = tomllib.loads(path.read_text(encoding="utf-8"))
        rows: list[dict[str, Any]] = table.get("exception", [])
        return tuple(
            Acceptance(str(row["fingerprint"]), str(row["reason"]), str(row["author"]), str(row["expires"])) for row in rows
        )
    except OSError as error:
        raise UserError(
            f"cannot read {path}: {error.strerror}", "give the path of a TOML file with [[exception]] tables"
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path} is not valid TOML: {error}", "each exception is a [[exception]] table") from error
    except (KeyError, TypeError, AttributeError, InvalidValue) as error:
        raise UserError(
            f"{path}: an exception is incomplete: {error}", "each needs fingerprint, reason, author and expires"
        ) from error
