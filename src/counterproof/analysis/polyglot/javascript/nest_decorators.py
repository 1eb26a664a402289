"""Decorators of NestJS classes and methods: those composed by the project are expanded, and the metadata that they set for guards
is collected.

Invariant: arguments of a composed decorator replace its parameters; decorators disabled by a plain condition on them are left
out; a metadata key is the same in every notation: a string, a constant, or a decorator created by the reflector. Not handled
here: the meaning of decorators.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tree_sitter import Node

from counterproof.analysis.polyglot.chains import Chain, Link, chain_at, is_call
from counterproof.analysis.polyglot.corpus import Place
from counterproof.analysis.polyglot.javascript.modules import FUNCTIONS, Modules
from counterproof.analysis.polyglot.literals import literal
from counterproof.analysis.polyglot.nodes import inside, unwrapped
from counterproof.analysis.polyglot.source import Source
from counterproof.model.recon import EntryKind

VERBS = {name: name.upper() for name in ("Get", "Post", "Put", "Patch", "Delete", "Head", "Options")} | {
    "All": "ANY",
    "Sse": "GET",
}
OTHER_KINDS = {
    "MessagePattern": EntryKind.QUEUE, "EventPattern": EntryKind.QUEUE, "Process": EntryKind.QUEUE,
    "GrpcMethod": EntryKind.RPC, "GrpcStreamMethod": EntryKind.RPC, "SubscribeMessage": EntryKind.WEBSOCKET,
    "Cron": EntryKind.SCHEDULED, "Interval": EntryKind.SCHEDULED, "Timeout": EntryKind.SCHEDULED,
    "RabbitSubscribe": EntryKind.QUEUE, "Query": EntryKind.HTTP, "Mutation": EntryKind.HTTP, "Subscription": EntryKind.WEBSOCKET,
}  # fmt: skip
OWNERS = ("Controller", "Resolver", "WebSocketGateway", "Processor")
SETTERS = ("SetMetadata", "ReflectMetadata", "defineMetadata")
KNOWN = frozenset((*VERBS, *OTHER_KINDS, *OWNERS, *SETTERS, "UseGuards"))
"""The decorators that a composed decorator is searched for."""
MAX_OPENED = 3
MAX_CALLS = 60
MAX_CLIMB = 20

Given = tuple[Source, Node]


@dataclass(frozen=True, slots=True, eq=False)
class Decorator:
    """One decorator as the framework sees it. `written` are those on the class or method itself."""

    source: Source
    link: Link
    name: str
    given: dict[str, Given]
    written: bool

    def argument(self, position: int) -> Given | None:
        """An argument, or the value passed for the parameter used there."""
        if position >= len(self.link.arguments):
            return None
        node = self.link.arguments[position]
        return self.given.get(self.source.text(node), (self.source, node)) if node.type == "identifier" else (self.source, node)


def decorators_of(modules: Modules, source: Source, nodes: list[Node]) -> list[Decorator]:
    """All decorators of a class or method, each followed by those it applies."""
    found: list[Decorator] = []
    for node in (each.named_children[0] for each in nodes if each.type == "decorator" and each.named_children):
        chain = chain_at(source, node)
        found += _opened(modules, source, chain, {}, 0) if chain is not None else _held(modules, source, node, 0)
    return found


def _held(modules: Modules, source: Source, node: Node, depth: int) -> Iterator[Decorator]:
    """Resolves a name to the decorators that were assigned to it: `const Open = SetMetadata(…)`, then `@Open`."""
    made = modules.meaning(source, node) if node.type == "identifier" else None
    chain = chain_at(made.source, made.node) if made is not None else None
    if made is not None and chain is not None:
        yield from _opened(modules, made.source, chain, {}, depth + 1)


def _opened(modules: Modules, source: Source, chain: Chain, given: dict[str, Given], depth: int) -> Iterator[Decorator]:
    link = chain.links[0]
    module, exported = modules.imports(source).get(link.name, ("", ""))
    name = exported if module.startswith("@nestjs/") else link.name
    if not depth or name in KNOWN:
        yield Decorator(source, link, name, given, written=not depth)
    place = modules.called(source, link.node) if name not in KNOWN and depth < MAX_OPENED else None
    if place is None:
        return
    bound = _bound(place, Decorator(source, link, name, given, written=False))
    for call in [each for each in inside(place.function.node) if is_call(each)][:MAX_CALLS]:
        inner = chain_at(place.source, call)
        if inner is not None and inner.base is None and len(inner.links) == 1 and not _switched_off(place, call, bound):
            yield from _opened(modules, place.source, inner, bound, depth + 1)
            if inner.links[0].name == "applyDecorators":
                yield from (part for each in inner.links[0].arguments for part in _held(modules, place.source, each, depth))


def _bound(place: Place, call: Decorator) -> dict[str, Given]:
    """The parameters of a function with a call's arguments, or their defaults."""
    found: dict[str, Given] = {}
    listed = place.function.node.child_by_field_name("parameters")
    for position, each in enumerate(listed.named_children[:MAX_CALLS] if listed is not None else ()):
        name = place.source.text(each.child_by_field_name("pattern") or each)
        default = each.child_by_field_name("value")
        value = call.argument(position) or ((place.source, default) if default is not None else None)
        if value is not None:
            found[name] = value
    return found


def _switched_off(place: Place, call: Node, bound: dict[str, Given]) -> bool:
    """Return True if a call is under `if (flag)` or `flag ? … : …` with a false argument."""
    current, parent = call, call.parent
    for _ in range(MAX_CLIMB):
        if parent is None or current.id == place.function.node.id:
            return False
        asked = unwrapped(parent.child_by_field_name("condition"))
        arm = next((name for name in ("consequence", "alternative") if _is(parent.child_by_field_name(name), current)), "")
        if asked is not None and arm and _truth(place.source, asked, bound) is (arm == "alternative"):
            return True
        current, parent = parent, parent.parent
    return False


def _is(node: Node | None, other: Node) -> bool:
    return node is not None and node.id == other.id


def _truth(source: Source, node: Node, bound: dict[str, Given]) -> bool | None:
    text = source.text(node)
    if text.startswith("!"):
        inner = _truth(source, node.named_children[0], bound) if node.named_children else None
        return None if inner is None else not inner
    where, value = bound.get(text, (source, node))
    return {"true": True, "false": False}.get(where.text(value))


UNREAD = "?"
"""Stands for the keys of a project decorator whose code was not found."""


def key_of(modules: Modules, source: Source, node: Node | None) -> str:
    """The key that an expression refers to: its string if it has one, else its definition's location."""
    found = modules.meaning(source, node)
    if found is None or found.foreign:
        return found.foreign if found else source.text(node, 100)
    written = literal(found.source, found.node)
    if written is not None:
        return written
    return f"{found.source.path}:{found.node.start_byte}" if found.node is not None else source.text(node, 100)


def keys_of(modules: Modules, decorators: Iterable[Decorator]) -> frozenset[str]:
    """All keys that these decorators set."""
    return frozenset(key for each in decorators for key in _set_by(modules, each))


def marking(modules: Modules, decorators: Iterable[Decorator]) -> dict[Decorator, frozenset[str]]:
    """The decorators on the method or class itself that set metadata for guards, with their keys."""
    found: dict[Decorator, frozenset[str]] = {}
    written: Decorator | None = None
    for each in decorators:
        written = each if each.written else written
        if each.name in SETTERS and written is not None:
            found[written] = found.get(written, frozenset()) | frozenset(_set_by(modules, each))
    return found


def _set_by(modules: Modules, decorator: Decorator) -> Iterator[str]:
    if decorator.name in SETTERS:
        given = decorator.argument(0)
        if given is not None:
            yield key_of(modules, *given)
    elif decorator.written and decorator.name not in KNOWN:
        found = modules.meaning(decorator.source, decorator.link.node.child_by_field_name("function"))
        if found is None or found.foreign.startswith((".", "@/", "~/")):
            yield UNREAD
        elif found.foreign:
            yield f"package {modules.package_of(decorator.source, decorator.link.name)}"
        elif found.node is not None and found.node.type not in FUNCTIONS:
            yield f"{found.source.path}:{found.node.start_byte}"


def read_key(modules: Modules, source: Source, node: Node) -> str:
    """The key of `this.reflector.get(KEY, …)` or similar calls inside an expression; '' if there is none."""
    for each in inside(node):
        chain = chain_at(source, each) if is_call(each) else None
        if chain is not None and chain.links[-1].arguments and _reads(chain):
            return key_of(modules, source, chain.links[-1].arguments[0])
    return ""


def _reads(chain: Chain) -> bool:
    return chain.links[-1].name.startswith("get") and "reflect" in chain.root.lower()
