"""The impact graph of a change (R30): the functions it touches, their callers and callees.

Invariant: a call is followed only if imports and definitions resolve it; a method only through `self`. The result is context,
bounded, in source order.
"""

import re
from itertools import takewhile

from counterproof.analysis.project import Project
from counterproof.analysis.review.changes import Edit
from counterproof.analysis.review.definitions import definitions, python_names
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import dotted, module_name, walk
from counterproof.model.location import at
from counterproof.model.review.scope import Neighbour
from counterproof.model.survey import Language

MAX_NEIGHBOURS = 200
MAX_SYMBOLS = 300


def neighbours(project: Project, changed: list[Edit]) -> tuple[Neighbour, ...]:
    """Callers and callees of changed functions outside the changed files."""
    own = {each.path for each in changed}
    touched = [pair for each in changed if is_python(project, each.path) for pair in changed_functions(project, each)]
    names = {name for path, function in touched[:MAX_SYMBOLS] for name in names_of(project, project.module(path), function)}
    found = [
        Neighbour(name, "caller", at(path, call.line))
        for path in calling(project, frozenset(names))
        if path not in own
        for name, call in resolved_calls(project.module(path))
        if name in names
    ]
    for path, function in touched[:MAX_SYMBOLS]:
        found += _callees(project, path, function, own)
    unique = sorted(set(found), key=lambda each: (each.at, each.symbol, each.relation))
    return tuple(unique[:MAX_NEIGHBOURS])


def is_python(project: Project, path: str) -> bool:
    return path in project.files and project.files[path].language is Language.PYTHON


def names_of(project: Project, module: ir.Module, function: ir.Function) -> tuple[str, ...]:
    """The dotted names of a function in its own file and in others."""
    return tuple(f"{name}.{function.qualified}" for name in python_names(project, module.path))


def changed_functions(project: Project, edit: Edit) -> list[tuple[str, ir.Function]]:
    """Functions with a changed line in them."""
    module = project.module(edit.path)
    return [
        (edit.path, each) for each in module.functions if any(start <= each.end and each.line <= end for start, end in edit.lines)
    ]


def calling(project: Project, names: frozenset[str]) -> tuple[str, ...]:
    """Python files that may contain a call that resolves to one of these names."""
    groups: dict[str, list[str]] = {}
    for name in sorted(names):
        head, _, last = name.rpartition(".")
        if last.isidentifier():
            groups.setdefault(head, []).append(re.escape(last))
    table = definitions(project)
    wanted = [_Group(head.split("."), f"(?:{'|'.join(lasts)})\\s*\\(", table.is_file(head)) for head, lasts in groups.items()]
    found: list[str] = []
    for file in project.of_language(Language.PYTHON) if wanted else ():
        project.checkpoint()
        if _may_call(module_name(file.path)[0].split("."), project.text(file.path), wanted):
            found.append(file.path)
    return tuple(found)


class _Group:
    """Names with the same prefix. A method is called on its class, under any alias; a function may be imported alone."""

    def __init__(self, head: list[str], lasts: str, functions: bool) -> None:
        self.head = head
        self.own = self.others = re.compile(rf"(?<!\w){lasts}")
        if not functions:
            owner = re.escape(head[-1])
            self.others = re.compile(rf"\b{owner}(?:\s*\.\s*{lasts}|\s+as\b)")


def _may_call(own: list[str], text: str, wanted: list[_Group]) -> bool:
    """Return True if a file may contain one of the names: a dotted name consists of words in the file, after words of the file's
    own name (relative imports, own definitions)."""
    known: dict[str, bool] = {}
    for group in wanted:
        head = group.head
        shared = len(tuple(takewhile(lambda pair: pair[0] == pair[1], zip(head, own, strict=False))))
        for word in reversed(head[shared:]):
            if word not in known:
                known[word] = word in text
            if not known[word]:
                break
        else:
            if (group.own if shared == len(own) else group.others).search(text):
                return True
    return False


def resolved_calls(module: ir.Module) -> list[tuple[str, ir.Call]]:
    """Every resolved call of a file, by dotted name; `self.m()` is a method of the enclosing class."""
    found: list[tuple[str, ir.Call]] = []
    own = {id(call): name for function in module.functions if function.owner for name, call in _on_self(module, function)}
    for node in walk(*module.body):
        if isinstance(node, ir.Call):
            name = own.get(id(node)) or dotted(node.callee, module)
            if name:
                found.append((name, node))
    return found


def _on_self(module: ir.Module, function: ir.Function) -> list[tuple[str, ir.Call]]:
    first = function.parameters[0].name if function.parameters else ""
    return [
        (f"{module.name}.{function.owner}.{node.callee.name}", node)
        for node in walk(*function.body)
        if isinstance(node, ir.Call)
        and isinstance(node.callee, ir.Attribute)
        and isinstance(node.callee.value, ir.Name)
        and node.callee.value.id == first
    ]


def _callees(project: Project, path: str, function: ir.Function, own: set[str]) -> list[Neighbour]:
    table = definitions(project)
    module = project.module(path)
    found: list[Neighbour] = []
    for node in walk(*function.body):
        name = dotted(node.callee, module) if isinstance(node, ir.Call) else None
        place = table.get(name)
        if name and place and place[0] not in own:
            found.append(Neighbour(name, "callee", at(place[0], place[1].line)))
    return found
