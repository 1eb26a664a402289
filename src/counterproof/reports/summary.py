"""The last words of a run on a terminal: verdict, counts, what to fix first, what was not covered, what the exit code means.

They fit one screen: what is always said is short, and findings and limitations share the rows that are left, so a taller
terminal shows more of them. Plain text, at most 80 columns where nobody says that there are more; a surface may colour a row
by its tone. Whoever prints it must print it as it is: a library that reads markup in text would read the reviewed code's.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from counterproof.model.report import Report
from counterproof.protocols.guard.panel import LEAD
from counterproof.reports import triage, wording
from counterproof.reports.screen import WIDTH, Row, clipped, columns, headed, item, wrapped
from counterproof.reports.triage import Kind

HEIGHT: Final = 24
"""Rows of a plain terminal. One of them is the prompt's."""
LEAST: Final = 16
"""On a lower screen than this the summary scrolls rather than say less."""
MAX_REASONS: Final = 3
WIDEST: Final = 120
"""Farther apart than this a title and its place are hard to follow."""
TWO_ROWS: Final = 140
LIMITS_SHARE: Final = 3
"""One row in three of those that are left goes to limitations, where there are so many."""

_TITLE_ROOM = 28
_NUMBER = 7

Blocks = list[list[Row]]


def render_summary(report: Report) -> str:
    """The summary for a plain terminal, with a newline at its end."""
    return "\n".join(row.text for row in summary_rows(report)) + "\n"


def summary_rows(report: Report, height: int = HEIGHT, closing: tuple[Row, ...] = (), width: int = WIDTH) -> tuple[Row, ...]:
    """The summary in at most `height` rows, the prompt's included; `closing` is what the surface adds at the end. On a wider
    screen the findings use up to `width` columns; sentences stay as long as they are good to read."""
    blocks = [_head(report), _findings_head(report), _combined(report), _coverage(report), _limits_head(report)]
    end = [*headed("EXIT", _exit(report)), *closing]
    rows_left = max(height, LEAST) - 1 - sum(map(len, blocks)) - sum(_rows(row) for row in end)
    kinds = triage.kinds(report)
    limitations = [item(each) for each in triage.pressing(report)]
    for_limits = min(sum(map(len, limitations)), max(2, rows_left // LIMITS_SHARE))
    found, unshown = _filled([_kind(each, min(width, WIDEST)) for each in kinds], rows_left - for_limits)
    limits, unsaid = _filled(limitations, rows_left - len(found))
    head, findings, combined, coverage, limit_head = blocks
    parts = [
        head,
        [*findings, *found, *_more(report, kinds[len(kinds) - unshown :])],
        [*combined, *coverage],
        [*limit_head, *limits, *([Row(f"  - and {unsaid} more in the full report")] if unsaid else [])],
        end,
    ]
    used = sum(len(part) for part in parts[:-1]) + sum(_rows(row) for row in end)
    return tuple(_spaced(parts, max(height, LEAST) - 1 - used))


def _rows(row: Row) -> int:
    """Rows that a line takes on the screen. Only closing lines may be longer than one: a path must stay whole."""
    return max(1, -(-columns(row.text) // WIDTH))


def _spaced(parts: list[list[Row]], spare: int) -> Iterator[Row]:
    """The parts with blank lines between them, as far as there is room."""
    for index, part in enumerate(parts):
        if index and spare >= len(parts) - index:
            yield Row("")
            spare -= 1
        yield from (Row(row.text.rstrip(" "), row.tone, row.lead) for row in part)


def _filled(items: Blocks, room: int) -> tuple[list[Row], int]:
    """As many items as fit, at least one, and how many are left; the line that says so needs a row too."""
    rows: list[Row] = []
    for index, each in enumerate(items):
        last = index == len(items) - 1
        if index and len(rows) + len(each) + (0 if last else 1) > room:
            return rows, len(items) - index
        rows.extend(each)
    return rows, 0


def _head(report: Report) -> list[Row]:
    title = clipped(f"Counterproof {report.version}: {report.mode} audit of {report.target}", WIDTH)
    rows = [Row(title), *headed("RESULT", wording.verdict(report))]
    reasons = [reason.text for reason in wording.reasons(report)]
    sentences = [*reasons, *(each for each in report.banners if each not in reasons)]
    rows.extend(row for each in sentences[:MAX_REASONS] for row in item(clipped(each, TWO_ROWS)))
    if len(sentences) > MAX_REASONS:
        rows.append(Row(f"  - and {len(sentences) - MAX_REASONS} more in the full report"))
    return rows


def _findings_head(report: Report) -> list[Row]:
    counts = ", ".join(f"{number} {level.value}" for level, number in wording.severity_counts(report))
    leads = sum(LEAD in row.labels for row in report.findings)
    note = f"; {leads} of them {'is a lead' if leads == 1 else 'are leads'}, not proved" if leads else ""
    return [*headed("FINDINGS", counts + note), *_since(report)]


def _since(report: Report) -> Iterable[Row]:
    sentence = triage.since(report)
    return [Row(each) for each in wrapped(sentence, "          ", "          ")] if sentence else []


def _kind(kind: Kind, width: int) -> list[Row]:
    """One line for findings of one kind: number, title, place of the first. A long place has a line of its own. The weakness is
    named where there is room for it."""
    first = kind.rows[0]
    notes = [f"{len(kind.rows)} places" if len(kind.rows) > 1 else "", clipped(kind.fate, _NUMBER + 3)]
    number = f"  {clipped(first.number, _NUMBER - 2):<{_NUMBER - 2}}"
    place = clipped(str(first.finding.location), WIDTH * 4)
    tone, lead = first.severity.value, len(number)
    named = _note([f"CWE-{first.finding.cwe}", *notes])
    fits = columns(f"{number}{first.finding.title}{named}  {place}") <= width
    note = named if fits else _note(notes)
    room = width - columns(number) - columns(place) - 2 - len(note)
    title = clipped(first.finding.title, max(room, _TITLE_ROOM))
    if room >= min(_TITLE_ROOM, columns(title)):
        gap = " " * (room - columns(title) + 2)
        return [Row(f"{number}{title}{note}{gap}{place}", tone, lead)]
    title = clipped(first.finding.title, width - columns(number) - len(note))
    below = " " * _NUMBER
    return [Row(f"{number}{title}{note}", tone, lead), *(Row(each) for each in wrapped(place, below, below))]


def _note(parts: list[str]) -> str:
    return f" ({', '.join(each for each in parts if each)})" if any(parts) else ""


def _more(report: Report, unshown: tuple[Kind, ...]) -> list[Row]:
    left = sum(len(kind.rows) for kind in unshown)
    parts = [f"and {wording.counted(left, 'more finding')} in the full report"] if left else []
    return [Row(f"  {'; '.join(parts)}")] if parts else []


def _combined(report: Report) -> list[Row]:
    """Posture, chains, and claims that are no findings; nothing where there are none."""
    rows: list[Row] = []
    if report.posture:
        rows.extend(headed("POSTURE", wording.posture_sentence(report)))
    if report.chains:
        worst = max(report.chains, key=lambda chain: (chain.severity.rank, chain.points))
        rows.extend(headed("CHAINS", f"{len(report.chains)}, the worst {worst.severity.value}: {' -> '.join(worst.numbers)}"))
    refused = f"{wording.counted(len(report.refused), 'claim')} refused, the report says why" if report.refused else ""
    if report.rejected:
        rejected = f"{wording.counted(len(report.rejected), 'finding')} by validation"
        rows.extend(headed("REJECTED", f"{rejected}; {refused}" if refused else rejected))
    elif refused:
        rows.extend(headed("CLAIMS", refused))
    return rows


def _coverage(report: Report) -> list[Row]:
    rows = headed("COVERAGE", wording.coverage_sentence(report))
    short = wording.shortfall(report)
    return [*rows, *(Row(each) for each in wrapped(short, " " * 10, " " * 10))] if short else rows


def _limits_head(report: Report) -> list[Row]:
    left_out = sum(each.files for each in report.skipped)
    limits = wording.limitations(report)
    if not limits and not left_out:
        return headed("LIMITS", "none recorded")
    return headed("LIMITS", f"{wording.counted(len(limits), 'limitation')}, {wording.counted(left_out, 'file')} left out")


def _exit(report: Report) -> str:
    code = report.outcome.exit
    return f"{code.value}: {wording.meaning(code)}"
