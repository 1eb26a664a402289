"""The report on all targets as a document of blocks, like that of a review or a verification, for every writer."""

from collections import Counter
from typing import Final

from counterproof.model.receipt import PRECEDENCE, Exit
from counterproof.model.severity import Severity
from counterproof.reports.batch.document import BatchDocument, BatchTarget
from counterproof.reports.sections.blocks import Document, Inline, Mark, Section, Span, Table, number, own, remark, text
from counterproof.reports.wording import counted, meaning

LEVELS: Final = tuple(each.value for each in Severity)
_TONES: Final = {Exit.CLEAN: "good", Exit.FINDINGS: "poor", Exit.INTERNAL: "poor", Exit.USAGE: "poor"}
_HEADINGS: Final = (
    "Target",
    "Result",
    *(each.capitalize() for each in LEVELS),
    "Coverage",
    "New, gone",
    "Limits",
    "Cost",
    "Time",
    "Revision",
    "Outcome",
    "Report",
)


def content(made: BatchDocument) -> Document:
    """The whole document."""
    totals, exit_code = made.totals, Exit(made.exit_code)
    since = "" if totals.new is None else f"Since the last batch: {totals.new:,} new, {totals.gone or 0:,} gone."
    numbers = (totals.counts.critical, totals.counts.high, totals.counts.medium, totals.counts.low)
    return Document(
        kind=f"batch {made.batch}",
        about="Security audits of ",
        target=counted(totals.targets, "target"),
        facts=(
            made.list,
            ", ".join(f"{count:,} {state}" for state, count in totals.states.items()),
            f"{totals.tokens:,} tokens, ${totals.cost_usd}" if totals.tokens else "no model was called",
            f"begun {_moment(made.started)}, {f'ended {_moment(made.ended)}' if made.ended else 'not ended yet'}",
        ),
        result=_kinds(made),
        tone=_TONES.get(exit_code, "fair"),
        said=(
            f"Exit code {exit_code.value}: {meaning(exit_code)}.",
            since,
            f"{counted(totals.counts.posture, 'hardening recommendation')}, counted separately.",
        ),
        counts=tuple((level, level.capitalize(), count) for level, count in zip(LEVELS, numbers, strict=True)),
        notices=(),
        sections=(Section("findings", "Targets", (Table(_HEADINGS, tuple(map(_row, made.targets)), sortable=True),)),),
        version=made.version,
    )


def _row(row: BatchTarget) -> tuple[Inline, ...]:
    """The row of a target. A target without a report has no figures, because they are unknown."""
    counts = row.counts
    figures = (counts.critical, counts.high, counts.medium, counts.low)
    return (
        text(row.name),
        own(row.result),
        *(number(each) if row.report else own("–") for each in figures),
        own(f"{row.covered}/{row.counted}" if row.counted else "–"),
        own("–" if row.new is None or row.gone is None else f"+{row.new:,} −{row.gone:,}"),
        text("; ".join(row.limits) or "–"),
        own(f"${row.cost_usd}, {row.tokens:,} tokens" if row.tokens else "–"),
        own(f"{row.seconds:,.0f} s" if row.seconds else "–"),
        text(" ".join(each for each in (row.revision, row.commit[:12]) if each) or "–"),
        remark(row.verdict),
        (Span(row.report, Mark.PAGE),) if row.report else own("–"),
    )


def _moment(at: str) -> str:
    return f"{at[:16].replace('T', ' ')} UTC"


def _kinds(made: BatchDocument) -> str:
    """The number of targets by outcome, the outcome that sets the exit code first."""
    numbers = Counter(Exit(row.exit_code) for row in made.targets)
    named = (f"{numbers[each]:,} {each.name.lower().replace('_', ' ')}" for each in PRECEDENCE if numbers[each])
    return ", ".join(named)
