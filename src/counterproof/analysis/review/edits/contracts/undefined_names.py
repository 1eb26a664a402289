"""Names that are still used but no longer defined.

Always reported: the line fails at run time. Not reported if another import or definition, a star import or the language itself
provides the name.
"""

import builtins
from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import FileEdit
from counterproof.analysis.review.edits.bindings import bound, names_read, names_set
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.parts import Part, walk
from counterproof.analysis.review.edits.units import Unit

_SCRIPT = frozenset(
    """window document console process global globalThis fetch URL URLSearchParams Buffer setTimeout setInterval clearTimeout
    clearInterval require module exports Promise Map Set Symbol JSON Math Date Array Object String Number Boolean Error RegExp
    Proxy Reflect WeakMap WeakSet Intl performance crypto AbortController AbortSignal TextEncoder TextDecoder Event EventTarget
    FormData Headers Request Response ReadableStream WritableStream TransformStream Blob File navigator location React JSX
    structuredClone
    queueMicrotask setImmediate arguments NaN Infinity undefined self name this super""".split()  # noqa: SIM905 - one word a name
)
_BUILTIN = frozenset(dir(builtins)) | {"__file__", "__name__", "__doc__", "__path__", "__class__", "__builtins__", "__package__"}


def remarks(file: FileEdit, change: Change) -> Iterator[Remark]:
    """Names that the old file defined, and that the new one uses without defining them."""
    new = file.new[""]
    if not file.before.parts or any("import *" in row.text for row in new.rows if row.kind == "import"):
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
                    yield _remark(part, name in before)


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


def _remark(part: Part, was: bool) -> Remark:
    return Remark(
        "name is not defined",
        "logic",
        f"`{part.text}` is used here and {'no longer' if was else 'nowhere'} defined",
        f"Line {part.line} uses `{part.text}`, which the change {'no longer defines or imports' if was else 'brings in'}. "
        "Nothing in the file defines it and the language does not know it, so the line fails as soon as it runs.",
        "Define or import it, or take this use out",
        part.line,
    )
