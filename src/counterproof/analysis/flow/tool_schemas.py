"""What the schema of an agent's tool leaves of the fields that its handler gets: numbers, choices, texts that match a pattern.

Always holds: only what is written where the tool is offered, or in a variable of that file, counts; a field that a schema leaves
open keeps its doubt. Does not belong here: schemas that a handler applies itself.
"""

from collections.abc import Iterator

from counterproof.analysis.flow.hits import SHELL_QUOTED
from counterproof.analysis.flow.patterns import leaves_no_shell_signs, leaves_only_words
from counterproof.analysis.outline.words import vocabulary
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk

_OFFERING = vocabulary("tool registerTool addTool")
_SHAPES = vocabulary("inputSchema parameters paramsSchema")
"""Where the description of a tool holds the schema of its fields."""
_KINDS = {
    **dict.fromkeys(("number", "int", "boolean", "bigint", "date"), "numeric"),
    **dict.fromkeys(("enum", "literal", "nativeEnum"), "fixed choice"),
    **dict.fromkeys(("uuid", "cuid", "ulid"), "safe pattern"),
}
_CHANGING = vocabulary("or union transform pipe preprocess any unknown catch and")
"""Methods after which the field may be something else."""
MAX_HOPS = 4
Forms = dict[str, frozenset[str]]


def tool_forms(module: ir.Module) -> dict[str, Forms]:
    """By function that handles a tool: its fields of which the schema leaves less than any text."""
    known = {
        target.id: node.value
        for node in module.body
        if isinstance(node, ir.Assign) and node.value is not None
        for target in node.targets
        if isinstance(target, ir.Name)
    }
    return {
        handler.id: dict(_fields(call, known))
        for call in walk(*module.body)
        if isinstance(call, ir.Call) and isinstance(call.callee, ir.Attribute) and call.callee.name in _OFFERING
        for handler in (_handler(call),)
        if handler is not None
    }


def _handler(call: ir.Call) -> ir.Name | None:
    last = call.arguments[-1].value if call.arguments else None
    if isinstance(last, ir.Mapping):
        last = next((value for key, value in last.entries if _text(key) == "execute"), None)
    return last if isinstance(last, ir.Name) else None


def _fields(call: ir.Call, known: dict[str, ir.Expr]) -> Iterator[tuple[str, frozenset[str]]]:
    for argument in call.arguments:
        given = _written(argument.value, known)
        inner = next((value for key, value in given.entries if _text(key) in _SHAPES), given) if given is not None else None
        shape = _written(inner, known) if inner is not None else None
        for key, value in shape.entries if shape is not None else ():
            name, form = _text(key), _form(known.get(value.id, value) if isinstance(value, ir.Name) else value)
            if name and form:
                yield name, form


def _written(shape: ir.Expr, known: dict[str, ir.Expr]) -> ir.Mapping | None:
    """`{ host: z.string() }`, `z.object({ … })`, `z.object({ … }).shape`, or a variable that holds one of these."""
    for _ in range(MAX_HOPS):
        if isinstance(shape, ir.Name) and shape.id in known:
            shape = known[shape.id]
        elif isinstance(shape, ir.Attribute) and shape.name == "shape":
            shape = shape.value
        elif isinstance(shape, ir.Call) and isinstance(shape.callee, ir.Attribute) and shape.callee.name in ("object", "strict"):
            shape = shape.arguments[0].value if shape.arguments else shape.callee.value
    return shape if isinstance(shape, ir.Mapping) else None


def _form(schema: ir.Expr) -> frozenset[str]:
    """`z.string().regex(/^[a-z]+$/).max(20)`, read from its end."""
    found: set[str] = set()
    while isinstance(schema, ir.Call) and isinstance(schema.callee, ir.Attribute):
        name = schema.callee.name
        if name in _CHANGING:
            return frozenset()
        if name in _KINDS:
            found.add(_KINDS[name])
        elif name in ("regex", "pattern") and schema.arguments:
            found |= _matched(schema.arguments[0].value)
        schema = schema.callee.value
    return frozenset(found)


def _matched(pattern: ir.Expr) -> set[str]:
    written = pattern.arguments[0].value if isinstance(pattern, ir.Call) and pattern.arguments else pattern
    text = _text(written)
    if text and leaves_only_words(text, anchored=False):
        return {"safe pattern"}
    return {SHELL_QUOTED} if text and leaves_no_shell_signs(text, anchored=False) else set()


def _text(expr: ir.Expr | None) -> str:
    return expr.value if isinstance(expr, ir.Const) and isinstance(expr.value, str) else ""
