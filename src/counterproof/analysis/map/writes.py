"""Tables that functions write: SQL statements, and ORM calls that name the class.

Invariant: the code names the table, in a statement or as a class; tables named only by a variable are left out. Not handled here:
who may write.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.map.outlines import outlines_of
from counterproof.analysis.map.places import Key, Places
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.syntax.ir import Attribute, Call, Expr, Name
from counterproof.analysis.syntax.walk import last_name

_STATEMENT = re.compile(
    r"\s{0,40}(insert\s{1,4}(?:or\s{1,4}\w{1,20}\s{1,4})?into|replace\s{1,4}into|update|delete\s{1,4}from)\s{1,4}[\"'`\[]?(\w{1,80})",
    re.IGNORECASE,
)
_VERBS = {"insert": "insert", "replace": "insert", "update": "update", "delete": "delete"}
_SESSION = {"add": "insert", "add_all": "insert", "merge": "update", "delete": "delete"}
_METHODS = {
    "create": "insert", "bulk_create": "insert", "bulkCreate": "insert", "insertMany": "insert", "insertOne": "insert",
    "get_or_create": "insert", "update_or_create": "insert", "upsert": "insert", "findOrCreate": "insert",
    "update": "update", "updateOne": "update", "updateMany": "update", "bulk_update": "update", "findByIdAndUpdate": "update",
    "findOneAndUpdate": "update", "destroy": "delete", "delete": "delete", "deleteOne": "delete", "deleteMany": "delete",
    "findByIdAndDelete": "delete", "findOneAndDelete": "delete",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Write:
    """One write of one table."""

    verb: str
    table: str
    path: str
    line: int


class Writes:
    """All writes of a project, by enclosing function."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self._by_function: dict[Key, list[Write]] = {}
        for outline, _ in outlines_of(places.project, places.codebase):
            for each in _writes_in(outline):
                around = places.function_at(each.path, each.line)
                if around is not None:
                    self._by_function.setdefault(around[0], []).append(each)

    def of(self, key: Key) -> tuple[Write, ...]:
        return tuple(self._by_function.get(key, ()))

    def direct(self, key: Key) -> tuple[Write, ...]:
        """Writes in a handler, or in functions it calls without literals; with literals, the arguments would choose the table."""
        called = (each.target for each in self.places.calls_of(key) if not each.literals)
        return tuple(dict.fromkeys(write for one in (key, *called) for write in self.of(one)))

    def by(self, key: Key) -> bool:
        """Return True if a function writes a table, itself or in functions it calls."""
        return any(each in self._by_function for each in self.places.reached_from(key))


def _writes_in(outline: Outline) -> Iterator[Write]:
    for text in outline.texts:
        found = _STATEMENT.match(text.value) if isinstance(text.value, str) and len(text.value) > 8 else None
        if found:
            yield Write(_VERBS[found[1].split()[0].lower()], found[2].lower(), outline.path, text.line)
    for site in outline.of(Call):
        callee = site.node.callee
        if isinstance(callee, Attribute):
            yield from _mapped(outline, site, callee)


def _mapped(outline: Outline, site: Site[Call], callee: Attribute) -> Iterator[Write]:
    owner = last_name(callee.value)
    if owner == "session" and callee.name in _SESSION and site.node.arguments:
        table, constructed = _made(outline, site, site.node.arguments[0].value)
        if table and (constructed or callee.name != "add"):
            yield Write(_SESSION[callee.name], table, outline.path, site.line)
        return
    if callee.name in _METHODS:
        table = _class_before(callee.value)
        if table:
            yield Write(_METHODS[callee.name], table, outline.path, site.line)
    elif callee.name in ("save", "delete") and isinstance(callee.value, Name):
        table, constructed = _made(outline, site, callee.value)
        if table:
            verb = "delete" if callee.name == "delete" else "insert" if constructed else "update"
            yield Write(verb, table, outline.path, site.line)


def _class_before(value: Expr) -> str:
    """`Post` of `Post.objects.filter(…)`, `Post.query`, `Post`; `user` of `prisma.user`."""
    names: list[str] = []
    while isinstance(value, Attribute | Call):
        if isinstance(value, Attribute):
            names.append(value.name)
        value = value.value if isinstance(value, Attribute) else value.callee
    if not isinstance(value, Name):
        return ""
    if value.id == "prisma" and names:
        return names[-1]
    if value.id[:1].isupper() and not value.id.isupper():
        return value.id
    return next((each for each in reversed(names[-1:]) if each[:1].isupper() and not each.isupper()), "")


def _made(outline: Outline, site: Site[Call], value: Expr) -> tuple[str, bool]:
    """The class of the value assigned to a variable, and whether it was constructed: `post = Post(…)`, not
    `Post.query.get(…)`."""
    if isinstance(value, Name):
        assigned = outline.visible(site.function, value.id)
        value = assigned.value if assigned is not None and assigned.value is not None else value
    if isinstance(value, Call):
        return _class_before(value), isinstance(value.callee, Name)
    return "", False
