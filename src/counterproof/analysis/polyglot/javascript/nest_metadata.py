"""Metadata that NestJS decorators put on handlers, and the keys that guards read it by.

Always holds: a key is the same wherever it is written: a text, a constant that holds one, or a decorator made by the reflector.
Does not belong here: what a guard makes of it.
"""

from collections.abc import Iterable, Iterator

from tree_sitter import Node

from counterproof.analysis.polyglot.chains import Chain, chain_at, is_call
from counterproof.analysis.polyglot.javascript.modules import FUNCTIONS, Modules
from counterproof.analysis.polyglot.literals import literal
from counterproof.analysis.polyglot.nodes import inside
from counterproof.analysis.polyglot.source import Source

_SETTERS = ("SetMetadata", "ReflectMetadata", "defineMetadata")
MAX_CALLS = 60
UNREAD = "?"
"""Stands for the keys that a decorator of the project may set whose code was not found."""


def key_of(modules: Modules, source: Source, node: Node | None) -> str:
    """The key that an expression stands for: its text where it has one, else where it was made."""
    found = modules.meaning(source, node)
    if found is None or found.foreign:
        return found.foreign if found else source.text(node, 100)
    written = literal(found.source, found.node)
    if written is not None:
        return written
    return f"{found.source.path}:{found.node.start_byte}" if found.node is not None else source.text(node, 100)


def keys_of(modules: Modules, source: Source, decorators: Iterable[Chain]) -> frozenset[str]:
    """All keys that these decorators set, themselves or inside the function of the project that they are."""
    return frozenset(key for chain in decorators for key in _set_by(modules, source, chain))


def _set_by(modules: Modules, source: Source, chain: Chain) -> Iterator[str]:
    link = chain.links[0]
    if link.name in _SETTERS:
        yield from (key_of(modules, source, each) for each in link.arguments[:1])
        return
    found = modules.meaning(source, link.node.child_by_field_name("function"))
    if found is None or found.node is None:
        if found is None or found.foreign.startswith((".", "@/", "~/")):
            yield UNREAD
        return
    if found.node.type in FUNCTIONS:
        for call in [each for each in inside(found.node) if is_call(each)][:MAX_CALLS]:
            inner = chain_at(found.source, call)
            if inner is not None and inner.links[-1].name in _SETTERS and inner.links[-1].arguments:
                yield key_of(modules, found.source, inner.links[-1].arguments[0])
    else:
        yield f"{found.source.path}:{found.node.start_byte}"


def read_key(modules: Modules, source: Source, node: Node) -> str:
    """The key of `this.reflector.get(KEY, …)` and its kin inside an expression; '' where it reads none."""
    for each in inside(node):
        chain = chain_at(source, each) if is_call(each) else None
        if chain is not None and chain.links[-1].arguments and _reads(chain):
            return key_of(modules, source, chain.links[-1].arguments[0])
    return ""


def _reads(chain: Chain) -> bool:
    return chain.links[-1].name.startswith("get") and "reflect" in chain.root.lower()
