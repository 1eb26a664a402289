"""Template expressions in the intermediate form.

They are Python's, except for filters, positions, joining with `~` and a condition without `else`; with those respelled, Python's
parser reads them. Invariant: text that it cannot read becomes `Unknown` with the names in it, so that values are still seen. Not
handled here: tags.
"""

import re
from dataclasses import fields
from typing import Any, cast

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.python import lower
from counterproof.analysis.templates.nodes import Filter, Member

_FILTER = "filter__"
"""Prefix of a member that stands for a filter, which binds as closely as a member."""
_STRING = r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'"
_SPELLING = re.compile(
    rf"(?P<same>{_STRING}|(?<![\w.\])])\d+(?:\.\d+)?)"
    rf"|\|\s{{0,20}}(?P<filter>[A-Za-z_][\w.]*)(?:[ \t]{{0,5}}:[ \t]{{0,5}}(?P<argument>{_STRING}|-?[\w.]+))?"
    r"|\.(?P<position>\d+)|(?P<join>~)",
    re.DOTALL,
)
_CONSTANTS: dict[str, bool | None] = {"true": True, "false": False, "none": None}
_READING = frozenset({"items", "values", "keys"})


def parsed(text: str, line: int, *, django: bool = False) -> ir.Expr:
    """The expression, or only its names if it cannot be read. In Django's language `.items` is a call."""
    otherwise = " else None" if re.search(r"\sif\s", text) and not re.search(r"\selse\s", text) else ""
    module = lower("template.py", f"({_SPELLING.sub(_respelled, text)}{otherwise})")
    body = module.body[0] if len(module.body) == 1 and not module.problems else None
    if not isinstance(body, ir.ExprStatement):
        return ir.Unknown(line, line, tuple(ir.Name(line, line, name) for name in re.findall(r"[A-Za-z_]\w*", text)[:20]))
    return _converted(body.value, line, django)


def _respelled(found: re.Match[str]) -> str:
    if found["same"]:
        return found["same"].replace("\n", " ")
    if found["position"]:
        return f"[{int(found['position'][:9])}]"
    argument = f"({found['argument']})" if found["argument"] else ""
    return "+" if found["join"] else f".{_FILTER}{found['filter'].rpartition('.')[2]}{argument}"


def _converted(node: Any, line: int, django: bool) -> Any:
    """A node of Python's, at this line and as a template means it."""
    if isinstance(node, tuple):
        return tuple(_converted(each, line, django) for each in node)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if not isinstance(node, ir.Node):
        return node
    for each in fields(node):
        setattr(node, each.name, _converted(getattr(node, each.name), line, django))
    node.line = node.end = line
    return _meant(node, line, django)


def _meant(node: ir.Node, line: int, django: bool) -> ir.Node:
    if isinstance(node, ir.Call):
        callee = cast("object", node.callee)
        if isinstance(callee, Filter):
            return Filter(line, line, callee.value, callee.name, tuple(each.value for each in node.arguments))
        if isinstance(callee, Member):
            return ir.Call(line, line, ir.Attribute(line, line, callee.value, callee.name), node.arguments)
    elif isinstance(node, ir.Attribute):
        if node.name.startswith(_FILTER):
            return Filter(line, line, node.value, node.name.removeprefix(_FILTER), ())
        reads = django and node.name in _READING
        return ir.Call(line, line, node, ()) if reads else Member(line, line, node.value, node.name)
    elif isinstance(node, ir.Name) and node.id in _CONSTANTS:
        return ir.Const(line, line, _CONSTANTS[node.id])
    elif isinstance(node, ir.Compare) and node.operators[0].startswith("is"):
        return ir.Unknown(line, line)
    return node
