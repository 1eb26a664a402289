"""A flow made longer at both ends: from the route and its guards to the origin, and from the sink to what its result feeds.

Always holds: the steps of the way itself stay as they are, in their order; only the place where the sender comes in becomes the
source. Such a flow goes on past its sink, so it shows depth and is no proof by itself.
"""

from dataclasses import replace

from counterproof.analysis.backward.aftermath import aftermath, step_at
from counterproof.analysis.backward.derivation import Derivation, Way
from counterproof.analysis.backward.derive import Backward
from counterproof.analysis.backward.steps import arrival_of, enclosing
from counterproof.model.flow import Flow, FlowStep, StepKind
from counterproof.model.location import at
from counterproof.model.recon import EntryPoint


def deepened(backward: Backward, derivation: Derivation, way: Way) -> Flow:
    """Registration, guards, the way itself, and what comes after the sink. The sink stays marked as one."""
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
