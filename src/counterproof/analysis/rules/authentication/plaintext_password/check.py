"""The check of `plaintext-password`."""

from collections.abc import Iterator
from typing import Any

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.passwords import PASSWORDS, hashes_nearby, is_working_directory, stores_password
from counterproof.analysis.program.codebase import Codebase, Definition
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.queries import statement_parts
from counterproof.analysis.program.traits import told, trait
from counterproof.analysis.program.traversal import called, positional, text_of
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import Confidence, Match
from counterproof.analysis.secrets.sql_seeds import seeded_passwords
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Class, Const, Expr, Function, Index, Name
from counterproof.analysis.syntax.walk import last_name, walk

_COLUMNS = vocabulary("Column mapped_column CharField TextField StringField PasswordField Text String")
_HASHED = vocabulary("hash hashed digest crypt bcrypt hasher encrypt encrypted")
_KEPT = vocabulary("existing previous original stored saved")
"""Name words of an already stored value: copying it stores nothing new."""
_LOOKED_UP = ("get_object_or_404", "get_or_404", "first_or_404")
_CREATING = ("create", "get_or_create", "update_or_create")
_BY_ITSELF = ("save", "clean", "full_clean", "__setattr__", "presave", "pre_save", "before_save", "before_update")
_READING = ("get", "strip", "get_json", "pop", "getlist")
MAX_CHAIN = 12
"""Calls and fields of one query that are followed back."""
MIN_HASH = 32
"""A literal of this length without a space is a hash, not a password."""


def check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    reported = False
    for site, verdict in sorted(_stored(codebase, outline), key=lambda each: each[0].line):
        if verdict or reported:
            yield good(site, "stored password", verdict or "as above")
        else:
            reported = True
            yield bad(site, "stored password", "the password is stored unhashed", Confidence.MEDIUM)


def _stored(codebase: Codebase, outline: Outline) -> Iterator[tuple[Site[Any], str]]:
    """The places that store a password, with the reason where that is safe."""
    for call in outline.of(Call):
        parts = statement_parts(outline, call.function, call.node)
        if parts and stores_password(outline, call, parts):
            hashed = hashes_nearby(outline, call.function) or _class_hashes(outline, call.owner)
            yield call, "hashed before it is used" if hashed or _is_given_hash(codebase, call.function) else ""
        seeds = seeded_passwords(text_of(positional(call.node, 0)) or "") if called(call.node).startswith("execute") else ()
        if any(not _is_hash(password) for _, password in seeds) or _makes_record(codebase, outline, call):
            yield call, ""
    for site in outline.of(Assign):
        if any(_is_stored(codebase, outline, site, target) for target in site.node.targets):
            yield site, ""


def _class_hashes(outline: Outline, owner: Class | None) -> bool:
    return owner is not None and any(words_in(*each.body) & _HASHED for each in outline.methods(owner).values())


def _is_given_hash(codebase: Codebase, function: Function | None) -> bool:
    """Return True if a caller passes a hash to the function: `store.add(name, password_hash)`. Handlers have no callers."""
    if function is None or function.decorators:
        return False
    return any(function.name in names for names in told(codebase, _given_hashes).values())


@trait("functions that are given a hash")
def _given_hashes(outline: Outline) -> list[str]:
    calls = (site.node for site in outline.of(Call))
    return sorted({called(each) for each in calls if any("hash" in word for word in words_in(*each.arguments))})


def _makes_record(codebase: Codebase, outline: Outline, call: Site[Call]) -> bool:
    """`User(password=x)`, `User.objects.create(password=x)`."""
    given = [each for each in call.node.arguments if _is_password(each.keyword)]
    if not given or is_working_directory(given[0].keyword, [each.keyword for each in call.node.arguments if each.keyword]):
        return False
    callee = call.node.callee
    if isinstance(callee, Attribute) and callee.name in _CREATING and isinstance(callee.value, Attribute):
        callee = callee.value.value if callee.value.name == "objects" else callee
    plain = [each for each in given if _is_plain(outline, call.function, each.value)]
    owner = codebase.meaning(outline, callee, call.function) if plain else None
    return owner is not None and any(_keeps(owner, each.keyword, made=True) for each in plain)


def _is_stored(codebase: Codebase, outline: Outline, site: Site[Assign], target: Expr) -> bool:
    """`user.password = x` of a stored object, `session["password"] = x`."""
    value = site.node.value
    name = (text_of(target.key) or "") if isinstance(target, Index) else target.name if isinstance(target, Attribute) else ""
    if value is None or not _is_password(name) or not _is_plain(outline, site.function, value):
        return False
    if isinstance(target, Attribute):
        owner = _class_of(codebase, outline, target.value, site.function)
        return owner is not None and _keeps(owner, name, made=False)
    return isinstance(target, Index) and last_name(target.value) == "session" and not isinstance(value, Const)


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
    looked_up = last_name(value.callee) in _LOOKED_UP and bool(value.arguments)
    asked = value.arguments[0].value if looked_up else _asked(value)
    return codebase.meaning(outline, asked, function) if asked is not None else None


def _asked(value: Expr) -> Expr | None:
    """`User` of `User.query.filter_by(…).first()`, `User.objects.get(…)` and `session.query(User).filter(…).first()`."""
    for _ in range(MAX_CHAIN):
        match value:
            case Call(callee=Attribute(name="query"), arguments=(model,)):
                return model.value
            case Call(callee=callee):
                value = callee
            case Attribute(value=model, name="query" | "objects"):
                return model
            case Attribute(value=inner):
                value = inner
            case _:
                return None
    return None


def _keeps(owner: Definition, name: str, *, made: bool) -> bool:
    """Return True if a class declares the field as a column and does not hash it automatically. A hashing method that must be
    called does not affect assignments to existing objects; one that runs by itself does."""
    declared = owner.outline.attributes(owner.node).get(name) if isinstance(owner.node, Class) else None
    if not isinstance(owner.node, Class) or not isinstance(declared, Call) or last_name(declared.callee) not in _COLUMNS:
        return False
    hashing = [each for each in owner.outline.methods(owner.node).values() if words_in(*each.body) & _HASHED]
    return not (hashing if made else [each for each in hashing if each.decorators or each.name in _BY_ITSELF])


def _is_plain(outline: Outline, function: Function | None, value: Expr) -> bool:
    """A literal, or a password that no hashing function was applied to."""
    if isinstance(value, Const):
        return isinstance(value.value, str) and bool(value.value) and not _is_hash(value.value)
    spoken = words_in(value)
    if not spoken & PASSWORDS or spoken & (_HASHED | _KEPT) or hashes_nearby(outline, function):
        return False
    return all(called(each) in _READING for each in walk(value) if isinstance(each, Call))
