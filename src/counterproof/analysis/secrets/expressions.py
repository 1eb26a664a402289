"""Single expressions, as tokens: their names, and the literals they evaluate to.

Invariant: only literals count as values, and nothing is followed beyond the expression. Not handled here: positions.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.secrets.candidate import Place
from counterproof.analysis.secrets.secret_names import Kind, foreign_kind, secret_kind, words_of
from counterproof.analysis.secrets.tokens import Group, Node, Token

JOINS = frozenset(("||", "??", "or", "?", ":", "?:", "else", "return", "await", "new", "b", "and", "&&"))
_WRAPS = vocabulary(
    "secretstr secretbytes str bytes bytearray byte string buffer from encode b64decode decode fromhex unhexlify sha1 "
    "sha256 sha512 md5 key hash securestring getbytes text literal concat field some just"
)
"""Calls that return the secret in another form."""
LOOKUPS = vocabulary("get getenv env environ setdefault fetch config setting lookup pop getproperty getordefault getstring")
_VERBS = frozenset(("set", "with", "add", "use", "put", "new", "old", "change", "update", "create", "make", "hash", "generate"))
READS = vocabulary(
    "read get load fetch find lookup prompt ask input decode decrypt render test parse request issue remove delete revoke"
)
NAME = re.compile(r"-{0,2}[^\W\d][\w .@:/-]{0,60}")


class Position(NamedTuple):
    """`used`: the program compares, signs, connects or sends with it; `doubtful`: it may be something else; `handed`: it is
    assigned to an object that uses it, as in `app.secret_key = "x"`."""

    token: Token
    kind: Kind
    name: str
    used: bool = False
    doubtful: bool = False
    place: Place = Place.ASSIGNED
    handed: bool = False


@lru_cache(maxsize=65_536)
def kind_of(written: str) -> tuple[str, Kind] | None:
    """The part of `setPassword`, `--db-password` or `spring.mail.password` that names the kind of value."""
    last = written.strip("-$@:?! ").rpartition(".")[2]
    if last.lower() == "authorization":
        return last, Kind.TOKEN
    words = words_of(last)
    if words and words[0] in _VERBS and len(words) > 1:
        last = "_".join(words[1:])
    kind = secret_kind(last) or foreign_kind(last)
    return (last, kind) if kind else None


def subject_of(nodes: Sequence[Node]) -> tuple[str, Kind] | None:
    """The name of the expression at the end of these nodes, if it names a secret."""
    for position in range(len(nodes) - 1, max(-1, len(nodes) - 4), -1):
        node = nodes[position]
        if isinstance(node, Group):
            found = _within(node)
            if found or node.opened in "([":
                return found or (kind_of(callee_of(node.before)) if node.opened == "(" else None)
            continue
        if node.kind == "text":
            return kind_of(node.written) if NAME.fullmatch(node.written) else None
        if node.kind == "name":
            before = nodes[position - 1] if position else None
            typed = isinstance(before, Token) and before.kind == "name"
            return kind_of(node.written) or (kind_of(before.written) if typed and isinstance(before, Token) else None)
        if node.kind not in ("other", "number") or node.written not in "?!*&":
            return None
    return None


def _within(group: Group) -> tuple[str, Kind] | None:
    """`["password"]`, `.get("password")`."""
    first = group.items[0] if len(group.items) == 1 or (group.opened == "(" and group.items) else []
    node = first[-1] if first and len(first) <= 2 else None
    if isinstance(node, Token) and node.kind in ("text", "name") and NAME.fullmatch(node.written.strip("$:")):
        return kind_of(node.written)
    return None


def callee_of(before: Sequence[Node]) -> str:
    """`hmac.new` of `x = hmac.new`; '' if no name precedes the bracket."""
    last = before[-1] if before else None
    if not isinstance(last, Token) or last.kind != "name":
        return ""
    if len(before) > 2 and isinstance(dot := before[-2], Token) and dot.written in (".", "->", "::", "?."):
        owner = before[-3]
        return f"{owner.written if isinstance(owner, Token) else ''}.{last.written}"
    return last.written


def literals_of(nodes: Sequence[Node], depth: int = 0) -> Iterator[Token]:
    """The literals that an expression can evaluate to: itself, its branches, its fallback, a literal passed to a conversion."""
    direct = True
    for place, node in enumerate(nodes):
        if isinstance(node, Group):
            if depth < 4:
                yield from _of_group(node, direct, depth)
            direct = False
        elif node.kind == "text":
            if direct:
                yield node
            following = nodes[place + 1] if place + 1 < len(nodes) else None
            direct = direct and isinstance(following, Token) and (following.kind == "text" or following.written in "+.\\")
        elif node.written in JOINS:
            direct = True
        elif node.written not in ("+", ".", "\\", "&", "!") or not direct:
            direct = direct and node.written.lower().rpartition("-")[2] in _WRAPS


def _of_group(group: Group, direct: bool, depth: int) -> Iterator[Token]:
    callee = callee_of(group.before) if group.opened == "(" else ""
    items = group.items
    if group.opened == "(" and not callee:
        prior = group.before[-1] if group.before else None
        wrapped = direct or (isinstance(prior, Token) and prior.kind == "name")
        if wrapped and len(items) == 1:
            yield from literals_of(items[0], depth + 1)
        return
    if not callee:
        return
    last = callee.rpartition(".")[2].lower()
    if items and ((last in _WRAPS and last not in ("encode", "decode")) or (kind_of(last) and words_of(last)[0] not in READS)):
        yield from literals_of(items[0], depth + 1)
    if last in LOOKUPS or "env" in last:
        for item in items[1:]:
            yield from literals_of(item, depth + 1)


def texts_of(nodes: Sequence[Node]) -> list[Token]:
    return [each for each in nodes if isinstance(each, Token) and each.kind == "text"]


def is_marker(text: str) -> bool:
    """`user.password == "LDAP"`: a word in capitals that says where the password is stored."""
    return 2 <= len(text) <= 8 and text.isalpha() and text.isupper()


def held_by(nodes: Sequence[Node], constants: dict[str, Token]) -> list[Token]:
    """The literal of a constant of the file, if the expression is the constant's name."""
    name = nodes[0] if len(nodes) == 1 else None
    return [constants[name.written]] if isinstance(name, Token) and name.written in constants else []


def falls_back(nodes: Sequence[Node]) -> bool:
    """`os.environ.get("X", "literal")`, `given or "literal"`: the literal is the fallback."""
    for node in nodes:
        if isinstance(node, Token):
            if node.written in ("or", "||", "??", "?:"):
                return True
        elif node.opened == "(":
            last = callee_of(node.before).rpartition(".")[2].lower()
            if last in LOOKUPS or last == "field" or "env" in last:
                return True
    return False
