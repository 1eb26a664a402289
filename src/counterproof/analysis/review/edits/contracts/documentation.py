"""Documentation of a function that speaks of a parameter which the change takes away or renames.

Harmful because whoever reads it passes what nobody takes. Harmless where the function takes any keyword, and where the
documentation never followed the parameters.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import FileEdit
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.parts import Part
from counterproof.analysis.review.edits.shapes import parameters_of


def remarks(file: FileEdit, change: Change) -> Iterator[Remark]:
    """One remark for each function. Documentation of scripts stands in comments, which are not read here."""
    if not file.path.endswith(".py"):
        return
    for full, unit in file.new.items():
        before = file.old.get(full)
        if before is None or before.part is None or unit.part is None or not unit.is_function or not before.is_function:
            continue
        old, new = (parameters_of(each, True) for each in (before.part, unit.part))
        text = _docstring(unit.part)
        gone = {each.name for each in old if each.name} - {each.name for each in new}
        if text is None or not gone or any(each.kind == "named rest" for each in new):
            continue
        for name in sorted(gone):
            line = _speaks_of(text, name)
            if line:
                yield Remark(
                    "documentation is out of date",
                    "invariants",
                    f"the documentation still describes the parameter `{name}`",
                    f"The change takes the parameter `{name}` away from `{unit.name}`, and line {line} of its documentation "
                    "still tells callers what to pass for it. Whoever follows it gets a TypeError.",
                    "Take the entry out, or describe the parameter that stands in its place",
                    line,
                    also=unit.part.line,
                )


def _docstring(function: Part) -> Part | None:
    body = function.role("body")
    first = body.parts[0] if body is not None and body.parts else None
    inner = first.parts[0] if first is not None and first.kind == "expr" and first.parts else None
    return inner if inner is not None and inner.kind == "text" else None


def _speaks_of(text: Part, name: str) -> int:
    """The line of an entry for the parameter, in one of the usual forms; 0 without one."""
    entry = re.compile(
        rf"^\s*(?::param\s+(?:[\w\[\]., ]+\s)?{name}\s*:|-?\s*`{{0,2}}{name}`{{0,2}}\s*(?:\([^)]*\))?\s*:\s|@param\s+{name}\b)"
    )
    for offset, line in enumerate(text.text.split("\n")):
        if entry.match(line[:300]):
            return text.line + offset
    return 0
