"""Related locations of a result: further locations of its root cause, and the other findings of its attack chains (A34, A39)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from counterproof.model.report import ChainLine, Report, ReportedFinding
from counterproof.reports.inert import line, message
from counterproof.reports.sarif.log import Message, SarifLocation
from counterproof.reports.sarif.places import place

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


def related(each: ReportedFinding, known: Chained) -> tuple[SarifLocation, ...]:
    """At most `MAX_RELATED` locations; the JSON report has all."""
    return _every(each, known)[:MAX_RELATED]


def _every(each: ReportedFinding, known: Chained) -> tuple[SarifLocation, ...]:
    also = [SarifLocation(place(spot), Message("The same root cause")) for spot in each.finding.also]
    return (*also, *_neighbours(each, known))


def related_left_out(each: ReportedFinding, known: Chained) -> dict[str, object]:
    """The number of omitted locations as a property; empty if there are none."""
    left = len(_every(each, known)) - MAX_RELATED
    return {"relatedLocationsLeftOut": left} if left > 0 else {}


def _neighbours(each: ReportedFinding, known: Chained) -> Iterator[SarifLocation]:
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
            yield SarifLocation(place(known.findings[number].finding.location), Message(message(text)))


def chain_properties(each: ReportedFinding, known: Chained) -> dict[str, object]:
    """Every chain that contains the finding, with its own severity."""
    chains = known.chains.get(each.number, ())[:MAX_CHAINS]
    if not chains:
        return {}
    return {
        "attackChains": [
            {
                "findings": [line(number) for number in chain.numbers],
                "capabilities": [line(capability) for capability in chain.capabilities],
                "severity": chain.severity.value,
                "points": chain.points,
            }
            for chain in chains
        ]
    }
