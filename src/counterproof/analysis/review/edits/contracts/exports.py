"""Functions, classes and constants removed from a file that other files still import.

Always reported: the import fails, or yields undefined. Not reported if the file still binds the name, by an import or another
definition, if it provides names dynamically (`__getattr__`, a star import), or if the importing file was also deleted.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import FileEdit
from counterproof.analysis.review.edits.bindings import bound
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.contracts.users import importers, listed


def remarks(file: FileEdit, change: Change) -> Iterator[Remark]:
    """One remark for each name, with every file that still imports it."""
    python = file.path.endswith(".py")
    gone = {name for name in file.old if name and "." not in name} | (bound({"": file.old[""]}) if python else set[str]())
    still = bound({"": file.new[""]}) | {name for name in file.new if name and "." not in name}
    if "__getattr__" in still or any("import *" in row.text or row.text.startswith("export *") for row in file.new[""].rows):
        return
    for name in sorted(gone - still):
        if (
            len(name) > 2
            and not _declared(file, name, change)
            and (found := [(path, _line(text, match)) for path, text, match in importers(file.path, name, change)])
        ):
            path, line = found[0]
            yield Remark(
                "import of what is gone",
                "invariants",
                f"`{name}` is gone and {path} still imports it",
                f"The change takes `{name}` out of {file.path}. Line {line} of {path} imports it from there, so the "
                f"import fails, or gives nothing, as soon as the file is loaded. Every such import: {listed(found)}.",
                f"Keep `{name}`, or change every file that imports it",
                _where(file, name),
            )


def _declared(file: FileEdit, name: str, change: Change) -> bool:
    """Return True if the new file still declares the name without a run-time value, such as a type."""
    pattern = re.compile(rf"\b(?:interface|type|enum|namespace|as|export\s*\{{[^}}]*)\s+{re.escape(name)}\b")
    return any(path == file.path and pattern.search(text) for path, text in change.texts(name))


def _where(file: FileEdit, name: str) -> int:
    """The line of the new file nearest to the removed one."""
    unit = file.old.get(name)
    rows = [row for row in file.old[""].rows if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", row.text)]
    stood = unit.part.line if unit is not None and unit.part is not None else rows[0].line if rows else 1
    lines = [row.line for each in file.new.values() for row in each.rows]
    return min(lines, key=lambda line: abs(line - stood), default=1)


def _line(text: str, found: re.Match[str]) -> int:
    return text.count("\n", 0, found.end()) + 1
