"""Handlers that take a password somebody chose, and keep it, whatever the framework.

Always holds: only code that a request reaches; logins, literals and passwords that the program makes up do not count, nor forms
of Django that look at passwords themselves. Does not belong here: whether anything looks at a password before it is kept.
"""

from collections.abc import Iterator

from counterproof.analysis.config.logins import called_function, checks_password
from counterproof.analysis.config.new_passwords import RANDOM, by_framework
from counterproof.analysis.config.passwords import PASSWORDS
from counterproof.analysis.endpoints import entry_points_in
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.queries import statement_parts, statement_text
from counterproof.analysis.program.traversal import called, text_of
from counterproof.analysis.program.words import mentions, vocabulary, words, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.syntax.ir import (
    Argument,
    Assign,
    Attribute,
    Call,
    Class,
    Const,
    Expr,
    Function,
    Index,
    Mapping,
    Name,
    Node,
)
from counterproof.analysis.syntax.walk import walk
from counterproof.model.recon import EntryKind, EntryPoint

MAX_DEPTH = 2
"""Functions that a password is handed through before something keeps it."""

_MAKING = vocabulary("register registration signup join create add new change reset update chpasswd enroll recover set edit")
_LOGIN = vocabulary("login signin logout authenticate")
_HASHING = vocabulary("hash hashed hashpw hasher bcrypt argon2 scrypt pbkdf2 md5 sha1 sha256 sha512 encrypt crypt")
_COMPARING = vocabulary("check checkpw verify compare matches match")
_KEEPING = ("insert", "insert_one", "create", "create_user", "add_user", "set_password", "put_item", "values", "update_one")
_NO_ACCOUNT = vocabulary("form login token credentials schema request response exception error connect connection client smtp")
"""Words of things that are made with a password and are no account."""
_CARRIERS = vocabulary("user form data payload body account request member person json credentials profile")


def new_passwords(project: Project, codebase: Codebase, outline: Outline) -> Iterator[Site[Node]]:
    """Where handlers of this file keep a password that came with the request."""
    seen: set[str] = set()
    for each in entry_points_in(project, outline.path):
        function = outline.functions.get(each.name)
        if function is None or each.name in seen or not _may_choose(codebase, outline, function, each):
            continue
        seen.add(each.name)
        kept = _kept(codebase, outline, function)
        if kept is not None:
            yield Site(kept, function, None)


def _may_choose(codebase: Codebase, outline: Outline, function: Function, each: EntryPoint) -> bool:
    """A request that changes something and is no login."""
    if each.kind is not EntryKind.RPC and (each.kind is not EntryKind.HTTP or each.method == "GET"):
        return False
    spoken = {*words(each.path), *words(each.name)}
    making = spoken & _MAKING or {"sign", "up"} <= spoken
    return bool(making) or not (spoken & _LOGIN or checks_password(codebase, outline, function))


def _kept(codebase: Codebase, outline: Outline, function: Function, depth: int = 0) -> Node | None:
    """The first statement or call that keeps a password, itself or through a function that it hands it to."""
    return codebase.remembered(("keeps password", id(function), depth), lambda: _found(codebase, outline, function, depth))


def _found(codebase: Codebase, outline: Outline, function: Function, depth: int) -> Node | None:
    if by_framework(codebase, outline, function):
        return None
    for node in walk(*function.body):
        if isinstance(node, Assign) and _fills_field(outline, function, node):
            return node
        if isinstance(node, Call) and (
            _keeps(codebase, outline, function, node)
            or (depth < MAX_DEPTH and _hands_on(codebase, outline, function, node, depth))
        ):
            return node
    return None


def _fills_field(outline: Outline, function: Function, node: Assign) -> bool:
    """`user.password = …`, `users[name] = {"password": …}`; not `self.password = …`, with which any object is made."""
    if isinstance(node.value, Mapping) and isinstance(node.targets[0], Index):
        return any(_is_chosen(outline, function, each) for each in _under_password(node.value))
    filled = [each for each in node.targets if isinstance(each, Attribute) and set(words(each.name)) & PASSWORDS]
    own = all(isinstance(each.value, Name) and each.value.id in ("self", "cls") for each in filled)
    return bool(filled) and not own and node.value is not None and _is_chosen(outline, function, node.value)


def _keeps(codebase: Codebase, outline: Outline, function: Function, call: Call) -> bool:
    """It hashes a password, runs a statement that stores one, or makes an account with one."""
    name = called(call)
    spoken = frozenset(words(name))
    given = [each.value for each in call.arguments if _is_password(each) and _is_chosen(outline, function, each.value)]
    if not given:
        return statement_text(statement_parts(outline, function, call)).startswith("insert") and _stores(outline, function, call)
    if spoken & _COMPARING or spoken & _NO_ACCOUNT:
        return False
    if mentions(spoken | frozenset(words(outline.dotted(call.callee))), _HASHING) or name in _KEEPING:
        return True
    return _makes_object(codebase, outline, function, call) or _stores(outline, function, call)


def _makes_object(codebase: Codebase, outline: Outline, function: Function, call: Call) -> bool:
    """`User(password=…)`, or an object of a class of the project."""
    if not called(call)[:1].isupper():
        return False
    if any(set(words(each.keyword)) & PASSWORDS for each in call.arguments):
        return True
    found = codebase.meaning(outline, call.callee, function)
    return found is not None and isinstance(found.node, Class)


def _is_password(given: Argument) -> bool:
    """An argument that is called a password, or is given one."""
    if set(words(given.keyword)) & PASSWORDS:
        return True
    if isinstance(given.value, Mapping):
        return bool(_under_password(given.value))
    return mentions(words_in(given.value), PASSWORDS) and "session" not in words_in(given.value)


def _under_password(mapping: Mapping) -> list[Expr]:
    return [value for key, value in mapping.entries if set(words(text_of(key) or "")) & PASSWORDS]


def _stores(outline: Outline, function: Function, call: Call) -> bool:
    parts = statement_parts(outline, function, call)
    text = statement_text(parts)
    changed = text.partition(" where ")[0]
    new = text.startswith("insert") or (text.startswith("update") and any(word in changed for word in PASSWORDS))
    return new and mentions(words_in(*parts, *call.arguments), PASSWORDS)


def _is_chosen(outline: Outline, function: Function, given: Expr) -> bool:
    """Not a literal, and not something that the program made up, directly or by a variable of the function."""
    assigned = outline.local(function, given.id) if isinstance(given, Name) else None
    made = assigned.value if assigned is not None and assigned.value is not None else given
    return not isinstance(made, Const) and not words_in(made) & RANDOM


def _hands_on(codebase: Codebase, outline: Outline, function: Function, call: Call, depth: int) -> bool:
    if not mentions(words_in(*call.arguments), PASSWORDS | _CARRIERS):
        return False
    found = called_function(codebase, outline, function, call)
    if found is None or not isinstance(found.node, Function) or found.node is function:
        return False
    return _kept(codebase, found.outline, found.node, depth + 1) is not None
