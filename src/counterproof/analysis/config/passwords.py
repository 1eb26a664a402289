"""Passwords in forms and statements, and hashing near them."""

import re
from collections.abc import Iterable

from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.queries import statement_text
from counterproof.analysis.program.request_fields import field_of
from counterproof.analysis.program.traversal import called, calls_in
from counterproof.analysis.program.words import mentions, vocabulary, words, words_in
from counterproof.analysis.syntax.ir import Attribute, Call, Compare, Expr, Function, Name, Node
from counterproof.analysis.syntax.walk import walk

_WORD = re.compile(r"\w+")
MAX_STATEMENT = 4_000
PASSWORDS = vocabulary("password passwd pwd passphrase")
_RUNNING = vocabulary("cmd command commands argv cwd stdout stderr")
_HASHING = vocabulary(
    "hash hashed hashpw checkpw hexdigest digest bcrypt scrypt argon2 pbkdf2 crypt encrypt verify hasher kdf md5 sha1 "
    "sha256 sha512 checkpassword"
)
_FORMS = vocabulary("confirm confirmation again repeat repeated password2 retype new old current password1")


def is_working_directory(name: str, beside: Iterable[str]) -> bool:
    """`pwd` next to `cmd` or `stdout`: a working directory. Next to `user` or `login` it is a password."""
    return name.lower() == "pwd" and any(word in _RUNNING for each in beside for word in words(each))


def is_form_check(compare: Compare) -> bool:
    """A comparison of two fields of one form."""
    return bool(words_in(*compare.operands) & _FORMS)


def hashes_nearby(outline: Outline, function: Function | None) -> bool:
    """Return True if the function, or its class, calls a hash function."""
    if function is None:
        return False
    for call in calls_in(*function.body):
        name = outline.dotted(call.callee) or (call.callee.name if isinstance(call.callee, Attribute) else "")
        if mentions(frozenset(words(name)), _HASHING) or name.startswith(("hashlib.", "bcrypt.", "passlib.")):
            return True
    return False


def stores_password(outline: Outline, site: Site[Call], parts: tuple[Expr, ...]) -> bool:
    """Return True if a statement inserts or sets a password that comes from a value named so."""
    text = statement_text(parts)
    columns = _WORD.findall(text[:MAX_STATEMENT])
    if is_working_directory("pwd", columns) and not any(word in text for word in PASSWORDS - {"pwd"}):
        return False
    filled = text.startswith("insert") and mentions(words_in(*parts), PASSWORDS)
    set_here = text.startswith(("insert", "update")) and any(word in text.partition(" where ")[0] for word in PASSWORDS)
    values = [each for each in site.node.arguments if each.value is not parts[0]]
    given = words_in(*values, *parts)
    known = mentions(given, PASSWORDS) or called(site.node) == "executemany" or holds_password(outline, site.function, *values)
    return (filled or set_here) and known and not mentions(given, frozenset({"hash", "hashed", "digest", "crypt"}))


def holds_password(outline: Outline, function: Function | None, *parts: Node) -> bool:
    """Return True if a variable passed on contains a password from the request, under any name."""
    for node in walk(*parts):
        if isinstance(node, Name):
            field, made = field_of(outline, function, node), outline.local(function, node.id)
            given = made.value if made is not None else None
            called_after = field.name if field is not None else given.id if isinstance(given, Name) else ""
            if mentions(frozenset(words(called_after)), PASSWORDS):
                return True
    return False
