"""The last words of a run on a terminal: verdict, counts, what to fix first, what was not covered, what the exit code means.

They fit one screen: what is always said is short, and findings and limitations share the rows that are left, so a taller
terminal shows more of them. Plain text, at most 80 columns where nobody says that there are more; a surface may colour a row
by its tone. Whoever prints it must print it as it is: a library that reads markup in text would read the reviewed code's.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from counterproof.model.report import Report
from counterproof.reports import first_page, triage, wording
from counterproof.reports.first_page import Groups, Kind
from counterproof.reports.screen import WIDTH, Row, clipped, columns, headed, item, wrapped

HEIGHT: Final = 24
"""Rows of a plain terminal. One of them is the prompt's."""
LEAST: Final = 16
"""On a lower screen than this the summary scrolls rather than say less."""
MAX_REASONS: Final = 3
WIDEST: Final = 120
"""Farther apart than this a title and its place are hard to follow."""
TWO_ROWS: Final = 140
CLAIMS_SHARE: Final = 3
"""One row in three of those that are left goes to claims, where something is confirmed."""

_TITLE_ROOM = 28
_NUMBER = 7

Blocks = list[list[Row]]


def render_summary(report: Report) -> str:
    """The summary for a plain terminal, with a newline at its end."""
    return "\n".join(row.text for row in summary_rows(report)) + "\n"


def summary_rows(report: Report, height: int = HEIGHT, closing: tuple[Row, ...] = (), width: int = WIDTH) -> tuple[Row, ...]:
    """The summary in at most `height` rows, the prompt's included; `closing` is what the surface adds at the end. On a wider
    screen the findings use up to `width` columns; sentences stay as long as they are good to read."""
    found = first_page.groups(report)
    head, findings, claims = _head(report), _findings_head(report, found), _claims_head(report, found)
    ledger = [*_combined(report), *_ledger(report)]
    end = [*headed("EXIT", _exit(report)), *closing]
    used = sum(map(len, (head, findings, claims, ledger))) + sum(_rows(row) for row in end)
    room = max(height, LEAST) - 1 - used
    confirmed, to_check = first_page.kinds(found.confirmed), first_page.kinds(found.claims)
    wide = min(width, WIDEST)
    for_claims = min(len(to_check), max(1, room // CLAIMS_SHARE)) if confirmed else room
    shown, left = _filled([_confirmed(each, wide) for each in confirmed], room - for_claims)
    checked, unchecked = _filled([_kind(each, wide) for each in to_check], room - len(shown))
    parts = [
        head,
        [*findings, *shown, *_more(confirmed[len(confirmed) - left :])],
        [*claims, *checked, *_more(to_check[len(to_check) - unchecked :])],
        ledger,
        end,
    ]
    parts = [part for part in parts if part]
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


def _findings_head(report: Report, found: Groups) -> list[Row]:
    levels = [row.severity for row in found.confirmed]
    counts = ", ".join(f"{levels.count(level)} {level.value}" for level in wording.SEVERITIES if level in levels)
    return [*headed("FINDINGS", counts or "none confirmed"), *_since(report)]


def _claims_head(report: Report, found: Groups) -> list[Row]:
    """Claims to check, and a count of what is only suspected."""
    said = [f"{len(found.claims):,} to check"] if found.claims else []
    if suspected := first_page.suspected_sentence(report):
        said.append(suspected)
    return headed("CLAIMS", "; ".join(said)) if said else []


def _since(report: Report) -> Iterable[Row]:
    sentence = triage.since(report)
    return [Row(each) for each in wrapped(sentence, "          ", "          ")] if sentence else []


def _confirmed(kind: Kind, width: int) -> list[Row]:
    """A confirmed finding: its line, then what it does, who can reach it and how sure that is."""
    first = kind.rows[0]
    said = f"{first_page.who_and_how_sure(first)}: {first_page.impact_sentence(first)}"
    return [*_kind(kind, width), Row(" " * _NUMBER + clipped(said, width - _NUMBER))]


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


def _more(unshown: tuple[Kind, ...]) -> list[Row]:
    left = sum(len(kind.rows) for kind in unshown)
    return [Row(f"  and {wording.counted(left, 'more finding')} in the full report")] if left else []


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
        rows.extend(headed("REFUSED", f"{wording.counted(len(report.refused), 'claim')}, the report says why"))
    return rows


def _ledger(report: Report) -> list[Row]:
    """The protocol in two lines: coverage, and what was not looked at."""
    left_out = sum(each.files for each in report.skipped)
    limits = wording.limitations(report)
    parts = (wording.counted(len(limits), "limitation"), f"{wording.counted(left_out, 'file')} left out")
    said = ", ".join(parts) if limits or left_out else "none recorded"
    return [*headed("COVERAGE", wording.coverage_sentence(report)), *headed("LIMITS", said)]


def _exit(report: Report) -> str:
    code = report.outcome.exit
    return f"{code.value}: {wording.meaning(code)}"
