"""Calls of JavaScript and TypeScript whose name is that of a sink, with the arguments that do harm.

Always holds: a place is taken by its lines alone; whoever claims it is not asked. Does not belong here: where values come from.
"""

from counterproof.analysis.backward.scripts.scopes import Scopes
from counterproof.analysis.libraries.concepts import ANY, BODY, RECEIVER, Sink
from counterproof.analysis.ruleset import FlowRule
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk
from counterproof.model.location import Location


def sinks_at(scopes: Scopes, rule: FlowRule, place: Location) -> list[tuple[ir.Call, list[ir.Expr]]]:
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
