"""Names across files: module variables, imports, builtins.

Invariant: a module's own code is run once, on first use; while it runs, others see its variables so far, so that circular imports
end. Not handled here: local variables.
"""

from counterproof.analysis.flow.access import Place, attribute
from counterproof.analysis.flow.frame import EnginePort, Frame
from counterproof.analysis.flow.index import ProjectIndex
from counterproof.analysis.flow.sources import (
    canonical,
)
from counterproof.analysis.flow.stores import kept_names, read_back
from counterproof.analysis.flow.values import UNSET, Trusted, Value, external
from counterproof.analysis.kept import kept
from counterproof.analysis.libraries import public_name
from counterproof.analysis.syntax import ir

MAX_IMPORTS = 25
"""Nesting limit of modules run because of imports; beyond it only their definitions are known."""


class Names:
    """Module variables and imported names, each resolved once."""

    def __init__(self, engine: EnginePort, index: ProjectIndex) -> None:
        self._engine = engine
        self._index = index
        self.modules: dict[str, Frame] = {}
        self._starting: set[str] = set()
        self._known: dict[tuple[str, str], Value | None] = {}
        self._imports: dict[tuple[str, str], Value] = {}
        self._resolving: set[tuple[str, str]] = set()
        self._filled: dict[tuple[str, str], tuple[Value, Value]] = {}

    def module_frame(self, module: ir.Module) -> Frame:
        """The frame of the module's own code, run on first use; while it runs, the variables so far."""
        frame = self.modules.get(module.path)
        if frame is None and len(self._starting) >= MAX_IMPORTS:
            return Frame(self._engine, module, None, None)
        if frame is None:
            self._engine.checkpoint()
            frame = Frame(self._engine, module, None, None)
            self.modules[module.path] = frame
            self._starting.add(module.path)
            self._engine.guarded(frame, module.body, module.path)
            self._starting.discard(module.path)
        return frame

    def global_value(self, module: ir.Module, name: str) -> Value:
        """A name that a function does not define itself."""
        value = self.module_frame(module).env.get(name)
        if value is None:
            info = self._index.by_key.get((module.path, name))
            if info:
                return Value(of=info, origin=Trusted.INTERNAL)
            class_info = self._index.classes.get((module.path, name))
            if class_info:
                return Value(of=class_info, path="class", origin=Trusted.INTERNAL)
            return self.outside(module, name)
        if value.const is not UNSET and (isinstance(value.const, bool) or value.const is None or name in module.rebound):
            return Value(origin=Trusted.SETTING)  # a program's switch does not decide what the program can do
        if value.items is not None or value.entries is not None or value.rest is not None:
            return self._with_what_was_kept(module, name, value)
        return value

    @kept
    def filled(self, module: ir.Module) -> frozenset[str]:
        """Containers of the module that its functions add to."""
        return kept_names(module)

    def _with_what_was_kept(self, module: ir.Module, name: str, value: Value) -> Value:
        if name not in self.filled(module):
            return value
        key = (module.path, name)
        if key not in self._filled or self._filled[key][0] is not value:
            self._filled[key] = (value, read_back(value, name, module.path, 1))
        return self._filled[key][1]

    def outside(self, module: ir.Module, name: str) -> Value:
        """A name that the module does not define: imported with a star, or a builtin."""
        if name in module.imports:
            return self.imported(module.imports[name], module)
        for target in module.wildcards:
            found = self.project_value(f"{target}.{name}", module.path)
            if found is not None:
                return found
        return external(name, Trusted.INTERNAL)

    def imported(self, name: str, module: ir.Module) -> Value:
        key = (module.package, name)
        if key not in self._imports:
            found = self.project_value(name, module.path) or external(canonical(public_name(name)))
            if self.is_late(name, module):
                return found
            self._imports[key] = found
        return self._imports[key]

    def is_late(self, name: str, module: ir.Module) -> bool:
        """Return True if a circular import requests a name that its module has not defined yet, but will."""
        found = self._index.split(name, module) if self._starting else None
        return bool(found and found[1] and found[0].path in self._starting and found[1][0] not in self.modules[found[0].path].env)

    def project_value(self, name: str, importer: str) -> Value | None:
        """The value of a dotted name, if it is in the project."""
        module = self._index.modules.get(importer)
        if module is None:
            return None  # a template has no imports
        key = (module.package, name)
        if key in self._known:
            return self._known[key]
        found = self._index.split(name, module)
        if found is None:
            self._known[key] = None
            return None
        home, rest = found
        if not rest:
            return None
        if home.path in self._starting and rest[0] not in self.modules[home.path].env:
            return self._defined(home, rest)
        if key in self._resolving:
            return None
        self._resolving.add(key)
        value = self._resolved(home, rest, importer)
        self._resolving.discard(key)
        if len(self._starting) < MAX_IMPORTS:
            self._known[key] = value
        return value

    def _resolved(self, home: ir.Module, rest: list[str], importer: str) -> Value | None:
        value = self.global_value(home, rest[0])
        if value.path == rest[0]:
            return None  # the module does not define it
        for part in rest[1:]:
            value = attribute(self._engine, value, part, Place(importer, 1))
        return value

    def _defined(self, module: ir.Module, names: list[str]) -> Value | None:
        info = self._index.by_key.get((module.path, ".".join(names)))
        return Value(of=info, origin=Trusted.INTERNAL) if info else None
