"""Combinations of findings: attack chains (A34) and, in deep, the scored paths from an entry point to a severe sink (A50)."""

from typing import Final

from counterproof.model.report import ChainLine, Report
from counterproof.reports.sections.blocks import Inline, Mark, Section, Span, Table, code, own, sentence, text
from counterproof.reports.sections.claims import more

MAX_CHAINS: Final = 100
MAX_PATHS: Final = 200


def chains(report: Report) -> Section | None:
    if not report.chains:
        return None
    rows = tuple((_story(each), own(each.severity.value), own(f"{each.points:+d}")) for each in report.chains[:MAX_CHAINS])
    return Section(
        "chains",
        "Attack chains",
        (
            sentence("Each finding gives an attacker what the next one needs; the chain has its own severity."),
            Table(("Chain", "Severity", "Points"), rows, figures=(2,)),
            *more(len(report.chains), MAX_CHAINS),
        ),
    )


def _story(chain: ChainLine) -> Inline:
    """ "H-01 gives credentials to C-01", for each link."""
    spans: list[Span] = [Span(chain.numbers[0], Mark.STRONG)] if chain.numbers else []
    for capability, then in zip(chain.capabilities, chain.numbers[1:], strict=False):
        spans += [Span(" gives ", Mark.OWN), Span(capability), Span(" to ", Mark.OWN), Span(then, Mark.STRONG)]
    return tuple(spans)


def paths(report: Report) -> Section | None:
    if not report.paths:
        return None
    rows = tuple(
        (code(each.entry), text(each.number), own(str(each.steps)), own(f"{each.points:+d}")) for each in report.paths[:MAX_PATHS]
    )
    return Section(
        "paths",
        "Attack-path scoring",
        (
            sentence("Paths from an entry point to a dangerous sink, highest score first."),
            Table(("Entry point", "Finding", "Steps", "Points"), rows, figures=(2, 3)),
            *more(len(report.paths), MAX_PATHS),
        ),
    )
