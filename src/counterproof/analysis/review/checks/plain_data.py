"""Objects that go into plain data as they are, although what is made of the plain data cannot carry them: times in JSON."""

import re
from collections.abc import Iterator

from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import dotted, walk
from counterproof.model.location import at
from counterproof.model.severity import Confidence, Severity

_PLAIN = re.compile(r"(?:to|as)_?(?:dict|json)")
_TIMES = ("datetime.datetime", "datetime.date", "datetime.timedelta", "uuid.UUID", "decimal.Decimal")


def times(view: View) -> Iterator[Claim]:
    """`to_dict` of a dataclass with a field of time, made with `asdict`, where somebody sends the outcome away."""
    for module in view.modules(tests=False):
        for each in module.classes:
            field = next(_fields(each, module), None)
            method = next((one for one in each.body if isinstance(one, ir.Function) and _PLAIN.fullmatch(one.name)), None)
            if (
                field
                and method
                and _whole(method, module)
                and _touched(view, module.path, method, field[1])
                and _sent(view, method.name)
            ):
                shown = method.line if view.touches(module.path, method.line, method.line) else field[1]
                yield _claim(module.path, each.name, method, field, shown)


def _touched(view: View, path: str, method: ir.Function, field: int) -> bool:
    return view.touches(path, method.line, method.end) or view.touches(path, field, field)


def _fields(each: ir.Class, module: ir.Module) -> Iterator[tuple[str, int]]:
    for node in each.body:
        if isinstance(node, ir.Assign) and node.annotation is not None and isinstance(node.targets[0], ir.Name):
            parts = [dotted(one, module) for one in walk(node.annotation) if isinstance(one, ir.Name | ir.Attribute)]
            if any(part in _TIMES for part in parts):
                yield node.targets[0].id, node.line


def _whole(method: ir.Function, module: ir.Module) -> bool:
    """It returns `asdict(self)` or `self.__dict__` untouched."""
    last = method.body[-1] if method.body else None
    value = last.value if isinstance(last, ir.Return) else None
    if isinstance(value, ir.Call):
        return dotted(value.callee, module) in ("dataclasses.asdict", "attr.asdict", "attrs.asdict") and len(value.arguments) == 1
    return isinstance(value, ir.Attribute) and value.name == "__dict__"


def _sent(view: View, name: str) -> bool:
    """A file under review hands the outcome to a queue, a JSON writer or a response."""
    call = re.compile(rf"\.{re.escape(name)}\(\)")
    away = re.compile(r"apply_async|\.delay\(|json\.dumps|JsonResponse|jsonify|send_task|\.publish\(|\.enqueue\(")
    texts = [view.project.text(module.path) for module in view.modules(tests=False)]
    return any(call.search(text) and away.search(text) for text in texts)


def _claim(path: str, owner: str, method: ir.Function, field: tuple[str, int], shown: int) -> Claim:
    name, line = field
    return Claim(
        kind="time object in plain data",
        title=f"{owner}.{method.name}() hands {name} on as an object",
        severity=Severity.MEDIUM,
        confidence=Confidence.MEDIUM,
        at=at(path, shown),
        why=f"{name} (line {line}) is no text and no number, and {method.name} puts it into its outcome as it is. This change "
        "sends the outcome away: written as JSON that fails, or arrives as a text that nobody turns back.",
        fix=f"Write {name} as text here (isoformat, str) and read it back on the other side",
    )
