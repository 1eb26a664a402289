"""The project for traversal: files, calls between functions, classes of objects, and contents of fields.

Invariant: lookups are bounded; ambiguous results stay open instead of being guessed; a field has a class only if the constructor
assigns it once (`self.orders = Orders()`, or a parameter with a default). Not handled here: following values, entry points.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from counterproof.analysis.program.codebase import Codebase, Definition, codebase_of
from counterproof.analysis.program.everyday import EVERYDAY
from counterproof.analysis.program.file import File
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traits import told, trait
from counterproof.analysis.program.traversal import calls_in
from counterproof.analysis.project import Project
from counterproof.analysis.syntax.ir import Argument, Assign, Attribute, Call, Class, Expr, Function, Name, Node, Parameter
from counterproof.analysis.syntax.walk import functions_around, walk
from counterproof.model.flow import Break


@dataclass(frozen=True, slots=True, eq=False)
class Callee:
    """A function that a call runs. `bound` is True if its first parameter is the receiver."""

    ground: File
    function: Function
    bound: bool
    broken: Break | None = None


class Program:
    """One project. Computed results are shared by all programs of the project."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.codebase: Codebase = codebase_of(project)
        self._callees: dict[int, tuple[Callee, ...]] = project.once("callees", dict[int, tuple[Callee, ...]])

    def file(self, path: str) -> File:
        return self.codebase.outline(path)

    def calls_in(self, function: Function) -> tuple[Call, ...]:
        """Every call in the body of a function, including nested functions."""
        return self.codebase.remembered(("calls", id(function)), lambda: tuple(calls_in(*function.body)))

    def holds(self, path: str) -> bool:
        """Return True if a file is Python code and not a test."""
        return path in self._paths

    @cached_property
    def _paths(self) -> frozenset[str]:
        return frozenset(self.codebase.paths)

    def _only_method(self, name: str) -> tuple[File, Function] | None:
        """The method of this name, if the project has only one."""
        paths = self._files_by_method.get(name, [])
        if len(paths) != 1:
            return None
        ground = self.file(paths[0])
        return next((ground, each) for each in ground.module.functions if each.owner and each.name == name)

    @cached_property
    def _files_by_method(self) -> dict[str, list[str]]:
        """Paths by method name, once per method."""
        found: dict[str, list[str]] = {}
        for path, names in told(self.codebase, _methods).items():
            for name in names:
                found.setdefault(name, []).append(path)
        return found

    def callees(self, ground: File, call: Call) -> tuple[Callee, ...]:
        """The functions of the project that a call may run."""
        if id(call) not in self._callees:
            self._callees[id(call)] = tuple(self._resolve(ground, call))
        return self._callees[id(call)]

    def _resolve(self, ground: File, call: Call) -> Iterator[Callee]:
        function = ground.function(call)
        found = self.codebase.meaning(ground, call.callee, function)
        if found and isinstance(found.node, Function):
            bound = bool(found.node.owner) and not _static(found.node) and isinstance(call.callee, Attribute)
            yield Callee(self.file(found.path), found.node, bound and not self._names_class(ground, call))
        elif found and isinstance(found.node, Class):
            method = self.codebase.method(found, "__init__")
            if method:
                yield Callee(self.file(method[0].path), method[1], True)
        elif isinstance(call.callee, Attribute):
            yield from self._method(ground, call.callee, function)

    def _names_class(self, ground: File, call: Call) -> bool:
        """`Class.method(object)`: the receiver is passed as an argument."""
        assert isinstance(call.callee, Attribute)
        found = self.codebase.meaning(ground, call.callee.value)
        return found is not None and isinstance(found.node, Class)

    def _method(self, ground: File, callee: Attribute, function: Function | None) -> Iterator[Callee]:
        owner = self.class_of(ground, callee.value, function)
        if owner is not None:
            method = self.codebase.method(owner, callee.name)
            if method:
                yield Callee(self.file(method[0].path), method[1], not _static(method[1]))
            return
        if callee.name in EVERYDAY or (isinstance(callee.value, Name) and callee.value.id in ground.module.imports):
            return
        only = self._only_method(callee.name)
        if only is not None:
            yield Callee(*only, bound=not _static(only[1]), broken=Break.DYNAMIC_DISPATCH)

    def class_of(self, ground: File, expr: Node, function: Function | None) -> Definition | None:
        """The project class of an object, if it is evident from the code."""
        outline = ground
        if isinstance(expr, Name) and function is not None:
            first = function.parameters[0].name if function.parameters else ""
            if function.owner and expr.id == first and not _static(function):
                return Definition(outline, outline.classes[function.owner]) if function.owner in outline.classes else None
            for parameter in function.parameters:
                if parameter.name == expr.id and parameter.annotation is not None:
                    return self._as_class(outline, parameter.annotation)
        if isinstance(expr, Call):
            if isinstance(expr.callee, Name) and expr.callee.id == "super" and function is not None and function.owner:
                return self._base(outline, function.owner)
            return self._as_class(outline, expr.callee)
        if isinstance(expr, Name | Attribute):
            made = self.codebase.meaning(outline, expr, function)
            if made and isinstance(made.node, Call):
                return self._as_class(made.outline, made.node.callee)
            if made is None and isinstance(expr, Attribute) and isinstance(expr.value, Name):
                owner = self.class_of(ground, expr.value, function)
                return kept_class(self.codebase, owner, expr.name) if owner is not None else None
        return None

    def _as_class(self, outline: Outline, expr: Node) -> Definition | None:
        if not isinstance(expr, Name | Attribute):
            return None
        found = self.codebase.meaning(outline, expr)
        return found if found and isinstance(found.node, Class) else None

    def _base(self, outline: Outline, owner: str) -> Definition | None:
        own = outline.classes.get(owner)
        bases = [self._as_class(outline, base) for base in own.bases] if own else []
        return next((base for base in bases if base), None)


@trait("methods")
def _methods(outline: Outline) -> list[str]:
    """Names of methods, one per definition."""
    return [function.name for function in outline.module.functions if function.owner]


def passed(call: Call, callee: Callee, parameter: Parameter) -> list[Argument]:
    """The arguments for a parameter, including starred ones."""
    named = [each for each in call.arguments if each.keyword == parameter.name]
    if named:
        return named
    names = [each.name for each in callee.function.parameters if each.kind == "positional"]
    plain = [each for each in call.arguments if not each.keyword and not each.spread]
    if parameter.kind == "*":
        return plain[len(names) - callee.bound :]
    if parameter.kind == "**":
        known = {each.name for each in callee.function.parameters}
        return [each for each in call.arguments if (each.keyword and each.keyword not in known) or each.spread == "**"]
    if parameter.kind == "positional" and parameter.name in names:
        position = names.index(parameter.name) - callee.bound
        if 0 <= position < len(plain):
            return [plain[position]]
    return [each for each in call.arguments if each.spread]


def _static(function: Function) -> bool:
    return any(isinstance(each.value, Name) and each.value.id == "staticmethod" for each in function.decorators)


def enclosing(program: Program, path: str, line: int) -> Function | None:
    """The innermost function around a line."""
    if not program.holds(path):
        return None
    return next(iter(functions_around(program.codebase.outline(path).module, line)), None)


def kept_class(codebase: Codebase, owner: Definition, field: str) -> Definition | None:
    """The project class of the object in a field."""
    found = codebase.method(owner, "__init__")
    if found is None:
        return None
    outline, constructor = found
    values = [each.value for each in walk(*constructor.body) if isinstance(each, Assign) and _sets(each, constructor, field)]
    value = values[0] if len(values) == 1 else None
    return _made_of(codebase, outline, constructor, value) if value is not None else None


def _sets(node: Assign, constructor: Function, field: str) -> bool:
    own = constructor.parameters[0].name if constructor.parameters else ""
    target = node.targets[0]
    return isinstance(target, Attribute) and target.name == field and isinstance(target.value, Name) and target.value.id == own


def _made_of(codebase: Codebase, outline: Outline, constructor: Function, value: Expr) -> Definition | None:
    parameter = next((each for each in constructor.parameters if isinstance(value, Name) and each.name == value.id), None)
    if parameter is not None:
        if parameter.annotation is not None and (found := _class(codebase, outline, parameter.annotation)):
            return found
        if parameter.default is None:
            return None
        value = parameter.default
    made = Definition(outline, value) if isinstance(value, Call) else codebase.meaning(outline, value)
    return _class(codebase, made.outline, made.node.callee) if made and isinstance(made.node, Call) else None


def _class(codebase: Codebase, outline: Outline, expr: Expr) -> Definition | None:
    found = codebase.meaning(outline, expr) if isinstance(expr, Name | Attribute) else None
    return found if found and isinstance(found.node, Class) else None
