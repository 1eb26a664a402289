"""The symbols that a block of a plan can mean: the plan's own, those that it imports, those of the file it is for, and the
repository's only one of a name.

Always: one answer or none. A class or function that the plan shows while the repository has it too is being changed; it is not
known, for the block may show a part.
"""

import ast
import re
from dataclasses import replace
from functools import cached_property

from counterproof.analysis.plans.blocks import Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.python_trees import bound_names, parsed
from counterproof.analysis.plans.signatures import ClassShape, Signature, classes_in, functions_in
from counterproof.model.plan.outline import Intent, Mention

Symbol = Signature | ClassShape
MAX_HOPS = 4
"""Modules that are followed from where a name is imported to where it is defined."""
_APPENDS = re.compile(r"\b(?:append|extend)", re.IGNORECASE)
MIN_UNIQUE = 6
"""Letters from which on a name alone tells what is meant."""


class Symbols:
    """What names stand for, for one plan."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self._modules: dict[str, dict[str, Symbol]] = {}
        self._trees: dict[str, ast.Module | None] = {}

    def callee(self, code: Code, name: str) -> Signature | None:
        """What a function takes, or a class to make one."""
        found = self._meant(code, name)
        return found.built if isinstance(found, ClassShape) else found

    def class_in(self, path: str, name: str) -> ClassShape | None:
        """A class as a file of the repository has it."""
        found = self._in_file(path, name, MAX_HOPS)
        return found if isinstance(found, ClassShape) else None

    def made_by(self, code: Code, name: str) -> ClassShape | None:
        """The class of what a call gives: the class itself, or what a function is declared to return."""
        found = self._meant(code, name)
        if not isinstance(found, Signature) or not found.returns:
            return found if isinstance(found, ClassShape) else None
        path = found.place.rpartition(":")[0]
        given = self._meant(code, found.returns) if path == "plan" else self._in_file(path, found.returns, MAX_HOPS)
        return given if isinstance(given, ClassShape) else None

    def instance(self, module: str, name: str) -> ClassShape | None:
        """The class of an object that a module of the project makes once, by its name: `settings = Settings()`."""
        path = module.replace(".", "/")
        found = next((each for each in (f"{path}.py", f"{path}/__init__.py") if self.case.ground.count(each) == 1), "")
        if not found:
            return None
        real = self.case.ground.resolve(found)
        self._in_file(real, name, 0)
        values = [
            node.value
            for node in getattr(self._trees.get(real), "body", [])
            if isinstance(node, ast.Assign) and [getattr(each, "id", "") for each in node.targets] == [name]
        ]
        if len(values) != 1 or not isinstance(values[0], ast.Call) or not isinstance(values[0].func, ast.Name):
            return None
        shape = self._in_file(real, values[0].func.id, MAX_HOPS)
        return shape if isinstance(shape, ClassShape) else None

    def _meant(self, code: Code, name: str) -> Symbol | None:
        inner = _inner(code, name)
        if inner:
            return inner
        if name in self._shown:
            symbols = self._shown[name]
            home = symbols[0][1]
            own = home is code or (home.path and home.path == code.path) or not _is_private(name, home) or takes(code, name, home)
            if len(symbols) != 1 or not own:
                return None
            return _joined(symbols[0][0], self._found(code, name)) if self._is_changed(name) else symbols[0][0]
        return self._found(code, name)

    def _found(self, code: Code, name: str) -> Symbol | None:
        """What the repository has of a name."""
        near = _relative(code, name)
        if near:
            return self._in_module(_absolute(code.path, near), name, MAX_HOPS) if code.path else self._only_one(name)
        if name in code.bound and name not in code.defined and not any(each.name == name for each in code.imports):
            return None  # a variable or a parameter of the block
        beside = (each for each in self.case.codes if each is not code and each.path == code.path != "")
        for each in (one for block in (code, *beside) for one in block.imports):
            if each.name == name:
                return self._in_module(each.module, name, MAX_HOPS)
        here = self.case.ground.resolve(code.path) if code.path.endswith(".py") else ""
        found = self._in_file(here, name, MAX_HOPS) if here else None
        return found or (None if self._is_elsewhere(code, here, name) else self._only_one(name))

    def _is_elsewhere(self, code: Code, here: str, name: str) -> bool:
        """Whether the file of a block has a name from elsewhere, or cannot have that of another file, which is private there."""
        tree = self._trees.get(here)
        return (code.path != "" and name.startswith("_")) or (tree is not None and name in bound_names(tree))

    @cached_property
    def _shown(self) -> dict[str, list[tuple[Symbol, Code]]]:
        """What the plan's own blocks define."""
        found: dict[str, list[tuple[Symbol, Code]]] = {}
        for code in self.case.codes:
            if code.tree is None:
                for name in code.defined:
                    found.setdefault(name, []).extend([])
                continue
            symbols: list[Symbol] = [*functions_in(code.tree, "plan", code.block.first)]
            symbols += classes_in(code.tree, "plan", code.block.first, self._only_class)
            for each in symbols:
                found.setdefault(each.name, []).append((each, code))
        return {name: each for name, each in found.items() if each}

    @cached_property
    def _created(self) -> frozenset[str]:
        """Files that the plan writes anew: what the repository has there does not count, unless the plan only appends to it."""
        named = [each for each in self.case.of(Mention.FILE) if each.intent is Intent.CREATES and each.firm]
        return frozenset(each.text for each in named if not _APPENDS.search(self.case.line(each.line)))

    def _is_changed(self, name: str) -> bool:
        """Whether the repository has the same name: what the plan shows may be a part of it."""
        return bool(self._places(name))

    def _places(self, name: str) -> list[tuple[str, int]]:
        """Where Python defines a name; what another language calls so is another thing."""
        return [place for place in self.case.ground.occurrences(name).definitions if place[0].endswith((".py", ".pyi"))]

    def _only_class(self, name: str) -> ClassShape | None:
        found = self._only_one(name)
        return found if isinstance(found, ClassShape) else None

    def _only_one(self, name: str) -> Symbol | None:
        """The class or function of the repository that alone has this name; one plain word is too common for a function."""
        if len(name) < MIN_UNIQUE or not (name[:1].isupper() or "_" in name.strip("_")):
            return None
        places = self._places(name)
        paths = {path for path, _ in places}
        return self._in_file(paths.pop(), name, 0) if len(places) == 1 and len(paths) == 1 else None

    def _in_module(self, module: str, name: str, hops: int) -> Symbol | None:
        path = module.replace(".", "/")
        for each in (f"{path}.py", f"{path}/__init__.py"):
            if self.case.ground.resolve(each) and self.case.ground.count(each) == 1:
                return self._in_file(self.case.ground.resolve(each), name, hops)
        return None

    def _in_file(self, path: str, name: str, hops: int) -> Symbol | None:
        """A name as a file defines it, or as it takes it from another one."""
        if not path.endswith(".py") or path in self._created:
            return None
        if path not in self._modules:
            self._modules[path] = {}  # a ring of imports ends here
            self._modules[path] = self._read(path)
        found = self._modules[path].get(name)
        tree = self._trees.get(path)
        if found or hops <= 0 or tree is None:
            return found
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and any(each.name == name and not each.asname for each in node.names):
                return self._in_module(_absolute(path, node), name, hops - 1)
        return None

    def _read(self, path: str) -> dict[str, Symbol]:
        tree = self._trees[path] = parsed(self.case.ground.text(path))
        if tree is None:
            return {}
        found: dict[str, list[Symbol]] = {}
        symbols: list[Symbol] = [*functions_in(tree, path, 1)]
        symbols += classes_in(tree, path, 1, lambda name: self.class_in(path, name))
        for each in symbols:
            found.setdefault(each.name, []).append(each)
        return {name: each[0] for name, each in found.items() if len(each) == 1}


def _joined(shown: Symbol, there: Symbol | None) -> Symbol | None:
    """What is certain of a thing that the plan changes: it takes what it took and what the plan shows, and needs nothing."""
    one = shown.built if isinstance(shown, ClassShape) else shown
    other = there.built if isinstance(there, ClassShape) else there
    if one is None or other is None or one.any_keyword or other.any_keyword:
        return None
    return replace(one, names=tuple(dict.fromkeys((*other.names, *one.names))), required=(), most=None)


def _inner(code: Code, name: str) -> Signature | None:
    """A function that stands inside of another one of the block, where nothing else there has its name."""
    tree = code.tree
    if tree is None or not re.search(rf"(?m)^[ \t]+(?:async[ \t]+)?def[ \t]+{re.escape(name)}\b", code.text):
        return None
    if list(bound_names(tree)).count(name) != 1:
        return None
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    bodies = [ast.Module(node.body, []) for node in functions]
    return next((each for body in bodies for each in functions_in(body, "plan", code.block.first) if each.name == name), None)


def takes(code: Code, name: str, home: Code) -> bool:
    """Whether a block imports a name from the file that another block is for."""
    files = (each.module.replace(".", "/") + ".py" for each in code.imports if each.name == name)
    return home.path != "" and any(home.path == file or home.path.endswith(f"/{file}") for file in files)


def _relative(code: Code, name: str) -> ast.ImportFrom | None:
    """The import that takes a name from beside the block's own file."""
    nodes = (node for node in ast.walk(code.tree) if isinstance(node, ast.ImportFrom)) if code.tree else ()
    return next(
        (node for node in nodes if node.level and any(each.name == name and not each.asname for each in node.names)), None
    )


def _absolute(path: str, node: ast.ImportFrom) -> str:
    """The module that an import names, from the root of the tree where it is a relative one."""
    if not node.level:
        return node.module or ""
    folders = path.split("/")[:-1]
    base = folders[: len(folders) - node.level + 1]
    return ".".join([*base, *(node.module or "").split(".")]).strip(".")


def _is_private(name: str, home: Code) -> bool:
    """Whether a definition serves its own file alone: a private name, or a helper of a test."""
    return name.startswith("_") or home.is_test or re.match(r"test_", name) is not None
