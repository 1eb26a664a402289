"""A new import that resolves to no file.

Reported if the name is relative and no such file exists: the import fails when the file is loaded. Not reported for build output
or a loader's files: then a folder of that name is ignored, or no file here has the name's extension.
"""

import posixpath
import re
from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import FileEdit
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.parts import Part
from counterproof.analysis.review.edits.units import Row, heads

_SCRIPTS = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".d.ts", ".json", ".vue", ".svelte", ".node")
_MADE = re.compile(
    r"(?:^|/)(?:dist|build|out|lib|generated|__generated__|\.\w+|node_modules)(?:/|$)|[?!*$]|\bgenerated\b", re.IGNORECASE
)


def remarks(file: FileEdit, change: Change) -> Iterator[Remark]:
    """New JavaScript imports, by their path."""
    if file.path.endswith(".py") or not change.paths:
        return
    known = {part.text for unit in file.old.values() for row in unit.rows for part in _sources(row)}
    for unit in file.new.values():
        for row in unit.rows:
            for part in _sources(row):
                place = _place(file.path, part.text.strip('"'))
                if part.text not in known and place and not _MADE.search(place) and not _there(place, change.paths):
                    yield Remark(
                        "import of no file",
                        "invariants",
                        f"{part.text} leads to no file",
                        f"The change imports {part.text}, which is `{place}` in this tree. No file of that name is there, with "
                        "or without an ending, and no folder with an index, so loading this file fails.",
                        "Correct the path, or bring the file along",
                        part.line,
                    )


def _sources(row: Row) -> Iterator[Part]:
    """The relative names in an import statement."""
    for part in heads(row):
        source = part.role("source") if part.kind in ("import", "export_statement") else None
        if (
            part.kind == "call"
            and part.text.startswith(("require (", "import ("))
            and (given := part.role("arguments")) is not None
        ):
            source = given.parts[0] if len(given.parts) == 1 else None
        if source is not None and source.kind == "text" and source.text.startswith(('"./', '"../')):
            yield source


def _place(path: str, source: str) -> str:
    """The path in the tree; '' if it leads out of it."""
    place = posixpath.normpath(posixpath.join(posixpath.dirname(path), source))
    return "" if place.startswith("..") else place


def _there(place: str, paths: frozenset[str]) -> bool:
    bare = re.sub(r"\.[cm]?jsx?$", "", place)
    names = (place, *(f"{each}{end}" for each in {place, bare} for end in (*_SCRIPTS, *(f"/index{end}" for end in _SCRIPTS))))
    return any(name in paths for name in names) or any(
        path.startswith((f"{place}/", f"{place}.")) or place.startswith(f"{path}/") for path in paths
    )
