"""Where literals stand as credentials: the value of a name that means one, an argument, a comparison, a column of a row.

Reads tokens and brackets, so that one reading serves every language. Yields places only: whether the literal is a secret is
judged by `hidden`. Always holds: only literals are yielded, never a name or an expression; the work is linear in the tokens.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from counterproof.analysis.secrets.secret_names import Kind, foreign_kind, secret_kind, words_of
from counterproof.analysis.secrets.sql_seeds import keeps_accounts, password_holder
from counterproof.analysis.secrets.tokens import Group, Node, Token

_COMPARING = frozenset(("==", "===", "!=", "!==", "<>"))
_JOINS = frozenset(("||", "??", "or", "?", ":", "?:", "else", "return", "await", "new", "b", "and", "&&"))
_WRAPS = frozenset(
    [
        "secretstr",
        "secretbytes",
        "str",
        "bytes",
        "bytearray",
        "byte",
        "string",
        "buffer",
        "from",
        "encode",
        "b64decode",
        "decode",
        "fromhex",
        "unhexlify",
        "sha1",
        "sha256",
        "sha512",
        "md5",
        "key",
        "hash",
        "securestring",
        "getbytes",
        "text",
        "literal",
        "concat",
    ]
)
"""Calls that give the secret in another form."""
_LOOKUPS = frozenset(
    [
        "get",
        "getenv",
        "env",
        "environ",
        "setdefault",
        "fetch",
        "config",
        "setting",
        "lookup",
        "pop",
        "getproperty",
        "getordefault",
        "getstring",
    ]
)
_PAIRED = _LOOKUPS | frozenset(
    [
        "define",
        "putenv",
        "setenv",
        "set",
        "setitem",
        "header",
        "addheader",
        "setheader",
        "setrequestheader",
        "setattr",
        "option",
        "append",
        "put",
        "add",
        "with",
        "default",
        "property",
        "setproperty",
        "attr",
        "field",
        "value",
        "param",
    ]
)
"""Calls whose argument after a name is the value of that name."""
_COMPARES = frozenset(
    [
        "equals",
        "equalsignorecase",
        "compare_digest",
        "strcmp",
        "hash_equals",
        "constanttimecompare",
        "isequal",
        "timingsafeequal",
        "secure_compare",
        "constant_time_compare",
        "consteq",
        "eq",
        "eql",
        "equal",
        "compareto",
    ]
)
_VERBS = frozenset(("set", "with", "add", "use", "put", "new", "old", "change", "update", "create", "make", "hash", "generate"))
_READS = frozenset(
    [
        "read",
        "get",
        "load",
        "fetch",
        "find",
        "lookup",
        "prompt",
        "ask",
        "input",
        "decode",
        "decrypt",
        "render",
        "test",
        "parse",
        "request",
        "issue",
        "remove",
        "delete",
        "revoke",
    ]
)
_ARGUMENTS: dict[str, tuple[int, Kind]] = {
    **dict.fromkeys(
        [
            "login",
            "log_in",
            "logon",
            "signin",
            "sign_in",
            "authenticate",
            "basicauth",
            "basic_auth",
            "setbasicauth",
            "httpbasicauth",
            "httpdigestauth",
            "auth",
            "usernamepasswordcredentials",
            "passwordauthentication",
            "networkcredential",
            "simple_bind_s",
            "usernamepasswordauthenticationtoken",
        ],
        (1, Kind.PASSWORD),
    ),
    **dict.fromkeys(
        [
            "getconnection",
            "mysqli",
            "mysqli_connect",
            "pdo",
            "ldap_bind",
            "plainauth",
            "create_user",
            "create_superuser",
            "ftp_login",
        ],
        (2, Kind.PASSWORD),
    ),
    **dict.fromkeys(
        [
            "set_password",
            "generate_password_hash",
            "make_password",
            "hash_password",
            "hashpw",
            "get_password_hash",
            "password_hash",
            "password_verify",
            "generatefrompassword",
            "comparehashandpassword",
            "encodepassword",
        ],
        (0, Kind.PASSWORD),
    ),
    **dict.fromkeys(
        [
            "fernet",
            "secretkeyspec",
            "signedstring",
            "cookieparser",
            "hmacshakeyfor",
            "signer",
            "serializer",
            "urlsafeserializer",
            "urlsafetimedserializer",
            "timestampsigner",
            "encryptedcookiestorage",
            "hmac.new",
            "hmac.hmac",
            "aes.new",
            "newcipher",
            "aes.newcipher",
            "setsigningkey",
        ],
        (0, Kind.KEY),
    ),
    **dict.fromkeys(
        [
            "jwt.encode",
            "jwt.decode",
            "jwt.sign",
            "jwt.verify",
            "createhmac",
            "createcipheriv",
            "createdecipheriv",
            "createcipher",
            "aes.encrypt",
            "aes.decrypt",
            "signwith",
            "openssl.hmac",
            "hmac.hexdigest",
            "hmac.digest",
            "jsonwebtoken.sign",
            "jsonwebtoken.verify",
        ],
        (1, Kind.KEY),
    ),
    **dict.fromkeys(["hash_hmac", "openssl_encrypt", "openssl_decrypt"], (2, Kind.KEY)),
}
_SIGNS = frozenset(["sign", "verify", "encrypt", "decrypt", "encode", "decode", "hmac", "new", "digest", "signer", "fernet"])
"""Calls whose argument `key` is one."""
_DEFAULTS = frozenset(("default", "default_value", "defaultvalue", "value", "fallback"))
_NAME = re.compile(r"-{0,2}[^\W\d][\w .@:/-]{0,60}")
_DEFINING = frozenset(("def", "function", "func", "fn", "fun"))


class Position(NamedTuple):
    """`used`: the program compares, signs, connects or sends with it, whatever it is called. `doubtful`: it may be another thing."""

    token: Token
    kind: Kind
    name: str
    used: bool = False
    doubtful: bool = False


@lru_cache(maxsize=8_192)
def kind_of(written: str) -> tuple[str, Kind] | None:
    """The part of `setPassword`, `--db-password` or `spring.mail.password` that says what the value is."""
    last = written.strip("-$@:?! ").rpartition(".")[2]
    if last.lower() == "authorization":
        return last, Kind.TOKEN
    words = words_of(last)
    if words and words[0] in _VERBS and len(words) > 1:
        last = "_".join(words[1:])
    kind = secret_kind(last) or foreign_kind(last)
    return (last, kind) if kind else None


def positions(groups: Sequence[Group]) -> Iterator[Position]:
    """Every literal of the text that stands in the place of a credential."""
    parameters = _signatures(groups)
    for group in groups:
        for statement in group.statements:
            if group.opened not in ("(", "["):
                yield from _parallel(statement)
            yield from _inserted(statement)
            for item in statement:
                yield from _assigned(item)
                yield from _adjacent(item)
        yield from _rows(group)
        yield from _defaults(group)
        if group.opened in ("[", "{"):
            yield from _paired(group, "")
        elif group.opened == "(" and (callee := _callee(group.before)):
            yield from _called(group, callee, parameters)


def _signatures(groups: Sequence[Group]) -> dict[str, frozenset[int]]:
    """Which arguments of the functions of this text are passwords, keys or tokens."""
    found: dict[str, frozenset[int]] = {}
    for group in groups:
        before = [each.written for each in group.before[-6:] if isinstance(each, Token)]
        if group.opened != "(" or not before or (_DEFINING.isdisjoint(before) and not _has_body(group)):
            continue
        names = [_names(item) for item in group.items]
        names = names[1:] if names and names[0][:1] in (["self"], ["cls"]) else names
        places = frozenset(place for place, each in enumerate(names) if any(kind_of(name) for name in each))
        if places and before[-1] not in ("if", "while", "for", "switch"):
            found[before[-1]] = places
    return found


def _has_body(group: Group) -> bool:
    following = group.around[group.index + 1 : group.index + 2]
    return bool(following) and isinstance(following[0], Group) and following[0].opened == "{"


def _names(item: list[Node]) -> list[str]:
    """The names of a parameter: without its default and its type after a colon."""
    names: list[str] = []
    for each in item:
        if isinstance(each, Token) and each.kind == "sign":
            break
        if isinstance(each, Token) and each.kind == "name":
            names.append(each.written)
    return names


def _subject(nodes: Sequence[Node]) -> tuple[str, Kind] | None:
    """What the expression at the end of these nodes is called, if that means a secret."""
    for position in range(len(nodes) - 1, max(-1, len(nodes) - 4), -1):
        node = nodes[position]
        if isinstance(node, Group):
            found = _within(node)
            if found or node.opened in "([":
                return found or (kind_of(_callee(node.before)) if node.opened == "(" else None)
            continue
        if node.kind == "text":
            return kind_of(node.written) if _NAME.fullmatch(node.written) else None
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
    if isinstance(node, Token) and node.kind in ("text", "name") and _NAME.fullmatch(node.written.strip("$:")):
        return kind_of(node.written)
    return None


def _callee(before: Sequence[Node]) -> str:
    """`hmac.new` of `x = hmac.new`; '' where no name stands before the bracket."""
    last = before[-1] if before else None
    if not isinstance(last, Token) or last.kind != "name":
        return ""
    if len(before) > 2 and isinstance(dot := before[-2], Token) and dot.written in (".", "->", "::", "?."):
        owner = before[-3]
        return f"{owner.written if isinstance(owner, Token) else ''}.{last.written}"
    return last.written


def _literals(nodes: Sequence[Node], depth: int = 0) -> Iterator[Token]:
    """The literals that an expression is: itself, its branches, its fallback, what is made from one."""
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
        elif node.written in _JOINS:
            direct = True
        elif node.written not in ("+", ".", "\\", "&", "!") or not direct:
            direct = direct and node.written.lower().rpartition("-")[2] in _WRAPS


def _of_group(group: Group, direct: bool, depth: int) -> Iterator[Token]:
    callee = _callee(group.before) if group.opened == "(" else ""
    items = group.items
    if group.opened == "(" and not callee:
        prior = group.before[-1] if group.before else None
        wrapped = direct or (isinstance(prior, Token) and prior.kind == "name")
        if wrapped and len(items) == 1:
            yield from _literals(items[0], depth + 1)
        return
    if not callee:
        return
    last = callee.rpartition(".")[2].lower()
    if items and (last in _WRAPS or (kind_of(last) and words_of(last)[0] not in _READS)):
        yield from _literals(items[0], depth + 1)
    if last in _LOOKUPS or "env" in last:
        for item in items[1:]:
            yield from _literals(item, depth + 1)


def _assigned(item: list[Node]) -> Iterator[Position]:
    """`name = value`, `name: type = value`, `"name" => value`, `name == value`."""
    signs = [(place, each) for place, each in enumerate(item) if isinstance(each, Token) and each.kind == "sign"]
    start, held, chosen = 0, None, False
    for (place, sign), following in zip(signs, [*(each for each, _ in signs[1:]), len(item)], strict=False):
        left, right = item[start:place], item[place + 1 : following]
        if sign.written == ":" and any(isinstance(each, Token) and each.written == "?" for each in left[:-1]):
            chosen = True  # the other branch of `a ? b : c`
        subject = held if chosen else _subject(left)
        if sign.written in _COMPARING:
            yield from _compared(left, subject, right)
        elif not (subject and _is_bound(item, start, left, sign)):
            if sign.written == "=" and subject is None and not _texts(left):
                subject = held  # `password: str = "x"`
            if subject:
                yield from (Position(each, subject[1], subject[0]) for each in _literals(right))
            held = subject
        start = place + 1
    yield from _listed(item)


def _is_bound(item: list[Node], start: int, left: Sequence[Node], sign: Token) -> bool:
    """`v-model:password="name"`: an attribute of markup that holds code."""
    before, name = item[start - 1] if start else None, left[0] if len(left) == 1 else None
    if isinstance(name, Token) and name.written[0] == ":" and name.end == sign.start:
        return sign.written == "="
    touching = isinstance(before, Token) and isinstance(name, Token) and before.end == name.start and name.end == sign.start
    return touching and sign.written == "="


def _listed(item: list[Node]) -> Iterator[Position]:
    """`password in ("x", "y")`."""
    for place, each in enumerate(item[1:-1], 1):
        if isinstance(each, Token) and each.written.lower() == "in" and isinstance(group := item[place + 1], Group):
            subject = _subject([node for node in item[:place] if not isinstance(node, Token) or node.written != "not"])
            for text in (text for inner in group.items for text in _literals(inner)):
                if subject:
                    yield Position(text, subject[1], subject[0], True)


def _compared(left: Sequence[Node], subject: tuple[str, Kind] | None, right: Sequence[Node]) -> Iterator[Position]:
    if subject and not (left and isinstance(left[-1], Token) and left[-1].kind == "text"):
        first = next(_literals(right[:2]), None)
        if first is not None and not _is_marker(first.written):
            yield Position(first, subject[1], subject[0], True)
        return
    literal = left[-1] if left else None
    end = next((at for at, each in enumerate(right) if isinstance(each, Token) and each.written in _JOINS | {"{"}), len(right))
    while end and isinstance(block := right[end - 1], Group) and block.opened == "{":
        end -= 1
    other = _subject(right[:end])
    if other and isinstance(literal, Token) and literal.kind == "text" and not _is_marker(literal.written):
        yield Position(literal, other[1], other[0], True)


def _is_marker(text: str) -> bool:
    """`user.password == "LDAP"`: a word in capitals that says where the password is kept."""
    return 2 <= len(text) <= 8 and text.isalpha() and text.isupper()


def _texts(nodes: Sequence[Node]) -> list[Token]:
    return [each for each in nodes if isinstance(each, Token) and each.kind == "text"]


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
        if isinstance(each, Token) and each.written in ("or", "||", "??") and (subject := _subject(item[:place])):
            yield from (Position(text, subject[1], subject[0]) for text in _texts(item[place + 1 : place + 2]))


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
        yield from _columns(names, [values])


def _columns(names: list[list[Node]], rows: Sequence[list[list[Node]]]) -> Iterator[Position]:
    for place, name in enumerate(names):
        found = _subject(name)
        for row in rows if found else ():
            if found and len(row) == len(names):
                yield from (Position(each, found[1], found[0], True) for each in _literals(row[place]))


def _rows(group: Group) -> Iterator[Position]:
    """`[("user", "password"), ("bob", "x"), …]`, `(name, password) VALUES ('bob', 'x'), …`."""
    inner = [item[0] for item in group.items if len(item) == 1 and isinstance(item[0], Group)]
    rows = [each.items for each in inner if isinstance(each, Group)]
    if len(rows) > 1 and all(len(_texts(item)) == 1 for item in rows[0]):
        yield from _columns(rows[0], rows[1:])


def _inserted(statement: list[list[Node]]) -> Iterator[Position]:
    """`INSERT INTO users (name, password) VALUES ('bob', 'x'), …`, also without the names of the columns."""
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
            yield from _columns(columns.items, rows)
        elif isinstance(table, Token) and keeps_accounts(table.written) and rows:
            texts = [place for place, each in enumerate(rows[0]) if _texts(each)]
            for row in rows if len(texts) > 1 else ():
                yield from (
                    Position(each, Kind.PASSWORD, "INSERT", True) for each in _literals(row[texts[1]]) if len(row) > texts[1]
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
        names = [kind_of(each.written) for each in group.before if isinstance(each, Token) and each.kind in ("name", "text")]
        if found := next((each for each in names if each), None):
            yield from (Position(each, found[1], found[0]) for each in _literals(item[2:]))


def _paired(group: Group, callee: str) -> Iterator[Position]:
    """A name as a text, and its value in the next place."""
    items = group.items
    for place, (one, two) in enumerate(pairwise(items)):
        token = one[-1] if len(one) <= 2 and one else None
        if not isinstance(token, Token) or token.kind not in ("text", "name") or not _NAME.fullmatch(token.written):
            continue
        found = kind_of(token.written)
        flag = token.written.startswith("-")
        alone = len(items) == 2 and place == 0 and group.opened in "[{"
        if found and (flag or callee in _PAIRED or alone):
            yield from (Position(each, found[1], found[0], flag, alone) for each in _literals(two))


def _called(group: Group, callee: str, parameters: dict[str, frozenset[int]]) -> Iterator[Position]:
    last = callee.rpartition(".")[2]
    plain = [item for item in group.items if not any(isinstance(each, Token) and each.kind == "sign" for each in item)]
    yield from _paired(group, last.lower())
    yield from _held(group)
    if last.lower() in _COMPARES:
        yield from _compared_by(group, plain)
        return
    place, kind = _ARGUMENTS.get(callee.lower(), _ARGUMENTS.get(last.lower(), (-1, Kind.PASSWORD)))
    if last == "set_password" and len(plain) > 1:
        place = 1
    if 0 <= place < len(plain):
        sure = (
            kind is Kind.KEY
            or place != 1
            or bool(list(_literals(plain[0])))
            or not last.lower().startswith(("log", "sign", "auth"))
        )
        yield from (Position(each, kind, "", sure, not sure) for each in _literals(plain[place]))
        return
    words = words_of(last)
    found = kind_of(last) if words and words[0] not in _READS and not _has_body(group) else None
    for at, item in enumerate(group.items):
        if last.lower() in _SIGNS and len(item) > 2 and isinstance(item[0], Token) and item[0].written == "key":
            yield from (Position(each, Kind.KEY, "key", True) for each in _literals(item[2:]))
        if at in parameters.get(last, frozenset()):
            yield from (Position(each, Kind.PASSWORD, last, True) for each in _literals(item))
        elif found and len(plain) == 1 and item is plain[0]:
            yield from (Position(each, found[1], found[0]) for each in _literals(item))
        elif _is_auth(item):
            pair = item[-1]
            if isinstance(pair, Group) and len(pair.items) == 2:
                yield from (Position(each, Kind.PASSWORD, "auth", True) for each in _literals(pair.items[1]))


def _held(group: Group) -> Iterator[Position]:
    """`execute("INSERT INTO users (name, password) VALUES (?, ?)", ("bob", "x"))`."""
    items = group.items
    given = items[1][0] if len(items) > 1 else None
    statement = next(iter(_texts(items[0])), None) if isinstance(given, Group) else None
    place = password_holder(statement.written) if statement and "insert" in statement.written[:200].lower() else None
    if place is not None and isinstance(given, Group) and place < len(given.items):
        yield from (Position(each, Kind.PASSWORD, "INSERT", True) for each in _literals(given.items[place]))


def _is_auth(item: list[Node]) -> bool:
    """`auth=("bob", "x")`."""
    return (
        len(item) > 2 and isinstance(item[0], Token) and item[0].written.lower() in ("auth", "http_auth", "basic_auth", "creds")
    )


def _compared_by(group: Group, arguments: list[list[Node]]) -> Iterator[Position]:
    receiver = group.before[:-2]
    sides = [*arguments, receiver[-2:]]
    subject = next((found for side in sides if not _texts(side[-1:]) and (found := _subject(side))), None)
    for side in sides if subject else ():
        for each in [*_literals(side)] or _texts(side[-1:]):
            if subject and not _is_marker(each.written):
                yield Position(each, subject[1], subject[0], True)
