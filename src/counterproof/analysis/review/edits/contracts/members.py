"""Members of a class or an enumeration that the change removes or newly requires, and the places that were not changed along.

Harmful where `Kind.GONE` is still used, and where a record is still made with a field that it lost or without one that it now
needs. Harmless where a base class may provide the member, and where the change adapts the use.
"""

from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import FileEdit
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.contracts.users import listed, users
from counterproof.analysis.review.edits.parts import Part, walk
from counterproof.analysis.review.edits.shapes import Shape, shapes


def remarks(file: FileEdit, change: Change) -> Iterator[Remark]:
    """One remark for each member that is gone, and one for each record that is still made the old way."""
    before, after = shapes(file.before), shapes(file.after)
    for name, old in before.items():
        new = after.get(name)
        if new is None or old.kind == "interface":
            continue
        if old.kind == "enum" or not new.bases:
            yield from _gone(file, change, old, new)
        if any("dataclass" in each for each in new.decorators) and not new.bases:
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
            )


def _of(part: Part, names: tuple[str, ...]) -> bool:
    return part.kind == "attribute" and len(part.parts) == 2 and part.parts[0].text in names


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
