"""The four questions of A38 asked of a finding in JavaScript or TypeScript.

Always holds: confirmed only where a sender's data was walked to without a gap, nothing tests it on the way, and a route leads
there; what is not settled is partial. Does not belong here: how values are followed.
"""

from counterproof.analysis.backward.scripts.entries import entry_behind
from counterproof.analysis.backward.scripts.scopes import Scopes, Spot, scopes_of
from counterproof.analysis.backward.scripts.sinks import sinks_at
from counterproof.analysis.backward.scripts.walker import Walk, walker_for
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import FlowRule
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk
from counterproof.model.finding import Finding, StepResult, Validation, ValidationStep
from counterproof.model.location import Location, at
from counterproof.model.recon import EntryKind, EntryPoint, Guard


def judge_script(
    project: Project, entries: tuple[EntryPoint, ...], finding: Finding, rule: FlowRule
) -> tuple[Validation, Location, tuple[str, ...]] | None:
    """The steps, the line that decided, and the files walked through; None where no call of the rule stands there."""
    scopes = scopes_of(project)
    where = at(finding.location.path, finding.location.start)
    if finding.location.path not in scopes.modules:
        return None
    sinks = sinks_at(scopes, rule, finding.location)
    if not sinks:
        return None
    found = Walk()
    walker = walker_for(scopes, entries, rule)
    for call, dangerous in sinks:
        for each in dangerous:
            walker.walk(Spot(scopes.modules[where.path], scopes.around(where.path, call.line), each), found)
    flow = _flow(found, where)
    steps = (flow, _defence(scopes, found, where), _reach(scopes, entries, found, where))
    impact = ValidationStep(StepResult.PASS, f"at {where}: {rule.consequence}", where)
    decided = next((each.at for each in steps if each.result is not StepResult.PASS and each.at), where)
    return Validation(*steps, impact), decided, tuple(sorted({path for path, _ in found.places} | {where.path}))


def _flow(found: Walk, where: Location) -> ValidationStep:
    if found.senders:
        place, what = min(found.senders)
        return ValidationStep(StepResult.PASS, f"{what} at {place} reaches {where}, walked from the sink", place)
    if found.unknown:
        place, why = found.unknown[0]
        return ValidationStep(StepResult.PARTIAL, f"no sender's data was found behind {where}: {why}", place)
    return ValidationStep(StepResult.PARTIAL, f"no sender's data was found behind {where}", where)


def _defence(scopes: Scopes, found: Walk, where: Location) -> ValidationStep:
    if not found.senders and found.defences:
        place, what = found.defences[0]
        return ValidationStep(StepResult.FAIL, f"{what} at {place} stands on every way to {where}", place)
    tested = _tested(scopes, found)
    if tested is not None:
        return ValidationStep(
            StepResult.PARTIAL, f"a test at {tested} speaks of the value; whether it stops this is not settled", tested
        )
    return ValidationStep(StepResult.PASS, f"no test or conversion between the sender and {where}", where)


def _tested(scopes: Scopes, found: Walk) -> Location | None:
    """A test of more than presence about a variable that the value passed, in a function that it passed."""
    functions = {(path, id(each)): each for path, line in found.places if (each := scopes.around(path, line)) is not None}
    for (path, _), function in sorted(functions.items(), key=lambda each: (each[0][0], each[1].line)):
        for node in scopes.nodes(scopes.modules[path], function):
            test = node.test if isinstance(node, ir.Branch | ir.Conditional) else None
            if test is not None and any(_asks(each, found, path) for each in _parts(test)):
                return at(path, test.line)
    return None


def _parts(test: ir.Expr) -> list[ir.Expr]:
    if isinstance(test, ir.Boolean):
        return [inner for each in test.operands for inner in _parts(each)]
    return _parts(test.operand) if isinstance(test, ir.Not) else [test]


def _asks(test: ir.Expr, found: Walk, path: str) -> bool:
    """Whether one test asks more of a variable than whether it is there."""
    if isinstance(test, ir.Name | ir.Attribute):
        return False
    if isinstance(test, ir.Compare) and any(isinstance(each, ir.Const) and not each.value for each in test.operands):
        return False
    return any(isinstance(each, ir.Name) and (path, each.id) in found.names for each in walk(test))


def _reach(scopes: Scopes, entries: tuple[EntryPoint, ...], found: Walk, where: Location) -> ValidationStep:
    if found.senders and (place := min(found.senders)[0]) in found.browsers:
        return ValidationStep(StepResult.PASS, f"whoever brings somebody to open the page reaches {where}", place)
    entry = entry_behind(scopes, entries, {(place.path, place.start) for place, _ in found.senders} | found.places)
    if entry is None:
        return ValidationStep(StepResult.PARTIAL, f"no route was found that leads to {where}", where)
    return _arrived(entry)


def _arrived(entry: EntryPoint) -> ValidationStep:
    route = f"{entry.method} {entry.path}".strip() or entry.name
    if entry.kind is EntryKind.PUBLIC_API:
        return ValidationStep(StepResult.PASS, f"whoever installs the package calls {entry.name}", entry.handler)
    guard = {Guard.PRESENT: "by a caller who is logged in", Guard.ABSENT: "without any login"}.get(entry.guard)
    if guard is None:
        return ValidationStep(StepResult.PARTIAL, f"reached through {route}, past an unknown guard", entry.handler)
    return ValidationStep(StepResult.PASS, f"reached through {route} {guard}", entry.handler)
