"""Related locations of a result: further locations of its root cause, and the other findings of its attack chains (A34, A39)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from counterproof.model.report import ChainLine, Report, ReportedFinding
from counterproof.reports.inert import line, message
from counterproof.reports.sarif.log import Node, place

MAX_RELATED: Final = 99
"""With its own location a result has at most the 100 that code scanning shows; it accepts 1,000."""
MAX_CHAINS: Final = 20


@dataclass(frozen=True, slots=True)
class Chained:
    """The chains of a report by their members' numbers, and the findings by number."""

    chains: dict[str, tuple[ChainLine, ...]]
    findings: dict[str, ReportedFinding]


def chained(report: Report) -> Chained:
    by_number: dict[str, list[ChainLine]] = {}
    for chain in report.chains:
        for number in dict.fromkeys(chain.numbers):
            by_number.setdefault(number, []).append(chain)
    return Chained(
        {number: tuple(chains) for number, chains in by_number.items()}, {each.number: each for each in report.findings}
    )


def related(each: ReportedFinding, known: Chained) -> list[Node]:
    """All related locations; a result shows at most `MAX_RELATED` of them."""
    return [*(place(spot, said="The same root cause") for spot in each.finding.also), *_neighbours(each, known)]


def _neighbours(each: ReportedFinding, known: Chained) -> Iterator[Node]:
    """The neighbouring findings in its chains, each once."""
    texts: dict[str, str] = {}
    for chain in known.chains.get(each.number, ()):
        for first, capability, then in zip(chain.numbers, chain.capabilities, chain.numbers[1:], strict=False):
            if each.number == first:
                texts.setdefault(then, f"Attack chain: gives {capability} to {then}")
            elif each.number == then:
                texts.setdefault(first, f"Attack chain: gets {capability} from {first}")
    for number, text in texts.items():
        if number in known.findings:
            yield place(known.findings[number].finding.location, said=message(text))


def attack_chains(each: ReportedFinding, known: Chained) -> list[Node]:
    """Every chain that contains the finding, with its own severity."""
    return [
        {
            "findings": [line(number) for number in chain.numbers],
            "capabilities": [line(capability) for capability in chain.capabilities],
            "severity": chain.severity.value,
            "points": chain.points,
        }
        for chain in known.chains.get(each.number, ())[:MAX_CHAINS]
    ]
