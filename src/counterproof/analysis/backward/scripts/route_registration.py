"""What a request passes before its handler runs: where the router is mounted, the guard in front, and the route itself.

Always holds: a place named in words counts only if it is a line of the project. Does not belong here: whether a guard suffices.
"""

from counterproof.analysis.backward.aftermath import step_at
from counterproof.analysis.backward.scripts.scopes import Scopes
from counterproof.analysis.flow.quotes import Quotes
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.javascript import module_name
from counterproof.model.flow import FlowStep, StepKind
from counterproof.model.location import Location
from counterproof.model.recon import EntryPoint

_MOUNTS = ("use", "register", "route", "all")
MAX_MOUNTS = 4
_MAX_NOTE = 300


def registration(scopes: Scopes, quotes: Quotes, entry: EntryPoint) -> list[FlowStep]:
    """In the order in which a request passes them, each line once."""
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
