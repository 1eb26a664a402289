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
from counterproof.analysis.plans.doubts import Doubt, Evidence
from counterproof.analysis.plans.imports import python_imports
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
    """One doubt for the names that a file lacks. What is left out of a new file that is no test may be left to whoever writes
    it."""
    files = list(written_files(case))
    careful = any(file.there and file.has_imports for file in files)
    for file in files:
        found = [each for each in _free(case, file) if each.home and not _is_imported_in_words(case, each.name)]
        if not file.there and not is_test_path(file.path):
            found = [each for each in found if not each.name.startswith("_")]
        if found:
            found.sort(key=lambda each: not each.placed)
            sure = found[0].placed and (careful or file.has_imports)
            yield _unimported(case, file, found, Evidence.UNIMPORTED if sure else Evidence.LEFT_IMPORT)


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
    top = re.compile(rf"(?:(?:async[ \t]+)?def|class)[ \t]+{re.escape(name)}\b|{re.escape(name)}[ \t]*(?::[^=]{{1,80}})?=(?!=)")
    found = case.ground.occurrences(name)
    places = [place for place in (*found.definitions, *found.test_uses, *found.uses)[:MAX_USES] if place[0].endswith(".py")]
    defined = next((f"{path}:{at}" for path, at in places if top.match(case.ground.project.line(path, at)[:400])), "")
    module = "Python" if name in sys.stdlib_module_names else ""
    if shown or defined or module:
        return f"comes from {shown or defined or module}"
    paths = dict.fromkeys(path for path, _ in places)
    taken = (f"{path}:{at}" for path in paths for _, _, at, local in python_imports(case, path) if local == name)
    place = next(taken, "")
    return f"is imported at {place}" if place else ""


def _is_made(tree: ast.Module, name: str) -> bool:
    """Whether code defines a name for others to import."""
    return any(isinstance(node, _SCOPES) and node.name == name and not is_method(node) for node in tree.body)


def _is_imported_in_words(case: Case, name: str) -> bool:
    """Whether a line of prose speaks of importing a name."""
    word = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    return any(
        "import" in line.lower() and word.search(line) for at, line in enumerate(case.lines, 1) if at not in case.code_lines
    )


def _unimported(case: Case, file: Written, names: list[Free], evidence: Evidence) -> Doubt:
    first = names[0]
    lacks = "the file does not import" if file.there else "no block for it imports"
    homes = ", ".join(f"`{each.name}` {each.home}" for each in names[:5])
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    asked = "" if evidence is Evidence.UNIMPORTED else ". Should the step add the import?"
    return Doubt(
        evidence,
        f"{file.path}: {first.name}",
        f"{case.where(first.line)} uses `{first.name}`{more} in code for `{file.path}`",
        f"It is a name that {lacks}; {homes}{asked}",
        f"Line {first.line} raises NameError",
        f"Add the import of {', '.join(f'`{each.name}`' for each in names)}",
        lines=tuple(each.line for each in names),
        places=(first.home.split()[-1] if ":" in first.home else f"plan:{first.line}",),
    )
