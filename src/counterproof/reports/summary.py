"""The last words of a run on a terminal: verdict, counts, what to fix first, what was not covered, what the exit code means.

Plain text, at most 80 columns, no control character but the newline; a surface may add colour to it. Whoever prints it
must print it as it is: a library that reads markup in text would read the reviewed code's.
"""

import unicodedata
from collections.abc import Iterator
from typing import Final

from counterproof.model.report import Report, ReportedFinding
from counterproof.reports import inert, wording

WIDTH: Final = 80
MAX_FINDINGS: Final = 10
MAX_CHAINS: Final = 5
MAX_SENTENCES: Final = 6
MAX_SENTENCE: Final = 400
_INDENT = "  "
_DEEPER = " " * 7


def columns(text: str) -> int:
    """Columns that a terminal needs at most. Combining marks count too, so that a pile of them cannot hide."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def _fitting(word: str, room: int) -> int:
    used = 0
    for index, character in enumerate(word):
        used += columns(character)
        if used > room:
            return index
    return len(word)


def wrapped(text: str, first: str = "", rest: str = "") -> Iterator[str]:
    """The text in lines of at most 80 columns, broken between words and, where a word is too long, inside it."""
    current, empty = first, True
    for word in inert.line(text, MAX_SENTENCE).split(" "):
        gap = "" if empty else " "
        if columns(current + gap + word) <= WIDTH:
            current, empty = current + gap + word, False
            continue
        if not empty:
            yield current
            current = rest
        while columns(current + word) > WIDTH:
            cut = _fitting(word, WIDTH - columns(current))
            yield current + word[:cut]
            current, word = rest, word[cut:]
        current, empty = current + word, False
    yield current


def _head(report: Report) -> Iterator[str]:
    yield from wrapped(f"Counterproof {report.version}: {report.mode} audit of {report.target}")
    yield ""
    yield from wrapped(wording.verdict(report), "RESULT    ", " " * 10)
    for reason in wording.reasons(report):
        yield from wrapped(f"{reason.text} (exit {reason.code.value})", "  - ", "    ")
    for banner in report.banners:
        yield from wrapped(banner, "  ! ", "    ")


def _finding(each: ReportedFinding) -> Iterator[str]:
    finding = each.finding
    yield from wrapped(f"{each.number} {each.severity.value.upper()}: {finding.title}", _INDENT, _DEEPER)
    yield from wrapped(str(finding.location), _DEEPER, _DEEPER)
    labels = f", {', '.join(each.labels)}" if each.labels else ""
    yield from wrapped(f"CWE-{finding.cwe}, confidence {finding.confidence.value}{labels}", _DEEPER, _DEEPER)


def _findings(report: Report) -> Iterator[str]:
    counts = ", ".join(f"{number} {level.value}" for level, number in wording.severity_counts(report))
    yield f"FINDINGS  {counts}"
    ordered = wording.by_severity(report)
    for each in ordered[:MAX_FINDINGS]:
        yield from _finding(each)
    left = len(ordered) - MAX_FINDINGS
    if left > 0:
        yield f"{_INDENT}and {wording.counted(left, 'more finding')} in the full report"
    if report.rejected:
        yield f"{_INDENT}{wording.counted(len(report.rejected), 'finding')} rejected by validation"
    if report.refused:
        yield f"{_INDENT}{wording.counted(len(report.refused), 'claim')} refused by verification"


def _chains(report: Report) -> Iterator[str]:
    """Nothing where no chain was found."""
    if not report.chains:
        return
    yield ""
    yield f"CHAINS    {wording.counted(len(report.chains), 'attack chain')}"
    for chain in report.chains[:MAX_CHAINS]:
        yield from wrapped(f"{chain.severity.value.upper()}: {' -> '.join(chain.numbers)}", "  - ", "    ")
    left = len(report.chains) - MAX_CHAINS
    if left > 0:
        yield f"  - and {left} more in the full report"


def _coverage(report: Report) -> Iterator[str]:
    yield from wrapped(wording.coverage_sentence(report), "COVERAGE  ", " " * 10)
    for row in wording.short_of(report):
        word = "shallow, not counted" if row.excluded else wording.status_word(row.status)
        yield from wrapped(f"{row.dimension.value} {row.dimension.label}: {word}; {row.reason}", "  - ", "    ")


def _limits(report: Report) -> Iterator[str]:
    left_out = sum(each.files for each in report.skipped)
    if not report.limitations and not left_out:
        yield "LIMITS    none recorded"
        return
    yield f"LIMITS    {wording.counted(len(report.limitations), 'limitation')}, {wording.counted(left_out, 'file')} left out"
    for sentence in report.limitations[:MAX_SENTENCES]:
        yield from wrapped(sentence, "  - ", "    ")
    left = len(report.limitations) - MAX_SENTENCES
    if left > 0:
        yield f"  - and {left} more in the full report"


def render_summary(report: Report) -> str:
    """The summary, with a newline at its end."""
    lines = [*_head(report), "", *_findings(report), *_chains(report), "", *_coverage(report), "", *_limits(report), ""]
    code = report.outcome.exit
    lines.extend(wrapped(f"{code.value}: {wording.meaning(code)}", "EXIT      ", " " * 10))
    return "\n".join(each.rstrip(" ") for each in lines) + "\n"
