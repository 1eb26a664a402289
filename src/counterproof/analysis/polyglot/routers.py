"""Routers as frameworks of many languages build them: routes and middleware registered in order, routers mounted in routers.

Invariant: middleware guards what is registered after it, and everything behind a mount; a router that is mounted twice gives
its routes twice; cycles and floods end at a bound, which is reported. Not handled here: how a language writes any of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from counterproof.analysis.endpoints.verdict import OPEN, Verdict, strongest
from counterproof.analysis.polyglot.source import Source
from counterproof.model.location import at
from counterproof.model.recon import EntryKind, EntryPoint

Key = tuple[str, str, str]
"""Where a router comes from: a kind of place, a file or folder, and a name or position there."""

MAX_ROUTES = 20_000
MAX_DEPTH = 24


@dataclass(frozen=True, slots=True)
class Use:
    """Middleware for what follows; `prefix` limits it to paths beneath."""

    verdict: Verdict
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class Registered:
    """One route. `verdict` is what its own middleware and its handler say."""

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
    """Another router beneath a prefix. `verdict` is what stands in front of it."""

    router: Key
    prefix: str = ""
    verdict: Verdict = OPEN


Event = Use | Registered | Mount


@dataclass(slots=True)
class Routers:
    """All routers of a language, with what is registered on each, in order. `everywhere`: middleware counts whatever its
    place, as in frameworks that collect it before they serve."""

    framework: str
    everywhere: bool = False
    events: dict[Key, list[tuple[str, int, Event]]] = field(default_factory=dict[Key, list[tuple[str, int, Event]]])
    prefixes: dict[Key, str] = field(default_factory=dict[Key, str])

    def add(self, router: Key, source: Source, position: int, event: Event) -> None:
        self.events.setdefault(router, []).append((source.path, position, event))

    def ordered(self, router: Key) -> list[Event]:
        own = sorted(self.events.get(router, ()), key=lambda each: (each[0], each[1]))
        events = [event for _, _, event in own]
        return sorted(events, key=lambda event: not isinstance(event, Use)) if self.everywhere else events

    def tops(self) -> list[Key]:
        """Routers that nobody mounts. Where every router is mounted by another, the first one stands for them."""
        mounted = {
            event.router
            for router, events in self.events.items()
            for _, _, event in events
            if isinstance(event, Mount) and event.router != router
        }
        found = sorted(router for router in self.events if router not in mounted)
        return found or sorted(self.events)[:1]

    def flattened(self) -> Iterator[EntryPoint]:
        """Every route with its full path and what stands before it."""
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
        return EntryPoint(
            event.kind,
            event.method,
            path,
            at(event.source.path, event.line),
            event.name,
            event.framework or self.framework,
            *verdict.parts,
        )


def _covers(prefix: str, path: str) -> bool:
    bare = prefix.rstrip("/*")
    return not bare or path == bare or path.startswith(bare + "/")


def joined(prefix: str, path: str) -> str:
    """Two parts of a path with one slash between them; always starts with a slash."""
    front = prefix.strip("/")
    back = path.strip("/")
    return "/" + "/".join(part for part in (front, back) if part)
