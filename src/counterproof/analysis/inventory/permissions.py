"""Roles that guards require, in every language; the endpoint-permission matrix and resource types in languages other than
Python (A9, A19).

Deliberately simple: the guards as recon read them, the role words in their evidence, the nouns of paths as resources.
Undetermined values are unknown, never no.
"""

import re

from counterproof.analysis.endpoints.verdict import asked_words
from counterproof.analysis.program.words import vocabulary, words
from counterproof.model.location import Location
from counterproof.model.recon import KNOWS_CALLER, NETWORK_KINDS, Asks, EntryKind, EntryPoint, Guard, Permission

_ROLES = vocabulary(
    "admin administrator administrative role roles hasrole staff superuser permission permissions authority scope scopes owner "
    "can ability acl rbac rolesallowed secured manager granted"
)
ADMINISTRATORS = vocabulary("admin admins administrator administrators superuser superusers staff root sysadmin superadmin")
"""Words for administrators of the program, who need no weakness in it."""
_EVERYBODY = vocabulary("customer customers member members client clients student students patient guest buyer visitor")
_STAFF = vocabulary("employee manager moderator owner")
_OWNERS = vocabulary("own owner owns self")
"""`isOwnerOrAdmin` also accepts the owner."""
_LOGINS = vocabulary("authenticated authenticate jwt login logged token session passport bearer")
_VERSION = re.compile(r"v[0-9]{1,3}")
_NOT_RESOURCES = vocabulary(
    "api rest graphql admin public auth login logout signin signup register health status ping metrics search new edit create "
    "update delete destroy show list index find"
)


def permissions(entry_points: tuple[EntryPoint, ...]) -> tuple[Permission, ...]:
    """One row per network entry point, in the order given."""
    return tuple(
        Permission(each.handler, each.method, each.path, each.guard, role_asked(each), each.guard_evidence)
        for each in entry_points
        if each.kind in NETWORK_KINDS
    )


def role_asked(entry: EntryPoint) -> Guard:
    """Whether the guards require more than a login, by what was read of them and by their names; unknown if neither says it."""
    if entry.guard is not Guard.PRESENT:
        return entry.guard
    read = [each for each in entry.guards if each.asks in KNOWS_CALLER]
    said = asked_words(entry.guarded_by) - ({"permission"} if read else set[str]())
    if said & _ROLES or any(each.asks is Asks.ROLE and not _is_everybody(frozenset(words(each.right))) for each in read):
        return Guard.PRESENT
    return Guard.ABSENT if read or said & _LOGINS else Guard.UNKNOWN


def _is_everybody(right: frozenset[str]) -> bool:
    """`Roles(["customer"])`: a role of every account."""
    return bool(right & _EVERYBODY) and not right & (ADMINISTRATORS | _STAFF)


def names_administrators(entry: EntryPoint) -> bool:
    """Return True if a guard is named after administrators, or every role that it lets pass is."""
    listed = [each.right.split(",") for each in entry.guards if each.asks is Asks.ROLE and each.right and not each.partly]
    reserved = any(all(ADMINISTRATORS.intersection(words(name)) for name in names) for names in listed)
    return reserved or bool(asked_words(entry.guarded_by) & ADMINISTRATORS)


def administrators_only(entry_points: tuple[EntryPoint, ...]) -> frozenset[tuple[Location, str, str]]:
    """Entry points, by handler, method and path, whose guard names administrators."""
    return frozenset(
        (each.handler, each.method, each.path)
        for each in entry_points
        if role_asked(each) is Guard.PRESENT and names_administrators(each) and not asked_words(each.guarded_by) & _OWNERS
    )


def other_resources(entry_points: tuple[EntryPoint, ...]) -> tuple[str, ...]:
    """Nouns of paths with at least two different operations: fewer cannot be compared."""
    operations: dict[str, set[str]] = {}
    for each in entry_points:
        noun = noun_of(each.path) if each.kind is EntryKind.HTTP else ""
        if noun:
            operations.setdefault(noun, set()).add("GET" if each.method in ("GET", "HEAD") else each.method)
    return tuple(sorted(noun for noun, methods in operations.items() if len(methods) > 1))


def noun_of(path: str) -> str:
    """The last part of a path that names a kind of object, not a single object or an action."""
    parts = [part.lower() for part in path.partition("#")[0].split("/") if part and part[0] not in ":{*(<["]
    named = [part for part in parts if part not in _NOT_RESOURCES and not _VERSION.fullmatch(part) and _is_word(part)]
    return named[-1] if named else ""


def _is_word(part: str) -> bool:
    return part.replace("-", "").replace("_", "").isalpha()
