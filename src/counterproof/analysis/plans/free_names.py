"""Doubts about names in a plan's Python that nothing gives a meaning: neither the blocks for a file, nor the file itself.

Always: all blocks for a file count together with the file, scopes are not told apart, and a block whose file is not known may be
for any. A name is free only where every part was parsed and none imports by star or leaves something out. A name that is nowhere
else was never written; one that is defined elsewhere lacks its import, unless the prose speaks of that.
"""

import ast
import builtins
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.plans.blocks import is_test_path
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.existence import missing_name
from counterproof.analysis.plans.hearing import IMPORTS
from counterproof.analysis.plans.importing import imported_names
from counterproof.analysis.plans.likeness import is_slip
from counterproof.analysis.plans.python_trees import is_method
from counterproof.analysis.plans.written_files import Written, written_files

_GIVEN = frozenset(
    [*dir(builtins), "__file__", "__path__", "__class__", "__module__", "__qualname__", "WindowsError", "reveal_type", "_"]
)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
MAX_USES = 60
"""Lines of the repository that are asked for an import of one name."""


@dataclass(frozen=True)
class Free:
    """A name that one file's code reads and nothing binds; `home` is where it could come from, or who takes it from outside of
    the project, '' if nobody has it; `placed` if the code says that it is for this file."""

    name: str
    line: int
    home: str
    placed: bool


def free_names(case: Case) -> Iterator[Doubt]:
    """One doubt for the names that a file lacks for one reason. What is left out of a new file may be left to whoever writes it,
    unless it is a value, which nobody can guess, or part of a test."""
    files = list(written_files(case))
    careful = any(file.there and file.has_imports for file in files)
    for file in files:
        found = list(_free(case, file))
        nowhere = [each for each in found if not each.home and is_unwritten(case, each.name)]
        elsewhere = [each for each in found if each.home and not _is_told(case, each.name)]
        if not file.there and not is_test_path(file.path):
            nowhere = [each for each in nowhere if each.name.isupper()]
            elsewhere = [each for each in elsewhere if not each.name.startswith("_")]
        meant = {each: near for each in nowhere if (near := case.slip_for(each.name)) and is_slip(each.name, near)}
        yield from (missing_name(case, each.name, each.line, near, Evidence.UNBOUND) for each, near in meant.items())
        unmeant = [each for each in nowhere if each not in meant]
        if unmeant:
            yield _undefined(file, unmeant)
        if elsewhere:
            elsewhere.sort(key=lambda each: not each.placed)
            sure = elsewhere[0].placed and (careful or file.has_imports)
            yield _unimported(file, elsewhere, Evidence.UNIMPORTED if sure else Evidence.LEFT_IMPORT)


def _free(case: Case, file: Written) -> Iterator[Free]:
    bound = {name for code in case.codes if file.may_hold(code) for name in code.bound} | file.bound | _GIVEN
    for code, tree in file.sure:
        if _is_sketch(tree):
            continue
        for node in _read(tree, code.text[:1].isspace(), file.late):
            if node.id not in bound:
                bound.add(node.id)
                yield Free(node.id, code.block.first + node.lineno - 1, _home_of(case, node.id), code.is_placed)


def _is_sketch(tree: ast.Module) -> bool:
    """Whether code leaves out what it gives or lists, `trace(...)`: what it calls is then to be written as well."""
    parts = (
        part
        for node in ast.walk(tree)
        for part in (node.args if isinstance(node, ast.Call) else node.elts if isinstance(node, ast.List) else ())
    )
    return any(isinstance(part, ast.Constant) and part.value is ... for part in parts)


def _read(tree: ast.Module, inner: bool, late: bool) -> Iterator[ast.Name]:
    """Names that code reads when it runs. The plain variables of a part of a function come from what is not shown of it."""
    shown = [each for each in tree.body if isinstance(each, _SCOPES) and (not inner or is_method(each))]
    whole = {id(node) for each in shown for node in ast.walk(each)}
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    unread = {id(node) for each in _annotations(tree, late) for node in ast.walk(each)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load) or id(node) in unread:
            continue
        if id(node) in whole or id(node) in called or node.id[:1].isupper() or node.id in sys.stdlib_module_names:
            yield node


def _annotations(tree: ast.Module, late: bool) -> Iterator[ast.expr]:
    """Annotations that nobody evaluates: those of variables inside of functions, and all of them where the file says so."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from (each.annotation for each in ast.walk(node) if isinstance(each, ast.AnnAssign))
            yield from (node.returns,) if late and node.returns else ()
        elif late and isinstance(node, ast.arg | ast.AnnAssign) and node.annotation:
            yield node.annotation


def _home_of(case: Case, name: str) -> str:
    """Where a name could be imported from, in words: a block of the plan, a file of Python, Python itself, or one that imports it
    too; '' if from nowhere."""
    shown = next((f"plan:{code.defined[name]}" for code in case.codes if code.tree and _is_made(code.tree, name)), "")
    word = re.escape(name)
    top = re.compile(rf"(?:(?:async[ \t]+)?def|class)[ \t]+{word}\b|{word}[ \t]*(?::[^=]{{1,80}})?=(?!=)")
    renamed = re.compile(rf"[ \t]*(?:from|import)\b.{{1,200}}\bas[ \t]+{word}\b")
    defined = ""
    taken = next((f"plan:{each.line}" for code in case.codes if code.tree for each in code.imports if each.name == name), "")
    for path, at, lines in _places(case, name):
        if top.match(lines[at - 1][:400]):
            defined = defined or f"{path}:{at}"
        elif renamed.match(lines[at - 1][:400]) or any(parts[-1] == name for parts in imported_names(lines, at, path)):
            taken = taken or f"{path}:{at}"
    module = name in sys.stdlib_module_names and not re.search(rf"\bfrom[ \t].{{1,200}}\b{word}\b", _line_at(case, taken))
    place = shown or defined or ("Python" if module else "")
    return f"comes from {place}" if place else f"is imported at {taken}" if taken else ""


def _line_at(case: Case, place: str) -> str:
    """The line at a place, of the plan or of a file; '' for none."""
    path, _, number = place.rpartition(":")
    if not path:
        return ""
    return case.line(int(number)) if path == "plan" else case.ground.project.line(path, int(number))


def _is_made(tree: ast.Module, name: str) -> bool:
    """Whether code defines a name for others to import."""
    return any(isinstance(node, _SCOPES) and node.name == name and not is_method(node) for node in tree.body)


def _places(case: Case, name: str) -> Iterator[tuple[str, int, list[str]]]:
    """Where Python of the repository holds a name: path, line and the lines of the file."""
    found = case.ground.occurrences(name)
    by_path: dict[str, list[int]] = {}
    for path, at in (*found.definitions, *found.test_uses, *found.uses)[:MAX_USES]:
        if path.endswith(".py"):
            by_path.setdefault(path, []).append(at)
    for path, numbers in by_path.items():
        lines = case.ground.text(path).split("\n")
        yield from ((path, at, lines) for at in numbers)


def is_unwritten(case: Case, name: str) -> bool:
    """Whether neither the code nor the plan knows a name, other than in code that reads it."""
    word = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    shown = any(word.search(code.text) for code in case.codes if code.tree is None)
    return not (shown or name in case.prose_words or case.ground.holds(name) or any(name in code.bound for code in case.codes))


def _is_told(case: Case, name: str) -> bool:
    """Whether prose speaks of importing a name."""
    word = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    return any(IMPORTS.search(line) and word.search(line) for line in case.prose_lines)


def _undefined(file: Written, names: list[Free]) -> Doubt:
    first = names[0]
    return Doubt(
        Kind.UNBOUND,
        first.name,
        _beside(names),
        f"The plan's code for `{file.path}` uses {_listed(names)}, which no block of the plan defines and no file holds",
        f"Line {first.line} raises NameError",
        f"Define {_listed(names)}, or name what is there",
        lines=tuple(each.line for each in names),
        places=(f"plan:{first.line}",),
        evidence=Evidence.UNBOUND,
    )


def _unimported(file: Written, names: list[Free], evidence: Evidence) -> Doubt:
    first = names[0]
    lacks = "the file does not import" if file.there else "no block for it imports"
    homes = ", ".join(f"`{each.name}` {each.home}" for each in names[:5])
    return Doubt(
        Kind.UNBOUND,
        first.name,
        _beside(names),
        f"The plan's code for `{file.path}` uses {_listed(names)}, which {lacks}; {homes}",
        f"Line {first.line} raises NameError",
        f"Add the import of {_listed(names)}",
        lines=tuple(each.line for each in names),
        places=(first.home.split()[-1] if ":" in first.home else f"plan:{first.line}",),
        evidence=evidence,
    )


def _beside(names: list[Free]) -> str:
    return f"and {len(names) - 1} more" if len(names) > 1 else ""


def _listed(names: list[Free]) -> str:
    return ", ".join(f"`{each.name}`" for each in names)
