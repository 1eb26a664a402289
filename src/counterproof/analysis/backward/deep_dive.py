"""The deep dive: longer flows for known findings, and sinks that nobody reported although request data reaches them (A34).

A dive starts where a route is registered, passes its guards and the callers, and goes on past the sink to what its result
feeds. Known findings are followed in Python, JavaScript and TypeScript; missed sinks are looked for in Python. Always holds:
every step is a line that was read. Does not belong here: judging whether the dive was deep enough.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from counterproof.analysis.backward.aftermath import aftermath, step_at
from counterproof.analysis.backward.derivation import Derivation, Way
from counterproof.analysis.backward.derive import Backward, backward_of
from counterproof.analysis.backward.families import flow_rule, flow_rules, script_rule
from counterproof.analysis.backward.findings import finding_of
from counterproof.analysis.backward.scripts import Followed, follow_script
from counterproof.analysis.backward.steps import arrival_of, reach
from counterproof.analysis.backward.verdict import trace_of
from counterproof.analysis.program.program import enclosing
from counterproof.analysis.project import OutOfTime, Project
from counterproof.model.dimension import Dimension
from counterproof.model.finding import Finding, StepResult
from counterproof.model.flow import Flow, FlowStep, StepKind
from counterproof.model.ledger import Trace
from counterproof.model.location import Location, at
from counterproof.model.recon import EntryPoint

MAX_DEEPENED = 200
NEAR = 2
"""Lines within which a known finding of the same kind speaks for a sink too."""
SHOWN = 3
"""Sinks that a limitation names."""


@dataclass(frozen=True, slots=True)
class Dived:
    """What the dive brought up. `files` were read; `finished` is False when time ran out."""

    flows: tuple[Flow, ...]
    findings: tuple[Finding, ...]
    files: tuple[str, ...]
    traces: tuple[Trace, ...]
    limitations: tuple[str, ...] = ()
    finished: bool = True


def dive(
    project: Project,
    entry_points: tuple[EntryPoint, ...],
    known: tuple[Finding, ...],
    unread: tuple[str, ...],
    dimensions: tuple[Dimension, ...],
    settled: tuple[Location, ...] = (),
    reported: tuple[Finding, ...] = (),
    met: tuple[Location, ...] | None = None,
) -> Dived:
    """Deeper flows for what is known, and what the hunters missed.

    `unread` are files that nobody opened yet; `settled` are sinks that the hunters followed to every origin and found harmless:
    there the two methods disagree, and what is in doubt is no finding. `reported` are findings that need no deeper flow. `met`
    are all sinks that data was followed to; one that was not met stands in code that no path leads to.
    """
    backward = backward_of(project, entry_points)
    flows: list[Flow] = []
    findings: list[Finding] = []
    traces: list[Trace] = []
    walked: set[str] = set()
    limitations: tuple[str, ...] = ()
    judged_harmless = frozenset(at(place.path, place.start) for place in settled)
    reached = None if met is None else frozenset(at(place.path, place.start) for place in met)
    disputed: list[str] = []
    finished = True
    try:
        for finding in known[:MAX_DEEPENED]:
            flows.extend(_deeper(backward, finding))
            for followed in _deeper_script(project, entry_points, finding):
                flows.extend(followed.flows)
                traces.append(followed.trace)
                walked.update(followed.files)
        for derivation in _all_sinks(backward, dimensions):
            traces.append(trace_of(derivation))
            if _reportable(backward, derivation) and not _known(derivation, (*known, *reported, *findings)):
                if derivation.at in judged_harmless or (reached is not None and derivation.at not in reached):
                    disputed.append(f"{derivation.at.path}:{derivation.at.start}")
                else:
                    findings.append(finding_of(backward, derivation))
    except OutOfTime:
        limitations = (*limitations, "The time was over before the dive had seen every sink.")
        finished = False
    if disputed:
        more = f" and {len(disputed) - SHOWN} more sinks" if len(disputed) > SHOWN else ""
        where = ", ".join(disputed[:SHOWN]) + more
        limitations = (*limitations, f"At {where} the two methods disagree; the hunters' complete trace was believed.")
    files = {*backward.program.codebase.paths} if finished else {trace.sink.path for trace in traces}
    read = tuple(sorted(files | walked))
    return Dived(tuple(flows), tuple(findings), read, tuple(traces), (*_left_alone(read, unread), *limitations), finished)


def _left_alone(read: tuple[str, ...], unread: tuple[str, ...]) -> tuple[str, ...]:
    """Files that no way led through, in languages whose sinks the dive does not look for, are not claimed as read."""
    others = len({*unread} - {*read})
    return (
        (f"The dive looks for missed sinks in Python only; {others} unread files of other kinds stay unread.",) if others else ()
    )


def _deeper_script(project: Project, entry_points: tuple[EntryPoint, ...], finding: Finding) -> list[Followed]:
    rule = script_rule(finding.rule)
    found = follow_script(project, entry_points, finding, rule) if rule is not None else None
    return [found] if found is not None else []


def _deeper(backward: Backward, finding: Finding) -> list[Flow]:
    found: list[Flow] = []
    for rule in flow_rule(finding.rule, finding.cwe):
        for derivation in backward.at(rule, finding.location)[:2]:
            for way in derivation.open_ways[:1]:
                found.append(deepened(backward, derivation, way))
    return found


def _all_sinks(backward: Backward, dimensions: tuple[Dimension, ...]) -> Iterator[Derivation]:
    rules = [rule for rule in flow_rules() if rule.dimension in dimensions]
    for path in backward.program.codebase.paths:
        backward.program.project.checkpoint()
        for rule in rules:
            for sink in backward.sinks.everywhere(rule, path):
                yield backward.derive(sink)


def _reportable(backward: Backward, derivation: Derivation) -> bool:
    """Only what stands without a doubt about the sink: new alarms must be better than the hunters' own."""
    if not derivation.open_ways or not derivation.certain or derivation.open_ways[0].broken is not None:
        return False
    return reach(backward.program, derivation, derivation.open_ways[0]).result is StepResult.PASS


def _known(derivation: Derivation, findings: tuple[Finding, ...]) -> bool:
    """Whether a finding of the same weakness already speaks for this sink, directly or through the flow that ends in it."""
    for finding in findings:
        if finding.cwe != derivation.rule.cwe and finding.rule != derivation.rule.id:
            continue
        steps = [step.location for step in finding.flow.steps] if finding.flow else []
        places = [finding.location, *steps]
        if any(each.path == derivation.at.path and abs(each.start - derivation.at.start) <= NEAR for each in places):
            return True
        hops = [hop for way in derivation.open_ways for hop in way.hops]
        if any(hop.path == finding.location.path and hop.line == finding.location.start for hop in hops):
            return True
    return False


def deepened(backward: Backward, derivation: Derivation, way: Way) -> Flow:
    """Registration, guards, the way itself, and what comes after the sink. The sink stays marked as one.

    Always holds: the steps of the way itself stay as they are, in their order; only the place where the sender comes in
    becomes the source. Such a flow goes on past its sink, so it shows depth and is no proof by itself.
    """
    core = backward.flow(way)
    entry = arrival_of(backward.program, derivation, way).entry
    before = _registration(backward, entry) if entry else []
    seen = {step.location for step in core.steps}
    before = [step for step in before if step.location not in seen]
    function = enclosing(backward.program, derivation.at.path, derivation.at.start)
    fed = aftermath(backward.quotes, derivation.at, function) if function is not None else []
    after = [step for step in fed if step.location not in seen]
    steps = [*before, *core.steps, *after]
    if before:
        steps[0] = replace(steps[0], kind=StepKind.SOURCE)
        steps[len(before)] = replace(steps[len(before)], kind=StepKind.ASSIGN)
    return Flow(tuple(steps), way.broken)


def _registration(backward: Backward, entry: EntryPoint) -> list[FlowStep]:
    """Decorators of the handler (route, guards) and its definition."""
    path, line = entry.handler.path, entry.handler.start
    function = enclosing(backward.program, path, line)
    route = f"{entry.method} {entry.path}".strip() or entry.name
    steps: list[FlowStep] = []
    if function is not None:
        for decorator in function.decorators:
            guard = entry.guarded_by is not None and entry.guarded_by.at == at(path, decorator.line)
            kind = StepKind.GUARD if guard else StepKind.CALL
            note = f"guard: {entry.guard_evidence}" if guard else f"registered for {route}"
            steps.append(step_at(backward.quotes, path, decorator.line, kind, note))
    steps.append(step_at(backward.quotes, path, line, StepKind.CALL, f"{route} is handled by {entry.name}"))
    return steps
