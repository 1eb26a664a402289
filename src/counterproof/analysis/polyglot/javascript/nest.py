"""NestJS: controllers, resolvers, gateways and message handlers declared by decorators, with their guards.

Invariant: a guard on the method, the class, the whole application or a middleware for its route counts; a decorator lifts
a guard that reads its metadata. Not handled here: routes registered by calls.
"""

from collections.abc import Iterator
from dataclasses import replace

from tree_sitter import Node

from counterproof.analysis.endpoints.understanding import Asked
from counterproof.analysis.endpoints.verdict import OPEN, Verdict, strongest, unplaced
from counterproof.analysis.polyglot.corpus import SCRIPTS, Place
from counterproof.analysis.polyglot.entered import entered, runs
from counterproof.analysis.polyglot.guards import as_written, by_name, handler_verdict
from counterproof.analysis.polyglot.javascript.modules import Modules
from counterproof.analysis.polyglot.javascript.nest_decorators import (
    KNOWN,
    OTHER_KINDS,
    OWNERS,
    VERBS,
    Decorator,
    decorators_of,
    keys_of,
    marking,
)
from counterproof.analysis.polyglot.javascript.nest_guard_classes import guard_readings
from counterproof.analysis.polyglot.javascript.nest_guards import Application, applications, by_middleware
from counterproof.analysis.polyglot.literals import entry, known_text, texts
from counterproof.analysis.polyglot.routers import joined
from counterproof.analysis.polyglot.script_guards import asked_of_mark
from counterproof.analysis.polyglot.source import Class, Source
from counterproof.model.recon import Asks, EntryKind, EntryPoint

_QUIET = (
    "Http", "Header", "Redirect", "Render", "Use", "Api", "Set", "Type", "Serialize", "Inject", "Controller", "Version", "Body",
    "Injectable", "Processor", "WebSocketGateway", "Resolver", "Throttle", "SkipThrottle", "Cache", "Bind", "Log", "Module",
)  # fmt: skip
_FRAMEWORK = "NestJS"
_STARTED = (EntryKind.SCHEDULED, EntryKind.QUEUE)
"""Handlers that need no controller class."""


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


def _of_class(each: Class) -> list[Node]:
    own = [child for child in each.node.children if child.type == "decorator"]
    parent = each.node.parent
    outer = (
        [child for child in parent.children if child.type == "decorator"] if parent and parent.type == "export_statement" else []
    )
    return [*outer, *own]


def _class(modules: Modules, source: Source, each: Class, application: Application) -> Iterator[EntryPoint]:
    outer = decorators_of(modules, source, _of_class(each))
    base = next((decorator for decorator in outer if decorator.name in OWNERS), None)
    body = each.body
    if body is None:
        return
    pending: list[Node] = []
    for child in body.named_children[:5_000]:
        if child.type == "decorator":
            pending.append(child)
        elif child.type == "method_definition":
            inner = decorators_of(modules, source, [*pending, *(part for part in child.children if part.type == "decorator")])
            yield from _method(modules, source, each, child, (base, outer, inner), application)
            pending = []
        elif child.type != "comment":
            pending = []


def _method(
    modules: Modules, source: Source, owner: Class, node: Node,
    decorated: tuple[Decorator | None, list[Decorator], list[Decorator]],
    application: Application,
) -> Iterator[EntryPoint]:  # fmt: skip
    base, outer, inner = decorated
    function = source.function_at(node)
    if function is None:
        return
    own = handler_verdict(Place(source, function))
    guards = strongest((own, *_guards(modules, (*inner, *outer), application)))
    where = runs(source, function)
    for each in inner:
        first = each.argument(0)
        if each.name in VERBS and base is not None and base.name == "Controller":
            for prefix in _prefixes(modules, base):
                for path in (texts(*first) if first else ()) or ("",):
                    full = joined(prefix, path)
                    verdict = strongest((guards, by_middleware(application, full, VERBS[each.name], owner.name)))
                    shown = joined(application.prefix, full)
                    yield entered(EntryKind.HTTP, VERBS[each.name], shown, where, verdict, _FRAMEWORK)
        elif each.name in OTHER_KINDS and (base is not None or OTHER_KINDS[each.name] in _STARTED):
            topic = (known_text(*first) if first else None) or function.name
            if each.name in ("Query", "Mutation", "Subscription"):
                topic = f"/graphql#{function.name}"
            kind = OTHER_KINDS[each.name]
            verdict = guards if kind is not EntryKind.SCHEDULED else unplaced(source.path, function.line, "started by a clock")
            yield entered(kind, each.name.upper(), topic, where, verdict, _FRAMEWORK)


def _prefixes(modules: Modules, base: Decorator) -> tuple[str, ...]:
    given = base.argument(0)
    if given is None:
        return ("",)
    found = modules.meaning(*given)  # `@Controller(Paths.Assets)`
    source, first = (found.source, found.node) if found is not None and found.node is not None else given
    if first.type == "object":
        version = known_text(source, entry(source, first, "version"))
        paths = texts(source, entry(source, first, "path")) or ("",)
        return tuple(joined(f"v{version}", path) if version else path for path in paths)
    return texts(source, first) or ("",)


def _guards(modules: Modules, decorators: tuple[Decorator, ...], application: Application) -> Iterator[Verdict]:
    """The guards before a handler, depending on the metadata of the handler and its class."""
    metadata = keys_of(modules, decorators)
    for decorator in decorators:
        if decorator.name == "UseGuards":
            given = (decorator.argument(position) for position in range(len(decorator.link.arguments)))
            for source, node in (each for each in given if each is not None):
                yield from (reading.on(metadata) for reading in guard_readings(modules, source, node))
        elif decorator.written and decorator.name not in KNOWN and not decorator.name.startswith(_QUIET):
            yield _foreign(modules, decorator)
    before = [each.on(metadata) for each in application.guards]
    yield from before
    if before or any(each.name == "UseGuards" for each in decorators):
        lifting = frozenset[str]().union(*(each.lifted_by for each in application.guards))
        yield from (_marked(each, bool(keys & lifting)) for each, keys in marking(modules, decorators).items())


def _marked(decorator: Decorator, lifts: bool) -> Verdict:
    """Metadata as written; the guards decide its effect."""
    asked = Asked(Asks.NOTHING) if lifts else asked_of_mark(decorator.source, decorator.link.node)
    return replace(OPEN, written=(as_written(decorator.source, decorator.link.node, asked),))


def _foreign(modules: Modules, decorator: Decorator) -> Verdict:
    """The verdict on a decorator without code in the project."""
    if decorator.name in ("Roles", "Permissions", "RequirePermissions", "Scopes"):
        return OPEN  # metadata for a guard; without a guard it has no effect
    found = modules.meaning(decorator.source, decorator.link.node.child_by_field_name("function"))
    if found is not None and not found.foreign:
        return OPEN
    return by_name(decorator.source, decorator.link.node, decorator.name)
