"""Interfaces with new members that classes lack: a member that an interface requires, a method that a base leaves abstract.

Reported if a concrete class implements the interface, or extends the base, and lacks the member: it does not compile, or cannot
be instantiated. Not reported if the class has another base that may provide it, is abstract itself, or creates its members at run
time.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import FileEdit
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.contracts.users import listed, users
from counterproof.analysis.review.edits.shapes import Shape, shapes


def remarks(file: FileEdit, change: Change) -> Iterator[Remark]:
    """One remark for each member, with every class that lacks it."""
    before, after = shapes(file.before), shapes(file.after)
    for name, shape in after.items():
        asked = _asked(shape) - (_asked(before[name]) if name in before else set())
        for member in sorted(asked) if name in before else ():
            behind = list(_lacking(file, change, shape, member))
            if behind:
                yield _remark(shape, member, behind)


def _asked(shape: Shape) -> set[str]:
    if shape.kind == "interface":
        return {each.name for each in shape.members.values() if each.required}
    return {each.name for each in shape.members.values() if each.abstract}


def _lacking(file: FileEdit, change: Change, asking: Shape, member: str) -> Iterator[tuple[str, int, str]]:
    for user in users(file, asking.name, change):
        text = next((text for path, text in change.texts(asking.name) if path == user.path), "")
        for each in shapes(user.root).values():
            if each.kind != "class" or each.abstract or member in each.members or {"__getattr__"} & set(each.members):
                continue
            if asking.kind == "interface":
                claims = re.search(
                    rf"\bclass\s+{re.escape(each.name)}\b[^{{]*\bimplements\b[^{{]*\b{re.escape(user.name)}\b", text
                )
                follows = bool(claims) and not each.bases
            else:
                follows = each.bases == (user.name,)
            if follows:
                yield user.path, each.line, each.name


def _remark(shape: Shape, member: str, behind: list[tuple[str, int, str]]) -> Remark:
    word = "interface" if shape.kind == "interface" else "base class"
    return Remark(
        "not implemented",
        "invariants",
        f"`{behind[0][2]}` lacks `{member}`, which `{shape.name}` now asks for",
        f"The change adds `{member}` to the {word} `{shape.name}` as something that everybody who follows it has to write. These "
        f"classes do not: {listed([(path, line) for path, line, _ in behind])}. "
        + ("They no longer compile." if word == "interface" else "They can no longer be instantiated."),
        f"Write `{member}` in these classes, or give it a default",
        shape.members[member].line,
    )
