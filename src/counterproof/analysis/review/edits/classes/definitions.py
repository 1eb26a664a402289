"""What a class no longer defines: a method that the language, a framework or its base calls, a field that its base reads.

Harmful where the class is otherwise what it was: nobody calls such a method by name, so nothing else tells that it is missed.
Harmless where the class got another base or decorator that brings it, where it moved within the file, and for classes
without a base that could read the field.
"""

from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import FileEdit, UnitEdit
from counterproof.analysis.review.edits.change import Change, Remark, place
from counterproof.analysis.review.edits.units import Row, Unit
from counterproof.analysis.review.edits.wording import shown

_HOOKS = frozenset(
    """componentWillUnmount componentDidUpdate componentDidCatch shouldComponentUpdate ngOnDestroy ngOnChanges onModuleDestroy
    onApplicationShutdown beforeDestroy beforeUnmount disconnectedCallback toJSON dispose""".split()  # noqa: SIM905 - one word a name
)
_PLAIN = frozenset(
    {"__repr__", "__str__", "__init__", "__new__", "__unicode__", "__nonzero__", "__div__", "__cmp__", "__getslice__"}
)


def remarks(file: FileEdit, change: Change) -> Iterator[Remark]:
    """Methods first, then fields."""
    for unit in file.removed:
        owner, _, short = unit.name.rpartition(".")
        special = (short.startswith("__") and short.endswith("__") and short not in _PLAIN) or short in _HOOKS or _overrides(unit)
        if special and _same_class(file, owner) and not _moved(file, short):
            yield _method(file, owner, short, unit)
    for edit in file.edits:
        if edit.new.part is not None and edit.new.part.kind == "class" and edit.only_loses:
            yield from _fields(edit, change)


def _overrides(unit: Unit) -> bool:
    """Whether a method calls the one of its base, so that it certainly stands in for it."""
    short = unit.name.rpartition(".")[2]
    return any(f"super () . {short} (" in row.text or f"super . {short} (" in row.text for row in unit.rows)


def _same_class(file: FileEdit, owner: str) -> bool:
    old, new = file.old.get(owner), file.new.get(owner)
    if old is None or new is None or old.part is None or new.part is None:
        return False
    decorators = [[row.text for row in each.rows if row.kind == "decorator"] for each in (old, new)]
    return old.part.text == new.part.text and decorators[0] == decorators[1]


def _moved(file: FileEdit, short: str) -> bool:
    return any(each.name.rpartition(".")[2] == short for each in file.added)


def _method(file: FileEdit, owner: str, short: str, unit: Unit) -> Remark:
    stood = unit.part.line if unit.part is not None else 1
    inside = file.new[owner].part
    rows = [row.line for name, each in file.new.items() if name == owner or name.startswith(f"{owner}.") for row in each.rows]
    line = min(rows, key=lambda each: abs(each - stood), default=inside.line if inside is not None else 1)
    return Remark(
        "method that others rely on removed",
        "invariants",
        f"`{owner}` has no `{short}` any more",
        f"Before, `{owner}` defined `{short}`, which the language, a framework or the base calls. The class is otherwise the "
        "same, so it now does what its base, or nothing, does in that place.",
        "Bring the method back, or say what stands in for it",
        line,
    )


def _fields(edit: UnitEdit, change: Change) -> Iterator[Remark]:
    if edit.new.part is None or not (edit.new.part.role("superclasses") or "extends" in edit.new.part.text):
        return
    gone = [row for row in edit.lost if _sets_field(row)]
    if len(gone) != 1 or len(edit.lost) > 2 or gone[0].text in change.appeared:
        return
    at = place(edit, gone[0])
    if at is not None:
        yield Remark(
            "field of the class removed",
            "invariants",
            f"`{shown(gone[0].text)}` no longer stands in `{edit.new.name}`",
            f"Before, `{edit.new.name}` set `{shown(gone[0].text)}` for its base to read. It went and the rest of the class is "
            "the same, so what the base says counts instead.",
            "Bring it back, or say why what the base says is right here",
            at.line,
        )


def _sets_field(row: Row) -> bool:
    inner = row.part.parts[0] if row.kind == "expr" and row.part.parts else row.part
    value = inner.role("right", "value")
    return inner.kind in ("assign", "field") and value is not None and value.text not in ("None", "undefined", "null", "False")
