"""Parts that values are made of: operands, place holders of a pattern, and what outer scopes assign to a name.

Always holds: pure reading, bounded. Does not belong here: following them.
"""

from counterproof.analysis.backward.derivation import Defence
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.syntax import ir


def parts_of(expr: ir.Expr) -> tuple[ir.Expr, ...]:
    match expr:
        case ir.Conditional(then=then, other=other):
            return (then, other)
        case ir.Boolean(operands=operands):
            return operands
        case ir.Await(value=value) | ir.Bind(value=value) | ir.Spread(value=value) | ir.Unary(operand=value):
            return (value,)
        case ir.Yield(value=value):
            return (value,) if value is not None else ()
        case ir.Unknown(children=children):
            return children
        case _:
            return ()


def placeholders(pattern: str) -> list[str]:
    """The conversion letters of a %-pattern, in order."""
    found: list[str] = []
    position = pattern.find("%")
    while 0 <= position < len(pattern) - 1 and len(found) < 64:
        position += 1
        while position < len(pattern) - 1 and pattern[position] in "0123456789.+- #":
            position += 1
        if pattern[position] != "%":
            found.append(pattern[position])
        position = pattern.find("%", position + 1)
    return found


def enclosing_values(outline: Outline, function: ir.Function | None, name: str) -> list[tuple[ir.Expr, int]]:
    """Everything that an enclosing function or the module assigns to a name, in source order, bounded."""
    scope = function.within if function else ""
    while scope:
        found = _assignments(outline, scope, name)
        if found:
            return found
        enclosing = outline.functions.get(scope)
        scope = enclosing.within if enclosing else ""
    own = _assignments(outline, "", name)
    return own if name not in outline.module.rebound else own + _assignments(outline, None, name)


def _assignments(outline: Outline, scope: str | None, name: str) -> list[tuple[ir.Expr, int]]:
    return [
        (site.node.value, site.line)
        for site in outline.of(ir.Assign)
        if site.node.value is not None and (scope is None or (site.scope == scope and (scope or site.owner is None)))
        for target in site.node.targets
        if isinstance(target, ir.Name) and target.id == name
    ][:8]


def united(first: tuple[Defence, ...], second: tuple[Defence, ...]) -> tuple[Defence, ...]:
    return tuple(dict.fromkeys((*first, *second)))[:12]
