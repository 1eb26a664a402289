"""A finding in JavaScript or TypeScript followed further: from where its route is mounted to what the sink's result feeds (A34).

Always holds: the way from the sender to the sink was walked from the sink; every step is a line that was read. A flow that goes
on past its sink shows depth and is no proof by itself. Does not belong here: verdicts.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from counterproof.analysis.backward.aftermath import aftermath, step_at
from counterproof.analysis.backward.scripts.entries import entry_behind
from counterproof.analysis.backward.scripts.scopes import Scopes, Spot, scopes_of
from counterproof.analysis.backward.scripts.sinks import sinks_at
from counterproof.analysis.backward.scripts.walker import Walk, walker_for
from counterproof.analysis.project import Project, Quotes
from counterproof.analysis.ruleset import FlowRule
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.javascript import module_name
from counterproof.analysis.templates.script_templates import is_template, raw_outputs
from counterproof.model.finding import Finding
from counterproof.model.flow import Flow, FlowStep, StepKind
from counterproof.model.ledger import Trace
from counterproof.model.location import Location, at
from counterproof.model.recon import EntryPoint

_MOUNTS = ("use", "register", "route", "all")
MAX_MOUNTS = 4

_RENDERS = frozenset({"render", "renderFile", "view"})

_MAX_NOTE = 300


@dataclass(frozen=True, slots=True)
class Followed:
    """The record of one walk, the longest flow where a sender was walked to, and the files on the way."""

    trace: Trace
    flows: tuple[Flow, ...]
    files: tuple[str, ...]


def follow_script(project: Project, entries: tuple[EntryPoint, ...], finding: Finding, rule: FlowRule) -> Followed | None:
    """None where no sink of the rule stands at the finding's place, nor where its flow is said to end."""
    project.checkpoint()
    scopes = scopes_of(project)
    places = (finding.location, finding.flow.sink.location) if finding.flow else (finding.location,)
    for place in places:
        starts = list(_starts(project, scopes, rule, place))
        if starts:
            return _walked(project, scopes, entries, rule, starts)
    return None


def _starts(project: Project, scopes: Scopes, rule: FlowRule, place: Location) -> Iterator[tuple[Location, Spot]]:
    """Lines with a sink, and the values that reach it there."""
    if place.path not in scopes.modules:
        yield from printed_at(project, scopes, place)
        return
    module = scopes.modules[place.path]
    for call, dangerous in sinks_at(scopes, rule, place):
        for each in dangerous:
            yield at(place.path, call.line), Spot(module, scopes.around(place.path, call.line), each)


def _walked(
    project: Project, scopes: Scopes, entries: tuple[EntryPoint, ...], rule: FlowRule, starts: list[tuple[Location, Spot]]
) -> Followed:
    walker = walker_for(scopes, entries, rule)
    quotes = Quotes(project)
    found: list[Flow] = []
    whole = Walk()
    sink = starts[0][0]
    for place, spot in starts:
        walked = Walk()
        walker.walk(spot, walked)
        whole.senders += walked.senders
        whole.unknown += walked.unknown
        whole.places |= walked.places
        for (_, what), trail in zip(walked.senders, walked.trails, strict=True):
            found.append(_flow(scopes, quotes, entries, place, rule, what, trail))
    flows = (max(found, key=lambda each: each.depth),) if found else ()
    files = {path for path, _ in whole.places} | {step.location.path for each in flows for step in each.steps} | {sink.path}
    return Followed(_trace(rule, sink, whole), flows, tuple(sorted(files)))


def _trace(rule: FlowRule, sink: Location, found: Walk) -> Trace:
    if found.unknown:
        place, why = found.unknown[0]
        return Trace(rule.dimension, rule.kind, sink, False, broken_by=f"{why} ({place})")
    origin = ", ".join(dict.fromkeys(what for _, what in found.senders)) or "literal"
    return Trace(rule.dimension, rule.kind, sink, True, origin=origin)


def _flow(
    scopes: Scopes,
    quotes: Quotes,
    entries: tuple[EntryPoint, ...],
    sink: Location,
    rule: FlowRule,
    what: str,
    trail: tuple[Spot, ...],
) -> Flow:
    core = _way(quotes, what, trail)
    if len(core) > 1 and core[-1].location == sink:
        del core[-1]
    core.append(step_at(quotes, sink.path, sink.start, StepKind.SINK, rule.title))
    sender = trail[-1]
    entry = entry_behind(scopes, entries, {(sender.module.path, sender.node.line)})
    seen = {step.location for step in core}
    before = [step for step in registration(scopes, quotes, entry) if step.location not in seen] if entry else []
    function = scopes.around(sink.path, sink.start) if sink.path in scopes.modules else None
    after = [step for step in aftermath(quotes, sink, function) if step.location not in seen] if function else []
    steps = [*before, *core, *after]
    if before:
        steps[0] = replace(steps[0], kind=StepKind.SOURCE)
        steps[len(before)] = replace(steps[len(before)], kind=StepKind.ASSIGN)
    return Flow(tuple(steps))


def _way(quotes: Quotes, what: str, trail: tuple[Spot, ...]) -> list[FlowStep]:
    """From the sender to the sink, each line once in a row; a function that is entered shows where it begins."""
    steps: list[FlowStep] = []
    for later, spot in zip((None, *reversed(trail)), reversed(trail), strict=False):
        function = spot.function
        if later is not None and function is not None and later.function is not function and function.line < spot.node.line:
            named = f"passed into {function.name}"[:_MAX_NOTE]
            steps.append(step_at(quotes, spot.module.path, function.line, StepKind.CALL, named))
        kind, note = (StepKind.SOURCE, what) if later is None else _worded(spot.node)
        steps.append(step_at(quotes, spot.module.path, spot.node.line, kind, note[:_MAX_NOTE]))
    kept: list[FlowStep] = []
    for step in steps:
        if not kept or kept[-1].location != step.location:
            kept.append(step)
    return kept


def _worded(node: ir.Node) -> tuple[StepKind, str]:
    match node:
        case ir.Call():
            return StepKind.CALL, "passes through a call"
        case ir.Concat() | ir.Format() | ir.Mapping() | ir.Sequence():
            return StepKind.BUILD, "becomes part of a larger value"
        case ir.Name(id=name):
            return StepKind.ASSIGN, f"is in {name}"
        case _:
            return StepKind.ASSIGN, "is handed on"


def printed_at(project: Project, scopes: Scopes, place: Location) -> Iterator[tuple[Location, Spot]]:
    """Lines of a page that print a value as it is, with what is handed over for it.

    Always holds: a call counts only if it names the page.
    """
    if not is_template(place.path) or place.path not in project.files:
        return
    calls = [each for each in scopes.calls(_RENDERS) if _names(each.node, place.path)]
    for raw in raw_outputs(place.path, project.text(place.path)):
        if place.start <= raw.line <= place.end and raw.chain:
            for each in calls:
                for value in _handed(each.node, raw.chain[0]):
                    yield at(place.path, raw.line), Spot(each.module, each.function, value)


def _names(node: ir.Node, path: str) -> bool:
    first = node.arguments[0].value if isinstance(node, ir.Call) and node.arguments else None
    if not isinstance(first, ir.Const) or not isinstance(first.value, str) or not first.value:
        return False
    name = first.value.removeprefix("./")
    return any(f"/{each}".endswith(f"/{name}") for each in (path, path.rpartition(".")[0]))


def _handed(node: ir.Node, name: str) -> list[ir.Expr]:
    given = node.arguments[1:] if isinstance(node, ir.Call) else ()
    entries = [entry for each in given if isinstance(each.value, ir.Mapping) for entry in each.value.entries]
    return [value for key, value in entries if isinstance(key, ir.Const) and key.value == name]


def registration(scopes: Scopes, quotes: Quotes, entry: EntryPoint) -> list[FlowStep]:
    """In the order in which a request passes them, each line once.

    Always holds: a place named in words counts only if it is a line of the project.
    """
    route = f"{entry.method} {entry.path}".strip() or entry.name
    steps = [
        step_at(quotes, path, line, StepKind.CALL, f"the router behind {route} is mounted"[:_MAX_NOTE])
        for path, line in _mounted(scopes, entry.handler.path)
    ]
    for path, line in _guards(scopes, entry):
        steps.append(step_at(quotes, path, line, StepKind.GUARD, f"guard: {entry.guard_evidence}"[:_MAX_NOTE]))
    handled = f"{route} is handled by {entry.name}"[:_MAX_NOTE]
    steps.append(step_at(quotes, entry.handler.path, entry.handler.start, StepKind.CALL, handled))
    unique: dict[Location, FlowStep] = {}
    for step in steps:
        unique.setdefault(step.location, step)
    return list(unique.values())


def _mounted(scopes: Scopes, path: str) -> list[tuple[str, int]]:
    """Calls that hand what a file exports to a router or an application."""
    address = f"{module_name(path)}."
    found: list[tuple[str, int]] = []
    for other in sorted(scopes.modules):
        module = scopes.modules[other]
        names = {name for name, meant in module.imports.items() if f"{meant}.".startswith(address)}
        if not names or other == path:
            continue
        for each in module.body:
            if isinstance(each, ir.Assign) and isinstance(each.value, ir.Name) and each.value.id in names:
                names |= {target.id for target in each.targets if isinstance(target, ir.Name)}
        for spot in scopes.handed_over(frozenset(names)):
            callee = spot.node.callee if isinstance(spot.node, ir.Call) else None
            if spot.module is module and isinstance(callee, ir.Attribute) and callee.name in _MOUNTS:
                found.append((other, spot.node.line))
    return found[:MAX_MOUNTS]


def _guards(scopes: Scopes, entry: EntryPoint) -> list[tuple[str, int]]:
    """The lines that the evidence names: where the guard stands, and where it is defined."""
    by = entry.guarded_by
    places = (by.at, by.defined) if by is not None else ()
    return [(each.path, each.start) for each in places if each is not None and each.path in scopes.modules]
