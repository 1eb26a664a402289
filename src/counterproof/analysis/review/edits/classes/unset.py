"""A name that is set on some ways through a function only, and used after them.

Harmful where the change writes the use or takes a setting away: on the other way the line fails, whatever is passed. Harmless
where every branch sets the name or leaves, where the use stands under a test, and in loops, which may always run.
"""

from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import FileEdit, UnitEdit
from counterproof.analysis.review.edits.bindings import names_read, names_set
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.parts import Part, walk
from counterproof.analysis.review.edits.units import Row, Unit, heads

_EXITS = ("return", "raise", "jump")


def remarks(file: FileEdit, change: Change) -> Iterator[Remark]:
    """Python only: a script's variables are declared apart from being set."""
    if file.path.endswith(".py"):
        for edit in file.edits:
            yield from _remarks(edit)


def _remarks(edit: UnitEdit) -> Iterator[Remark]:
    if not edit.new.is_function or edit.new.part is None:
        return
    outer = edit.new.part.role("parameters")
    given = names_set(outer) if outer is not None else set[str]()
    for part in walk(edit.new.part):
        if part.kind in ("global_statement", "nonlocal_statement"):
            given |= names_set(part)
    told: set[str] = set()
    for row in edit.new.rows:
        if row.kind != "if" or (row.within and any(each.kind in ("for", "while", "try", "with") for each, _ in row.within)):
            continue
        for name in sorted(_set_in_part(edit.new, row) - given - told):
            use = _used_after(edit.new, row, name)
            if use is not None and not _set_elsewhere(edit.new, row, name) and not _was_so(edit, name):
                told.add(name)
                yield Remark(
                    "set on one way only",
                    "edge-cases",
                    f"`{name}` is not set on every way to this line",
                    f"`{name}` is set only inside the `if` at line {row.line}, and not in all of its branches; line "
                    f"{use.line} uses it "
                    "whichever branch ran. On the other way the line fails with an UnboundLocalError.",
                    "Set it before the `if`, or in every branch",
                    use.line,
                    proved=True,
                    also=row.line,
                )


def _was_so(edit: UnitEdit, name: str) -> bool:
    """Whether the old version did the same: then the change is not what brings it."""
    for row in edit.old.rows:
        if row.kind == "if" and name in _set_in_part(edit.old, row) and not _set_elsewhere(edit.old, row, name):
            return _used_after(edit.old, row, name) is not None
    return False


def _below(unit: Unit, row: Row) -> list[Row]:
    return [each for each in unit.rows if any(outer is row for outer, _ in each.within)]


def _set_in_part(unit: Unit, row: Row) -> set[str]:
    """Names that some branches of a chain set and others, that come to their end, do not. Nested chains are left out."""
    ways = _ways(unit, row)
    open_ways = [names for names, leaves in ways if not leaves]
    if len(open_ways) < 2:
        return set()
    every = set[str]().union(*open_ways)
    return every - open_ways[0].intersection(*open_ways)


def _ways(unit: Unit, row: Row) -> list[tuple[set[str], bool]]:
    """What each branch of a chain of `if` sets, and whether it leaves; a missing `else` is a way that sets nothing."""
    inside = _below(unit, row)
    direct = [each for each in inside if each.within[-1] == (row, "then")]
    ways = [(_names(direct, inside), bool(direct) and direct[-1].kind in _EXITS)]
    others = [each for each in inside if each.within[-1] == (row, "else")]
    chained = [each for each in others if each.kind == "if" and each.part.kind == "elif"]
    for each in chained:
        own = [one for one in unit.rows if one.within and one.within[-1] == (each, "then")]
        ways.append((_names(own, _below(unit, each)), bool(own) and own[-1].kind in _EXITS))
    plain = [each for each in others if each not in chained]
    has_else = any(part.kind == "else" for part in row.part.parts)
    ways.append((_names(plain, inside), bool(plain) and plain[-1].kind in _EXITS) if has_else else (set(), False))
    return ways


def _names(direct: list[Row], inside: list[Row]) -> set[str]:
    """Everything that is set at or below these statements: a name that a nested block may set counts as set."""
    found: set[str] = set()
    for row in inside:
        if row in direct or any(outer in direct for outer, _ in row.within):
            for part in heads(row):
                if part.kind in ("assign", "import", "for", "with_item", "handler", "function", "class"):
                    found |= _targets(part)
    return {name for name in found if name.isidentifier()}


def _targets(part: Part) -> set[str]:
    if part.kind not in ("assign", "for"):
        return {*names_set(part)}
    pending, found = [part.role("left")], set[str]()
    while pending:
        target = pending.pop()
        if target is not None and target.kind == "name":
            found.add(target.text)
        elif target is not None and target.kind not in ("attribute", "index"):
            pending.extend(target.parts)
    return found


def _set_elsewhere(unit: Unit, row: Row, name: str) -> bool:
    inside = {id(each) for each in (row, *_below(unit, row))}
    return any(
        name in names_set(part)
        for each in unit.rows
        if id(each) not in inside and each.kind != "function"
        for part in heads(each)
        if part.kind in ("assign", "import", "for", "with", "handler", "class", "named_expression", "augment")
    )


def _used_after(unit: Unit, row: Row, name: str) -> Row | None:
    """The first statement after the chain, in the same block, that reads the name."""
    index = max((unit.rows.index(each) for each in (row, *_below(unit, row))), default=0)
    for each in unit.rows[index + 1 :]:
        reads = any(part.text == name for part in names_read(each))
        if each.within == row.within and reads and each.kind in ("expr", "return", "raise"):
            return each
        if reads or (each.kind in _EXITS and each.within == row.within):
            return None
    return None


def fresh(file: FileEdit) -> Iterator[tuple[Unit, Row]]:
    """Statements that the change writes, with what they stand in."""
    for edit in file.edits:
        for row in (*edit.gained, *(new for _, new in edit.reworded)):
            yield edit.new, row
    for unit in file.added:
        for row in unit.rows:
            yield unit, row
