"""The function that a dotted name of the project refers to: in Python by the program model, in JavaScript by file exports.

Invariant: a file is parsed only if a name leads to it; a name shared by two functions resolves to nothing.
"""

from counterproof.analysis.program.codebase import codebase_of
from counterproof.analysis.project import Project
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.javascript import EXPORTS
from counterproof.analysis.syntax.javascript import module_name as script_name
from counterproof.analysis.syntax.walk import walk

Place = tuple[str, ir.Function]


def define(project: Project, name: str, origin: str) -> Place | None:
    """The only function of that name, as a file would find it; None if there is none, or more than one."""
    if name.startswith("/"):
        return _exported(project, name)
    found = codebase_of(project).define(name, origin)
    return only(project, found.path, found.node.qualified) if found and isinstance(found.node, ir.Function) else None


def only(project: Project, path: str, qualified: str) -> Place | None:
    found = [each for each in project.module(path).functions if each.qualified == qualified] if qualified else []
    return (path, found[0]) if len(found) == 1 else None


def _exported(project: Project, name: str) -> Place | None:
    """`/folder/file:ts.exports.name` or, in the file itself, `/folder/file:ts.name`."""
    path, rest = script_of(project, name), name.partition(".")[2]
    if not path:
        return None
    exports, _, wanted = rest.partition(".")
    module = project.module(path)
    return only(project, path, _export(module, wanted or "default") if exports == EXPORTS else rest)


def script_of(project: Project, name: str) -> str:
    """The file that the dotted name of an export starts with; '' if there is none."""
    files = project.once("script files by name", lambda: {script_name(path): path for path in project.files})
    return files.get(name.partition(".")[0], "")


def _export(module: ir.Module, wanted: str) -> str:
    """The function that a JavaScript file exports under a name; '' if unknown."""
    for node in walk(*module.body):
        if not isinstance(node, ir.Assign):
            continue
        whole = any(isinstance(each, ir.Name) and each.id == EXPORTS for each in node.targets)
        entries = node.value.entries if whole and isinstance(node.value, ir.Mapping) else ()  # `module.exports = { name }`
        named = [value for key, value in entries if isinstance(key, ir.Const) and key.value == wanted]
        if any(_is_export(each, wanted) for each in node.targets):
            named += [node.value] if node.value is not None else []
        for value in named:
            if isinstance(value, ir.Name):
                return _function_named(module, value.id)
    return ""


def _is_export(target: ir.Expr, wanted: str) -> bool:
    own = isinstance(target, ir.Attribute) and isinstance(target.value, ir.Name) and target.value.id == EXPORTS
    return own and isinstance(target, ir.Attribute) and target.name == wanted


def _function_named(module: ir.Module, name: str) -> str:
    """The qualified name of a function; arrow functions have a generated name and the variable's qualified name."""
    found = [each.qualified for each in module.functions if name in (each.name, each.qualified)]
    return found[0] if len(found) == 1 else ""
