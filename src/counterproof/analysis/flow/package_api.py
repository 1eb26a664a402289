"""A package's public functions (A10), and the values that callers control.

Invariant: of a JavaScript package only the exports of the files that its manifest names, with objects, classes and factories
followed to a bounded depth; a private package offers nothing. Of a Python package every function and method without a leading
underscore. Not handled here: web handlers.
"""

from collections.abc import Callable

from counterproof.analysis.endpoints.public_api import OWN_PROGRAMS, is_aside, packaged_folders
from counterproof.analysis.flow.access import Place
from counterproof.analysis.flow.engine import Engine
from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.flow.hits import BEHIND, Hit
from counterproof.analysis.flow.index import ClassInfo, FunctionInfo
from counterproof.analysis.flow.replay import Replay
from counterproof.analysis.flow.values import Taint, Value, contents
from counterproof.analysis.project import Project
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.javascript import EXPORTS
from counterproof.analysis.syntax.walk import walk

MAX_DEPTH = 5
MAX_VALUES = 5_000


_ASIDE, _STARTED = frozenset({"bin"}), OWN_PROGRAMS | {"__main__.py"}
_CALLED = frozenset({"__init__", "__call__"})
"""Methods with leading underscores that callers do call."""


def minds_callers(hit: Hit, taint: Taint) -> bool:
    """Return True if a caller's control of this sink is worth reporting. A path opened as a whole is the caller's choice; a name
    joined to a folder should stay in it."""
    if hit.sink.only_remote or hit.sink.question:
        return False
    if hit.rule.callers or not hit.rule.openly:
        return hit.rule.callers
    return hit.rule.kind != "path" or BEHIND in taint.passed


def publisher(project: Project, *, scripts: bool) -> Callable[[Engine], None]:
    """Return a callback that marks the functions published by the project's packages."""
    return _scripts(project) if scripts else _python(project)


def _python(project: Project) -> Callable[[Engine], None]:
    """A folder with a packaging manifest can be installed; all its modules without a private name can be imported."""
    folders = packaged_folders(project)

    def publish(engine: Engine) -> None:
        for info in engine.index.functions:
            if info.module.path.startswith(folders) and _is_offered(info):
                engine.handlers.published.add(info.id)
        for each in engine.index.classes.values():
            constructor = each.methods.get("__init__")
            if constructor is not None and constructor.id in engine.handlers.published:
                _fill(engine, each, constructor)

    return publish if folders else lambda engine: None


def _is_offered(info: FunctionInfo) -> bool:
    path = info.module.path
    if path.rpartition("/")[2] in _STARTED or is_aside(path, _ASIDE) or info.node.within:
        return False
    parts = info.node.qualified.split(".")
    return not any(each.startswith("_") for each in parts[:-1]) and (not parts[-1].startswith("_") or parts[-1] in _CALLED)


def _scripts(project: Project) -> Callable[[Engine], None]:
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
    """`if (windows) module.exports = a; else module.exports = b;`: both are exported, to different users."""
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
    """The function itself, and its return value."""
    if info.id in engine.handlers.published:
        return []
    engine.handlers.published.add(info.id)
    summary = engine.summaries.get(info.id)
    return [summary.returns] if summary is not None else []


def _class(engine: Engine, info: ClassInfo) -> None:
    """Publish its methods and, with its constructor, the fields that the caller sets."""
    for each in info.lineage():
        for name, method in each.methods.items():
            if not name.startswith("#"):
                engine.handlers.published.add(method.id)
        constructor = each.methods.get("__init__")
        if constructor is not None:
            _fill(engine, each, constructor)


def _fill(engine: Engine, info: ClassInfo, constructor: FunctionInfo) -> None:
    given = engine.handlers.arguments(constructor)
    replay = Replay(engine, constructor.id, given, Place(info.module.path, constructor.node.line), "")
    fields = engine.fields(info)
    fields.update({name: replay.value(value) for name, value in fields.items()})
