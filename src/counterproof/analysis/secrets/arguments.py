"""Which arguments of a call are credentials: by the function, by its parameters in the same text, by a name before the value."""

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise, takewhile
from typing import NamedTuple

from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.secrets.candidate import Place
from counterproof.analysis.secrets.expressions import (
    LOOKUPS,
    NAME,
    READS,
    Position,
    callee_of,
    held_by,
    is_marker,
    kind_of,
    literals_of,
    subject_of,
    texts_of,
)
from counterproof.analysis.secrets.secret_names import Kind, words_of
from counterproof.analysis.secrets.sql_seeds import password_holder
from counterproof.analysis.secrets.tokens import Group, Node, Token

_PAIRED = LOOKUPS | vocabulary(
    "define putenv setenv set setitem header addheader setheader setrequestheader setattr option append put add with "
    "default property setproperty attr field value param curl_setopt curl_easy_setopt"
)
"""Calls in which a name is followed by its value."""
_COMPARES = vocabulary(
    "equals equalsignorecase compare_digest strcmp hash_equals constanttimecompare isequal timingsafeequal "
    "secure_compare constant_time_compare consteq eq eql equal compareto"
)
_ARGUMENTS: dict[str, tuple[int, Kind]] = {
    **dict.fromkeys(
        vocabulary(
            "login log_in logon signin sign_in authenticate basicauth basic_auth setbasicauth httpbasicauth "
            "httpdigestauth auth usernamepasswordcredentials passwordauthentication networkcredential simple_bind_s "
            "usernamepasswordauthenticationtoken"
        ),
        (1, Kind.PASSWORD),
    ),
    **dict.fromkeys(
        vocabulary(
            "getconnection mysqli mysqli_connect pdo ldap_bind plainauth create_user create_superuser ftp_login forurl "
            "dbi.connect"
        ),
        (2, Kind.PASSWORD),
    ),
    "mysql_real_connect": (3, Kind.PASSWORD),
    **dict.fromkeys(
        vocabulary(
            "set_password generate_password_hash make_password hash_password hashpw get_password_hash password_hash "
            "password_verify generatefrompassword comparehashandpassword encodepassword"
        ),
        (0, Kind.PASSWORD),
    ),
    **dict.fromkeys(
        vocabulary(
            "fernet secretkeyspec signedstring cookieparser hmacshakeyfor signer serializer urlsafeserializer "
            "urlsafetimedserializer timestampsigner encryptedcookiestorage hmac.new hmac.hmac aes.new newcipher "
            "aes.newcipher setsigningkey"
        ),
        (0, Kind.KEY),
    ),
    **dict.fromkeys(
        vocabulary(
            "jwt.encode jwt.decode jwt.sign jwt.verify createhmac createcipheriv createdecipheriv createcipher "
            "aes.encrypt aes.decrypt signwith openssl.hmac hmac.hexdigest hmac.digest jsonwebtoken.sign "
            "jsonwebtoken.verify"
        ),
        (1, Kind.KEY),
    ),
    **dict.fromkeys(
        vocabulary("hash_hmac openssl_encrypt openssl_decrypt"),
        (2, Kind.KEY),
    ),
}
TAKERS = frozenset(each.partition(".")[0] for each in _ARGUMENTS) | {"auth", "http_auth", "basic_auth", "creds"}
"""Words of calls and arguments that take a secret, whatever the argument's name."""
_SIGNS = vocabulary("sign verify encrypt decrypt encode decode hmac new digest signer fernet")
"""Calls whose argument `key` is a secret key."""
_USING = vocabulary("compare hash verify sign encrypt decrypt connect connection")
"""Words of further calls that use a secret, whatever the place of the argument."""
MAX_ITEMS = 60
"""Statements after a definition without brackets that are read as its body."""
_EVERYDAY = frozenset(name for kind in (str, bytes, dict, list, set) for name in dir(kind))
"""Methods of every string and container: a call of such a name does not refer to a function defined here."""
_OWNERS = ("", "self", "this", "cls", "exports")
_DEFINING = frozenset(("def", "function", "func", "fn", "fun"))


class Parameters(NamedTuple):
    """Which arguments of a function of this text are passwords, keys or tokens by their names; `kept`: also by what the body does
    with them, where the function's name is one of those that take a secret."""

    named: frozenset[int] = frozenset()
    kept: frozenset[int] = frozenset()


def secret_parameters(groups: Sequence[Group]) -> dict[str, Parameters]:
    """The functions that this text defines, by name."""
    found: dict[str, Parameters] = {}
    lines = {id(item): place for place, statement in enumerate(groups[0].statements) for item in statement}
    for group in groups:
        name = _defined(group)
        if not name or name in _EVERYDAY or name in ("if", "while", "for", "switch"):
            continue
        names = [_names(item) for item in group.items]
        names = names[1:] if names and names[0][:1] in (["self"], ["cls"]) else names
        named, kept = found.get(name, Parameters())
        named |= {place for place, each in enumerate(names) if any(kind_of(name) for name in each)}
        if name.lower() in _ARGUMENTS:
            body = _body(group, groups[0].statements[lines.get(id(group.around), len(lines)) + 1 :])
            kept |= named | {place for place, each in enumerate(names) if any(_keeps(name, body) for name in each[-1:])}
        found[name] = Parameters(named, kept)
    return found


def _defined(group: Group) -> str:
    """The name of the function that has this group as its parameters; '' for other groups."""
    before = [each.written for each in group.before[-6:] if isinstance(each, Token) and each.written != "async"]
    following = group.around[group.index + 1 : group.index + 2]
    assigned = before[-1:] == ["="] and bool(following) and isinstance(following[0], Token) and following[0].written == "=>"
    if group.opened == "(" and (assigned or (before[-2:] == ["=", "function"])):
        return before[-2 if assigned else -3] if len(before) > 2 else ""
    return before[-1] if before and defines(group) else ""


def _body(group: Group, following: Sequence[list[list[Node]]]) -> list[list[Node]]:
    """The items of a function's body: between brackets, or up to the next definition."""
    rest = group.around[group.index + 1 :]
    blocks = [each for each in rest if isinstance(each, Group) and each.opened == "{"]
    if blocks:
        return blocks[0].items
    own = takewhile(lambda each: not any(isinstance(node, Token) and node.written in _DEFINING for node in each[0]), following)
    return [rest, *(item for statement in islice(own, MAX_ITEMS) for item in statement)]


def _keeps(name: str, body: list[list[Node]]) -> bool:
    """Return True if a body compares a parameter with a secret, assigns it to one, or passes it to code that takes a secret."""
    pending: list[tuple[str, list[Node]]] = [("", item) for item in body]
    while pending:
        callee, item = pending.pop()
        written = [each.written for each in item if isinstance(each, Token)]
        if name in written and (_takes(callee) or any(kind_of(each) for each in written if each != name)):
            return True
        inner = [each for each in item if isinstance(each, Group)]
        pending += [(callee_of(each.before) if each.opened == "(" else "", one) for each in inner for one in each.items]
    return False


def _takes(callee: str) -> bool:
    last = callee.rpartition(".")[2].lower()
    return not {callee.lower(), last}.isdisjoint(_ARGUMENTS) or last in _COMPARES or bool(_USING.intersection(words_of(callee)))


def defines(group: Group) -> bool:
    """Return True if this group is the parameter list of a function defined here."""
    before = (each.written for each in group.before[-6:] if isinstance(each, Token))
    return group.opened == "(" and (not _DEFINING.isdisjoint(before) or _has_body(group))


def _has_body(group: Group) -> bool:
    following = group.around[group.index + 1 : group.index + 2]
    return bool(following) and isinstance(following[0], Group) and following[0].opened == "{"


def _names(item: list[Node]) -> list[str]:
    """The names of a parameter, without its default and its type after a colon."""
    names: list[str] = []
    for each in item:
        if isinstance(each, Token) and each.kind == "sign":
            break
        if isinstance(each, Token) and each.kind == "name":
            names.append(each.written)
    return names


def positions_in_call(
    group: Group, callee: str, parameters: dict[str, Parameters], constants: dict[str, Token]
) -> Iterator[Position]:
    last = callee.rpartition(".")[2]
    plain = [item for item in group.items if not any(isinstance(each, Token) and each.kind == "sign" for each in item)]
    yield from positions_after_names(group, last.lower())
    yield from _held(group)
    if last.lower() in _COMPARES:
        yield from _compared_by(group, plain)
        return
    place, kind = _expected(callee, last, parameters)
    if last == "set_password" and len(plain) > 1:
        place = 1
    if 0 <= place < len(plain):
        sure = (
            kind is Kind.KEY
            or place != 1
            or bool(list(literals_of(plain[0])))
            or not last.lower().startswith(("log", "sign", "auth"))
        )
        seeded = kind is Kind.PASSWORD and (place == 0 or last.startswith("create"))
        how = Place.SEEDED if seeded or last == "set_password" else Place.PASSED
        found = [*literals_of(plain[place])] or held_by(plain[place], constants if kind is Kind.KEY else {})
        yield from (Position(each, kind, f"{last}()", sure, not sure, how) for each in found)
        return
    words = words_of(last)
    found = kind_of(last) if words and words[0] not in READS and not _has_body(group) else None
    for at, item in enumerate(group.items):
        if last.lower() in _SIGNS and len(item) > 2 and isinstance(item[0], Token) and item[0].written == "key":
            yield from (Position(each, Kind.KEY, "key", True, place=Place.PASSED) for each in literals_of(item[2:]))
        if at in parameters.get(last, Parameters()).named:
            yield from (Position(each, Kind.PASSWORD, last, True, place=Place.SEEDED) for each in literals_of(item))
        elif found and len(plain) == 1 and item is plain[0]:
            yield from (Position(each, found[1], found[0], place=Place.PASSED) for each in literals_of(item))
        elif _is_auth(item):
            pair = item[-1]
            if isinstance(pair, Group) and len(pair.items) == 2:
                yield from (
                    Position(each, Kind.PASSWORD, "auth", True, place=Place.PASSED) for each in literals_of(pair.items[1])
                )


def _expected(callee: str, last: str, parameters: dict[str, Parameters]) -> tuple[int, Kind]:
    """The argument that a call of this name takes as a secret, -1 for none; a function of this text may take something else."""
    place, kind = _ARGUMENTS.get(callee.lower(), _ARGUMENTS.get(last.lower(), (-1, Kind.PASSWORD)))
    ours = last in parameters and callee.rpartition(".")[0] in _OWNERS
    return (-1 if ours and place not in parameters[last].kept else place), kind


def positions_after_names(group: Group, callee: str) -> Iterator[Position]:
    """A name as a literal, followed by its value."""
    items = group.items
    for place, (one, two) in enumerate(pairwise(items)):
        token = one[-1] if len(one) <= 2 and one else None
        if not isinstance(token, Token) or token.kind not in ("text", "name") or not NAME.fullmatch(token.written):
            continue
        found = kind_of(token.written)
        flag = token.written.startswith("-")
        alone = len(items) == 2 and place == 0 and group.opened in "[{"
        if found and (flag or callee in _PAIRED or alone):
            how = Place.PASSED if flag else Place.ENTRY if alone else Place.ASSIGNED
            yield from (Position(each, found[1], found[0], flag, alone, how) for each in literals_of(two))


def _held(group: Group) -> Iterator[Position]:
    """`execute("INSERT INTO users (name, password) VALUES (?, ?)", ("bob", "x"))`."""
    items = group.items
    given = items[1][0] if len(items) > 1 else None
    statement = next(iter(texts_of(items[0])), None) if isinstance(given, Group) else None
    place = password_holder(statement.written) if statement and "insert" in statement.written[:200].lower() else None
    if place is not None and isinstance(given, Group) and place < len(given.items):
        yield from (Position(each, Kind.PASSWORD, "INSERT", True, place=Place.SEEDED) for each in literals_of(given.items[place]))


def _is_auth(item: list[Node]) -> bool:
    """`auth=("bob", "x")`."""
    return (
        len(item) > 2 and isinstance(item[0], Token) and item[0].written.lower() in ("auth", "http_auth", "basic_auth", "creds")
    )


def _compared_by(group: Group, arguments: list[list[Node]]) -> Iterator[Position]:
    receiver = group.before[:-2]
    sides = [*arguments, receiver[-2:]]
    subject = next((found for side in sides if not texts_of(side[-1:]) and (found := subject_of(side))), None)
    for side in sides if subject else ():
        for each in [*literals_of(side)] or texts_of(side[-1:]):
            if subject and not is_marker(each.written):
                yield Position(each, subject[1], subject[0], True, place=Place.COMPARED)
