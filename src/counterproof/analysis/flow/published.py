"""What a JavaScript package offers to whoever installs it (A10): functions reached from what its main module exports.

Always holds: only what the manifest's main file exports counts, objects, classes and factories followed to a bounded depth;
a package marked private offers nothing. Does not belong here: web handlers.
"""

from collections.abc import Callable

from counterproof.analysis.flow.access import Place
from counterproof.analysis.flow.engine import Engine
from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.flow.index import ClassInfo, FunctionInfo
from counterproof.analysis.flow.summary import Replay
from counterproof.analysis.flow.values import Value, contents
from counterproof.analysis.project import Project
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.javascript import EXPORTS
from counterproof.analysis.syntax.walk import walk

MAX_DEPTH = 5
MAX_VALUES = 5_000


def publisher(project: Project) -> Callable[[Engine], None]:
    """Tells an engine that has run which functions the packages of this project publish."""
    mains = project.scripts().mains()

    def publish(engine: Engine) -> None:
        for path in mains:
            frame = engine.names.modules.get(path)
            exported = frame.env.get(EXPORTS) if frame is not None else None
            if frame is not None and exported is not None:
                for value in (exported, *_alternatives(frame)):
                    _publish(engine, value)

    return publish


def _alternatives(frame: Frame) -> list[Value]:
    """`if (windows) module.exports = a; else module.exports = b;`: both are offered, to different callers."""
    chosen = (each for each in frame.module.body if isinstance(each, (ir.If, ir.Switch, ir.Try)))
    assigned = (each for each in walk(*chosen) if isinstance(each, ir.Assign))
    return [
        frame.value(each.value)
        for each in assigned
        if isinstance(each.value, (ir.Name, ir.Attribute))
        and any(isinstance(target, ir.Name) and target.id == EXPORTS for target in each.targets)
    ]


def _publish(engine: Engine, exported: Value) -> None:
    pending = [(exported, 0)]
    seen: set[int] = set()
    for _ in range(MAX_VALUES):
        if not pending:
            return
        value, depth = pending.pop()
        if id(value) in seen or depth > MAX_DEPTH:
            continue
        seen.add(id(value))
        inner = contents(value)
        for function in (value.of, *value.alternatives):
            if isinstance(function, FunctionInfo):
                inner += _function(engine, function)
        if isinstance(value.of, ClassInfo):
            _class(engine, value.of)
        pending.extend((each, depth + 1) for each in inner)


def _function(engine: Engine, info: FunctionInfo) -> list[Value]:
    """The function itself, and what it returns to its caller."""
    if info.id in engine.handlers.published:
        return []
    engine.handlers.published.add(info.id)
    summary = engine.summaries.get(info.id)
    return [summary.returns] if summary is not None else []


def _class(engine: Engine, info: ClassInfo) -> None:
    """Its methods, and with its constructor the fields that the caller fills."""
    for each in info.lineage():
        for name, method in each.methods.items():
            if not name.startswith("#"):
                engine.handlers.published.add(method.id)
        constructor = each.methods.get("__init__")
        if constructor is not None:
            given = engine.handlers.arguments(constructor)
            replay = Replay(engine, constructor.id, given, Place(each.module.path, constructor.node.line), "")
            each.stored.update({name: replay.value(value) for name, value in each.stored.items()})
