"""Calls and assignments of JavaScript and TypeScript whose name is that of a sink, with the values that do harm.

Always holds: a place is taken by its lines alone; whoever claims it is not asked. Does not belong here: where values come from.
"""

from counterproof.analysis.backward.scripts.scopes import Scopes
from counterproof.analysis.libraries.matcher import SinkTable, applies, dangerous_arguments
from counterproof.analysis.outline.written import WrittenCall
from counterproof.analysis.ruleset import FlowRule
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk
from counterproof.model.location import Location


def sinks_at(scopes: Scopes, rule: FlowRule, place: Location) -> list[tuple[ir.Node, list[ir.Expr]]]:
    """Calls and assignments at a place whose name is that of a sink, with the values that do harm."""
    table = SinkTable((rule, each) for each in rule.sinks)
    found: list[tuple[ir.Node, list[ir.Expr]]] = []
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
