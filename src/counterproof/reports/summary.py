"""The summary of a run on a terminal: verdict, counts, priorities, gaps, the meaning of the exit code.

It fits one screen: the fixed part is short, and findings and limitations share the remaining rows, so a taller terminal shows
more. Plain text, at most 80 columns unless the width is known; a surface may colour a row by its tone. It must be printed
unchanged: a library that interprets markup would interpret the reviewed code's.
"""

from collections.abc import Callable, Iterable
from typing import Final

from counterproof.model.posture import PostureEntry
from counterproof.model.report import Report, ReportedFinding
from counterproof.protocols.guard.groups import Groups, Kind, by_kind
from counterproof.reports import first_page, triage, wording
from counterproof.reports.screen import HEIGHT, WIDTH, Item, Part, Row, clipped, fitted, headed, item, titled, wrapped

MAX_REASONS: Final = 3
WIDEST: Final = 120
"""Beyond this width a title and its location are too far apart to read."""
TWO_ROWS: Final = 140
_NUMBER: Final = 7


def render_summary(report: Report) -> str:
    """The summary for a plain terminal, ending with a newline."""
    return "\n".join(row.text for row in summary_rows(report)) + "\n"


def summary_rows(report: Report, height: int = HEIGHT, closing: tuple[Row, ...] = (), width: int = WIDTH) -> tuple[Row, ...]:
    """The summary in at most `height` rows including the prompt's; `closing` is added at the end by the surface. On a wider
    screen the findings use up to `width` columns; sentences keep a readable length."""
    return fitted((*summary_parts(report, width), Part((*headed("EXIT", _exit(report)), *closing))), height)


def summary_parts(report: Report, width: int = WIDTH) -> tuple[Part, ...]:
    """The summary without its closing lines."""
    found = first_page.groups(report)
    wide = min(width, WIDEST)
    return (
        Part(tuple(_head(report))),
        Part(tuple(_findings_head(report, found)), _items(found.confirmed, _confirmed, wide)),
        Part(tuple(headed("CLAIMS", "; ".join(found.unsure)) if found.unsure else ()), _items(found.claims, _kind, wide)),
        _hardening(report, listed=not (found.confirmed or found.claims), width=wide),
        Part((*_combined(report), *_ledger(report))),
    )


def _items(rows: tuple[ReportedFinding, ...], shown: Callable[[Kind, int], list[Row]], width: int) -> tuple[Item, ...]:
    return tuple(Item(tuple(shown(kind, width)), len(kind.rows)) for kind in by_kind(rows))


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
    return [*headed("FINDINGS", found.sure), *_since(report)]


def _since(report: Report) -> Iterable[Row]:
    sentence = triage.since(report)
    return [Row(each) for each in wrapped(sentence, "          ", "          ")] if sentence else []


def _confirmed(kind: Kind, width: int) -> list[Row]:
    """A confirmed finding: its line, then its impact, who can reach it and its confidence."""
    first = kind.rows[0]
    said = f"{first_page.who_and_how_sure(first)}: {first_page.impact_sentence(first)}"
    return [*_kind(kind, width), Row(" " * _NUMBER + clipped(said, width - _NUMBER))]


def _kind(kind: Kind, width: int) -> list[Row]:
    """One line for findings of one kind: number, title, first location. The weakness is named if there is room."""
    first = kind.rows[0]
    notes = (
        f"CWE-{first.finding.cwe}",
        f"{len(kind.rows)} findings" if len(kind.rows) > 1 else "",
        clipped(kind.fate, _NUMBER + 3),
    )
    number = f"  {clipped(first.number, _NUMBER - 2):<{_NUMBER - 2}}"
    return titled(number, first.finding.title, notes, str(first.finding.location), first.severity.value, width)


def _hardening(report: Report, listed: bool, width: int) -> Part:
    """Hardening recommendations: counted, or listed if there is nothing else."""
    if not report.posture:
        return Part(())
    items = [Item(tuple(_entry(each, width))) for each in report.posture if listed]
    said = wording.posture_count(report) if listed else wording.posture_sentence(report)
    return Part(tuple(headed("HARDENING", said)), tuple(items), "recommendation")


def _entry(each: PostureEntry, width: int) -> list[Row]:
    first, *others = each.places
    notes = (f"CWE-{each.cwe}", f"{len(others) + 1} places" if others else "")
    return titled(f"  {each.number:<{_NUMBER - 2}}", each.title, notes, str(first), each.severity.value, width)


def _combined(report: Report) -> list[Row]:
    """Chains, and claims that are not findings; empty if there are none."""
    rows: list[Row] = []
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
    """Coverage and limitations in two lines."""
    left_out = sum(each.files for each in report.skipped)
    limits = wording.limitations(report)
    parts = (wording.counted(len(limits), "limitation"), f"{wording.counted(left_out, 'file')} left out")
    said = ", ".join(parts) if limits or left_out else "none recorded"
    return [*headed("COVERAGE", wording.coverage_sentence(report)), *headed("LIMITS", said)]


def _exit(report: Report) -> str:
    return f"{report.outcome.exit.value}: {wording.exit_meaning(report)}"
