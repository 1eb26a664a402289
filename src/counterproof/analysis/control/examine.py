"""Run the access-control checks and record their coverage: decided endpoints, compared resources, searches, traces.

Invariant: an endpoint counts as verified only if its guard was decided from the code; a check without findings still records its
search. Not handled here: the checks.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial

from counterproof.analysis.control import scripts
from counterproof.analysis.control.open_entries import open_entries
from counterproof.analysis.control.operations import READ, Operation, by_resource, operations_of
from counterproof.analysis.endpoints.entered_program import EnteredProgram, entered_program
from counterproof.analysis.examination import Examination, united
from counterproof.analysis.inventory.permissions import role_asked
from counterproof.analysis.project import SCRIPTS, OutOfTime, Project, Quotes
from counterproof.analysis.ruleset import ControlRule, load_rules
from counterproof.model.dimension import Dimension
from counterproof.model.finding import Finding
from counterproof.model.ledger import Comparison, Search, Trace
from counterproof.model.location import Location
from counterproof.model.proof import strength
from counterproof.model.recon import NETWORK_KINDS, EntryPoint, Guard


@dataclass(frozen=True, slots=True)
class Site:
    """One application."""

    program: EnteredProgram
    operations: tuple[Operation, ...]

    @property
    def quotes(self) -> Quotes:
        return Quotes(self.program.project)


OUT_OF_TIME = "The time was over before all endpoints were checked; missing guards may have been missed."


def examine(project: Project, entry_points: tuple[EntryPoint, ...], dimensions: tuple[Dimension, ...]) -> Examination:
    """Examine the requested dimensions of D3, D9 and the uploads of D5."""
    wanted = [each for each in (Dimension.D3, Dimension.D5, Dimension.D9) if each in dimensions]
    if not wanted:
        return Examination()
    try:
        program = entered_program(project, entry_points)
        operations = operations_of(program)
        every = _examined(program, operations, entry_points, wanted)
        if any(project.of_language(each) for each in SCRIPTS):
            every = united((every, scripts.examined(project, entry_points, wanted)))
        if Dimension.D3 in wanted:
            left = open_entries(project, program, operations, entry_points)
            every = replace(every, findings=_best_borne((*every.findings, *left)))
        return every
    except OutOfTime:
        return Examination(limitations=(OUT_OF_TIME,), finished=False)


def _examined(
    program: EnteredProgram, operations: tuple[Operation, ...], entry_points: tuple[EntryPoint, ...], wanted: list[Dimension]
) -> Examination:
    findings = _found(Site(program, operations), wanted)
    searches: list[Search] = []
    traces: list[Trace] = []
    if Dimension.D3 in wanted:
        searches += _authorization_searches(program, operations)
        traces += [_endpoint_trace(each) for each in entry_points if each.kind in NETWORK_KINDS]
    if Dimension.D9 in wanted:
        changing = [each.ground.path for each in operations if each.changes]
        searches.append(_search(Dimension.D9, "operation", "HTTP handlers that change stored data", changing))
        traces += [_operation_trace(each) for each in operations if each.changes]
    decided = {each.handler for each in entry_points if each.kind in NETWORK_KINDS and each.guard is not Guard.UNKNOWN}
    followed = {each.entry.handler for each in operations if each.effects.complete}
    return Examination(
        findings=_distinct(findings),
        searches=tuple(searches),
        traces=tuple(traces),
        comparisons=tuple(_comparison(name, group) for name, group in by_resource(operations).items()),
        entries=tuple(sorted(followed)),
        endpoints=tuple(sorted(decided)),
    )


def _found(site: Site, wanted: list[Dimension]) -> list[Finding]:
    """The findings of all control rules for these dimensions."""
    rules = [each.rule for each in load_rules() if isinstance(each.rule, ControlRule) and each.rule.dimension in wanted]
    ordered = sorted(rules, key=lambda rule: (rule.rank, rule.id))
    project = site.program.project
    parts = (project.spared(".", f"rule {rule.id}", partial(_checked, rule, site), ()) for rule in ordered)
    return [finding for part in parts for finding in part]


def _checked(rule: ControlRule, site: Site) -> tuple[Finding, ...]:
    return tuple(rule.check(site))


def _distinct(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """One finding per location and weakness; the first is kept."""
    found: dict[tuple[Location, int], Finding] = {}
    for each in findings:
        found.setdefault((each.location, each.cwe), each)
    return tuple(sorted(found.values(), key=lambda each: (each.location, each.rule)))


def _best_borne(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Of several findings of one location and weakness, the one with the strongest proof, or the first of those."""
    found: dict[tuple[Location, int], Finding] = {}
    for each in findings:
        key = (each.location, each.cwe)
        if key not in found or strength(found[key].proof) < strength(each.proof):
            found[key] = each
    return tuple(found.values())


def _search(dimension: Dimension, kind: str, query: str, paths: Iterable[str]) -> Search:
    hits = list(paths)
    return Search(dimension, kind, query, len(hits), tuple(dict.fromkeys(hits)), "python")


def _authorization_searches(program: EnteredProgram, operations: tuple[Operation, ...]) -> list[Search]:
    unguarded = [each.ground.path for each in operations if each.entry.guard is Guard.ABSENT]
    asking = [each.ground.path for each in operations if role_asked(each.entry) is Guard.PRESENT]
    chosen = [each.ground.path for each in operations if set(each.entry.path) & set("<{(")]
    return [
        _search(Dimension.D3, "login", "HTTP handlers that ask for no login", unguarded),
        _search(Dimension.D3, "role", "HTTP handlers that ask for a role", asking),
        _search(Dimension.D3, "ownership", "HTTP handlers with an object's id in their route", chosen),
    ]


def _endpoint_trace(entry: EntryPoint) -> Trace:
    if entry.guard is Guard.UNKNOWN:
        return Trace(
            Dimension.D3, "endpoint", entry.handler, False, broken_by=entry.guard_evidence or "the guard could not be read"
        )
    seen = f"guard {entry.guard.value}" + (f": {entry.guard_evidence}" if entry.guard_evidence else "")
    return Trace(Dimension.D3, "endpoint", entry.handler, True, origin=seen)


def _operation_trace(operation: Operation) -> Trace:
    if not operation.effects.complete:
        return Trace(Dimension.D9, "operation", operation.entry.handler, False, broken_by="depth limit")
    first = operation.effects.writes[0]
    return Trace(
        Dimension.D9, "operation", operation.entry.handler, True, origin=f"request, followed to {first.what} at {first.at}"
    )


def _comparison(name: str, group: list[Operation]) -> Comparison:
    """A comparison of guards: changing operations must require at least as much as reading ones, and all of them the same."""
    changing = [each for each in group if each.crud != READ]
    reading = [each for each in group if each.crud == READ]
    states = {each.entry.guard for each in changing}
    weaker = any(each.entry.guard is Guard.ABSENT for each in changing) and any(
        each.entry.guard is Guard.PRESENT for each in reading
    )
    kinds = tuple(sorted({each.crud for each in group}))
    return Comparison(name, kinds, len(states) <= 1 and not weaker, min(each.entry.handler for each in group))
