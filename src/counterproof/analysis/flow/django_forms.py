"""Django forms and serializers: the validated request data, and where it is saved.

Invariant: only fields that accept any text are sources; numbers, dates, choices and fields with a custom check are not. Not
handled here: forms of other libraries.
"""

from collections.abc import Iterator
from typing import NamedTuple

from counterproof.analysis.flow.index import ClassInfo, ProjectIndex
from counterproof.analysis.flow.sources import CONTENT, PLAIN_TEXT
from counterproof.analysis.flow.values import INTERNAL, Constant, Source, Step, StepKind, Taint, Trusted, Value
from counterproof.analysis.libraries import names
from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import dotted

_FORMS = names("request", "form-class")
_READ = vocabulary("cleaned_data validated_data data initial_data")
_MODELLED = vocabulary("ModelForm ModelSerializer HyperlinkedModelSerializer")
_TEXT = vocabulary("CharField TextField EmailField URLField JSONField Field ListField DictField")
_CONTENT = vocabulary("FileField ImageField")
_NATURE = {"form": frozenset({PLAIN_TEXT}), "file": frozenset({CONTENT})}
MAX_FIELDS = 60
_METHODS = vocabulary("form_valid form_invalid perform_create perform_update")
"""Methods of views that receive the form or serializer from the framework."""

_CLASSES = vocabulary("form_class serializer_class")


class Field(NamedTuple):
    """One field that an outsider fills in. `channel` is '' if only harmless values are accepted."""

    name: str
    channel: str
    line: int


def is_form(info: ClassInfo) -> bool:
    return any(name.startswith(_FORMS) for name in info.outside())


def read(index: ProjectIndex, info: ClassInfo, name: str) -> Value | None:
    """`form.cleaned_data`, `serializer.validated_data`, and `form.instance` with the submitted fields."""
    if name not in _READ and name != "instance":
        return None
    if not is_form(info):
        return None
    raw = name == "initial_data" or (name == "data" and any(each.startswith("django.forms.") for each in info.outside()))
    if name == "data" and not raw:
        return None  # a serializer's `data` is its output, not the input
    fields = {each.name: _sent(info, each, raw=raw) for each in fields_of(index, info)}
    if name == "instance":
        return Value(origin=Trusted.INTERNAL, fields=fields or None) if _model(index, info) else None
    entries: dict[Constant, Value] = dict(fields.items())
    rest = _sent(info, Field("", "form", info.node.line), raw=True) if raw else None
    return Value(origin=Trusted.INTERNAL, entries=entries, rest=rest)


def saved(index: ProjectIndex, info: ClassInfo) -> tuple[ClassInfo, dict[str, Value]] | None:
    """The model that `form.save()` writes, with the values of its fields."""
    model = _model(index, info) if is_form(info) else None
    if model is None:
        return None
    return model, {each.name: _sent(info, each, raw=False) for each in fields_of(index, info) if each.channel}


def handed(index: ProjectIndex, owner: ClassInfo, method: str) -> ClassInfo | None:
    """The form or serializer that a class-based view receives: that of its `form_class`."""
    if method not in _METHODS:
        return None
    for each in owner.lineage():
        for name, value in _assigned(each.node):
            if name in _CLASSES and (called := dotted(value, each.module)):
                return index.class_named(called, each.module)
    return None


def fields_of(index: ProjectIndex, info: ClassInfo) -> tuple[Field, ...]:
    """Declared fields first, then the listed fields of the form's model."""
    found: dict[str, Field] = {}
    for each in info.lineage():
        for field in _declared(each):
            found.setdefault(field.name, field)
    model = _model(index, info)
    for owner in model.lineage() if model else ():
        for field in _declared(owner):
            if _is_listed(index, info, field.name):
                found.setdefault(field.name, field)
    checked = {name.removeprefix("clean_").removeprefix("validate_") for each in info.lineage() for name in each.methods}
    kept = [each._replace(channel="") if each.name in checked else each for each in found.values()]
    return tuple(kept[:MAX_FIELDS])


def _declared(info: ClassInfo) -> Iterator[Field]:
    """`name = forms.CharField(…)`, `name = models.TextField(…)`; choices and validators restrict the values."""
    for name, value in _assigned(info.node):
        if isinstance(value, ir.Call):
            kind = (dotted(value.callee, info.module) or "").rpartition(".")[2]
            limited = any(each.keyword in ("choices", "validators", "read_only") for each in value.arguments)
            channel = "form" if kind in _TEXT and not limited else "file" if kind in _CONTENT else ""
            if kind.endswith("Field"):
                yield Field(name, channel, value.line)


def _assigned(node: ir.Class) -> Iterator[tuple[str, ir.Expr]]:
    for each in node.body:
        if isinstance(each, ir.Assign) and each.value is not None:
            for target in each.targets:
                if isinstance(target, ir.Name):
                    yield target.id, each.value


def _meta(index: ProjectIndex, info: ClassInfo) -> tuple[ClassInfo, dict[str, ir.Expr]] | None:
    for each in info.lineage():
        found = index.classes.get((each.module.path, f"{each.node.qualified}.Meta"))
        if found is not None:
            return found, dict(_assigned(found.node))
    return None


def _model(index: ProjectIndex, info: ClassInfo) -> ClassInfo | None:
    if not any(name.rpartition(".")[2] in _MODELLED for name in info.outside()):
        return None
    found = _meta(index, info)
    named = dotted(found[1]["model"], found[0].module) if found and "model" in found[1] else None
    return index.class_named(named, found[0].module) if found and named else None


def _is_listed(index: ProjectIndex, info: ClassInfo, name: str) -> bool:
    found = _meta(index, info)
    if found is None:
        return False
    listed, without = _texts(found[1].get("fields")), _texts(found[1].get("exclude"))
    return name not in without and ("__all__" in listed or name in listed or (not listed and bool(without)))


def _texts(expr: ir.Expr | None) -> frozenset[str]:
    items = expr.items if isinstance(expr, ir.Sequence) else (expr,)
    return frozenset(each.value for each in items if isinstance(each, ir.Const) and isinstance(each.value, str))


def _sent(info: ClassInfo, field: Field, *, raw: bool) -> Value:
    """The submitted value of a field; unvalidated if `raw` is set."""
    channel = field.channel or ("form" if raw else "")
    if not channel:
        return INTERNAL
    name = f"{info.node.name}.{field.name}" if field.name else info.node.name
    path = info.module.path
    step = Step(StepKind.SOURCE, path, field.line, f"{name} is filled in by the sender", None)
    return Value(taints=(Taint(Source(channel, f"form {info.node.name}", field.name, path, field.line), _NATURE[channel], step),))
