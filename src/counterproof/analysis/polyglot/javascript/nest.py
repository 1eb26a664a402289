"""NestJS: controllers, resolvers, gateways and message handlers as decorators declare them, with the guards before them.

Always holds: a guard on the method, the class, the whole application or a middleware for its route counts; `@Public()` takes a
global guard away. Does not belong here: routes that are registered by calls.
"""

from collections.abc import Iterator

from tree_sitter import Node

from counterproof.analysis.endpoints.verdict import OPEN, Verdict, present, strongest, unknown
from counterproof.analysis.outline.words import words
from counterproof.analysis.polyglot.chains import Chain, chain_at
from counterproof.analysis.polyglot.corpus import SCRIPTS, Place
from counterproof.analysis.polyglot.guards import by_name, handler_verdict, words_of
from counterproof.analysis.polyglot.javascript.modules import Modules
from counterproof.analysis.polyglot.javascript.nest_guard_classes import guard_reading
from counterproof.analysis.polyglot.javascript.nest_guards import Application, applications, by_middleware
from counterproof.analysis.polyglot.javascript.nest_metadata import keys_of
from counterproof.analysis.polyglot.literals import entry, known_text, texts
from counterproof.analysis.polyglot.routers import joined
from counterproof.analysis.polyglot.source import Class, Source
from counterproof.model.location import at
from counterproof.model.recon import EntryKind, EntryPoint

VERBS = {name: name.upper() for name in ("Get", "Post", "Put", "Patch", "Delete", "Head", "Options")} | {
    "All": "ANY",
    "Sse": "GET",
}
_OTHERS = {
    "MessagePattern": EntryKind.QUEUE, "EventPattern": EntryKind.QUEUE, "Process": EntryKind.QUEUE,
    "GrpcMethod": EntryKind.RPC, "GrpcStreamMethod": EntryKind.RPC, "SubscribeMessage": EntryKind.WEBSOCKET,
    "Cron": EntryKind.SCHEDULED, "Interval": EntryKind.SCHEDULED, "Timeout": EntryKind.SCHEDULED,
    "RabbitSubscribe": EntryKind.QUEUE, "Query": EntryKind.HTTP, "Mutation": EntryKind.HTTP, "Subscription": EntryKind.WEBSOCKET,
}  # fmt: skip
_QUIET = (
    "Http", "Header", "Redirect", "Render", "Use", "Api", "Set", "Type", "Serialize", "Inject", "Controller", "Version", "Body",
    "Injectable", "Processor", "WebSocketGateway", "Resolver", "Throttle", "SkipThrottle", "Cache", "Bind", "Log", "Module",
)  # fmt: skip
_FRAMEWORK = "NestJS"


def nest_entries(modules: Modules) -> Iterator[EntryPoint]:
    sources = [
        source for source in modules.corpus.sources(*SCRIPTS) if b"@nestjs/" in source.data or b"type-graphql" in source.data
    ]
    if not sources:
        return
    application_of = applications(modules, sources)
    for source in sources:
        for each in source.classes:
            yield from _class(modules, source, each, application_of(source))


def _decorators(source: Source, nodes: list[Node]) -> list[Chain]:
    found = [chain_at(source, node.named_children[0]) for node in nodes if node.type == "decorator" and node.named_children]
    return [each for each in found if each is not None]


def _of_class(each: Class) -> list[Node]:
    own = [child for child in each.node.children if child.type == "decorator"]
    parent = each.node.parent
    outer = (
        [child for child in parent.children if child.type == "decorator"] if parent and parent.type == "export_statement" else []
    )
    return [*outer, *own]


def _class(modules: Modules, source: Source, each: Class, application: Application) -> Iterator[EntryPoint]:
    outer = _decorators(source, _of_class(each))
    base = next(
        (chain for chain in outer if chain.links[0].name in ("Controller", "Resolver", "WebSocketGateway", "Processor")), None
    )
    body = each.body
    if body is None:
        return
    pending: list[Node] = []
    for child in body.named_children[:5_000]:
        if child.type == "decorator":
            pending.append(child)
        elif child.type == "method_definition":
            inner = _decorators(source, [*pending, *(part for part in child.children if part.type == "decorator")])
            yield from _method(modules, source, each, child, (base, outer, inner), application)
            pending = []
        elif child.type != "comment":
            pending = []


def _method(
    modules: Modules, source: Source, owner: Class, node: Node, decorated: tuple[Chain | None, list[Chain], list[Chain]],
    application: Application,
) -> Iterator[EntryPoint]:  # fmt: skip
    base, outer, inner = decorated
    function = source.function_at(node)
    if function is None:
        return
    own = handler_verdict(Place(source, function))
    guards = strongest((own, *_guards(modules, source, (*inner, *outer), application)))
    place = at(source.path, function.line)
    for chain in inner:
        name = chain.links[0].name
        first = chain.links[0].arguments[0] if chain.links[0].arguments else None
        if name in VERBS and base is not None and base.links[0].name == "Controller":
            for prefix in _prefixes(source, base):
                for path in texts(source, first) or ("",):
                    full = joined(prefix, path)
                    verdict = strongest((guards, by_middleware(application, full, VERBS[name], owner.name)))
                    shown = joined(application.prefix, full)
                    yield EntryPoint(EntryKind.HTTP, VERBS[name], shown, place, function.qualified, _FRAMEWORK, *verdict.parts)
        elif name in _OTHERS and (base is not None or _OTHERS[name] in (EntryKind.SCHEDULED, EntryKind.QUEUE)):
            topic = known_text(source, first) or function.name
            if name in ("Query", "Mutation", "Subscription"):
                topic = f"/graphql#{function.name}"
            kind = _OTHERS[name]
            verdict = guards if kind is not EntryKind.SCHEDULED else unknown(source.path, function.line, "started by a clock")
            yield EntryPoint(kind, name.upper(), topic, place, function.qualified, _FRAMEWORK, *verdict.parts)


def _prefixes(source: Source, base: Chain) -> tuple[str, ...]:
    first = base.links[0].arguments[0] if base.links[0].arguments else None
    if first is not None and first.type == "object":
        version = known_text(source, entry(source, first, "version"))
        paths = texts(source, entry(source, first, "path")) or ("",)
        return tuple(joined(f"v{version}", path) if version else path for path in paths)
    return texts(source, first) or ("",)


def _guards(modules: Modules, source: Source, decorators: tuple[Chain, ...], application: Application) -> Iterator[Verdict]:
    """What stands before a handler, as its own metadata and its class's make each guard behave."""
    metadata = keys_of(modules, source, decorators)
    public = any("public" in words(chain.links[0].name) for chain in decorators)
    for chain in decorators:
        link = chain.links[0]
        if link.name == "UseGuards":
            yield from (guard_reading(modules, source, each).on(metadata, public=False) for each in link.arguments)
        elif link.name in VERBS or link.name in _OTHERS or link.name.startswith(_QUIET):
            continue
        elif link.name in ("Roles", "Permissions", "RequirePermissions", "Scopes"):
            continue  # metadata that a guard reads; without a guard it does nothing
        else:
            yield _own_decorator(modules, source, chain)
    yield from (each.on(metadata, public) for each in application.guards)


def _own_decorator(modules: Modules, source: Source, chain: Chain) -> Verdict:
    link = chain.links[0]
    place = modules.place(source, link.node.child_by_field_name("function"))
    if place is not None:
        inside = words_of(place.source, place.function.node)
        guards = "useguards" in inside
        return present(source.path, link.line, link.name) if guards else OPEN
    found = modules.meaning(source, link.node.child_by_field_name("function"))
    if found is not None and not found.foreign:
        return OPEN
    return by_name(source, link.node, link.name)
