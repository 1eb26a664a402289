"""The four questions of A38 asked of a finding in JavaScript or TypeScript.

Always holds: confirmed only where a sender's data was walked to without a gap, nothing tests it on the way, and a route leads
there; what is not settled is partial. Does not belong here: how values are followed.
"""

from functools import lru_cache

from counterproof.analysis.backward.scripts.scopes import Scopes, Spot
from counterproof.analysis.backward.scripts.walking import Walk, Walker
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import ANY, BODY, RECEIVER, FlowRule, Sink
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk
from counterproof.model.finding import Finding, StepResult, Validation, ValidationStep
from counterproof.model.location import Location, at
from counterproof.model.recon import EntryKind, EntryPoint, Guard

_WAYS_IN = (EntryKind.HTTP, EntryKind.WEBSOCKET, EntryKind.RPC, EntryKind.QUEUE, EntryKind.PUBLIC_API)


@lru_cache(maxsize=4)
def _scopes(project: Project) -> Scopes:
    return Scopes(project)


def judge_script(
    project: Project, entries: tuple[EntryPoint, ...], finding: Finding, rule: FlowRule
) -> tuple[Validation, Location, tuple[str, ...]] | None:
    """The steps, the line that decided, and the files walked through; None where no call of the rule stands there."""
    scopes = _scopes(project)
    where = at(finding.location.path, finding.location.start)
    if finding.location.path not in scopes.modules:
        return None
    sinks = _sinks(scopes, rule, finding.location)
    if not sinks:
        return None
    found = Walk()
    names = frozenset(each.removeprefix("*.").rpartition(".")[2] for each in rule.sanitisers)
    walker = Walker(scopes, entries, names, rule.callers)
    for call, dangerous in sinks:
        for each in dangerous:
            walker.walk(Spot(scopes.modules[where.path], scopes.around(where.path, call.line), each), found)
    flow = _flow(found, where)
    steps = (flow, _defence(scopes, found, where), _reach(scopes, entries, found, where))
    impact = ValidationStep(StepResult.PASS, f"at {where}: {rule.info.consequence}", where)
    decided = next((each.at for each in steps if each.result is not StepResult.PASS and each.at), where)
    return Validation(*steps, impact), decided, tuple(sorted({path for path, _ in found.places} | {where.path}))


def _sinks(scopes: Scopes, rule: FlowRule, place: Location) -> list[tuple[ir.Call, list[ir.Expr]]]:
    """Calls at a place whose name is that of a sink, with the arguments that do harm."""
    by_name: dict[str, list[Sink]] = {}
    for sink in rule.sinks:
        by_name.setdefault(sink.call.removesuffix("()").rpartition(".")[2].removeprefix("<"), []).append(sink)
    found: list[tuple[ir.Call, list[ir.Expr]]] = []
    for node in walk(*scopes.modules[place.path].body):
        if not isinstance(node, ir.Call) or not place.start <= node.line <= place.end:
            continue
        for sink in by_name.get(_called(scopes.modules[place.path], node), ()):
            dangerous = _dangerous(node, sink)
            if dangerous:
                found.append((node, dangerous))
    return found


def _called(module: ir.Module, node: ir.Call) -> str:
    callee = node.callee
    if isinstance(callee, ir.Attribute):
        return callee.name
    name = callee.id if isinstance(callee, ir.Name) else ""
    imported = module.imports.get(name)
    if imported is None:
        for each in module.body:
            assigned = isinstance(each, ir.Assign) and any(isinstance(t, ir.Name) and t.id == name for t in each.targets)
            if assigned and isinstance(each, ir.Assign) and isinstance(each.value, ir.Attribute):
                return each.value.name
            if assigned and isinstance(each, ir.Assign) and isinstance(each.value, ir.Name):
                imported = module.imports.get(each.value.id)
    return imported.rpartition(".")[2] if imported else name


def _dangerous(node: ir.Call, sink: Sink) -> list[ir.Expr]:
    plain = [each.value for each in node.arguments]
    found: list[ir.Expr] = []
    for each in sink.arguments:
        if each == ANY:
            return plain
        if each == RECEIVER and isinstance(node.callee, ir.Attribute):
            found.append(node.callee.value)
        elif each == BODY and plain:
            found.append(plain[0])
        elif isinstance(each, int) and each < len(plain):
            found.append(plain[each])
    return found


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
    by_name: dict[str, EntryPoint] = {}
    by_place: dict[tuple[str, int], EntryPoint] = {}
    for each in entries:
        if each.kind in _WAYS_IN:
            by_place.setdefault((each.handler.path, each.handler.start), each)
            if "." in each.name:
                by_name.setdefault(each.name.rpartition(".")[2], each)
    for path, line in sorted({(place.path, place.start) for place, _ in found.senders} | found.places):
        function = scopes.around(path, line)
        while function is not None:
            module = scopes.modules[path]
            named = (by_name[name] for name in sorted(scopes.names(module, function)) if name in by_name)
            entry = by_place.get((path, function.line)) or next(named, None)
            if entry is not None:
                return _arrived(entry)
            function = scopes.outer(module, function)
    return ValidationStep(StepResult.PARTIAL, f"no route was found that leads to {where}", where)


def _arrived(entry: EntryPoint) -> ValidationStep:
    route = f"{entry.method} {entry.path}".strip() or entry.name
    if entry.kind is EntryKind.PUBLIC_API:
        return ValidationStep(StepResult.PASS, f"whoever installs the package calls {entry.name}", entry.handler)
    guard = {Guard.PRESENT: "by a caller who is logged in", Guard.ABSENT: "without any login"}.get(entry.guard)
    if guard is None:
        return ValidationStep(StepResult.PARTIAL, f"reached through {route}, past an unknown guard", entry.handler)
    return ValidationStep(StepResult.PASS, f"reached through {route} {guard}", entry.handler)
