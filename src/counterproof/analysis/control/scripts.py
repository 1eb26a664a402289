"""JavaScript and TypeScript routes without the guard of comparable routes, and the coverage of the search.

Invariant: only decided guards count; a route is compared with those in its own file or, if handlers have files of their own, with
those under the same first path segment. Not handled here: reading guards, and object ownership.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from posixpath import basename, commonpath, dirname
from typing import NamedTuple

from counterproof.analysis.control.access import MIN_GUARDED, MIN_SHARE, OPEN_BY_NATURE, SENSITIVE
from counterproof.analysis.control.messages import MISSING_LOGIN, MISSING_ROLE, OPEN_DESTRUCTION, finding
from counterproof.analysis.examination import Examination, united
from counterproof.analysis.inventory.permissions import noun_of, role_asked
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.project import SCRIPTS, Project, Quotes
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import children, functions_around, last_name, walk
from counterproof.model.dimension import Dimension
from counterproof.model.finding import Finding
from counterproof.model.ledger import Comparison, Search, Trace
from counterproof.model.location import Location, at
from counterproof.model.recon import EntryKind, EntryPoint, Guard
from counterproof.model.severity import Confidence
from counterproof.model.survey import Language

CHANGING = ("POST", "PUT", "PATCH", "DELETE")
_ALIKE = ("PUT", "PATCH", "DELETE")
_KINDS = {"GET": "read", "HEAD": "read", "POST": "create", "PUT": "update", "PATCH": "update", "DELETE": "delete"}
_WRITES = vocabulary(
    "create save update updateOne updateMany insert insertOne insertMany destroy deleteOne deleteMany remove bulkCreate upsert "
    "findByIdAndUpdate findOneAndUpdate findByIdAndDelete findOneAndDelete findByIdAndRemove replaceOne query execute run "
    "delete increment decrement $executeRaw $executeRawUnsafe set put push append writeFile writeFileSync"
)
PEOPLE = vocabulary("user users account accounts customer customers member members")
_ROLES = vocabulary("admin role roles isadmin permission permissions staff superuser scope scopes owner")
_REFUSING = vocabulary("deny denyall forbid forbidden reject notallowed refuse block")
"""A handler with such a name always rejects."""
_IDENTITY = vocabulary("session currentuser principal owner ownerid createdby creator isowner decoded claims locals authuser")
_HOLDERS = frozenset({"req", "request", "ctx", "context", "state", "_req", "c"})
_KNOWN = vocabulary("user userid auth account uid username currentuser session jwt token tokenpayload member")
_SHOWING = frozenset({"render", "json", "send", "view", "flash", "log", "info", "debug", "redirect"})
MIN_ALONE = 3
"""Routes that a file must have to be compared by itself."""
MAX_NODES = 20_000
_BEHIND_ROLES = 3
"""Functions of a route that may require a role: its handler, and the functions it delegates to."""

MAX_FUNCTIONS = 12
"""Functions that one route is followed through."""


def examined(project: Project, entry_points: tuple[EntryPoint, ...], wanted: Iterable[Dimension]) -> Examination:
    """Examine D3 and D9 of all JavaScript routes, as requested."""
    served = (each for each in entry_points if each.kind is EntryKind.HTTP and language_of(project, each) is not None)
    routes = [each for each in served if not frozenset(words(each.name)) & _REFUSING]
    quotes = Quotes(project)
    parts: list[Examination] = []
    if Dimension.D3 in wanted:
        found = (*_missing_logins(quotes, routes), *_open_destruction(quotes, routes), *_missing_roles(project, quotes, routes))
        compared = tuple(_compared(project, routes))
        parts.append(Examination(findings=found, searches=tuple(_searches(project, routes)), comparisons=compared))
    if Dimension.D9 in wanted:
        changing = [each for each in routes if each.method in CHANGING]
        searches = tuple(
            _search(project, language, Dimension.D9, "operation", "HTTP handlers that change stored data", changing)
            for language in SCRIPTS
        )
        parts.append(Examination(searches=searches, traces=tuple(_followed(project, each) for each in changing)))
    return united(parts)


def language_of(project: Project, entry: EntryPoint) -> Language | None:
    file = project.files.get(entry.handler.path)
    return file.language if file is not None and file.language in SCRIPTS and not file.test else None


def spoken(entry: EntryPoint) -> frozenset[str]:
    """The words of the route and the handler's name; `sign_up` and `log-in` also as a single word."""
    said = (words(entry.path), words(entry.name))
    joined = (first + then for each in said for first, then in pairwise(each) if first in ("sign", "log"))
    return frozenset((*said[0], *said[1], *joined))


def _missing_logins(quotes: Quotes, routes: list[EntryPoint]) -> Iterator[Finding]:
    for where, group in _neighbours(routes):
        countable = [each for each in group if not spoken(each) & OPEN_BY_NATURE and not registers(each)]
        guarded = [each for each in countable if each.guard is Guard.PRESENT]
        if len(guarded) < MIN_GUARDED or len(guarded) < MIN_SHARE * len(countable):
            continue
        for each in countable:
            if each.guard is Guard.ABSENT and (each.method in CHANGING or spoken(each) & SENSITIVE):
                why = f"{len(guarded)} of {len(countable)} routes {where} are guarded, {each.method} {each.path} is not."
                yield finding(quotes, MISSING_LOGIN, each.handler, each, why, each.name, peer=_peer_of(each, routes))


def registers(entry: EntryPoint) -> bool:
    """`POST /users` creates an account, before any login is possible."""
    return entry.method == "POST" and noun_of(entry.path) in PEOPLE


def _neighbours(routes: list[EntryPoint]) -> Iterator[tuple[str, list[EntryPoint]]]:
    by_file: dict[str, list[EntryPoint]] = {}
    for each in routes:
        by_file.setdefault(each.handler.path, []).append(each)
    by_start: dict[str, list[EntryPoint]] = {}
    for group in by_file.values():
        if len(group) >= MIN_ALONE:
            yield "in this file", group
            continue
        for each in group:
            by_start.setdefault(each.path.strip("/").partition("/")[0], []).append(each)
    for start, group in by_start.items():
        yield f"under /{start}", group


def _open_destruction(quotes: Quotes, routes: list[EntryPoint]) -> Iterator[Finding]:
    protected = any(each.guard is Guard.PRESENT for each in routes)
    for each in routes:
        if each.guard is Guard.ABSENT and each.method == "DELETE" and not spoken(each) & OPEN_BY_NATURE:
            confidence = Confidence.HIGH if protected else Confidence.MEDIUM
            why = f"DELETE {each.path} removes something, and nothing asks who is calling."
            yield finding(quotes, OPEN_DESTRUCTION, each.handler, each, why, each.name, confidence, peer=_peer_of(each, routes))


def _peer_of(entry: EntryPoint, routes: list[EntryPoint]) -> EntryPoint | None:
    """A route that does the same to the same resource and has a guard; overwriting and deleting count as the same, creating does
    not."""
    kinds = _ALIKE if entry.method in _ALIKE else (entry.method,)
    noun = noun_of(entry.path)
    alike = (each for each in routes if noun_of(each.path) == noun and each.method in kinds and each.guard is Guard.PRESENT)
    return next(alike, None) if noun else None


def _missing_roles(project: Project, quotes: Quotes, routes: list[EntryPoint]) -> Iterator[Finding]:
    """Routes with an administrative path whose guard requires only a login and whose handler requires nothing more."""
    for each in routes:
        if each.guard is not Guard.PRESENT or role_asked(each) is not Guard.ABSENT or "admin" not in words(each.path):
            continue
        functions = [function for _, function in behind(project, each, _BEHIND_ROLES)]
        if not any(words_in(*function.body) & _ROLES for function in functions):
            why = f"{each.method} {each.path} is open to everybody with a login: {each.guard_evidence}."
            yield finding(quotes, MISSING_ROLE, each.handler, each, why, each.name, Confidence.MEDIUM)


def _search(project: Project, language: Language, dimension: Dimension, kind: str, query: str, hits: list[EntryPoint]) -> Search:
    mine = [each.handler.path for each in hits if language_of(project, each) is language]
    return Search(dimension, kind, query, len(mine), tuple(dict.fromkeys(mine)), language.value)


def _searches(project: Project, routes: list[EntryPoint]) -> Iterator[Search]:
    unguarded = [each for each in routes if each.guard is Guard.ABSENT]
    guarded = [each for each in routes if each.guard is Guard.PRESENT]
    chosen = [each for each in routes if set(each.path) & set(":{[")]
    for language in SCRIPTS:
        yield _search(project, language, Dimension.D3, "login", "HTTP handlers that ask for no login", unguarded)
        yield _search(project, language, Dimension.D3, "role", "HTTP handlers with a guard", guarded)
        yield _search(project, language, Dimension.D3, "ownership", "HTTP handlers with an object's id in their route", chosen)


def _compared(project: Project, routes: list[EntryPoint]) -> Iterator[Comparison]:
    """Operations on one resource, identified by its path segment. Packages of one repository may use the same names."""
    packages = sorted((dirname(each) for each in project.files if basename(each) == "package.json"), key=len)
    found: dict[tuple[str, str], list[EntryPoint]] = {}
    for each in routes:
        package = [folder for folder in packages if not folder or each.handler.path.startswith(f"{folder}/")]
        found.setdefault((package[-1] if package else "", noun_of(each.path)), []).append(each)
    for (_, name), group in sorted(found.items()):
        kinds = sorted({_KINDS.get(each.method, "any") for each in group})
        if name and len(kinds) > 1:
            states = {each.guard for each in group if each.method in CHANGING}
            yield Comparison(name, tuple(kinds), len(states) <= 1, min(each.handler for each in group))


def behind(project: Project, entry: EntryPoint, most: int) -> Iterator[tuple[str, ir.Function]]:
    """The handler of a route, then the functions it calls by an unambiguous name."""
    function = function_of(project, entry)
    pending = [(entry.handler.path, function)] if function is not None else []
    seen: set[int] = set()
    while pending and len(seen) < most:
        path, current = pending.pop(0)
        if id(current) in seen:
            continue
        seen.add(id(current))
        yield path, current
        for node, _ in zip(walk(*current.body), range(MAX_NODES), strict=False):
            pending += meant(project, path, current, node)


def meant(project: Project, path: str, current: ir.Function, node: ir.Node) -> list[tuple[str, ir.Function]]:
    """The function that a call refers to: of the injected class, else of this file; of several, the nearest."""
    if not (name := called_name(node)):
        return []
    named = project.once("functions of scripts by name", lambda: by_name_of(project)).get(name, [])
    owner = _injected(project, path, current, node)
    if owner:
        named = [each for each in named if each[1].owner == owner]
    here = [each for each in named if each[0] == path]
    if len(here) == 1 or len(named) == 1:
        return here if len(here) == 1 else named
    if not owner or not named:
        return []
    near = max(len(commonpath((path, each[0]))) for each in named)
    nearest = [each for each in named if len(commonpath((path, each[0]))) == near]
    return nearest if len(nearest) == 1 else []


def _injected(project: Project, path: str, current: ir.Function, node: ir.Node) -> str:
    """The class of `x` in `this.x.method()`, by the type of the constructor parameter `x`; '' if there is none."""
    callee = node.callee if isinstance(node, ir.Call) else None
    holder = callee.value if isinstance(callee, ir.Attribute) else None
    if not isinstance(holder, ir.Attribute) or not isinstance(holder.value, ir.Name) or holder.value.id != "this":
        return ""
    built = (each for each in project.module(path).functions if each.owner == current.owner and each.name == "__init__")
    given = (one for each in built for one in each.parameters if one.name == holder.name)
    typed = next((one.annotation for one in given if isinstance(one.annotation, ir.Name)), None)
    return typed.id if typed else ""


def _followed(project: Project, entry: EntryPoint) -> Trace:
    """The trace of a changing route to the call that makes the change, through functions called by name."""
    if (change := first_change(project, entry)) is not None:
        origin = f"request, guard {entry.guard.value}, followed to {change}"
        return Trace(Dimension.D9, "operation", entry.handler, True, origin=origin)
    return Trace(Dimension.D9, "operation", entry.handler, False, broken_by="what it changes is behind further calls")


class Change(NamedTuple):
    """A call that changes stored data."""

    name: str
    at: Location

    def __str__(self) -> str:
        return f"{self.name} at {self.at.path}:{self.at.start}"


def first_change(project: Project, entry: EntryPoint) -> Change | None:
    """The first changing call on the way from a route."""
    for path, current in behind(project, entry, MAX_FUNCTIONS):
        for node, _ in zip(walk(*current.body), range(MAX_NODES), strict=False):
            name = called_name(node)
            if name in _WRITES and isinstance(node, ir.Call) and isinstance(node.callee, ir.Attribute):
                return Change(name, at(path, node.line))
    return None


def called_name(node: ir.Node) -> str:
    callee = node.callee if isinstance(node, ir.Call) else None
    return last_name(callee)


def by_name_of(project: Project) -> dict[str, list[tuple[str, ir.Function]]]:
    found: dict[str, list[tuple[str, ir.Function]]] = {}
    for file in (file for language in SCRIPTS for file in project.of_language(language) if not file.test):
        for each in project.module(file.path).functions:
            found.setdefault(each.qualified.rpartition(".")[2], []).append((file.path, each))
    return found


def function_of(project: Project, entry: EntryPoint) -> ir.Function | None:
    return next(iter(functions_around(project.module(entry.handler.path), entry.handler.start)), None)


def speaks_of_the_caller(function: ir.Function) -> bool:
    """Whether a function uses who is logged in, other than to show it."""
    pending: list[ir.Node] = list(function.body)
    holders = _holders(function)
    for _ in range(MAX_NODES):
        if not pending:
            return False
        node = pending.pop()
        if isinstance(node, ir.Name) and "".join(words(node.id)) in _IDENTITY:
            return True
        if isinstance(node, ir.Attribute) and _is_caller(node, holders):
            return True
        if isinstance(node, ir.Call) and isinstance(node.callee, ir.Attribute) and node.callee.name in _SHOWING:
            pending.extend(inner for each in node.arguments for inner in walk(each) if isinstance(inner, ir.Call))
        else:
            pending.extend(children(node))
    return False


def _holders(function: ir.Function) -> frozenset[str]:
    """Names of the request: the usual ones, what a handler calls its first parameter, and further names for those."""
    first = function.parameters[0].name if len(function.parameters) > 1 else ""
    known = _HOLDERS | {first} if first and first != "this" else _HOLDERS
    copies = [each for each in function.body if isinstance(each, ir.Assign) and isinstance(each.value, ir.Name)]
    again = [each.targets[0] for each in copies if isinstance(each.value, ir.Name) and each.value.id in known]
    return known | {each.id for each in again if isinstance(each, ir.Name)}


def _is_caller(node: ir.Attribute, holders: frozenset[str]) -> bool:
    name = "".join(words(node.name))
    if name in _IDENTITY:
        return True
    holder = last_name(node.value)
    return holder in holders and name in _KNOWN
