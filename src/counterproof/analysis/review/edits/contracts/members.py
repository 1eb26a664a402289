"""Members of a class or an enumeration that are gone, new or needed now, and the places that do not know it.

Harmful where `Kind.GONE` is still asked for, where a record is still made with a field that it lost or without one that it now
needs, and where one function handles every other member of an enumeration but the new one. Harmless where a base may bring
the member, where a branch takes the rest, and where the change adapts the use.
"""

from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import FileEdit
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.contracts.users import listed, users
from counterproof.analysis.review.edits.parts import Part, walk
from counterproof.analysis.review.edits.shapes import Shape, shapes
from counterproof.analysis.review.edits.units import units

MIN_HANDLED = 3
"""Members from which on naming all of them is no accident."""


def remarks(file: FileEdit, change: Change) -> Iterator[Remark]:
    """What is gone, what is not handled, and what is needed."""
    before, after = shapes(file.before), shapes(file.after)
    for name, old in before.items():
        new = after.get(name)
        if new is None or old.kind == "interface":
            continue
        if old.kind == "enum" or not new.bases:
            yield from _gone(file, change, old, new)
        if old.kind == "enum":
            yield from _unhandled(file, change, old, new)
        elif any("dataclass" in each for each in new.decorators) and not new.bases:
            yield from _fields(file, change, old, new)


def _gone(file: FileEdit, change: Change, old: Shape, new: Shape) -> Iterator[Remark]:
    fields = {part.parts[1].text for part in walk(file.after) if _of(part, ("self", "this", "cls"))}
    for member in old.members:
        if member in new.members or member in fields or member.startswith("__") or "__getattr__" in new.members:
            continue
        places = [
            (user.path, part.line)
            for user in users(file, old.name, change)
            for part in walk(user.root)
            if _of(part, (user.name,)) and part.parts[1].text == member
        ]
        if places:
            yield Remark(
                "member is gone",
                "invariants",
                f"`{old.name}.{member}` is gone and {listed(places[:1])} still asks for it",
                f"The change takes `{member}` out of `{old.name}`, which has nothing else that could bring it. It is still asked "
                f"for at {listed(places)}: that fails, or gives undefined, when it runs.",
                f"Change these places too, or keep `{member}`",
                new.line,
                proved=True,
            )


def _of(part: Part, names: tuple[str, ...]) -> bool:
    return part.kind == "attribute" and len(part.parts) == 2 and part.parts[0].text in names


def _unhandled(file: FileEdit, change: Change, old: Shape, new: Shape) -> Iterator[Remark]:
    fresh = [each for each in new.members if each not in old.members and each.isidentifier()]
    known = {each.name for each in old.members.values() if each.name in new.members}
    if not fresh or len(known) < MIN_HANDLED:
        return
    places: list[tuple[str, int]] = []
    for user in users(file, old.name, change):
        for unit in units(user.root).values():
            named = [part for row in unit.rows for part in walk(row.part) if _of(part, (user.name,))] if unit.is_function else []
            if known <= {part.parts[1].text for part in named} and fresh[0] not in {part.parts[1].text for part in named}:
                rest = any(
                    part.kind in ("switch_default", "else") or part.text.startswith(("default", "case _"))
                    for part in _all(unit.part)
                )
                places += [(user.path, named[0].line)] if not rest else []
    if places:
        yield Remark(
            "new member is not handled",
            "edge-cases",
            f"{listed(places[:1])} handles every other member of `{old.name}`, but not `{fresh[0]}`",
            f"The change adds `{fresh[0]}` to `{old.name}`. These places name each of the other {len(known)} members, have no "
            f"branch for the rest, and do not know the new one: {listed(places)}.",
            f"Handle `{fresh[0]}` there, or say what happens with it",
            new.members[fresh[0]].line,
        )


def _all(part: Part | None) -> list[Part]:
    return walk(part) if part is not None else []


def _fields(file: FileEdit, change: Change, old: Shape, new: Shape) -> Iterator[Remark]:
    gone = [each for each in old.members if each not in new.members and each.isidentifier()]
    needed = [each.name for each in new.members.values() if each.required and each.name not in old.members]
    places: list[tuple[str, int]] = []
    why = ""
    for user in users(file, old.name, change):
        for call in walk(user.root):
            said = _wrong(call, user.name, gone, needed)
            if said:
                why = why or said
                places.append((user.path, call.line))
    if places:
        yield Remark(
            "record is made the old way",
            "invariants",
            f"{listed(places[:1])} makes `{old.name}` with the fields that it had before",
            f"The change gives `{old.name}` other fields, and {why}. Calls that fail with a TypeError: {listed(places)}.",
            "Change these calls too, or give the new field a default",
            new.line,
            proved=True,
        )


def _wrong(call: Part, name: str, gone: list[str], needed: list[str]) -> str:
    callee, given = (call.role("function"), call.role("arguments")) if call.kind == "call" else (None, None)
    if callee is None or given is None or callee.text != name:
        return ""
    if not given.parts or any(each.kind != "keyword" for each in given.parts):
        return ""
    named = {key.text for each in given.parts if (key := each.role("name")) is not None}
    for each in gone:
        if each in named:
            return f"a call still passes `{each}`"
    return next((f"a call does not pass `{each}`, which has no default" for each in needed if each not in named), "")
