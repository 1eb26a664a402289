"""A flow made longer at both ends: from the route and its guards to the origin, and from the sink to what its result feeds.

Always holds: the steps of the way itself stay as they are, in their order; only the place where the sender comes in becomes the
source. Such a flow goes on past its sink, so it shows depth and is no proof by itself.
"""

from dataclasses import replace

from counterproof.analysis.backward.derivation import Derivation, Way
from counterproof.analysis.backward.derive import Backward
from counterproof.analysis.backward.ground import Ground
from counterproof.analysis.backward.steps import arrival_of, enclosing
from counterproof.analysis.syntax.ir import Assign, Call, Function, Name, Node, Return
from counterproof.analysis.syntax.walk import walk
from counterproof.model.flow import Flow, FlowStep, StepKind
from counterproof.model.recon import EntryPoint

MAX_AFTER = 6
"""Lines after the sink that show what its result feeds."""


def deepened(backward: Backward, derivation: Derivation, way: Way) -> Flow:
    """Registration, guards, the way itself, and what comes after the sink. The sink stays marked as one."""
    core = backward.flow(way)
    entry = arrival_of(backward.program, derivation, way).entry
    before = _registration(backward, entry) if entry else []
    seen = {step.location for step in core.steps}
    before = [step for step in before if step.location not in seen]
    after = [step for step in _aftermath(backward, derivation) if step.location not in seen]
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
            guard = entry.guard_evidence.startswith(f"{path}:{decorator.line} ")
            kind = StepKind.GUARD if guard else StepKind.CALL
            note = f"guard: {entry.guard_evidence}" if guard else f"registered for {route}"
            steps.append(_step(backward, path, decorator.line, kind, note))
    steps.append(_step(backward, path, line, StepKind.CALL, f"{route} is handled by {entry.name}"))
    return steps


def _aftermath(backward: Backward, derivation: Derivation) -> list[FlowStep]:
    """Where the sink's result goes inside its function, and where the function returns it."""
    ground = backward.program.ground(derivation.at.path)
    function = enclosing(backward.program, derivation.at.path, derivation.at.start)
    if function is None:
        return []
    names = _assigned_at(ground, function, derivation.at.start)
    steps: list[FlowStep] = []
    for node in walk(*function.body):
        if node.line <= derivation.at.start or not isinstance(node, Assign | Return | Call):
            continue
        if names & _mentioned(node):
            note = "its result is returned" if isinstance(node, Return) else "its result is used"
            steps.append(
                _step(backward, ground.path, node.line, StepKind.RETURN if isinstance(node, Return) else StepKind.CALL, note)
            )
            if isinstance(node, Assign):
                names |= {target.id for target in node.targets if isinstance(target, Name)}
    unique = {step.location: step for step in reversed(steps)}
    return sorted(unique.values(), key=lambda step: step.location)[:MAX_AFTER]


def _assigned_at(ground: Ground, function: Function, line: int) -> set[str]:
    """Variables that the statement with the sink sets."""
    found: set[str] = set()
    for node in walk(*function.body):
        if isinstance(node, Assign) and node.line <= line <= node.end:
            found |= {target.id for target in node.targets if isinstance(target, Name)}
    return found


def _mentioned(node: Node) -> set[str]:
    return {each.id for each in walk(node) if isinstance(each, Name)}


def _step(backward: Backward, path: str, line: int, kind: StepKind, note: str) -> FlowStep:
    place = backward.quotes.location(path, line, line)
    return FlowStep(place, kind, backward.quotes.line(path, place.start), note)
