"""Names that a change uses and nothing defines any more, and new imports that lead to no file.

Invariant: a name counts as defined if its scope or one around it binds it, by a star import, or if the language knows it. In
JavaScript scopes are not distinguished, and only names that the older version bound are looked at. An import of build output, or
of an ignored folder, is skipped.
"""

import ast
import builtins
import re
import symtable
import warnings
from collections.abc import Iterator, Set
from dataclasses import dataclass

from counterproof.analysis.plans.lowered import names_in
from counterproof.analysis.program.own_imports import imports_of_no_file
from counterproof.analysis.review.checks.versions import change_of, place_of
from counterproof.analysis.review.claims import Claim, View
from counterproof.model.severity import Severity

_SCRIPT = frozenset(
    """window document console process global globalThis fetch URL URLSearchParams Buffer setTimeout setInterval clearTimeout
    clearInterval require module exports Promise Map Set Symbol JSON Math Date Array Object String Number Boolean Error RegExp
    Proxy Reflect WeakMap WeakSet Intl performance crypto AbortController AbortSignal TextEncoder TextDecoder Event EventTarget
    FormData Headers Request Response ReadableStream WritableStream TransformStream Blob File navigator location React JSX
    structuredClone
    queueMicrotask setImmediate arguments NaN Infinity undefined self name this super""".split()  # noqa: SIM905 - one word a name
)
_BUILTIN = frozenset(dir(builtins)) | {"__file__", "__name__", "__doc__", "__path__", "__class__", "__builtins__", "__package__"}
_MADE = re.compile(
    r"(?:^|/)(?:dist|build|out|lib|generated|__generated__|\.\w+|node_modules)(?:/|$)|[?!*$]|\bgenerated\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a file: those that it binds anywhere or reads, and those that it reads where nothing binds them, with their
    lines."""

    bound: Set[str]
    read: Set[str]
    free: dict[str, int]


def undefined_names(view: View) -> Iterator[Claim]:
    """Names that the old file defined, or that the new one brings in, and that nothing defines."""
    for path in (file.path for file in change_of(view)):
        before, after = _names_in(path, view.before.get(path) or ""), _names_in(path, view.project.text(path))
        if before is None or after is None or not before.read or "*" in after.bound:
            continue
        known, script = (_BUILTIN, False) if path.endswith(".py") else (_SCRIPT, True)
        for name, line in ((name, line) for name, line in after.free.items() if name not in known and name not in before.free):
            was = name in before.bound
            if was or (not script and name not in before.read):
                yield Claim(
                    "name is not defined",
                    f"`{name}` is used here and {'no longer' if was else 'nowhere'} defined"[:200],
                    Severity.MEDIUM,
                    place_of(view, path, line),
                    f"Line {line} uses `{name}`, which the change {'no longer defines or imports' if was else 'brings in'}."
                    " Nothing around it defines it and the language does not know it, so the line fails as soon as it runs.",
                    fix="Define or import it, or take this use out",
                )


def _names_in(path: str, text: str) -> Names | None:
    """None if the file cannot be parsed."""
    found = names_in(text, path, whole=True)
    if found is None or path.endswith(".py"):
        return _python_names(text, found.bound.keys()) if found else None
    return Names(found.bound.keys(), found.read.keys(), {name: found.read[name] for name in found.free})


def _python_names(text: str, bound: Set[str]) -> Names | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree, loose = ast.parse(text), list(_loose(symtable.symtable(text, "", "exec")))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    unread = {id(node) for each in _unread_annotations(tree) for node in ast.walk(each)}
    reading = (each for each in ast.walk(tree) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load))
    lines: dict[str, list[int]] = {}
    for each in reading:
        if id(each) not in unread:
            lines.setdefault(each.id, []).append(each.lineno)
    free: dict[str, int] = {}
    for name, start in loose:
        line = min((each for each in lines.get(name, ()) if each >= start), default=0)
        if line:
            free.setdefault(name, line)
    return Names(bound, lines.keys(), free)


def _unread_annotations(tree: ast.Module) -> Iterator[ast.expr]:
    """Annotations that are never evaluated: of local variables, and all if the file postpones their evaluation."""
    late = any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from (each.annotation for each in ast.walk(node) if isinstance(each, ast.AnnAssign))
            yield from (node.returns,) if late and node.returns else ()
        elif late and isinstance(node, ast.arg | ast.AnnAssign) and node.annotation:
            yield node.annotation


def _loose(module: symtable.SymbolTable) -> Iterator[tuple[str, int]]:
    """Names that a scope takes from the module, which does not bind them, with the line where the scope starts."""
    scopes = [module]
    for each in scopes:
        scopes += each.get_children()
    made = {each.get_name() for each in module.get_symbols() if each.is_assigned() or each.is_imported()}
    made |= {each.get_name() for scope in scopes for each in scope.get_symbols() if each.is_declared_global()}
    for scope in scopes:
        for each in scope.get_symbols():
            if each.is_referenced() and (each.is_global() or scope is module) and each.get_name() not in made:
                yield each.get_name(), scope.get_lineno()


def missing_files(view: View) -> Iterator[Claim]:
    """New JavaScript imports by a relative path to no file: loading the file fails."""
    for path in (file.path for file in change_of(view) if not file.path.endswith(".py")):
        for line, target in imports_of_no_file(view.project, path):
            if view.touches(path, line, line) and not _MADE.search(target):
                yield Claim(
                    "import of no file",
                    f"`{target}` is imported and no file is there"[:200],
                    Severity.MEDIUM,
                    place_of(view, path, line),
                    f"Line {line} imports `{target}`. No file of that name is in this tree, with or without an ending, and no "
                    "folder with an index, so loading this file fails.",
                    fix="Correct the path, or add the file",
                )
