"""Routers as in frameworks of many languages: routes and middleware registered in order, routers mounted in routers.

Invariant: middleware guards later registrations, and everything behind a mount; a router mounted twice yields its routes twice;
cycles and excessive numbers end at a limit, which is reported. Not handled here: a language's syntax.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tree_sitter import Node

from counterproof.analysis.endpoints.verdict import OPEN, Verdict, strongest
from counterproof.analysis.polyglot.chains import Link
from counterproof.analysis.polyglot.corpus import Place
from counterproof.analysis.polyglot.entered import entered
from counterproof.analysis.polyglot.nodes import inside
from counterproof.analysis.polyglot.source import Function, Source
from counterproof.model.recon import EntryKind, EntryPoint

Key = tuple[str, str, str]
"""The origin of a router: a kind of place, a file or folder, and a name or position there."""

MAX_ROUTES = 20_000
MAX_DEPTH = 24
MAX_HANDED = 8
_BLOCKS = ("statement_block", "block")


def parameter_key(source: Source, function: Function, name: str) -> Key:
    return ("parameter", source.path, f"{function.start:09}.{name}")


def returned_router(place: Place, key: Callable[[Source, Node, int], Key | None], depth: int) -> Key | None:
    """The router that a project function returns; `key` finds the router behind an expression."""
    body = place.function.node.child_by_field_name("body")
    if body is None or body.type not in _BLOCKS:
        return key(place.source, body, depth + 1) if body is not None else None
    for each in inside(body):
        if each.type == "return_statement" and next(place.source.around(each.start_byte), None) is place.function:
            value = next(iter(each.named_children), None)
            value = value.named_children[0] if value is not None and value.type == "expression_list" else value
            if value is not None and (found := key(place.source, value, depth + 1)):
                return found
    return None


@dataclass(frozen=True, slots=True)
class Use:
    """Middleware for later registrations; `prefix` limits it to paths beneath."""

    verdict: Verdict
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class Registered:
    """One route. `verdict` combines its own middleware and its handler."""

    method: str
    path: str
    source: Source
    line: int
    name: str
    verdict: Verdict
    kind: EntryKind = EntryKind.HTTP
    framework: str = ""


@dataclass(frozen=True, slots=True)
class Mount:
    """Another router beneath a prefix. `verdict` is the guard before it."""

    router: Key
    prefix: str = ""
    verdict: Verdict = OPEN


Event = Use | Registered | Mount


@dataclass(slots=True)
class Routers:
    """All routers of a language, with their registrations in order."""

    framework: str
    events: dict[Key, list[tuple[str, int, Event]]] = field(default_factory=dict[Key, list[tuple[str, int, Event]]])
    prefixes: dict[Key, str] = field(default_factory=dict[Key, str])

    def add(self, router: Key, source: Source, position: int, event: Event) -> None:
        self.events.setdefault(router, []).append((source.path, position, event))

    def hand_over(
        self, source: Source, link: Link, key: Callable[[Node], Key | None], called: Callable[[], Place | None]
    ) -> None:
        """`routes(app)`: the parameter of the called function is that router."""
        for index, argument in enumerate(link.arguments[:MAX_HANDED]):
            router = key(argument)
            place = called() if router is not None else None
            if router is not None and place is not None and index < len(place.function.parameters):
                inner = parameter_key(place.source, place.function, place.function.parameters[index])
                if inner != router:
                    self.add(router, source, link.node.end_byte, Mount(inner))

    def ordered(self, router: Key) -> list[Event]:
        own = sorted(self.events.get(router, ()), key=lambda each: (each[0], each[1]))
        return [event for _, _, event in own]

    def tops(self) -> list[Key]:
        """Routers that are not mounted. If every router is mounted by another, the first one."""
        mounted = {
            event.router
            for router, events in self.events.items()
            for _, _, event in events
            if isinstance(event, Mount) and event.router != router
        }
        found = sorted(router for router in self.events if router not in mounted)
        return found or sorted(self.events)[:1]

    def flattened(self) -> Iterator[EntryPoint]:
        """Every route with its full path and guards."""
        count = 0
        for top in self.tops():
            for found in self._beneath(top):
                yield found
                count += 1
                if count >= MAX_ROUTES:
                    return

    def _beneath(self, top: Key) -> Iterator[EntryPoint]:
        pending: list[tuple[Key, str, Verdict, tuple[Key, ...]]] = [(top, "", OPEN, ())]
        visits = 0
        while pending and visits < MAX_ROUTES:
            visits += 1
            router, prefix, before, trail = pending.pop()
            if router in trail or len(trail) > MAX_DEPTH:
                continue
            prefix = joined(prefix, self.prefixes.get(router, ""))
            active: list[Use] = [Use(before)]
            for event in self.ordered(router):
                path = event.prefix if isinstance(event, Use | Mount) else event.path
                if isinstance(event, Use):
                    active.append(event)
                    continue
                standing = strongest(each.verdict for each in active if _covers(each.prefix, path))
                verdict = strongest((standing, event.verdict))
                if isinstance(event, Mount):
                    pending.append((event.router, joined(prefix, path), verdict, (*trail, router)))
                else:
                    yield self._entry(event, joined(prefix, path), verdict)

    def _entry(self, event: Registered, path: str, verdict: Verdict) -> EntryPoint:
        where = event.source, event.line, event.name
        return entered(event.kind, event.method, path, where, verdict, event.framework or self.framework)


def _covers(prefix: str, path: str) -> bool:
    bare = prefix.rstrip("/*")
    return not bare or path == bare or path.startswith(bare + "/")


def joined(prefix: str, path: str) -> str:
    """Two parts of a path joined by one slash; always starts with a slash."""
    front = prefix.strip("/")
    back = path.strip("/")
    return "/" + "/".join(part for part in (front, back) if part)
