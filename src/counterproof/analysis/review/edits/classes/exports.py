"""Functions, classes and constants that are gone from a file while other files still import them.

Harmful always: the import fails, or gives undefined. Harmless where the name is still bound in the file, by an import or a
definition of another kind, and where the file that imports it was itself taken away.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import FileEdit
from counterproof.analysis.review.edits.bindings import bound
from counterproof.analysis.review.edits.change import Change, Remark


def remarks(file: FileEdit, change: Change) -> Iterator[Remark]:
    """One remark for each name, with the first file that still imports it."""
    python = file.path.endswith(".py")
    gone = {name for name in file.old if name and "." not in name} | (bound({"": file.old[""]}) if python else set[str]())
    still = bound({"": file.new[""]}) | {name for name in file.new if name and "." not in name}
    if any("import *" in row.text or row.text.startswith("export *") for row in file.new[""].rows):
        return
    for name in sorted(gone - still):
        if (
            len(name) > 2
            and not _declared(file, name, change)
            and (found := next(iter(_importers(file, name, change)), None)) is not None
        ):
            path, line = found
            yield Remark(
                "import of what is gone",
                "invariants",
                f"`{name}` is gone and {path} still imports it",
                f"The change takes `{name}` out of {file.path}. Line {line} of {path} imports it from there, so the "
                "import fails, or gives nothing, as soon as the file is loaded.",
                f"Keep `{name}`, or change every file that imports it",
                file.path,
                _where(file, name),
                proved=True,
            )


def _declared(file: FileEdit, name: str, change: Change) -> bool:
    """Whether the new file still declares the name in a way that does not run, such as a type."""
    pattern = re.compile(rf"\b(?:interface|type|enum|namespace|as|export\s*\{{[^}}]*)\s+{re.escape(name)}\b")
    return any(path == file.path and pattern.search(text) for path, text in change.texts(name))


def _where(file: FileEdit, name: str) -> int:
    """The line of the new file nearest to where it stood."""
    unit = file.old.get(name)
    rows = [row for row in file.old[""].rows if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", row.text)]
    stood = unit.part.line if unit is not None and unit.part is not None else rows[0].line if rows else 1
    lines = [row.line for each in file.new.values() for row in each.rows]
    return min(lines, key=lambda line: abs(line - stood), default=1)


def _importers(file: FileEdit, name: str, change: Change) -> Iterator[tuple[str, int]]:
    folder, _, last = file.path.rpartition("/")
    stem = last.rpartition(".")[0]
    module = folder.rpartition("/")[2] if stem in ("__init__", "index") else stem
    if file.path.endswith(".py"):
        pattern = re.compile(
            rf"^\s*from\s+[\w.]*\b{re.escape(module)}\s+import\s+(?:\([^)]*?)?[^\n#]*?\b{re.escape(name)}\b", re.M
        )
    else:
        pattern = re.compile(
            rf"^import\s[^;]*?\b{re.escape(name)}\b[^;]*?\sfrom\s+['\"][^'\"]*/{re.escape(module)}(?:\.\w+)?['\"]", re.M
        )
    for path, text in change.texts(name):
        if path == file.path or not _same_kind(path, file.path):
            continue
        found = pattern.search(text)
        if found and _leads(path, found[0], file.path):
            yield path, text.count("\n", 0, found.end()) + 1


def _same_kind(path: str, other: str) -> bool:
    return path.endswith(".py") == other.endswith(".py")


def _leads(path: str, statement: str, target: str) -> bool:
    """Whether the module that a statement names can be the file, by its whole path."""
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
    where = list(folder)
    for part in source.split("/"):
        where = where[:-1] if part == ".." else where if part == "." else [*where, part]
    return re.sub(r"\.(?:js|ts|tsx|jsx|mjs)$|/index$", "", "/".join(where)) == bare
