"""Definitions: modules by dotted name, functions, classes and their bases, over the whole project.

Invariant: an ambiguous name resolves to nothing rather than to the wrong definition. Not handled here: values.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from counterproof.analysis.program.modules import Modules
from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import dotted, last_name

MAX_BASES = 30
"""Classes searched for one method."""


@dataclass(slots=True, eq=False)
class FunctionInfo:
    """A function, with its class and module."""

    id: int
    module: ir.Module
    node: ir.Function
    owner: "ClassInfo | None" = None
    called: bool = False
    """True if any call in the project resolves to it."""
    is_static: bool = field(init=False)
    is_property: bool = field(init=False)

    def __post_init__(self) -> None:
        decorators = self.node.decorators  # computed once: every call needs it
        self.is_static = any(isinstance(each.value, ir.Name) and each.value.id == "staticmethod" for each in decorators)
        self.is_property = any(_is_property(each.value) for each in decorators)

    @property
    def key(self) -> tuple[str, str]:
        return self.module.path, self.node.qualified


def _is_property(decorator: ir.Expr) -> bool:
    name = last_name(decorator)
    return name in ("property", "cached_property")


@dataclass(slots=True, eq=False)
class ClassInfo:
    """A class and its bases."""

    module: ir.Module
    node: ir.Class
    methods: dict[str, FunctionInfo]
    bases: tuple["ClassInfo", ...] = ()
    external_bases: tuple[str, ...] = ()
    _lineage: "list[ClassInfo] | None" = None

    def lineage(self) -> list["ClassInfo"]:
        """The class and its project bases, nearest first, bounded; computed once the bases are linked."""
        if self._lineage is None:
            self._lineage = self._found_lineage()
        return self._lineage

    def _found_lineage(self) -> list["ClassInfo"]:
        found: list[ClassInfo] = []
        pending: list[ClassInfo] = [self]
        while pending and len(found) < MAX_BASES:
            current = pending.pop(0)
            if current not in found:
                found.append(current)
                pending.extend(current.bases)
        return found

    def inherit(self, bases: tuple["ClassInfo", ...]) -> None:
        """Set the class's bases in the project."""
        self.bases, self.external_bases, self._lineage = bases, (), None

    def method(self, name: str) -> FunctionInfo | None:
        for each in self.lineage():
            found = each.methods.get(name)
            if found is not None:
                return found
        return None

    def outside(self) -> tuple[str, ...]:
        """Dotted names of all bases outside the project."""
        return tuple(name for each in self.lineage() for name in each.external_bases)


_MODEL_BASES = vocabulary(
    "Model Base DeclarativeBase SQLModel Document EmbeddedDocument Entity DynamicDocument MappedAsDataclass"
)


def is_model(info: ClassInfo) -> bool:
    """Return True if objects of a class are stored in a database."""
    return any(name.rpartition(".")[2] in _MODEL_BASES for name in info.outside())


def _related_names(node: ir.Class) -> Iterable[str]:
    """`related_name="lines"` of a model's foreign keys; '+' means none."""
    calls = [each.value for each in node.body if isinstance(each, ir.Assign) and isinstance(each.value, ir.Call)]
    options = [option.value for each in calls for option in each.arguments if option.keyword == "related_name"]
    return [
        each.value for each in options if isinstance(each, ir.Const) and isinstance(each.value, str) and each.value.isidentifier()
    ]


class ProjectIndex:
    """All modules given, looked up by name."""

    def __init__(self, modules: Iterable[ir.Module]) -> None:
        self.modules = {module.path: module for module in modules}
        self._named = Modules((module.path, module.name) for module in self.modules.values())
        self.functions: list[FunctionInfo] = []
        self.by_key: dict[tuple[str, str], FunctionInfo] = {}
        self.classes: dict[tuple[str, str], ClassInfo] = {}
        self._functions_of: dict[int, FunctionInfo] = {}
        self._methods: dict[str, list[FunctionInfo]] = {}
        self._lambdas: dict[int, FunctionInfo] = {}
        self._models: frozenset[str] | None = None
        self._related: dict[str, str] | None = None
        for module in self.modules.values():
            self._add(module)
        for info in self.classes.values():
            self._link(info)
        self.names = frozenset(each.node.name for each in self.functions)
        """The names of the functions."""

    def _add(self, module: ir.Module) -> None:
        for node in module.classes:
            self.classes[(module.path, node.qualified)] = ClassInfo(module, node, {})
        for function in sorted(module.functions, key=lambda each: each.line):
            owner = self.classes.get((module.path, function.owner)) if function.owner else None
            info = FunctionInfo(len(self.functions), module, function, owner)
            self.functions.append(info)
            self.by_key[info.key] = info
            self._functions_of[id(function)] = info
            if owner:
                owner.methods[function.name] = info
                self._methods.setdefault(function.name, []).append(info)

    def _link(self, info: ClassInfo) -> None:
        bases: list[ClassInfo] = []
        outside: list[str] = []
        for base in info.node.bases:
            name = dotted(base.value if isinstance(base, ir.Index) else base, info.module)
            found = self.class_named(name, info.module) if name else None
            if found and found is not info:
                bases.append(found)
            elif name:
                outside.append(name)
        info.bases = tuple(bases)
        info.external_bases = tuple(outside)

    def function_of(self, node: ir.Function) -> FunctionInfo:
        return self._functions_of[id(node)]

    def lambda_of(self, node: ir.Lambda, module: ir.Module, around: str) -> FunctionInfo:
        """A lambda as a function that returns its expression. Its number is not in the list of functions, so it is run only where
        it is called."""
        info = self._lambdas.get(id(node))
        if info is None:
            body = (ir.Return(node.line, node.end, node.body),)
            name = f"{around}.<lambda>".lstrip(".")
            function = ir.Function(node.line, node.end, "<lambda>", name, node.parameters, (), body, within=around)
            info = self._lambdas[id(node)] = FunctionInfo(-2 - len(self._lambdas), module, function)
        return info

    def methods_named(self, name: str) -> list[FunctionInfo]:
        """All methods of that name, in any class."""
        return self._methods.get(name, [])

    def models(self) -> frozenset[str]:
        """Names of the classes whose objects are stored in a database."""
        if self._models is None:
            self._models = frozenset(each.node.name for each in self.classes.values() if is_model(each))
        return self._models

    def related(self, name: str) -> str:
        """The model behind an attribute for related objects: `order_set`, or the `related_name` of its foreign key."""
        if self._related is None:
            self._related = {}
            for each in self.classes.values():
                if is_model(each):
                    self._related.setdefault(f"{each.node.name.lower()}_set", each.node.name)
                    self._related.update(dict.fromkeys(_related_names(each.node), each.node.name))
        return self._related.get(name, "")

    def split(self, name: str, importer: ir.Module) -> tuple[ir.Module, list[str]] | None:
        """The project module at the start of a dotted name, and the remaining names."""
        for path, rest in self._named.prefixes(name, importer.path):
            if path != importer.path:
                package = None if rest else self._rebinding(name, importer)
                return (package, [name.rpartition(".")[2]]) if package else (self.modules[path], rest)
        return None

    def _rebinding(self, name: str, importer: ir.Module) -> ir.Module | None:
        """The package whose own import shadows its submodule of that name: `from app.models.User.user import User`."""
        outer, _, last = name.rpartition(".")
        path = self._named.find(outer, importer.path) if outer else None
        package = self.modules[path] if path and path != importer.path else None
        target = package.imports.get(last, "") if package else ""
        return package if package and target and target != f"{package.name}.{last}" else None

    def class_named(self, name: str, importer: ir.Module) -> ClassInfo | None:
        """A class by dotted name, through one re-export."""
        for _ in range(3):
            own = (importer.path, name.removeprefix(f"{importer.name}."))
            if own in self.classes:
                return self.classes[own]
            found = self.split(name, importer)
            if not found:
                return None
            module, rest = found
            info = self.classes.get((module.path, ".".join(rest)))
            if info or not rest:
                return info
            target = module.imports.get(rest[0])
            if not target:
                return None
            name, importer = ".".join([target, *rest[1:]]), module
        return None
