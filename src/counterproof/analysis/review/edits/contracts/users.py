"""The files that use a file's definition, with the name they use: through an import, or in the file itself."""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.review.edits.alignment import FileEdit
from counterproof.analysis.review.edits.change import Change
from counterproof.analysis.review.edits.parts import Part, parsed

MAX_USERS = 200
MAX_SHOWN = 8


@dataclass(frozen=True, slots=True)
class User:
    """A file that knows a definition as `name`; `line` is that of the import, 0 in the defining file."""

    path: str
    root: Part
    name: str
    line: int = 0


def users(file: FileEdit, name: str, change: Change) -> Iterator[User]:
    """The file itself, then every file that imports the name from it."""
    yield User(file.path, file.after, name)
    for count, (path, text, found) in enumerate(importers(file.path, name, change)):
        root = parsed(path, text) if count < MAX_USERS else None
        if root is not None:
            renamed = re.search(rf"\b{re.escape(name)}\s+as\s+(\w+)", found[0])
            yield User(path, root, renamed[1] if renamed else name, text.count("\n", 0, found.end()) + 1)


def importers(target: str, name: str, change: Change) -> Iterator[tuple[str, str, re.Match[str]]]:
    """Files that import the name from the target, with their text and the import."""
    pattern = _import_of(target, name)
    for path, text in change.texts(name):
        found = pattern.search(text) if path != target and path.endswith(".py") == target.endswith(".py") else None
        if found and leads(path, found[0], target):
            yield path, text, found


def _import_of(target: str, name: str) -> re.Pattern[str]:
    folder, _, last = target.rpartition("/")
    stem = last.rpartition(".")[0]
    module = re.escape(folder.rpartition("/")[2] if stem in ("__init__", "index") else stem)
    word = re.escape(name)
    if target.endswith(".py"):
        return re.compile(
            rf"^\s*from\s+[\w.]*\b{module}\s+import\s+(?:\([^)]*?)?[^\n#]*?\b{word}\b(?:\s+as\s+\w+)?", re.MULTILINE
        )
    return re.compile(rf"^import\s[^;]*?\b{word}\b[^;]*?\sfrom\s+['\"][^'\"]*/{module}(?:\.\w+)?['\"]", re.MULTILINE)


def leads(path: str, statement: str, target: str) -> bool:
    """Return True if the module in a statement can be the file, by its whole path."""
    folder = path.rpartition("/")[0].split("/") if "/" in path else []
    bare = target.rpartition(".")[0].removesuffix("/__init__").removesuffix("/index")
    if target.endswith(".py"):
        named = statement.strip().split()[1]
        dots = len(named) - len(named.lstrip("."))
        parts = named.lstrip(".").split(".")
        if dots:
            return "/".join([*folder[: len(folder) - dots + 1], *parts]) == bare
        return bare == "/".join(parts) or (bare.endswith("/" + "/".join(parts)) and len(parts) > 1)
    source = re.split(r"['\"]", statement)[-2]
    if not source.startswith("."):
        return False
    where = posixpath.normpath(posixpath.join(*folder, source))
    return re.sub(r"\.(?:js|ts|tsx|jsx|mjs)$|/index$", "", where) == bare


def listed(places: list[tuple[str, int]]) -> str:
    """The locations as text, as many as fit."""
    rows = list(dict.fromkeys(f"{path}:{line}" for path, line in places))
    more = f" and {len(rows) - MAX_SHOWN} more" if len(rows) > MAX_SHOWN else ""
    return ", ".join(rows[:MAX_SHOWN]) + more
