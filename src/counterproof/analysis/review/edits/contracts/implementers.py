"""Base classes with new abstract methods that subclasses lack.

Reported if a concrete class whose only base is this one lacks the method: it cannot be instantiated. Not reported if it creates
its members at run time. Python only: the compiler reports this in TypeScript.
"""

from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import FileEdit
from counterproof.analysis.review.edits.bindings import names_set
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.contracts.users import listed, users
from counterproof.analysis.review.edits.units import Unit, units


def remarks(file: FileEdit, change: Change) -> Iterator[Remark]:
    """One remark for each method, with every class that lacks it."""
    for name, unit in file.new.items() if file.path.endswith(".py") else ():
        for member in sorted(_abstract(file.new, name) - _abstract(file.old, name)) if unit.part and name in file.old else ():
            behind = list(_lacking(file, change, name, member))
            if behind:
                yield _remark(name, member, file.new[f"{name}.{member}"], behind)


def _abstract(found: dict[str, Unit], name: str) -> set[str]:
    """The abstract methods of a class."""
    own = {full.rpartition(".")[2]: unit for full, unit in found.items() if full.rpartition(".")[0] == name}
    marks = {short: (row.text for row in unit.rows if row.kind == "decorator") for short, unit in own.items()}
    return {short for short, texts in marks.items() if any("abstractmethod" in text for text in texts)}


def _lacking(file: FileEdit, change: Change, name: str, member: str) -> Iterator[tuple[str, int, str]]:
    for user in users(file, name, change):
        found = units(user.root)
        for each, unit in found.items():
            above = unit.part.role("superclasses") if unit.part is not None and unit.part.kind == "class" else None
            if unit.part is None or above is None or [base.text for base in above.parts] != [user.name] or _abstract(found, each):
                continue
            members = {full.rpartition(".")[2] for full in found if full.rpartition(".")[0] == each}
            members |= {bound for row in unit.rows[1:] for bound in names_set(row.part)}
            if not members & {member, "__getattr__"}:
                yield user.path, unit.part.line, each


def _remark(name: str, member: str, unit: Unit, behind: list[tuple[str, int, str]]) -> Remark:
    return Remark(
        "not implemented",
        "invariants",
        f"`{behind[0][2]}` lacks `{member}`, which `{name}` now asks for",
        f"The change adds the abstract method `{member}` to `{name}`. These subclasses do not define it: "
        f"{listed([(path, line) for path, line, _ in behind])}. They can no longer be instantiated.",
        f"Write `{member}` in these classes, or give it a default",
        unit.part.line if unit.part is not None else 1,
    )
