"""Names that a change uses and nothing defines any more, and new imports that lead to no file.

Invariant: a name counts as defined if the file binds it anywhere around, by a star import, or if the language knows it; in
JavaScript only names that the older version bound are looked at. An import of build output, or of an ignored folder, is skipped.
"""

import builtins
import posixpath
import re
from collections.abc import Iterator

from counterproof.analysis.review.checks.versions import change_of, place_of
from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.edits.alignment import FileEdit
from counterproof.analysis.review.edits.bindings import bound, names_read, names_set
from counterproof.analysis.review.edits.parts import Part, walk
from counterproof.analysis.review.edits.units import Unit, heads
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
    for file in change_of(view).files:
        for part in _undefined(file):
            was = part.text in bound(file.old)
            yield Claim(
                "name is not defined",
                f"`{part.text}` is used here and {'no longer' if was else 'nowhere'} defined"[:200],
                Severity.MEDIUM,
                place_of(view, file.path, part.line),
                f"Line {part.line} uses `{part.text}`, which the change {'no longer defines or imports' if was else 'brings in'}."
                " Nothing in the file defines it and the language does not know it, so the line fails as soon as it runs.",
                fix="Define or import it, or take this use out",
            )


def missing_files(view: View) -> Iterator[Claim]:
    """New JavaScript imports by a relative path to no file: loading the file fails."""
    paths = frozenset(each.path for each in (*view.project.survey.files, *view.project.survey.skipped))
    for file in change_of(view).files:
        known = {part.text for part in _sources(file.old)} if not file.path.endswith(".py") else set[str]()
        for part in _sources(file.new) if not file.path.endswith(".py") else ():
            place = posixpath.normpath(posixpath.join(posixpath.dirname(file.path), part.text.strip('"')))
            outside = place.startswith("..") or _MADE.search(place) is not None
            if part.text not in known and not outside and not _is_there(place, paths):
                yield Claim(
                    "import of no file",
                    f"{part.text} leads to no file"[:200],
                    Severity.MEDIUM,
                    place_of(view, file.path, part.line),
                    f"The change imports {part.text}, which is `{place}` in this tree. No file of that name is there, with or "
                    "without an ending, and no folder with an index, so loading this file fails.",
                    fix="Correct the path, or bring the file along",
                )


def _sources(units: dict[str, Unit]) -> Iterator[Part]:
    """The relative names in imports."""
    for part in (part for unit in units.values() for row in unit.rows for part in heads(row)):
        source = part.role("source") if part.kind in ("import", "export_statement") else None
        if part.kind == "call" and part.text.startswith(("require (", "import (")):
            given = part.role("arguments")
            source = given.parts[0] if given is not None and len(given.parts) == 1 else None
        if source is not None and source.kind == "text" and source.text.startswith(('"./', '"../')):
            yield source


def _is_there(place: str, paths: frozenset[str]) -> bool:
    bare = re.sub(r"\.[cm]?jsx?$", "", place)
    beside = (place, f"{place}/", f"{place}.", f"{bare}.")
    return any(each.startswith(beside[1:]) or each == place or place.startswith(f"{each}/") for each in paths)


def _undefined(file: FileEdit) -> Iterator[Part]:
    """The first use of each such name."""
    if not file.before.parts or any("import *" in row.text for row in file.new[""].rows if row.kind == "import"):
        return
    script = not file.path.endswith(".py")
    own = {name: _own(unit) for name, unit in file.new.items()}
    everywhere = (
        own[""] | {full.partition(".")[0] for full in own} | _declared_global(file.new) | (_SCRIPT if script else _BUILTIN)
    )
    before, now = bound(file.old), bound(file.new)
    used_before = {(name, part.text) for name, unit in file.old.items() for row in unit.rows for part in names_read(row)}
    ever = {name for _, name in used_before}
    told: set[str] = set()
    for full, unit in file.new.items():
        known = everywhere | _around(own, full)
        for row in unit.rows:
            for part in names_read(row):
                name = part.text
                fresh = (full, name) not in used_before and (name in before or name not in ever)
                fresh = fresh or (name in before and name not in now)
                if name not in known and name not in told and fresh and (name in before or not script):
                    told.add(name)
                    yield part


def _around(own: dict[str, set[str]], full: str) -> set[str]:
    """The names bound in a function and its enclosing functions, and the names of sibling definitions."""
    found: set[str] = set()
    parts = full.split(".")
    for count in range(1, len(parts) + 1):
        outer = ".".join(parts[:count])
        found |= own.get(outer, set())
        found |= {each[len(outer) + 1 :].partition(".")[0].partition("@")[0] for each in own if each.startswith(f"{outer}.")}
    return found


def _own(unit: Unit) -> set[str]:
    found: set[str] = set()
    for row in unit.rows:
        found |= names_set(row.part)
    return found | (names_set(unit.part) if unit.part is not None else set())


def _declared_global(units: dict[str, Unit]) -> set[str]:
    return {
        leaf.text
        for unit in units.values() if unit.part is not None
        for each in walk(unit.part) if each.kind == "global_statement"
        for leaf in each.parts
    }  # fmt: skip
