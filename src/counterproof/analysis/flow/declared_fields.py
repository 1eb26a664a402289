"""Declared restrictions on a handler's fields, by the class of a body, which a framework enforces before the handler runs:
numbers, choices, strings that match a pattern.

Invariant: only the declaration of a field itself counts, and only if it is enforced: pydantic models always are, decorators only
if the program validates. An unrestricted field stays untrusted. Not handled here: validation code of a class, and schemas that a
handler applies itself.
"""

from collections.abc import Iterator
from dataclasses import replace

from counterproof.analysis.flow.handler_parameters import NUMBERS, is_enumeration, named_types, pattern_form
from counterproof.analysis.flow.index import ClassInfo, ProjectIndex
from counterproof.analysis.flow.patterns import leaves_only_words
from counterproof.analysis.flow.sources import PLAIN_TEXT, of_field
from counterproof.analysis.flow.values import CLEAN, Value
from counterproof.analysis.libraries import names
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.javascript.lowering import EXPORTS
from counterproof.analysis.syntax.walk import dotted
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
