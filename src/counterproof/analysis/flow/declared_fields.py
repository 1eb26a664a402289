"""Declared restrictions on a handler's fields: by the class of a body, which a framework enforces before the handler runs, or by
the schema of an agent's tool: numbers, choices, strings that match a pattern.

Invariant: only the declaration of a field itself counts, written at the tool or in a variable of that file, and only if it is
enforced: pydantic models always are, decorators only if the program validates. An unrestricted field stays untrusted. Not handled
here: validation code of a class, and schemas that a handler applies itself.
"""

from collections.abc import Iterator
from dataclasses import replace

from counterproof.analysis.flow.handler_parameters import NUMBERS, is_enumeration, named_types, pattern_form
from counterproof.analysis.flow.hits import SHELL_QUOTED
from counterproof.analysis.flow.index import ClassInfo, ProjectIndex
from counterproof.analysis.flow.patterns import leaves_no_shell_signs, leaves_only_words
from counterproof.analysis.flow.sources import PLAIN_TEXT, of_field
from counterproof.analysis.flow.values import CLEAN, Value
from counterproof.analysis.libraries import names
from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.javascript.lowering import EXPORTS
from counterproof.analysis.syntax.walk import dotted, walk
from counterproof.model.survey import Language

_MODELS = ("pydantic.", "sqlmodel.")
_WORDS, _NUMBER, _CHOICE = frozenset({"safe pattern"}), frozenset({"numeric"}), frozenset({"fixed choice"})
_DECORATORS = {
    path: form
    for way, form in (
        ("declares-text", frozenset({PLAIN_TEXT})),
        ("declares-words", _WORDS),
        ("declares-number", _NUMBER),
        ("declares-choice", _CHOICE),
    )
    for path in names("schema", way, Language.JAVASCRIPT)
}
_PATTERNS = frozenset(names("schema", "declares-pattern", Language.JAVASCRIPT))
_VALIDATING = "ValidationPipe"


def with_declared_fields(index: ProjectIndex, module: ir.Module, parameter: ir.Parameter, sent: Value) -> Value:
    """The sent value, with each field restricted as its class declares."""
    name = dotted(parameter.annotation, module) if isinstance(parameter.annotation, ir.Name | ir.Attribute) else None
    info = index.class_named(name.replace(f".{EXPORTS}", ""), module) if name else None
    forms = {name: form for each in reversed(info.lineage()) for name, form in _forms(index, each)} if info is not None else {}
    fields = {
        name: Value(taints=tuple(each._replace(passed=each.passed | form) for each in of_field(sent, name)), origin=sent.origin)
        for name, form in forms.items()
        if form
    }
    return replace(sent, fields=fields) if fields else sent


def _forms(index: ProjectIndex, info: ClassInfo) -> Iterator[tuple[str, frozenset[str]]]:
    """The declared fields of a class, with the labels their declarations earn."""
    modelled = any(base.startswith(_MODELS) for base in info.outside())
    decorated = not modelled and info.module.name.startswith("/") and _validates(index)
    for each in info.node.body if modelled or decorated else ():
        if isinstance(each, ir.Assign) and each.annotation is not None and isinstance(each.targets[0], ir.Name):
            form = _typed(index, info.module, each) if modelled else _decorated(info.module, each.annotation)
            yield each.targets[0].id, form


def _typed(index: ProjectIndex, module: ir.Module, field: ir.Assign) -> frozenset[str]:
    kinds = named_types(field.annotation)
    if "str" not in kinds and ("Literal" in kinds or is_enumeration(index, module, field.annotation)):
        return _CHOICE
    return _NUMBER if kinds & NUMBERS and "str" not in kinds else pattern_form(field.value, field.annotation)


def _decorated(module: ir.Module, declared: ir.Expr) -> frozenset[str]:
    form: frozenset[str] = CLEAN
    for each in declared.items if isinstance(declared, ir.Sequence) else ():
        path = dotted(each.callee, module) if isinstance(each, ir.Call) else None
        form |= _DECORATORS.get(path or "", CLEAN)
        if isinstance(each, ir.Call) and path in _PATTERNS and each.arguments and _only_words(each.arguments[0].value):
            form |= _WORDS
    return form


def _only_words(pattern: ir.Expr) -> bool:
    if isinstance(pattern, ir.Call) and pattern.arguments:  # JavaScript has pattern literals
        pattern = pattern.arguments[0].value
    return isinstance(pattern, ir.Const) and isinstance(pattern.value, str) and leaves_only_words(pattern.value, anchored=False)


def _validates(index: ProjectIndex) -> bool:
    """Return True if anything enforces the decorators of a class on incoming data."""
    return any(_VALIDATING in name for module in index.modules.values() for name in module.imports.values())


_OFFERING = vocabulary("tool registerTool addTool")
_SHAPES = vocabulary("inputSchema parameters paramsSchema")
"""Keys of a tool description with the schema of its fields."""
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
    """By handler of a tool: its fields whose schema accepts less than any string."""
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
    """`{ host: z.string() }`, `z.object({ … })`, `z.object({ … }).shape`, or a variable with one of these."""
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
