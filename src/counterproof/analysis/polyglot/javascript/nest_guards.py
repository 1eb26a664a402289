"""The guards before all handlers of a NestJS application: its prefix, global guards, and middleware for routes.

Invariant: applications in the same tree are kept apart; a pattern that is not understood matches nothing. Not handled here:
controllers, and the requirements of guards.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from posixpath import commonpath, dirname

from tree_sitter import Node

from counterproof.analysis.endpoints.verdict import Verdict, strongest, unknown
from counterproof.analysis.polyglot.chains import Chain, Link, chain_at, plain_name
from counterproof.analysis.polyglot.corpus import Place
from counterproof.analysis.polyglot.guards import by_code
from counterproof.analysis.polyglot.javascript.middleware import middleware_verdict
from counterproof.analysis.polyglot.javascript.modules import CLASSES, FUNCTIONS, Modules
from counterproof.analysis.polyglot.javascript.nest_guard_classes import GuardReading, guard_readings
from counterproof.analysis.polyglot.literals import entry, items, known_text
from counterproof.analysis.polyglot.nodes import inside, line_of
from counterproof.analysis.polyglot.source import Source

_OPEN_END = re.compile(r"\(\.\*\)|\{?\*\w*\}?|:\w+\(\.\*\)")
"""`*`, `(.*)`, `*splat`, `{*splat}`, `:rest(.*)`: wildcards for the rest of a path."""
_PROVIDED = ("useClass", "useExisting", "useValue", "useFactory")


@dataclass(frozen=True, slots=True)
class Route:
    """Routes with middleware: `pattern` as written, `method` '' for all."""

    pattern: str
    method: str

    def covers(self, path: str, method: str) -> bool:
        if not self.pattern or (self.method and self.method not in (method, "ANY")):
            return False
        bare, open_end, _ = _OPEN_END.sub("*", self.pattern).strip("/").partition("*")
        return path.strip("/").startswith(bare.rstrip("/")) if open_end else path.strip("/") == bare


@dataclass(frozen=True, slots=True)
class Applied:
    """`consumer.apply(M).exclude(…).forRoutes(…)`; `controller` is a class name if routes are given by class."""

    verdict: Verdict
    route: Route
    controller: str
    spared: tuple[Route, ...] = ()


@dataclass(frozen=True, slots=True)
class Application:
    prefix: str
    guards: tuple[GuardReading, ...]
    middleware: tuple[Applied, ...]


def applications(modules: Modules, sources: list[Source]) -> Callable[[Source], "Application"]:
    """The application of a file. A tree may contain several, each started by its own file: code belongs to those whose start is
    nearest in the tree, so shared code belongs to all of them."""
    starts = [source.path for source in sources if b"NestFactory" in source.data]
    near = {source.path: _nearest(source.path, starts) for source in sources}

    @cache
    def started_by(ours: frozenset[str]) -> Application:
        return _application(modules, [source for source in sources if not ours or near[source.path] & ours])

    return lambda source: started_by(near[source.path])


def _nearest(path: str, starts: list[str]) -> frozenset[str]:
    shared = {start: len(commonpath((dirname(f"/{path}"), dirname(f"/{start}"))).split("/")) for start in starts}
    return frozenset(start for start, depth in shared.items() if depth == max(shared.values()))


def _application(modules: Modules, sources: list[Source]) -> Application:
    prefix = ""
    guards: list[GuardReading] = []
    middleware: list[Applied] = []
    for source in sources:
        for chain in modules.corpus.chains(source):
            names = [link.name for link in chain.links]
            link = chain.links[-1]
            if names[-1] == "setGlobalPrefix" and link.arguments:
                prefix = known_text(source, link.arguments[0]) or prefix
            elif names[-1] == "useGlobalGuards":
                guards += [reading for each in link.arguments for reading in _global(modules, source, each)]
            elif "apply" in names and "forRoutes" in names:
                middleware += _middleware(modules, source, chain)
        guards += _provided(modules, source)
    return Application(prefix, tuple(guards), tuple(middleware))


def _global(modules: Modules, source: Source, given: Node) -> Iterator[GuardReading]:
    """`new X(reflector)`, or `app.get(X)`, where the container makes the instance."""
    found = modules.meaning(source, given)
    chain = chain_at(source, given) or (chain_at(found.source, found.node) if found is not None else None)
    if chain is not None and chain.links[-1].name in ("get", "resolve") and chain.links[-1].arguments:
        given = chain.links[-1].arguments[0]
    yield from guard_readings(modules, source, given)


def _provided(modules: Modules, source: Source) -> Iterator[GuardReading]:
    """`{ provide: APP_GUARD, useClass: X }`, or with an instance, a token, or a factory that makes an instance."""
    if b"APP_GUARD" not in source.data or b"@nestjs/testing" in source.data:
        return
    for each in source.assignments:
        holder = each.value.parent.parent if each.member and each.name == "provide" and each.value.parent else None
        if holder is None or source.text(each.value) != "APP_GUARD":
            continue
        given = next((node for name in _PROVIDED if (node := entry(source, holder, name)) is not None), None)
        made = next((node for node in inside(given) if node.type == "new_expression"), given) if given is not None else None
        if made is not None and (made.type == "new_expression" or made.type not in FUNCTIONS):
            yield from guard_readings(modules, source, made)
        else:
            yield GuardReading(unknown(source.path, line_of(each.value), "APP_GUARD"))


def _middleware(modules: Modules, source: Source, chain: Chain) -> Iterator[Applied]:
    links = {link.name: link for link in chain.links}
    verdict = strongest(_applied(modules, source, part) for each in links["apply"].arguments for part in items(each))
    spared = tuple(_route(source, each) for each in _listed(links.get("exclude")))
    for each in _listed(links["forRoutes"]):
        if each.type == "object" or (each.type != "identifier" and known_text(source, each) is not None):
            yield Applied(verdict, _route(source, each), "", spared)
        else:
            yield Applied(verdict, Route("", ""), source.text(each), spared)


def _listed(link: Link | None) -> Iterator[Node]:
    for argument in link.arguments if link is not None else ():
        yield from items(argument)


def _route(source: Source, node: Node) -> Route:
    if node.type != "object":
        return Route(known_text(source, node) or "", "")
    method = source.text(entry(source, node, "method")).rpartition(".")[2]
    return Route(known_text(source, entry(source, node, "path")) or "*", "" if method == "ALL" else method)


def _applied(modules: Modules, source: Source, node: Node) -> Verdict:
    """A class is read by its `use`, or by the result of its `resolve`; functions are read like other middleware."""
    found = modules.meaning(source, node)
    if found is None or found.node is None or found.node.type not in CLASSES:
        return middleware_verdict(modules, source, node)
    name, owner = plain_name(source, node), found.source.class_name(found.node)
    runs = [each for named in ("use", "resolve") for each in found.source.by_name.get(named, ()) if each.owner == owner]
    if not runs:
        return unknown(source.path, line_of(node), f"middleware {name} could not be read", name)
    return by_code(source, node, name, Place(found.source, runs[0]), modules.called)


def by_middleware(application: Application, path: str, method: str, controller: str) -> Verdict:
    return strongest(
        each.verdict
        for each in application.middleware
        if (each.controller == controller or each.route.covers(path, method))
        and not any(route.covers(path, method) for route in each.spared)
    )
