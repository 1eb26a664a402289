"""A file as its named functions and classes, each a list of statements with their enclosing statements.

Invariant: an anonymous callback belongs to the enclosing function; documentation and types are not statements. The statements
outside every function form the unit ''.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from counterproof.analysis.review.edits.grammar import ROWS, TYPES
from counterproof.analysis.review.edits.parts import Part


@dataclass(slots=True, eq=False)
class Row:
    """One statement. `text` is its head alone; `within` are the enclosing statements, outermost first, each with the slot that
    contains it."""

    part: Part
    kind: str
    text: str
    within: "tuple[tuple[Row, str], ...]" = ()

    @property
    def line(self) -> int:
        return self.part.line

    @property
    def end(self) -> int:
        """The last line of the head: nested statements have lines of their own."""
        blocks = [each.line for each in self.part.parts if each.kind in ("block", "elif", "else", "handler", "finally")]
        return (
            max(self.part.line, min(blocks) - 1 if blocks and blocks[0] > self.part.line else self.part.line)
            if blocks
            else self.part.end
        )


@dataclass(slots=True, eq=False)
class Unit:
    """A named function or class, or the file itself. `part` is the definition, if any."""

    name: str
    part: Part | None = None
    rows: list[Row] = field(default_factory=list[Row])


def units(root: Part) -> dict[str, Unit]:
    """Every unit by qualified name; of two with the same name the later one counts, as at run time."""
    found = {"": Unit("")}
    _visit(root, found, "", (), "")
    return found


def _visit(part: Part, found: dict[str, Unit], name: str, within: tuple[tuple[Row, str], ...], slot: str) -> None:
    if part.kind in TYPES:
        return
    own = _named(part)
    if own is not None and found[name].part is not own[0]:
        definition, short = own
        name, within = f"{name}.{short}".lstrip("."), ()
        found[name] = Unit(name, definition)
    if _is_row(part):
        row = Row(part, "if" if part.kind == "elif" else part.kind, _head(part), within)
        found[name].rows.append(row)
        within = (*within, (row, "body"))
    for each in part.parts:
        inner = within
        if within and within[-1][0].part is part:
            inner = (*within[:-1], (within[-1][0], _slot(part, each)))
        _visit(each, found, name, inner, slot)


def _named(part: Part) -> tuple[Part, str] | None:
    """A definition and its name, if this part is one: `def f`, `class C`, `const f = () => …`, `f: function …`."""
    if part.kind in ("function", "class") and (given := part.role("name")) is not None:
        return part, given.text
    if part.kind in ("declaration", "expr", "decorated_definition", "field", "pair"):
        inner = part.parts[-1] if part.kind in ("declaration", "expr") and len(part.parts) == 1 else part
        value = inner.role("value", "right", "definition")
        target = inner.role("name", "left", "key", "property")
        if value is not None and part.kind == "decorated_definition" and (given := value.role("name")) is not None:
            return value, given.text + "".join(_accessor(each) for each in part.parts)
        if value is not None and value.kind == "function" and target is not None and value.role("name") is None:
            return value, target.text.replace(" ", "")
    return None


def _accessor(part: Part) -> str:
    """`@x.setter`: the same name for another function."""
    return (
        f"@{part.text.rpartition(' ')[2]}" if part.kind == "decorator" and part.text.endswith((". setter", ". deleter")) else ""
    )


def _is_row(part: Part) -> bool:
    if part.kind in ("function", "class"):
        return part.role("name") is not None
    documentation = part.kind == "expr" and len(part.parts) == 1 and part.parts[0].kind == "text"
    return part.kind in ROWS and not documentation


def _head(part: Part) -> str:
    if part.kind in ("if", "elif", "while"):
        test = part.role("condition")
        return f"{'while' if part.kind == 'while' else 'if'} {test.text if test else ''}"
    return "try" if part.kind == "try" else part.text


def _slot(row: Part, child: Part) -> str:
    if row.kind in ("if", "elif"):
        return "test" if child is row.role("condition") else "else" if child.kind in ("elif", "else") else "then"
    return child.kind if child.kind in ("handler", "finally", "else") else "body"


def heads_of(part: Part) -> Iterator[Part]:
    """A statement's own parts; those in its blocks are separate statements."""
    pending = [part]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(each for each in current.parts if each.kind not in ("block", "elif", "else", "handler", "finally"))


def heads(row: Row) -> Iterator[Part]:
    """The parts of a statement without its blocks."""
    return heads_of(row.part)
