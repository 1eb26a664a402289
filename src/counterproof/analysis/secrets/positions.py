"""Positions of literals as credentials: the value of a secret's name, an argument, a comparison, a column of a row.

Reads tokens and brackets, so that one implementation covers every language. Yields positions only: `spans` decides whether the
literal is a secret. Invariant: only literals are yielded, never a name or an expression; run time is linear in the tokens.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from counterproof.analysis.secrets.arguments import defines, positions_after_names, positions_in_call, secret_parameters
from counterproof.analysis.secrets.candidate import Place
from counterproof.analysis.secrets.expressions import (
    JOINS,
    Position,
    callee_of,
    falls_back,
    held_by,
    is_marker,
    kind_of,
    literals_of,
    subject_of,
    texts_of,
)
from counterproof.analysis.secrets.secret_names import Kind, names_accounts, words_of
from counterproof.analysis.secrets.sql_seeds import keeps_accounts
from counterproof.analysis.secrets.tokens import Group, Node, Token

_COMPARING = frozenset(("==", "===", "!=", "!==", "<>"))
_DEFAULTS = frozenset(("default", "default_value", "defaultvalue", "value", "fallback"))


def positions(groups: Sequence[Group]) -> Iterator[Position]:
    """Every literal of the text at the position of a credential."""
    parameters = secret_parameters(groups)
    constants = _constants(groups[0])
    for group in groups:
        inside = _place_in(group)
        for statement in group.statements:
            if group.opened not in ("(", "["):
                yield from _parallel(statement)
            yield from _inserted(statement)
            for item in statement:
                yield from _assigned(item, inside, constants)
                yield from _adjacent(item)
                yield from _accounts(item)
        yield from _rows(group)
        yield from _defaults(group)
        if group.opened in ("[", "{"):
            yield from positions_after_names(group, "")
        elif group.opened == "(" and (callee := callee_of(group.before)):
            yield from positions_in_call(group, callee, parameters, constants)


def _place_in(group: Group) -> Place:
    """How names receive their values between these brackets."""
    if group.opened != "(":
        return Place.ENTRY if group.opened else Place.ASSIGNED
    if defines(group):
        return Place.DEFAULT
    return Place.PASSED if callee_of(group.before) else Place.ASSIGNED


def _assigned(item: list[Node], inside: Place, constants: dict[str, Token]) -> Iterator[Position]:
    """`name = value`, `name: type = value`, `"name" => value`, `name == value`."""
    signs = [(place, each) for place, each in enumerate(item) if isinstance(each, Token) and each.kind == "sign"]
    start, held, chosen = 0, None, False
    for (place, sign), following in zip(signs, [*(each for each, _ in signs[1:]), len(item)], strict=False):
        left, right = item[start:place], item[place + 1 : following]
        if sign.written == ":" and any(isinstance(each, Token) and each.written == "?" for each in left[:-1]):
            chosen = True  # the other branch of `a ? b : c`
        subject = held if chosen else subject_of(left)
        if sign.written in _COMPARING:
            yield from _compared(left, subject, right)
        elif not (subject and _is_bound(item, start, left, sign)):
            if sign.written == "=" and subject is None and not texts_of(left):
                subject = held  # `password: str = "x"`
            if subject:
                assigned = inside is Place.ENTRY and sign.written not in (":", "=>")
                default = falls_back(right) or "default" in words_of(subject[0])
                how = Place.DEFAULT if default else Place.ASSIGNED if assigned else inside
                handed = _is_member(left)
                found = [*literals_of(right)] or held_by(right, constants)
                yield from (Position(each, subject[1], subject[0], place=how, handed=handed) for each in found)
            held = subject
        start = place + 1
    yield from _listed(item)


def _constants(root: Group) -> dict[str, Token]:
    """`VALUE = "x"` at the top level, by name, to resolve uses of `VALUE`."""
    found: dict[str, Token] = {}
    for item in root.items:
        name, value = item[0], item[-1]
        if len(item) != 3 or not (isinstance(name, Token) and isinstance(value, Token)):
            continue
        if value.kind == "text" and not kind_of(name.written):
            found[name.written] = value
    return found


def _is_member(left: Sequence[Node]) -> bool:
    """`app.secret_key`, `app.config["SECRET_KEY"]`."""
    if len(left) < 2:
        return False
    before = left[-2]
    return isinstance(left[-1], Group) or (isinstance(before, Token) and before.written in (".", "->"))


def _is_bound(item: list[Node], start: int, left: Sequence[Node], sign: Token) -> bool:
    """`v-model:password="name"`: a markup attribute with code."""
    before, name = item[start - 1] if start else None, left[0] if len(left) == 1 else None
    if isinstance(name, Token) and name.written[0] == ":" and name.end == sign.start:
        return sign.written == "="
    touching = isinstance(before, Token) and isinstance(name, Token) and before.end == name.start and name.end == sign.start
    return touching and sign.written == "="


def _listed(item: list[Node]) -> Iterator[Position]:
    """`password in ("x", "y")`."""
    for place, each in enumerate(item[1:-1], 1):
        if isinstance(each, Token) and each.written.lower() == "in" and isinstance(group := item[place + 1], Group):
            subject = subject_of([node for node in item[:place] if not isinstance(node, Token) or node.written != "not"])
            for text in (text for inner in group.items for text in literals_of(inner)):
                if subject:
                    yield Position(text, subject[1], subject[0], True, place=Place.COMPARED)


def _compared(left: Sequence[Node], subject: tuple[str, Kind] | None, right: Sequence[Node]) -> Iterator[Position]:
    if subject and not (left and isinstance(left[-1], Token) and left[-1].kind == "text"):
        first = next(literals_of(right[:2]), None)
        setting = any(isinstance(each, Token) and each.written in ("env", "environ") for each in left)
        if first is not None and not is_marker(first.written):
            how = Place.ASKED if setting else Place.COMPARED
            yield Position(first, subject[1], subject[0], True, place=how)
        return
    literal = left[-1] if left else None
    end = next((at for at, each in enumerate(right) if isinstance(each, Token) and each.written in JOINS | {"{"}), len(right))
    while end and isinstance(block := right[end - 1], Group) and block.opened == "{":
        end -= 1
    other = subject_of(right[:end])
    if other and isinstance(literal, Token) and literal.kind == "text" and not is_marker(literal.written):
        yield Position(literal, other[1], other[0], True, place=Place.COMPARED)


def _adjacent(item: list[Node]) -> Iterator[Position]:
    """`PASSWORD 'x'`, `IDENTIFIED BY 'x'`, `#define PASSWORD "x"`."""
    names = [each.written.lower() for each in item if isinstance(each, Token) and each.kind == "name"]
    for before, each in pairwise(item):
        if not (isinstance(each, Token) and each.kind == "text" and isinstance(before, Token) and before.kind == "name"):
            continue
        if before.end >= each.start - 1 and before.written.lower() in ("b", "r", "f", "u", "n", "e", "x"):
            continue
        found = kind_of(before.written)
        if before.written.lower() == "by" and "identified" in names:
            found = ("password", Kind.PASSWORD)
        if found:
            yield Position(each, found[1], found[0])
    for place, each in enumerate(item[1:-1], 1):
        if isinstance(each, Token) and each.written in ("or", "||", "??") and (subject := subject_of(item[:place])):
            texts = texts_of(item[place + 1 : place + 2])
            yield from (Position(text, subject[1], subject[0], place=Place.DEFAULT) for text in texts)


def _parallel(statement: list[list[Node]]) -> Iterator[Position]:
    """`user, password = "bob", "x"`, also with brackets around both."""
    signed = [
        (place, at)
        for place, item in enumerate(statement)
        for at, each in enumerate(item)
        if isinstance(each, Token) and each.kind == "sign"
    ]
    if len(signed) != 1:
        return
    place, at = signed[0]
    item = statement[place]
    names = [*statement[:place], item[:at]]
    values = [item[at + 1 :], *statement[place + 1 :]]
    first, second = (each[-1] if each else None for each in (item[:at], item[at + 1 :]))
    if len(statement) == 1 and isinstance(first, Group) and isinstance(second, Group):
        names, values = first.items, second.items
    if len(names) == len(values) > 1:
        yield from _columns(names, [values], Place.ASSIGNED)


def _accounts(item: list[Node]) -> Iterator[Position]:
    """`users = [("bob", "x"), …]`, `users = {"bob": "x"}`."""
    if len(item) < 3:
        return
    named, sign, held = item[-3:]
    assigned = isinstance(sign, Token) and sign.written in ("=", ":=")
    if not (assigned and isinstance(held, Group) and isinstance(named, Token) and names_accounts(named.written)):
        return
    for each in held.items:
        row = each[0]
        if len(each) == 1 and isinstance(row, Group) and len(row.items) > 1 and texts_of(row.items[0]):
            second = row.items[1]
            made = second[-1]
            found = texts_of(second) or (texts_of(made.items[0]) if isinstance(made, Group) and made.items else [])
        else:
            found = texts_of(each[-1:]) if len(each) == 3 and texts_of(each[:1]) else []
        yield from (Position(text, Kind.PASSWORD, named.written, True, place=Place.SEEDED) for text in found)


def _columns(names: list[list[Node]], rows: Sequence[list[list[Node]]], place: Place) -> Iterator[Position]:
    for at, name in enumerate(names):
        found = subject_of(name)
        for row in rows if found else ():
            if found and len(row) == len(names):
                yield from (Position(each, found[1], found[0], True, place=place) for each in literals_of(row[at]))


def _rows(group: Group) -> Iterator[Position]:
    """`[("user", "password"), ("bob", "x"), …]`."""
    rows = [inner.items for item in group.items if len(item) == 1 and isinstance(inner := item[0], Group)]
    if len(rows) > 1 and all(len(texts_of(item)) == 1 for item in rows[0]):
        yield from _columns(rows[0], rows[1:], Place.SEEDED)


def _inserted(statement: list[list[Node]]) -> Iterator[Position]:
    """`INSERT INTO users (name, password) VALUES ('bob', 'x'), …`, also without column names."""
    for number, item in enumerate(statement):
        at = next((at for at, each in enumerate(item) if isinstance(each, Token) and each.written.lower() == "values"), 0)
        if not at:
            continue
        rows = [
            each.items
            for each in (*item[at + 1 :], *(one[0] for one in statement[number + 1 :] if one))
            if isinstance(each, Group)
        ]
        columns, table = item[at - 1], item[at - 1]
        if isinstance(columns, Group):
            yield from (each._replace(name="INSERT") for each in _columns(columns.items, rows, Place.SEEDED))
        elif isinstance(table, Token) and keeps_accounts(table.written) and rows:
            texts = [place for place, each in enumerate(rows[0]) if texts_of(each)]
            for row in rows if len(texts) > 1 else ():
                yield from (
                    Position(each, Kind.PASSWORD, "INSERT", True, place=Place.SEEDED)
                    for each in literals_of(row[texts[1]])
                    if len(row) > texts[1]
                )


def _defaults(group: Group) -> Iterator[Position]:
    """`password: {type: …, default: "x"}`, `variable "password" { default = "x" }`, `api_key: str = Field(default="x")`."""
    if group.opened not in ("{", "("):
        return
    for item in group.items:
        sign = item[1] if len(item) > 2 else None
        if not (
            isinstance(item[0], Token)
            and item[0].written.lower() in _DEFAULTS
            and isinstance(sign, Token)
            and sign.kind == "sign"
        ):
            continue
        before = [*group.before, *(group.items[0] if group.opened == "(" else [])]
        names = [kind_of(each.written) for each in before if isinstance(each, Token) and each.kind in ("name", "text")]
        if found := next((each for each in names if each), None):
            yield from (Position(each, found[1], found[0], place=Place.DEFAULT) for each in literals_of(item[2:]))
