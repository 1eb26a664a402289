"""What the analysts have on record about a place: the sinks that data was followed to, and the findings.

Invariant: a sink counts as harmless only where a sender's data arrives and was made harmless, or where the call reads nothing.
Not handled here: verdicts.
"""

from dataclasses import dataclass

from counterproof.analysis import facts, families
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import FlowRule, load_rules
from counterproof.model.dimension import ALL_DIMENSIONS
from counterproof.model.fact import Operation
from counterproof.model.finding import Finding
from counterproof.model.kinship import kin
from counterproof.model.ledger import Trace
from counterproof.model.location import Location
from counterproof.model.proof import strength
from counterproof.model.recon import EntryPoint
from counterproof.model.root_cause import meet, way

_NAMING = (Operation.CALL, Operation.ASSIGN, Operation.DEFINE)
"""What names do on a line without being read for their value."""

_REPORTED = ("request ", "literal", "internal", "configuration")
"""Origins that the flow engine reports for every rule, or that harm nobody. About stored data, the command line and what callers
pass it is silent for most rules, so that its silence is no answer."""


@dataclass(frozen=True, slots=True)
class Met:
    """The sinks of a weakness that the flow engine met at a place. `harmless`: a sender's data that arrives was made harmless on
    the way, or nothing but literals arrives."""

    traces: tuple[Trace, ...] = ()
    harmless: bool = False

    @property
    def why(self) -> str:
        origins = ", ".join(dict.fromkeys(each.origin for each in self.traces))
        return f"data was followed from every origin ({origins}) to {self.traces[0].sink}, and none arrives there unchecked"


def sinks_met_at(project: Project, entry_points: tuple[EntryPoint, ...], place: Location, rules: tuple[FlowRule, ...]) -> Met:
    if not rules:
        return Met()
    flows = families.flows(project, entry_points, ALL_DIMENSIONS)
    ids, kinds = {each.id for each in rules}, {each.kind for each in rules}
    met = tuple(each for each in flows.traces if each.kind in kinds and meet(place, each.sink))
    if not met or any(each.rule in ids and _passes(each, place) for each in flows.findings):
        return Met(met)
    return Met(met, all(_is_harmless(each) for each in met) or _reads_nothing(project, place))


def flow_rules(rule: str, cwe: int | None) -> tuple[FlowRule, ...]:
    """The flow rules that speak for a claim: the one it names, or those of its weakness where it names none of ours."""
    if rule:
        return tuple(each.rule for each in load_rules() if isinstance(each.rule, FlowRule) and each.rule.id == rule)
    return tuple(each.rule for each in load_rules() if isinstance(each.rule, FlowRule) and _are_kin(each.rule.cwe, cwe))


def _are_kin(one: int | None, other: int | None) -> bool:
    return one is not None and other is not None and kin(one) == kin(other)


def _is_harmless(trace: Trace) -> bool:
    """Whether a sender's data arrives at a sink, and no other than that and the program's own."""
    sent = trace.complete and "request " in trace.origin
    return sent and all(each.startswith(_REPORTED) for each in trace.origin.split(", "))


def _reads_nothing(project: Project, place: Location) -> bool:
    """Whether the lines hold one call, and read no variable: `os.system("ls")`."""
    index = facts.index_of(project, place.path)
    said = [each for line in range(place.start, place.end + 1) for each in index.get(line, ())]
    spoken = {part for operation, name in said if operation in _NAMING for part in (name, *name.split("."))}
    alone = len({name for operation, name in said if operation is Operation.CALL and name}) == 1
    return alone and all(name in spoken or not name for operation, name in said if operation is Operation.READ)


def reported_at(project: Project, entry_points: tuple[EntryPoint, ...], place: Location, cwe: int | None) -> Finding | None:
    """The analysts' finding of the same weakness at a place, or one whose flow passes it; the one whose proof shows most."""
    kin = [each for each in families.findings(project, entry_points) if _are_kin(each.cwe, cwe) and _passes(each, place)]
    here = [each for each in kin if meet(place, each.location)]
    return max(here or kin, key=lambda each: strength(each.proof), default=None)


def _passes(finding: Finding, place: Location) -> bool:
    return any(meet(place, each) for each in way(finding))
