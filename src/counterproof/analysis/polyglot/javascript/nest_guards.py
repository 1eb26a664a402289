"""What stands before all handlers of a NestJS application: its prefix, global guards, and middleware for routes.

Always holds: a guard of the project is read, a foreign one named; a pattern that is not understood covers nothing. Does not
belong here: controllers.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from counterproof.analysis.endpoints.verdict import OPEN, Verdict, present, strongest, unknown
from counterproof.analysis.polyglot.chains import Chain
from counterproof.analysis.polyglot.corpus import Place
from counterproof.analysis.polyglot.guards import by_name, refusal
from counterproof.analysis.polyglot.javascript.modules import CLASSES, Modules, plain_name
from counterproof.analysis.polyglot.literals import entry, items, known_text
from counterproof.analysis.polyglot.nodes import line_of
from counterproof.analysis.polyglot.source import Source
from counterproof.model.recon import Guard


@dataclass(frozen=True, slots=True)
class Applied:
    """`consumer.apply(M).forRoutes(…)`: `path` as it is written, `method` '' for every one, `controller` a class name."""

    verdict: Verdict
    path: str
    method: str
    controller: str


@dataclass(frozen=True, slots=True)
class Application:
    prefix: str
    guard: Verdict
    middleware: tuple[Applied, ...]


def guard_verdict(modules: Modules, source: Source, node: Node) -> Verdict:
    """A guard class or instance: the project's own by its `canActivate`, others by name."""
    name = plain_name(source, node)
    found = modules.meaning(source, node)
    if found is not None and found.node is not None and found.node.type in CLASSES:
        owner = found.source.class_name(found.node)
        own = [each for each in found.source.by_name.get("canActivate", ()) if each.owner == owner]
        if own and (
            refusal(Place(found.source, own[0]), around=True) is not Guard.ABSENT or _returns_a_test(found.source, own[0].node)
        ):
            return present(source.path, line_of(node), name, f"guard {name}")
        heritage = found.source.text(found.node)
        if not own and "AuthGuard(" in heritage:
            return present(source.path, line_of(node), name, f"guard {name}")
        return unknown(source.path, line_of(node), f"guard {name} could not be read", name)
    return by_name(source, node, name)


def _returns_a_test(source: Source, node: Node) -> bool:
    """`canActivate` that returns anything but a plain `true` decides something."""
    body = source.text(node.child_by_field_name("body"), 2_000)
    return "return" in body and "return true" not in body.replace("return true;\n  }\n}", "")


def application_of(modules: Modules, sources: list[Source]) -> Application:
    prefix = ""
    guards: list[Verdict] = []
    middleware: list[Applied] = []
    for source in sources:
        for chain in modules.corpus.chains(source):
            names = [link.name for link in chain.links]
            link = chain.links[-1]
            if names[-1] == "setGlobalPrefix" and link.arguments:
                prefix = known_text(source, link.arguments[0]) or prefix
            elif names[-1] == "useGlobalGuards":
                guards += [guard_verdict(modules, source, each) for each in link.arguments]
            elif "apply" in names and "forRoutes" in names:
                middleware += _middleware(modules, source, chain)
        guards += _provided(modules, source)
    return Application(prefix, strongest(guards), tuple(middleware))


def _provided(modules: Modules, source: Source) -> Iterator[Verdict]:
    """`{ provide: APP_GUARD, useClass: X }`."""
    if b"APP_GUARD" not in source.data:
        return
    guards = [each.value for each in source.assignments if each.member and each.name in ("useClass", "useExisting")]
    for each in source.assignments:
        if each.member and each.name == "provide" and source.text(each.value) == "APP_GUARD":
            near = [node for node in guards if 0 < node.start_byte - each.start < 400]
            yield guard_verdict(modules, source, near[0]) if near else unknown(source.path, line_of(each.value), "APP_GUARD")


def _middleware(modules: Modules, source: Source, chain: Chain) -> Iterator[Applied]:
    applied = next(link for link in chain.links if link.name == "apply")
    routes = next(link for link in chain.links if link.name == "forRoutes")
    verdict = strongest(_applied(modules, source, each) for each in applied.arguments)
    for each in (part for argument in routes.arguments for part in items(argument)):
        if each.type == "object":
            method = source.text(entry(source, each, "method")).rpartition(".")[2]
            yield Applied(verdict, known_text(source, entry(source, each, "path")) or "*", "" if method == "ALL" else method, "")
        elif (path := known_text(source, each)) is not None and each.type != "identifier":
            yield Applied(verdict, path, "", "")
        else:
            yield Applied(verdict, "", "", source.text(each))


def _applied(modules: Modules, source: Source, node: Node) -> Verdict:
    found = modules.meaning(source, node)
    name = plain_name(source, node)
    if found is not None and found.node is not None and found.node.type in CLASSES:
        owner = found.source.class_name(found.node)
        own = [each for each in found.source.by_name.get("use", ()) if each.owner == owner]
        if own:
            refused = refusal(Place(found.source, own[0]), around=True) is not Guard.ABSENT
            return present(source.path, line_of(node), name, f"middleware {name}") if refused else OPEN
    return by_name(source, node, name)


def by_middleware(application: Application, path: str, method: str, controller: str) -> Verdict:
    return strongest(
        each.verdict
        for each in application.middleware
        if (not each.method or each.method in (method, "ANY")) and (each.controller == controller or _matches(each.path, path))
    )


def _matches(pattern: str, path: str) -> bool:
    if not pattern:
        return False
    bare = pattern.strip("/")
    if bare.endswith("*"):
        return path.strip("/").startswith(bare.rstrip("*").rstrip("/("))
    return path.strip("/") == bare
