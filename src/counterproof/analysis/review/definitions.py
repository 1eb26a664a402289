"""Resolving dotted names of the project on demand, so that a small change in a large tree costs little.

Invariant: a file is parsed only if a name leads to it; a name shared by two files or functions resolves to nothing. JavaScript
names are resolved through file exports.
"""

from collections.abc import Iterator

from counterproof.analysis.kept import kept
from counterproof.analysis.project import SCRIPTS, Project
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.javascript import EXPORTS
from counterproof.analysis.syntax.javascript import module_name as script_name
from counterproof.analysis.syntax.walk import module_name, walk
from counterproof.model.survey import Language

Place = tuple[str, ir.Function]
MAX_PARTS = 12


class Definitions:
    """Functions of one project by dotted name."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._files = _by_name(project)

    @kept
    def get(self, name: str | None) -> Place | None:
        """The only function of that name; None if there is none, or more than one."""
        if not name or name.count(".") > MAX_PARTS:
            return None
        return self._exported(name) if name.startswith("/") else self._python(name)

    def is_file(self, name: str) -> bool:
        """Return True if a name is a file's, and so not a name inside one."""
        return name in self._files

    def _python(self, name: str) -> Place | None:
        head, _, rest = name.rpartition(".")
        while head:
            paths = self._files.get(head, ())
            if paths:
                found = [place for path in paths for place in self._in(path, rest)]
                return found[0] if len(found) == 1 else None
            head, _, more = head.rpartition(".")
            rest = f"{more}.{rest}"
        return None

    def _in(self, path: str, qualified: str) -> list[Place]:
        self._project.checkpoint()
        return [(path, each) for each in self._project.module(path).functions if each.qualified == qualified]

    def _exported(self, name: str) -> Place | None:
        """`/folder/file:ts.exports.name` or, in the file itself, `/folder/file:ts.name`."""
        file, _, rest = name.partition(".")
        paths = self._files.get(file, ())
        if len(paths) != 1:
            return None
        exports, _, wanted = rest.partition(".")
        if exports == EXPORTS:
            rest = exported(self._project.module(paths[0]), wanted or "default")
        found = self._in(paths[0], rest) if rest else []
        return found[0] if len(found) == 1 else None


def exported(module: ir.Module, wanted: str) -> str:
    """The function that a JavaScript file exports under a name; '' if unknown."""
    for node in walk(*module.body):
        if isinstance(node, ir.Assign) and isinstance(node.value, ir.Mapping) and _is_exports(node.targets):
            for key, value in node.value.entries:  # `module.exports = { name }`
                if isinstance(key, ir.Const) and key.value == wanted and isinstance(value, ir.Name):
                    return _function_named(module, value.id)
        if not isinstance(node, ir.Assign) or not isinstance(node.value, ir.Name):
            continue
        for target in node.targets:
            whole = isinstance(target, ir.Attribute) and isinstance(target.value, ir.Name) and target.value.id == EXPORTS
            if whole and isinstance(target, ir.Attribute) and target.name == wanted:
                return _function_named(module, node.value.id)
    return ""


def _is_exports(targets: tuple[ir.Expr, ...]) -> bool:
    return any(isinstance(each, ir.Name) and each.id == EXPORTS for each in targets)


def _function_named(module: ir.Module, name: str) -> str:
    """The qualified name of a function; arrow functions have a generated name and the variable's qualified name."""
    found = [each.qualified for each in module.functions if name in (each.name, each.qualified)]
    return found[0] if len(found) == 1 else ""


def definitions(project: Project) -> Definitions:
    """Created once for all checks."""
    return project.once("review definitions", lambda: Definitions(project))


def _by_name(project: Project) -> dict[str, tuple[str, ...]]:
    table: dict[str, tuple[str, ...]] = {}
    for path, name in _names(project):
        if path not in table.get(name, ()):
            table[name] = (*table.get(name, ()), path)
    return table


def _names(project: Project) -> Iterator[tuple[str, str]]:
    """Every file with each name under which others import it, without reading files."""
    for file in project.survey.files:
        if file.language is Language.PYTHON:
            for name in python_names(project, file.path):
                yield file.path, name
        elif file.language in SCRIPTS:
            yield file.path, script_name(file.path)


def python_names(project: Project, path: str) -> tuple[str, ...]:
    """The names under which a Python file is imported; the second omits folders that are not packages, such as `src`."""
    name = module_name(path)[0]
    folders = path.split("/")[:-1]
    top = len(folders)
    while top and "/".join((*folders[:top], "__init__.py")) in project.files:
        top -= 1
    parts = name.split(".")
    short = ".".join(parts[top:]) if top < len(parts) else name
    return tuple(each for each in dict.fromkeys((name, short)) if each)
