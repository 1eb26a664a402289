"""What came of a job, read from what its audit left: the receipt and the report, or the last words of a process that left none.

Invariant: a job has an outcome whatever happened; one whose cost is not known counts as having cost all that was reserved for
it. Not handled here: running anything.
"""

import json
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any, Final, cast

from counterproof.app.delivery import RECEIPT
from counterproof.app.team import micros_of
from counterproof.model.batch import ENDED_BY_SIGNAL, LEVELS, Outcome, Spent
from counterproof.model.budget import Limit
from counterproof.model.errors import UserError
from counterproof.model.receipt import Exit
from counterproof.reports import FILE_NAMES
from counterproof.reports.inert import visible

MAX_SENTENCE: Final = 300
MAX_LIMITS: Final = 20
_TAIL: Final = 4_000


def of_report(folder: Path, code: int, name: str, notes: tuple[str, ...] = ()) -> Outcome | None:
    """The outcome that a delivered report tells; None where there is none. `name` is the folder's, for the batch's report."""
    receipt, report = _object(folder / RECEIPT), _object(folder / FILE_NAMES["json"])
    if not receipt or not report or code not in tuple(Exit):
        return None
    findings = [each for each in _list(report, "findings") if not each.get("accepted")]
    counts = Counter(str(each.get("severity")) for each in findings)
    posture = [each for each in _list(report, "posture") if not each.get("accepted")]
    limits = (*notes, *(str(each) for each in (*report.get("banners", ()), *report.get("limitations", ()))))
    reasons = _list(receipt, "reasons")
    return Outcome(
        exit_code=code,
        verdict=_verdict(reasons, code),
        counts=tuple(counts[level.value] for level in LEVELS),
        posture=len(posture),
        coverage=(int(report.get("covered", 0)), int(report.get("counted", 0))),
        limits=tuple(each[:MAX_SENTENCE] for each in limits[:MAX_LIMITS]),
        cost=cost_in(receipt),
        seconds=_seconds(receipt),
        folder=name,
        run=str(receipt.get("run", "")),
        findings=tuple(sorted(str(each.get("fingerprint")) for each in findings)),
        codes=tuple(sorted({int(each["code"]) for each in reasons})) or (int(Exit.CLEAN),),
    )


def cost_in(receipt: dict[str, Any]) -> Spent:
    try:
        return Spent(int(receipt.get("tokens") or 0), micros_of(str(receipt.get("cost_usd") or "")) or 0)
    except UserError:
        return Spent(int(receipt.get("tokens") or 0))


def of_failure(code: int, why: str, reserved: Limit, seconds: float, run: str = "") -> Outcome:
    """A job without a report. What it may have spent counts as spent."""
    exit_code = Exit(code) if code in tuple(Exit) and code not in (Exit.CLEAN, Exit.FINDINGS) else Exit.INTERNAL
    cost = Spent(reserved.tokens or 0, reserved.micros or 0)
    return Outcome(int(exit_code), why[:MAX_SENTENCE], cost=cost, seconds=round(seconds, 1), run=run, codes=(int(exit_code),))


def last_words(log: Path, code: int) -> str:
    """Why a process left no report, from what it said; or the signal that ended it."""
    if code < 0:
        return ENDED_BY_SIGNAL.format(-code)
    lines = tail(log)
    said = next((line for line in reversed(lines) if line.startswith("counterproof: ")), lines[-1] if lines else "")
    return said.removeprefix("counterproof: ") or f"the process exited with code {code} and no message"


def tail(log: Path) -> list[str]:
    """The last lines of a log, spelled so that none of them acts on a terminal."""
    try:
        with log.open("rb") as stream:
            stream.seek(0, 2)
            stream.seek(max(0, stream.tell() - _TAIL))
            text = stream.read().decode("utf-8", "replace")
    except OSError:
        return []
    return [visible(line)[:MAX_SENTENCE] for line in text.split("\n") if line.strip()]


def _verdict(reasons: list[dict[str, Any]], code: int) -> str:
    told = [str(each.get("text", "")) for each in reasons if each.get("code") == code]
    return "; ".join(told)[:MAX_SENTENCE] or ("clean" if code == Exit.CLEAN else "incomplete, which the options accept")


def _seconds(receipt: dict[str, Any]) -> float:
    try:
        ended, started = (datetime.fromisoformat(str(receipt[name])) for name in ("ended", "started"))
    except (KeyError, ValueError):
        return 0.0
    return round((ended - started).total_seconds(), 1)


def _object(path: Path) -> dict[str, Any]:
    try:
        found: Any = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _list(value: dict[str, Any], name: str) -> list[dict[str, Any]]:
    found = value.get(name)
    return [each for each in cast("list[Any]", found) if isinstance(each, dict)] if isinstance(found, list) else []
