"""Passwords stored or compared as plain text.

## What it finds
Where no hash function is applied: a submitted password compared with a stored one by `==`; a user looked up by name and
password in an ORM or SQL query; an SQL insert or update, or an assignment to a field of a stored object or session, that
stores the password unchanged; accounts that a statement creates with a literal password. Reports one finding per file, and
only the places that store a password, if the project has any.

## Why it matters
Anyone who obtains a copy of the database has every user's password, for this service and wherever else it is used.

## What is safe
`check_password_hash`, bcrypt, Argon2, passlib; comparing two fields of a form with each other; values named as hashes.

## Limits
Passwords are recognised by variable and field names. A hash computed in another function is not seen, so confidence is medium
where the value passes through unknown code.
"""

from collections.abc import Iterator
from dataclasses import replace

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.password_storage import class_hashes, seeding_statements, session_entries, stored_fields
from counterproof.analysis.config.passwords import PASSWORDS, hashes_nearby, is_form_check, is_stored_password, password_statement
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traits import told, trait
from counterproof.analysis.program.traversal import called, text_of
from counterproof.analysis.program.words import mentions, names_in, words, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Guess, Match, Severity
from counterproof.analysis.syntax.ir import Attribute, Call, Compare, Const, Expr, Function, Name

WRITTEN = "stored password"
_LOOKUPS = ("filter_by", "filter", "get", "find_one", "get_or_none", "where")


def _check(project: Project, path: str) -> Iterator[Match]:
    """Yield one finding per file, at the place that stores the password if there is one: the others follow from it."""
    codebase, _ = opened(project, path)
    reported = False
    for match in _ordered(codebase, path):
        if not match.finding:
            yield match
        elif reported:
            yield replace(match, verdict="as above", finding=False)
        elif match.item != WRITTEN and _written_elsewhere(codebase, path):
            yield replace(match, verdict="reported where it is stored", finding=False)
        else:
            reported = True
            yield match


def _ordered(codebase: Codebase, path: str) -> list[Match]:
    def found() -> list[Match]:
        outline = codebase.outline(path)
        return sorted(_matches(codebase, outline), key=lambda match: (match.item != WRITTEN, match.line))

    return codebase.remembered(("plain passwords", path), found)


def _written_elsewhere(codebase: Codebase, path: str) -> bool:
    others = (other for other in told(codebase, _speaks_of_passwords) if other != path)
    return any(match.finding and match.item == WRITTEN for other in others for match in _ordered(codebase, other))


@trait("speaks of passwords")
def _speaks_of_passwords(outline: Outline) -> bool:
    """Return True if the file contains a name for a password or an inserting statement, and so could store a password."""
    spoken = (*names_in(*outline.module.body), *(text for each in outline.texts if (text := text_of(each))))
    return any(mark in each.lower() for each in spoken for mark in ("insert", *PASSWORDS))


def _matches(codebase: Codebase, outline: Outline) -> Iterator[Match]:
    for site in outline.of(Compare):
        if set(site.node.operators) & {"==", "!="} and any(is_stored_password(each) for each in site.node.operands):
            yield from _comparison(outline, site)
    for call in outline.of(Call):
        yield from _lookup(outline, call)
        statement = password_statement(outline, call)
        if statement:
            own = class_hashes(outline, call.owner) or _hashed_before(codebase, call.function)
            hashed = hashes_nearby(outline, call.function) or own
            verdict = "hashed before it is used" if hashed else statement
            item = WRITTEN if "stored" in statement else "password"
            yield good(call, item, verdict) if hashed else bad(call, item, verdict, Confidence.MEDIUM)
    for written in (*stored_fields(codebase, outline), *session_entries(outline), *seeding_statements(outline)):
        yield bad(written, WRITTEN, "the password is stored unhashed", Confidence.MEDIUM)


def _hashed_before(codebase: Codebase, function: Function | None) -> bool:
    """Return True if a caller passes a hash to the function: `store.add(name, password_hash)`. Handlers have no callers."""
    if function is None or function.decorators:
        return False
    return any(function.name in names for names in told(codebase, _given_hashes).values())


@trait("functions that are given a hash")
def _given_hashes(outline: Outline) -> list[str]:
    calls = (site.node for site in outline.of(Call))
    return sorted({called(each) for each in calls if any("hash" in word for word in words_in(*each.arguments))})


def _comparison(outline: Outline, site: Site[Compare]) -> Iterator[Match]:
    found = words_in(*site.node.operands)
    if site.function and site.function.name in ("__eq__", "__ne__"):
        return
    named = any(isinstance(each, Const) or _is_member(each) for each in site.node.operands)
    if is_form_check(site.node) or named or _is_setting(outline, site):
        return
    if found & {"hash", "hashed", "digest", "hexdigest", "crypt", "md5", "sha1", "sha256", "verify", "check"}:
        yield good(site, "password comparison", "compares hashes")
    elif hashes_nearby(outline, site.function):
        yield good(site, "password comparison", "a hash function is used in the same place")
    else:
        yield bad(site, "password comparison", "the stored password is plain text", Confidence.MEDIUM)


def _is_member(value: Expr) -> bool:
    """`Reason.LeakedPassword`: an enum member."""
    return isinstance(value, Attribute) and value.name[:1].isupper()


def _is_setting(outline: Outline, site: Site[Compare]) -> bool:
    """`self.password` of a class that is not a user: the password of a service, from its configuration."""
    own = any(
        isinstance(each, Attribute) and isinstance(each.value, Name) and each.value.id == "self" for each in site.node.operands
    )
    if not own or site.owner is None:
        return False
    people = set(words(site.owner.name)) & {"user", "account", "member", "customer", "person", "admin", "employee", "login"}
    declared = outline.attributes(site.owner).get("password")
    return not people and not (isinstance(declared, Call) and words_in(declared.callee) & {"column", "field"})


def _lookup(outline: Outline, site: Site[Call]) -> Iterator[Match]:
    callee = site.node.callee
    if not isinstance(callee, Attribute) or callee.name not in _LOOKUPS:
        return
    for each in site.node.arguments:
        if "reset" in words(each.keyword):
            continue  # a generated password sent to a user who forgot theirs
        if mentions(frozenset(words(each.keyword)), PASSWORDS) and not mentions(
            frozenset(words(each.keyword)), frozenset({"hash"})
        ):
            hashed = hashes_nearby(outline, site.function) or bool(words_in(each.value) & {"hash", "hashed", "digest"})
            verdict = "the value is hashed first" if hashed else "users are looked up by their plain password"
            yield good(site, "password look-up", verdict) if hashed else bad(site, "password look-up", verdict, Confidence.MEDIUM)


RULE = CheckRule(
    title="Password stored as plain text",
    kind="password",
    cwe=256,
    severity=Severity.MEDIUM,
    guesses=(Guess.NAME,),
    consequence="A copy of the database holds every user's password.",
    remedy="Store a salted scrypt, Argon2 or bcrypt hash and compare with the library's check function.",
    check=_check,
    query="comparison and storage of passwords",
)
