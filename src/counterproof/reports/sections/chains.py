"""Combinations of findings: attack chains (A34) and, in deep, the scored paths from an entry point to a severe sink (A50)."""

from typing import Final

from counterproof.model.report import ChainLine, Report
from counterproof.reports.sections.blocks import Inline, Mark, Section, Span, code, own, rows_of, text

MAX_CHAINS: Final = 100
MAX_PATHS: Final = 200


def chains(report: Report) -> tuple[Section, ...]:
    rows = ((_story(each), own(each.severity.value), own(f"{each.points:+d}")) for each in report.chains)
    intro = "Each finding gives an attacker what the next one needs; the chain has its own severity."
    return rows_of("chains", "Attack chains", ("Chain", "Severity", "Points"), rows, intro, MAX_CHAINS, (2,))


def _story(chain: ChainLine) -> Inline:
    """ "H-01 gives credentials to C-01", for each link."""
    spans: list[Span] = [Span(chain.numbers[0], Mark.STRONG)] if chain.numbers else []
    for capability, then in zip(chain.capabilities, chain.numbers[1:], strict=False):
        spans += [Span(" gives ", Mark.OWN), Span(capability), Span(" to ", Mark.OWN), Span(then, Mark.STRONG)]
    return tuple(spans)


def paths(report: Report) -> tuple[Section, ...]:
    rows = ((code(each.entry), text(each.number), own(str(each.steps)), own(f"{each.points:+d}")) for each in report.paths)
    headings = ("Entry point", "Finding", "Steps", "Points")
    intro = "Paths from an entry point to a dangerous sink, highest score first."
    return rows_of("paths", "Attack-path scoring", headings, rows, intro, MAX_PATHS, (2, 3))
