"""Results that get lost: a `return` that is gone, a value that is still computed and no longer used, a field that is never set.

Harmful where other paths of the function still return a value, where the computation is still there, and where the field is still
read. Harmless where nobody reads it any more either, and for names that say that they are not used.
"""

from collections import Counter
from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import FileEdit, UnitEdit
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.parts import Part
from counterproof.analysis.review.edits.units import Row, Unit, heads
from counterproof.analysis.review.edits.wording import shown


def remarks(edit: UnitEdit, change: Change) -> Iterator[Remark]:
    """Lost returns and values that nobody uses any more."""
    for old, new in edit.reworded:
        if old.kind == "return" and new.kind == "expr" and old.part.parts and old.part.parts[0].text == new.part.parts[0].text:
            yield Remark(
                "return removed",
                "logic",
                f"the result of `{shown(new.text)}` is no longer returned",
                f"Before, the function returned it; now it is computed and thrown away, so who calls `{edit.new.name}` "
                f"gets nothing. The "
                "computation itself is unchanged.",
                "Return it again",
                new.line,
            )
    if edit.new.is_function and edit.old.is_function:
        yield from _unused(edit, change)


def _unused(edit: UnitEdit, change: Change) -> Iterator[Remark]:
    """A local value that was read before and is only set now, in the functions within too."""
    files = (file.new for file in change.files if file.path == edit.path)
    within = [unit for units in files for name, unit in units.items() if name.startswith(f"{edit.new.name}.")]
    before, after = _reads(edit.old), sum(map(_reads, within), _reads(edit.new))
    for row in edit.new.rows:
        for part in heads(row):
            target = part.role("left", "name")
            if part.kind != "assign" or row.kind not in ("expr", "declaration") or target is None or target.kind != "name":
                continue
            name = target.text
            if before[name] and not after[name] and not name.startswith("_") and row in edit.same.values():
                yield Remark(
                    "value no longer used",
                    "logic",
                    f"`{name}` is still computed and no longer used",
                    f"Before, the function used `{name}`. The change takes its last use away and leaves the computation, "
                    f"so either the use went "
                    "by mistake or the computation is left over.",
                    "Use it, or take the computation out too",
                    row.line,
                )
                return


def _reads(unit: Unit) -> Counter[str]:
    found: Counter[str] = Counter()
    for row in unit.rows:
        for part in heads(row):
            if part.kind == "assign" and (target := part.role("left", "name")) is not None and target.kind == "name":
                found[target.text] -= 1
            if not part.parts and part.kind in ("name", "shorthand_property_identifier_pattern", "type_identifier"):
                found[part.text] += 1
    return Counter({name: count for name, count in found.items() if count > 0})


def fields(file: FileEdit, change: Change) -> Iterator[Remark]:
    """`self.x` that is read and that nothing in the class sets any more."""
    for name, unit in file.new.items():
        if unit.part is None or unit.part.kind != "class" or name not in file.old or not _has_no_base(unit):
            continue
        old, new = _set_fields(file.old, name), _set_fields(file.new, name)
        own = {full.rpartition(".")[2] for full in file.new if full.startswith(f"{name}.")} | _class_fields(unit)
        for field, row in _read_fields(file.new, name):
            if field in old and field not in new and field not in own:
                yield Remark(
                    "field is never set",
                    "logic",
                    f"`{shown(field)}` is read here and nothing in the class sets it any more",
                    f"The change takes away the statements that set `{shown(field)}`, and line {row.line} still reads "
                    "it. The class has no base that could set it, so the line fails as soon as it runs.",
                    "Set it again, or take its uses out too",
                    row.line,
                    proved=True,
                )
                return


def _methods(units: dict[str, Unit], name: str) -> list[Unit]:
    return [unit for full, unit in units.items() if full.startswith(f"{name}.") and unit.is_function]


def _fields_of(row: Row) -> Iterator[tuple[str, bool]]:
    targets = {id(target) for part in heads(row) if part.kind == "assign" and (target := part.role("left", "name")) is not None}
    for part in heads(row):
        if part.kind == "attribute" and part.parts[0].text in ("self", "this") and len(part.parts) == 2:
            yield part.parts[1].text, id(part) in targets


def _set_fields(units: dict[str, Unit], name: str) -> set[str]:
    found: set[str] = set()
    for unit in _methods(units, name):
        for row in unit.rows:
            sequences = [
                target for part in heads(row) if part.kind == "assign" and (target := part.role("left", "name")) is not None
            ]
            found |= {field for field, is_set in _fields_of(row) if is_set}
            found |= {each.parts[1].text for target in sequences for each in _attributes(target)}
            if "setattr (" in row.text or "__dict__" in row.text:
                return set()
    return found


def _attributes(target: Part) -> Iterator[Part]:
    pending = [target]
    while pending:
        current = pending.pop()
        if current.kind == "attribute" and current.parts[0].text in ("self", "this") and len(current.parts) == 2:
            yield current
        elif current.kind != "index":
            pending.extend(current.parts)


def _class_fields(unit: Unit) -> set[str]:
    return {part.text for row in unit.rows for part in heads(row) if not part.parts and part.kind == "name"}


def _read_fields(units: dict[str, Unit], name: str) -> Iterator[tuple[str, Row]]:
    for unit in _methods(units, name):
        for row in unit.rows:
            for field, is_set in _fields_of(row):
                if not is_set:
                    yield field, row


def _has_no_base(unit: Unit) -> bool:
    part = unit.part
    return part is not None and part.role("superclasses") is None and "extends" not in part.text
