"""What comes after a sink: where its result goes inside its function, and where the function returns it.

Always holds: every step is a line that was read, in the order of the lines. Does not belong here: what leads to the sink.
"""

from counterproof.analysis.project import Quotes
from counterproof.analysis.syntax.ir import Assign, Call, Function, Name, Node, Return
from counterproof.analysis.syntax.walk import walk
from counterproof.model.flow import FlowStep, StepKind
from counterproof.model.location import Location

MAX_AFTER = 6
"""Lines after the sink that show what its result feeds."""


def aftermath(quotes: Quotes, sink: Location, function: Function) -> list[FlowStep]:
    """The lines after a sink that speak of its result."""
    names = _assigned_at(function, sink.start)
    steps: list[FlowStep] = []
    for node in walk(*function.body):
        if node.line <= sink.start or not isinstance(node, Assign | Return | Call):
            continue
        if names & _mentioned(node):
            note = "its result is returned" if isinstance(node, Return) else "its result is used"
            kind = StepKind.RETURN if isinstance(node, Return) else StepKind.CALL
            steps.append(step_at(quotes, sink.path, node.line, kind, note))
            if isinstance(node, Assign):
                names |= {target.id for target in node.targets if isinstance(target, Name)}
    unique = {step.location: step for step in reversed(steps)}
    return sorted(unique.values(), key=lambda step: step.location)[:MAX_AFTER]


def step_at(quotes: Quotes, path: str, line: int, kind: StepKind, note: str) -> FlowStep:
    """One line as a step."""
    place = quotes.location(path, line, line)
    return FlowStep(place, kind, quotes.line(path, place.start), note)


def _assigned_at(function: Function, line: int) -> set[str]:
    """Variables that the statement with the sink sets."""
    found: set[str] = set()
    for node in walk(*function.body):
        if isinstance(node, Assign) and node.line <= line <= node.end:
            found |= {target.id for target in node.targets if isinstance(target, Name)}
    return found


def _mentioned(node: Node) -> set[str]:
    return {each.id for each in walk(node) if isinstance(each, Name)}
