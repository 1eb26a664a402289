"""Tables and models whose objects belong to users.

Invariant: only by the code or its schema: the name of a column, or a relation to users, directly or through one other model. Not
handled here: whether ownership is checked.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from counterproof.analysis.control.effects import statement_texts
from counterproof.analysis.control.lookups import tables
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.program.documents import collection_of, fields
from counterproof.analysis.program.file import File
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traits import told, trait
from counterproof.analysis.program.traversal import called, text_of
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.syntax.ir import Call, Class, Expr, Name
from counterproof.analysis.syntax.walk import last_name, walk

OWNER_COLUMNS = (
    "user_id", "owner_id", "owner", "customer_id", "account_id", "author_id", "created_by", "userid", "member_id", "owner_name",
    "ownername", "owner_email", "sender_id", "receiver_id", "recipient_id", "from_user", "to_user", "from_user_id", "to_user_id",
    "from_account", "to_account", "patient_id", "student_id", "employee_id", "buyer_id", "seller_id", "creator_id", "uploader_id",
    "posted_by", "uploaded_by", "owned_by", "username", "user_name",
)  # fmt: skip
_NAMES = ("username", "user_name")
"""Columns with a row's owner; in a model with a password, the account itself, which is looked up at login."""
_RUNNING = vocabulary("execute executemany executescript query sql run db")
PEOPLE = vocabulary("user users customer customers account accounts member members profile profiles patient employee student")
_RELATIONS = ("ForeignKey", "OneToOneField", "ManyToManyField", "ForeignKeyField")
_ALL = vocabulary("user users member members owner owners participant participants assigned assignee assignees collaborators")
"""Names for lists of users who may access an object, unlike those who only liked or rated it."""

_PASSING_BY = vocabulary("updated modified approved reviewed edited changed deleted moderated closed last reviewer moderator")
MAX_STEPS = 2


def is_owned(store: str, owned: frozenset[str]) -> bool:
    """Return True if objects of a table or model belong to users."""
    return store.lower() in owned or bool(set(words(store)) & PEOPLE)


def owned_stores(program: EnteredProgram) -> frozenset[str]:
    """Tables and models with a column for an owner, by the code and its schema."""
    return program.codebase.remembered(("owned stores",), lambda: _owned_stores(program))


def _owned_stores(program: EnteredProgram) -> frozenset[str]:
    found: set[str] = set()
    related: dict[str, set[str]] = {}
    for owned, parts in told(program.codebase, _declared).values():
        found |= set(owned)
        for name, wholes in parts:
            related.setdefault(name, set()).update(wholes)
    for _ in range(MAX_STEPS):
        found |= {name for name, parents in related.items() if parents & found}
    return frozenset(found)


@trait("owned stores")
def _declared(outline: File) -> list[list[Any]]:
    """A file's tables and models with an owner, and those that are parts of others, with these."""
    found: set[str] = set()
    related: dict[str, set[str]] = {}
    for text in _texts(outline):
        named = tables(text)
        found |= set(named) if named and _mentions_owner(text) else set()
        for table in named[:1]:
            referred = _referred(text)
            found |= {table} if referred & PEOPLE else set[str]()
            related.setdefault(table, set()).update(referred)
    found |= set(_owned_documents(outline))
    for owner in outline.module.classes:
        if _names_owner(outline, owner):
            found.add(owner.name.lower())
        related.setdefault(owner.name.lower(), set()).update(_parents(outline, owner))
    parts = [[name, sorted(wholes)] for name, wholes in sorted(related.items()) if wholes]
    return [sorted(found), parts] if found or parts else []


def _owned_documents(outline: Outline) -> Iterator[str]:
    """Collections queried or filled with documents that have an owner."""
    for site in outline.of(Call):
        name = collection_of(site.node)
        if name and any(each in OWNER_COLUMNS for each in fields(site.node)):
            yield name.lower()


def _texts(outline: File) -> Iterator[str]:
    """Strings that may be statements."""
    for site in outline.of(Call):
        if set(words(called(site.node))) & _RUNNING:
            yield from statement_texts(outline, site.node)
        else:
            yield from (text for each in site.node.arguments if (text := text_of(each.value)))


def _referred(text: str) -> set[str]:
    """Tables referenced by a new table as its parents: `card_id INTEGER REFERENCES cards(id)`."""
    spoken = text.lower().replace("(", " ").replace(",", " ").split() if "references" in text.lower() else []
    return {then.strip("`\"'[];") for first, then in pairwise(spoken) if first == "references"}


def _mentions_owner(text: str) -> bool:
    spoken = text.lower().replace(",", " ").replace("(", " ").replace(")", " ").replace("=", " ").split()
    related = any(first == "references" and set(words(then)) & PEOPLE for first, then in pairwise(spoken))
    return related or any(each.rpartition(".")[2] in OWNER_COLUMNS for each in spoken)


def _names_owner(outline: Outline, owner: Class) -> bool:
    fields = outline.attributes(owner)
    for name, value in fields.items():
        account = name.lower() in _NAMES and any("password" in words(each) for each in fields)
        if (name.lower() in OWNER_COLUMNS and not account) or name.lower() in ("user", "author", "customer"):
            return True
        if any(_is_person(target) and _belongs(name, kind) for kind, target in _relations(value)):
            return True
    return False


def _belongs(name: str, kind: str) -> bool:
    spoken = set(words(name))
    return bool(spoken & _ALL) if kind == "ManyToManyField" else not spoken & _PASSING_BY


def _parents(outline: Outline, owner: Class) -> Iterator[str]:
    """The parent models of this class."""
    for value in outline.attributes(owner).values():
        for kind, target in _relations(value):
            name = text_of(target) or (target.id if isinstance(target, Name) else "")
            if kind != "ManyToManyField" and name:
                yield name.rpartition(".")[2].lower()


def _relations(value: Expr) -> Iterator[tuple[str, Expr]]:
    for node in walk(value):
        if isinstance(node, Call) and node.arguments:
            callee = node.callee
            kind = last_name(callee)
            if kind in _RELATIONS:
                yield kind, node.arguments[0].value


def _is_person(target: Expr) -> bool:
    """`User`, `"auth.User"`, `settings.AUTH_USER_MODEL`, `get_user_model()`, `"users.id"`."""
    return bool({*words(text_of(target) or ""), *words_in(target)} & PEOPLE)
