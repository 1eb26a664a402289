"""Passwords stored in plain text: fields of stored objects, and accounts that a statement creates.

Invariant: only classes of the project that a database stores, and only if neither the class nor the function hashes. Not handled
here: comparisons.
"""

from collections.abc import Iterator

from counterproof.analysis.config.passwords import PASSWORDS, hashes_nearby, is_working_directory
from counterproof.analysis.program.codebase import Codebase, Definition
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.secrets.sql_seeds import seeded_passwords
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Class, Const, Expr, Function, Index, Name
from counterproof.analysis.syntax.walk import last_name, walk

_COLUMNS = vocabulary("Column mapped_column CharField TextField StringField PasswordField Text String")
_HASHED = vocabulary("hash hashed digest crypt bcrypt hasher encrypt encrypted")
_SESSIONS = ("flask.session", "quart.session")
_KEPT = vocabulary("existing previous original stored saved")
"""Name words of an already stored value: copying it stores nothing new."""
_CREATING = ("create", "get_or_create", "update_or_create")
_MANAGERS = ("query", "objects")
_LOOKED_UP = ("get_object_or_404", "get_or_404", "first_or_404")
_BY_ITSELF = ("save", "clean", "full_clean", "__setattr__", "presave", "pre_save", "before_save", "before_update")
_LISTENING = vocabulary("listens receiver listener")
MAX_CHAIN = 12
"""Calls and fields of one query that are followed back."""
_STATEMENTS = ("execute", "executemany", "executescript")
MIN_HASH = 32
"""A literal of this length without a space is a hash, not a password."""


def stored_fields(codebase: Codebase, outline: Outline) -> Iterator[Site[Assign] | Site[Call]]:
    """`user.password = x`, `User(password=x)`, `User.objects.create(password=x)`: a model with a password column."""
    for site in outline.of(Assign):
        for target in site.node.targets:
            if isinstance(target, Attribute) and _is_password(target.name) and site.node.value is not None:
                owner = _class_of(codebase, outline, target.value, site.function)
                kept = owner and _keeps(owner, target.name, made=False) and not _listens(codebase)
                if kept and _is_plain(outline, site.function, site.node.value):
                    yield site
    for call in outline.of(Call):
        given = [each.keyword for each in call.node.arguments if each.keyword]
        for each in call.node.arguments:
            if is_working_directory(each.keyword, given):
                continue
            if _is_password(each.keyword) and _is_plain(outline, call.function, each.value):
                owner = codebase.meaning(outline, _model(call.node.callee), call.function)
                if owner and _keeps(owner, each.keyword, made=True):
                    yield call


def session_entries(outline: Outline) -> Iterator[Site[Assign]]:
    """`session["password"] = password`."""
    for site in outline.of(Assign):
        value = site.node.value
        kept = any(isinstance(target, Index) and _is_session(outline, target) for target in site.node.targets)
        if kept and value is not None and not isinstance(value, Const) and _is_plain(outline, site.function, value):
            yield site


def _is_session(outline: Outline, target: Index) -> bool:
    """`session["password"]`: by default stored in the cookie that every request sends."""
    kept = target.value
    session = outline.dotted(kept) in _SESSIONS or (isinstance(kept, Attribute) and kept.name == "session")
    return session and _is_password(text_of(target.key) or "")


def class_hashes(outline: Outline, owner: Class | None) -> bool:
    """Return True if another method of a class hashes the stored value."""
    return owner is not None and any(words_in(*each.body) & _HASHED for each in outline.methods(owner).values())


def _model(callee: Expr) -> Expr:
    """`User` of `User.objects.create(…)`."""
    if isinstance(callee, Attribute) and callee.name in _CREATING and isinstance(callee.value, Attribute):
        return callee.value.value if callee.value.name == "objects" else callee
    return callee


def seeding_statements(outline: Outline) -> Iterator[Site[Call]]:
    """Statements that create accounts with a literal password."""
    for site in outline.of(Call):
        callee = site.node.callee
        if isinstance(callee, Attribute) and callee.name in _STATEMENTS and site.node.arguments:
            text = text_of(site.node.arguments[0].value) or ""
            if any(not _is_hash(password) for _, password in seeded_passwords(text)):
                yield site


def _is_password(name: str) -> bool:
    spoken = set(words(name))
    return bool(spoken & PASSWORDS) and not spoken & _HASHED


def _is_hash(text: str) -> bool:
    return (len(text) >= MIN_HASH and " " not in text) or text.startswith(("$", "pbkdf2", "scrypt", "{"))


def _class_of(codebase: Codebase, outline: Outline, expr: Expr, function: Function | None) -> Definition | None:
    """The class of an object that the function created or looked up: `User()`, `User.query.get(1)`, `get_object_or_404(User)`."""
    made = outline.local(function, expr.id) if isinstance(expr, Name) else None
    value = made.value if made is not None else None
    if not isinstance(value, Call):
        return None
    found = codebase.meaning(outline, value.callee, function)
    if found is not None and isinstance(found.node, Class):
        return found
    named = outline.dotted(value.callee).rpartition(".")[2] in _LOOKED_UP and value.arguments
    if named:
        return codebase.meaning(outline, value.arguments[0].value, function)
    asked = _asked(value)
    return codebase.meaning(outline, asked, function) if asked is not None else None


def _asked(value: Expr) -> Expr | None:
    """`User` of `User.query.filter_by(…).first()`, `User.objects.get(…)` and `session.query(User).filter(…).first()`."""
    for _ in range(MAX_CHAIN):
        if isinstance(value, Call):
            if isinstance(value.callee, Attribute) and value.callee.name == "query" and len(value.arguments) == 1:
                return value.arguments[0].value
            value = value.callee
        elif isinstance(value, Attribute):
            if value.name in _MANAGERS:
                return value.value
            value = value.value
        else:
            return None
    return None


def _keeps(owner: Definition, name: str, *, made: bool) -> bool:
    """Return True if a class declares the field as a column and does not hash it automatically. A hashing method that must be
    called does not affect assignments to existing objects; one that runs by itself does."""
    if not isinstance(owner.node, Class):
        return False
    declared = owner.outline.attributes(owner.node).get(name)
    if not isinstance(declared, Call):
        return False
    callee = declared.callee
    kind = last_name(callee)
    hashing = [each for each in owner.outline.methods(owner.node).values() if words_in(*each.body) & _HASHED]
    inside = hashing if made else [each for each in hashing if each.decorators or each.name in _BY_ITSELF]
    return kind in _COLUMNS and not inside


def _listens(codebase: Codebase) -> bool:
    """`@event.listens_for(User, "before_update")`, `@receiver(pre_save)`: a function that hashes before objects are stored."""

    def found() -> bool:
        functions = (each for outline in codebase.outlines() for each in outline.module.functions if each.decorators)
        hooks = (each for each in functions if words_in(*each.decorators) & _LISTENING)
        return any(words_in(*each.body) & _HASHED for each in hooks)

    return codebase.remembered(("listeners hash passwords",), found)


def _is_plain(outline: Outline, function: Function | None, value: Expr) -> bool:
    """A literal, or a password that no hashing function was applied to."""
    if isinstance(value, Const):
        return isinstance(value.value, str) and bool(value.value) and not _is_hash(value.value)
    if hashes_nearby(outline, function) or words_in(value) & (_HASHED | _KEPT):
        return False
    return bool(words_in(value) & PASSWORDS) and not any(isinstance(node, Call) and _is_unknown(node) for node in walk(value))


def _is_unknown(call: Call) -> bool:
    """Return True for a call with unknown effect on the value; reading a request field has none."""
    return not (isinstance(call.callee, Attribute) and call.callee.name in ("get", "strip", "get_json", "pop", "getlist"))
