"""Metadata that NestJS decorators put on handlers, and the keys that guards read it by.

Always holds: a key is the same wherever it is written: a text, a constant that holds one, or a decorator made by the reflector.
Does not belong here: what a guard makes of it.
"""

from collections.abc import Iterable, Iterator

from tree_sitter import Node

from counterproof.analysis.polyglot.chains import Chain, chain_at, is_call
from counterproof.analysis.polyglot.javascript.modules import FUNCTIONS, Modules
from counterproof.analysis.polyglot.javascript.nest_decorators import KNOWN, SETTERS, Decorator
from counterproof.analysis.polyglot.literals import literal
from counterproof.analysis.polyglot.nodes import inside
from counterproof.analysis.polyglot.source import Source

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


def keys_of(modules: Modules, decorators: Iterable[Decorator]) -> frozenset[str]:
    """All keys that these decorators set."""
    return frozenset(key for each in decorators for key in _set_by(modules, each))


def _set_by(modules: Modules, decorator: Decorator) -> Iterator[str]:
    if decorator.name in SETTERS:
        given = decorator.argument(0)
        if given is not None:
            yield key_of(modules, *given)
    elif decorator.written and decorator.name not in KNOWN:
        found = modules.meaning(decorator.source, decorator.link.node.child_by_field_name("function"))
        if found is None or found.foreign.startswith((".", "@/", "~/")):
            yield UNREAD
        elif found.node is not None and found.node.type not in FUNCTIONS:
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
