"""Names that a change uses and nothing defines any more, and new imports that lead to no file.

Invariant: a name counts as defined if the file binds it anywhere, by a star import, or if the language knows it; in JavaScript
only names that the older version bound are looked at. An import of build output, or of an ignored folder, is skipped.
"""

import ast
import builtins
import re
from collections.abc import Iterator

from counterproof.analysis.plans.python_trees import bound_names, is_late, parsed, unread_annotations
from counterproof.analysis.plans.script_scopes import Script, script_of
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


def undefined_names(view: View) -> Iterator[Claim]:
    """Names that the old file defined, or that the new one brings in, and that nothing defines."""
    for path in (file.path for file in change_of(view)):
        before, after = _names_in(path, view.before.get(path) or ""), _names_in(path, view.project.text(path))
        if before is None or after is None or not before.read or "*" in after.bound:
            continue
        known, script = (_BUILTIN, False) if path.endswith(".py") else (_SCRIPT, True)
        for name in (each for each in after.free if each not in known):
            was, line = name in before.bound, after.read[name]
            if was or (not script and name not in before.read):
                yield Claim(
                    "name is not defined",
                    f"`{name}` is used here and {'no longer' if was else 'nowhere'} defined"[:200],
                    Severity.MEDIUM,
                    place_of(view, path, line),
                    f"Line {line} uses `{name}`, which the change {'no longer defines or imports' if was else 'brings in'}."
                    " Nothing in the file defines it and the language does not know it, so the line fails as soon as it runs.",
                    fix="Define or import it, or take this use out",
                )


def _names_in(path: str, text: str) -> Script | None:
    """The names that a file binds and reads; None if it cannot be parsed."""
    if not path.endswith(".py"):
        return script_of(text, path)
    tree = parsed(text)
    if tree is None:
        return None
    unread = {id(node) for each in unread_annotations(tree, is_late(tree)) for node in ast.walk(each)}
    reading = (each for each in ast.walk(tree) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load))
    lines = sorted((each.lineno, each.id) for each in reading if id(each) not in unread)
    return Script(dict.fromkeys(bound_names(tree), 1), {name: line for line, name in reversed(lines)})


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
