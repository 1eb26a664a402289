"""Doubts about names in a plan's Python that other files define and that the file of the code does not import.

Invariant: a file is checked only if it exists and parses, or if the plan creates it and its blocks omit nothing. All blocks of a
file are read together with it, scopes are not distinguished, and a block without a known file may belong to any.
"""

import ast
import builtins
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.plans.blocks import DIFFS, Code, is_test_path
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Evidence
from counterproof.analysis.plans.imports import imports_in
from counterproof.analysis.plans.python_trees import bound_names, is_late, is_method, parsed, unread_annotations
from counterproof.model.plan.outline import Intent, Mention

_GIVEN = frozenset([*dir(builtins), "__file__", "__path__", "__class__", "__module__", "__qualname__", "reveal_type", "_"])
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)
OMITTED = re.compile(
    r"(?m)(?:^|:)[ \t]*(?:\.\.\.|…)|#[ \t]*(?:\.\.\.|…|(?:existing|unchanged|rest of|as before)\b)", re.IGNORECASE
)
_COMMENTED = re.compile(r"(?m)^[ \t]*#.{0,200}?(?<![\w/.-])((?:[\w-]{1,80}/){0,10}[\w-]{1,80}\.py)\b")


@dataclass(frozen=True)
class Free:
    """A name that a file's code uses and nothing binds. `home` describes its origin; `placed`: the block names its file."""

    name: str
    line: int
    home: str
    placed: bool


def free_names(case: Case) -> Iterator[Doubt]:
    """One doubt per file for its missing imports, if the plan gives imports."""
    files = dict(_written(case))
    careful = any(there and _gives_imports(codes) for codes, there in files.values())
    for path, (codes, there) in files.items():
        found = [each for each in _free(case, path, codes, there) if each.home]
        if not there and not is_test_path(path):
            found = [each for each in found if not each.name.startswith("_")]
        if found:
            found.sort(key=lambda each: not each.placed)
            if found[0].placed and (careful or _gives_imports(codes)):
                yield _unimported(case, path, found)


def _written(case: Case) -> Iterator[tuple[str, tuple[list[Code], ast.Module | None]]]:
    """The files of the blocks whose whole content is known, with their blocks and the existing code."""
    files = case.of(Mention.FILE)
    worked_on = {each.text for each in files if each.intent in (Intent.CREATES, Intent.CHANGES)}
    only_read = {each.text for each in files} - worked_on
    by_path: dict[str, list[Code]] = {}
    for code in case.codes:
        if code.path.endswith(".py") and code.path not in only_read:
            by_path.setdefault(case.ground.resolve(code.path) or code.path, []).append(code)
    for path, codes in by_path.items():
        there = parsed(case.ground.text(path)) if case.ground.count(path) == 1 else None
        whole = any(f"/{each}".endswith(f"/{path}") for each in worked_on) and not case.ground.exists(path)
        new = whole and _gives_imports(codes[:1]) and not any(code.tree is None or _is_partial(code) for code in codes)
        names = {name for code in codes for name in code.words} | {*(bound_names(there) if there else ())}
        if (there or new) and "*" not in names:
            yield path, (codes, there)


def _gives_imports(codes: list[Code]) -> bool:
    """Return True if a block starts with imports, so that the plan gives the imports of its file."""
    return any(isinstance(node, _IMPORTS) for code in codes if code.tree for node in code.tree.body[:4])


def _is_partial(code: Code) -> bool:
    """Return True if a block omits code: by a comment, or by dots among arguments or list entries."""
    nodes = list(ast.walk(code.tree)) if code.tree else []
    parts = [
        part
        for node in nodes
        if isinstance(node, ast.Call | ast.List)
        for part in getattr(node, "args", getattr(node, "elts", []))
    ]
    dots = any(isinstance(each, ast.Constant) and each.value is Ellipsis for each in parts)
    return dots or OMITTED.search(code.text) is not None or code.block.language in DIFFS


def _free(case: Case, path: str, codes: list[Code], there: ast.Module | None) -> Iterator[Free]:
    steps = {code.step for code in codes}
    maybe = [code for code in case.codes if code in codes or _may_hold(code, path, steps)]
    bound = {name for code in maybe for name in code.words} | {*(bound_names(there) if there else ())} | _GIVEN
    late = there is not None and is_late(there)
    for code in codes:
        if code.tree is None or code.is_old or _is_partial(code) or not _is_sure(case, code):
            continue
        for node in _read(code.tree, code.text[:1].isspace(), late):
            if node.id not in bound:
                bound.add(node.id)
                yield Free(node.id, code.block.first + node.lineno - 1, _home_of(case, node.id), code.is_placed)


def _may_hold(code: Code, path: str, steps: set[int]) -> bool:
    """Return True if a block may belong to this file; a block with only imports may belong to any."""
    only_imports = code.tree is not None and all(isinstance(node, _IMPORTS) for node in code.tree.body)
    beside = code.step in steps and not code.is_placed and (is_test_path(path) == code.is_test or only_imports)
    named = re.search(rf"(?<![\w-]){re.escape(path.rpartition('/')[2])}", code.block.lead) is not None
    return not code.path.endswith(".py") or named or beside


def _is_sure(case: Case, code: Code) -> bool:
    """Return True if a block belongs to no other file: it names its file, or its step names no other of the same kind."""
    if code.tree and any(isinstance(node, ast.Assert) for node in code.tree.body):
        return False  # a part of a test
    if any(not f"/{code.path}".endswith(f"/{each}") for each in _COMMENTED.findall(code.text)):
        return False  # the rest of the block belongs to another file
    kind = is_test_path(code.path)
    files = [each.text for each in case.of(Mention.FILE) if each.step == code.step and is_test_path(each.text) == kind]
    others = [path for path in files if path.endswith(".py") and not f"/{code.path}".endswith(f"/{path}")]
    return code.is_placed or not others


def _read(tree: ast.Module, inner: bool, late: bool) -> Iterator[ast.Name]:
    """Names that the code reads at run time. Plain variables in a part of a function may be bound in omitted code."""
    shown = [each for each in tree.body if isinstance(each, _SCOPES) and (not inner or is_method(each))]
    whole = {id(node) for each in shown for node in ast.walk(each)}
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    unread = {id(node) for each in unread_annotations(tree, late) for node in ast.walk(each)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load) or id(node) in unread:
            continue
        if id(node) in whole or id(node) in called or node.id[:1].isupper() or node.id in sys.stdlib_module_names:
            yield node


def _home_of(case: Case, name: str) -> str:
    """The origin of a name as text; '' if nothing defines or imports it."""
    shown = next((f"plan:{code.defined[name]}" for code in case.codes if code.tree and _is_made(code.tree, name)), "")
    found = case.ground.occurrences(name)
    places = [place for place in (*found.definitions, *found.test_uses, *found.uses) if place[0].endswith(".py")]
    top = re.compile(rf"(?:(?:async[ \t]+)?def|class)[ \t]+{re.escape(name)}\b|{re.escape(name)}[ \t]*(?::[^=]{{1,80}})?=(?!=)")
    defined = next((f"{path}:{at}" for path, at in places if top.match(case.ground.project.line(path, at)[:400])), "")
    module = "Python" if name in sys.stdlib_module_names else ""
    if shown or defined or module:
        return f"comes from {shown or defined or module}"
    paths = dict.fromkeys(path for path, _ in places)
    place = next((f"{path}:{at}" for path in paths for _, _, at, local in imports_in(case, path) if local == name), "")
    return f"is imported at {place}" if place else ""


def _is_made(tree: ast.Module, name: str) -> bool:
    """Return True if code defines a name that others can import."""
    return any(isinstance(node, _SCOPES) and node.name == name and not is_method(node) for node in tree.body)


def _unimported(case: Case, path: str, names: list[Free]) -> Doubt:
    first = names[0]
    homes = ", ".join(f"`{each.name}` {each.home}" for each in names[:5])
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return Doubt(
        Evidence.UNIMPORTED,
        f"{path}: {first.name}",
        f"{case.where(first.line)} uses `{first.name}`{more} in code for `{path}`",
        f"Neither the file nor a block for it imports it; {homes}",
        f"Line {first.line} raises NameError",
        f"Add the import of {', '.join(f'`{each.name}`' for each in names)}",
        lines=tuple(each.line for each in names),
        places=(first.home.split()[-1] if ":" in first.home else f"plan:{first.line}",),
    )
