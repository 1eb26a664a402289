"""Calls and assignments of JavaScript and TypeScript that are sinks, or hand on to one; with the values that do harm.

Always holds: a place is taken by its lines alone; whoever claims it is not asked. Does not belong here: where values come from.
"""

from counterproof.analysis.backward.scripts.scopes import Scopes
from counterproof.analysis.libraries.matcher import SinkTable, applies, dangerous_arguments
from counterproof.analysis.program.written_calls import WrittenCall
from counterproof.analysis.ruleset import FlowRule
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name, walk
from counterproof.model.location import Location

Sinks = list[tuple[ir.Node, list[ir.Expr]]]


def sinks_at(scopes: Scopes, rule: FlowRule, place: Location) -> Sinks:
    """Calls and assignments at a place whose name is that of a sink, with the values that do harm."""
    return _named(scopes, rule, place) or _handed_on(scopes, rule, place)


def _handed_on(scopes: Scopes, rule: FlowRule, place: Location) -> Sinks:
    """Calls of a function of the project that hands a parameter to a sink as it is, in itself or in a function within it."""
    found: Sinks = []
    for node in walk(*scopes.modules[place.path].body):
        if isinstance(node, ir.Call) and place.start <= node.line <= place.end:
            found += [
                (node, given)
                for module, each in _meant(scopes, place, node)
                if (given := _harmed(scopes, rule, module, each, node))
            ]
    return found


def _meant(scopes: Scopes, place: Location, call: ir.Call) -> list[tuple[ir.Module, ir.Function]]:
    """The functions of this file that a call may mean, else the only one of that name elsewhere."""
    own, name = scopes.modules[place.path], last_name(call.callee)
    if here := scopes.functions(own, name):
        return [(own, each) for each in here]
    others = [(module, each) for module in scopes.modules.values() for each in scopes.functions(module, name)]
    return others if len(others) == 1 else []


def _harmed(scopes: Scopes, rule: FlowRule, module: ir.Module, function: ir.Function, call: ir.Call) -> list[ir.Expr]:
    """Arguments that a function hands to a sink as they are."""
    inside = _named(scopes, rule, Location(module.path, function.line, function.end))
    names = {each.id for _, dangerous in inside for each in dangerous if isinstance(each, ir.Name)}
    given = zip(function.parameters, call.arguments, strict=False)
    return [each.value for parameter, each in given if parameter.name in names and not each.keyword and not each.spread]


def _named(scopes: Scopes, rule: FlowRule, place: Location) -> Sinks:
    table = SinkTable((rule, each) for each in rule.sinks)
    found: Sinks = []
    for node in walk(*scopes.modules[place.path].body):
        if not place.start <= node.line <= place.end:
            continue
        if isinstance(node, ir.Assign | ir.Bind) and node.value is not None:
            targets = node.targets if isinstance(node, ir.Assign) else (node.target,)
            fields = (each.name for each in targets if isinstance(each, ir.Attribute))
            found += [(node, [node.value]) for each in fields if table.field("", each)]
        if not isinstance(node, ir.Call):
            continue
        given = WrittenCall(node)
        for _, sink in table.last_part(_called(scopes.modules[place.path], node)):
            dangerous = dangerous_arguments(sink, given)
            if dangerous and applies(sink, given, lambda _: True):
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
