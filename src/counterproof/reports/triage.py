"""The history of findings since an earlier run, and the most important gaps.

Like `wording`, every function derives data from a `Report`. Texts of the reviewed code are passed through unchanged; the
format makes them inert.
"""

import re
import shlex
from typing import Final

from counterproof.model.receipt import Exit
from counterproof.model.report import Report, ReportedFinding
from counterproof.protocols.guard.acceptance import NEW, PERSISTING
from counterproof.protocols.guard.groups import fate
from counterproof.reports.wording import counted, limitations, short_of, shortfall

MAX_LIMITATIONS: Final = 6
MAX_GLOBS: Final = 5
_OF_A_DIMENSION: Final = re.compile(r"D\d{1,2}\b")
_TOO_LITTLE: Final = re.compile(r".*\bunder a tenth of the code\b")


def since(report: Report) -> str:
    """The changes since the run compared with, and accepted findings; "" if there are neither."""
    numbers = {word: sum(fate(row) == word for row in report.findings) for word in (NEW, PERSISTING, "accepted")}
    parts: list[str] = []
    if any(row.history for row in report.findings) or report.fixed:
        parts.append(f"{numbers[NEW]:,} new, {numbers[PERSISTING]:,} persisting, {len(report.fixed):,} fixed")
    if numbers["accepted"]:
        parts.append(f"{numbers['accepted']:,} accepted for a while")
    return "; ".join(parts)


def pressing(report: Report) -> tuple[str, ...]:
    """The limitations, least important last. Those of an insufficiently covered dimension come first: they show how to close
    the gap."""
    waited = {row.dimension.value for row in short_of(report) if not row.excluded and report.covered < report.threshold}

    def rank(sentence: str) -> tuple[bool, bool, bool]:
        named = _OF_A_DIMENSION.match(sentence)
        return bool(_TOO_LITTLE.match(sentence)), named is None or named[0] not in waited, named is not None

    return tuple(sorted(limitations(report), key=rank))


def not_looked_at(report: Report) -> tuple[str, ...]:
    """The most important gaps: dimensions, limitations, files. Empty if there are none."""
    short, every = shortfall(report), pressing(report)
    left_out = sum(each.files for each in report.skipped)
    sentences = [f"Dimensions {short}."] if short else []
    sentences.extend(every[:MAX_LIMITATIONS])
    if len(every) > MAX_LIMITATIONS:
        sentences.append(f"And {counted(len(every) - MAX_LIMITATIONS, 'more limitation')} under Limitations.")
    if left_out:
        sentences.append(f"{counted(left_out, 'file')} left out.")
    return tuple(sentences)


def to_complete(report: Report, globs: tuple[str, ...] = (), waivable: bool = False) -> str:
    """How the user can complete an incomplete audit; '' for a complete one. Options in backquotes are for the same command again.
    `globs` match the unread code; `waivable`: the user required no coverage."""
    short = [reason.text for reason in report.outcome.reasons if reason.code is Exit.INCOMPLETE]
    if not short:
        return ""
    steps: list[str] = []
    if any(text.startswith("The time limit") for text in short):
        steps.append("`--max-time 0` sets no time limit")
    if globs:
        accepting = " ".join(f"--accept-unread {shlex.quote(each)}" for each in globs[:MAX_GLOBS])
        more = f", {len(globs) - MAX_GLOBS} more are under LIMITS" if len(globs) > MAX_GLOBS else ""
        steps.append(f"`{accepting}` accepts what no analyst reads{more}")
    if any("overage" in text for text in short):
        if waivable and report.covered:
            steps.append(f"`--min-coverage {report.covered}` accepts the coverage that was reached")
        steps.append("a model may follow what the analysts could not: `counterproof doctor` says which are set up")
    if report.mode == "standard" and any(text.startswith("The deep dive") for text in short):
        steps.append("`--mode deep` also follows what a standard audit does not")
    if any("not validated" in text for text in short):
        steps.append("check the unvalidated findings yourself")
    if report.outcome.exit is Exit.INCOMPLETE:
        steps.append("`--no-fail-on-incomplete` exits with 0 anyway")
    return "; ".join(steps)


def places(rows: tuple[ReportedFinding, ...]) -> tuple[str, ...]:
    """The locations of findings, each file named once in a row: "a.py:3", ":9", "b.py:1"."""
    shown: list[str] = []
    before = ""
    for row in rows:
        place = row.finding.location
        shown.append(str(place).removeprefix(place.path) if place.path == before else str(place))
        before = place.path
    return tuple(shown)
