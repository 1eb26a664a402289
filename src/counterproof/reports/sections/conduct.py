"""The record of the run: its agents, its phases as announced, and the outcome of every claim (A2, A28, A50)."""

from collections.abc import Iterator
from typing import Final

from counterproof.model.agents import Registered
from counterproof.model.report import Report, SourceCount
from counterproof.reports import wording
from counterproof.reports.sections.blocks import (
    Block,
    Bullets,
    Inline,
    Listing,
    Mark,
    Paragraph,
    Section,
    Span,
    Table,
    listed,
    number,
    own,
    sentence,
    strong,
    text,
)

MAX_MARKERS: Final = 1_000


def agents(report: Report) -> Section:
    headings = ("Agent", "Who", "Task", "Round", "Dimensions", "Status", "Output", "Findings")
    rows = tuple(_agent(each) for each in report.agents)
    first: Block = Table(headings, rows, figures=(3, 7)) if rows else sentence("No agent ran.")
    loaded = Bullets(
        (_named("Rules read and documents in prompts: ", report.documents), _named("Knowledge modules: ", report.modules_loaded))
    )
    return Section("agents", "Agents", (first, *_shares(report), loaded))


def _shares(report: Report) -> Iterator[Block]:
    """The separate work of analysts and of models: neither is credited with the other's (A52)."""
    if not report.shares:
        return
    headings = ("Work of", "Covered", "Files read", "Searches", "Findings", "Read in phase 3")
    yield Table(
        headings,
        tuple(
            (
                text(each.who),
                own(f"{each.covered} of {each.counted}"),
                number(each.files_read),
                number(each.searches),
                number(each.findings),
                number(each.deep_files),
            )
            for each in report.shares
        ),
        figures=(2, 3, 4, 5),
    )


def _named(what: str, names: tuple[str, ...]) -> Inline:
    return (Span(what, Mark.OWN), *listed(tuple(text(name) for name in names)))


def _agent(each: Registered) -> tuple[Inline, ...]:
    dimensions = ", ".join(dimension.value for dimension in each.dimensions) or "–"
    return (
        text(each.agent_id),
        text(each.model) if each.model else own("analyst"),
        text(each.task_id),
        own(str(each.round)),
        own(dimensions),
        own(each.status.value),
        own(each.output.value),
        number(each.findings),
    )


def ledger(report: Report) -> Section:
    shown: Block = Listing("\n".join(report.markers), MAX_MARKERS) if report.markers else sentence("No phase was recorded.")
    return Section("ledger", "Phase ledger", (shown,))


def sources(report: Report) -> Section:
    rows = [_source(text(row.source), row) for row in report.sources]
    rows.append(_source(strong("total"), wording.totals(report)))
    headings = ("Source", "Raw", "Kept", "Refused", "Repeats")
    return Section("sources", "Source summary", (Table(headings, tuple(rows), figures=(1, 2, 3, 4)), *(_sums(report))))


def _source(name: Inline, row: SourceCount) -> tuple[Inline, ...]:
    return (name, number(row.raw), number(row.kept), number(row.refused), number(row.repeats))


def _sums(report: Report) -> Iterator[Paragraph]:
    """From raw claims to the displayed findings. A step that does not add up is reported."""
    total = wording.totals(report)
    sums = f"{total.raw:,} raw = {total.kept:,} kept + {total.refused:,} refused + {total.repeats:,} repeats"
    if not all(wording.adds_up(row) for row in report.sources):
        yield _wrong(f"{sums} does not hold for every row.")
        return
    yield sentence(f"{sums}.")
    ended = report.validation
    gone = f" − {ended.rejected:,} rejected − {ended.duplicates:,} merged as duplicates" if ended else ""
    advice = sum(each.claims for each in report.posture)
    shown = wording.counted(len(report.findings), "finding")
    step = f"{total.kept:,} kept{gone}{f' − {advice:,} of hardening' if advice else ''}"
    if wording.accounted(report):
        yield sentence(f"{step} = {shown} in this report.")
    else:
        yield _wrong(f"{step} does not equal the {shown} in this report.")


def _wrong(what: str) -> Paragraph:
    return Paragraph((Span("⚠️ ", Mark.OWN), Span("These figures do not add up:", Mark.STRONG), Span(f" {what}", Mark.OWN)))
