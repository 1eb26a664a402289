"""Calls as chains: `Route::prefix("api")->group(f)`, `router.route("/x").get(a).post(b)`, `r.With(m).Get("/x", h)`.

Invariant: a chain is listed once, from its outermost call; its links are in execution order. Not handled here: the effect of a
link.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from counterproof.analysis.polyglot.nodes import line_of, unwrapped
from counterproof.analysis.polyglot.source import Source

MAX_LINKS = 64
MAX_ARGUMENTS = 200
_RECEIVER = ("object", "operand", "scope", "receiver")
_CALLS = (
    "call_expression", "new_expression", "method_invocation", "object_creation_expression", "member_call_expression",
    "nullsafe_member_call_expression", "scoped_call_expression", "function_call_expression", "call",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Link:
    """One call of a chain. `arguments` are the positional arguments, `named` the keyword arguments."""

    name: str
    arguments: tuple[Node, ...]
    node: Node
    named: tuple[tuple[str, Node], ...] = ()
    block: Node | None = None
    line: int = 1

    def keyword(self, name: str) -> Node | None:
        return next((value for key, value in self.named if key == name), None)


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """`base` is the receiver of the first link, None for a plain function."""

    source: Source
    base: Node | None
    links: tuple[Link, ...]

    @property
    def root(self) -> str:
        """The base as written, with dots between its parts."""
        return dotted(self.source, self.base)

    @property
    def start(self) -> int:
        return self.links[0].node.start_byte


def dotted(source: Source, node: Node | None) -> str:
    """A name with dots between its parts, whatever the language's separator; '' for anything but a plain name."""
    if node is None or node.end_byte - node.start_byte > 200:
        return ""
    text = source.text(node).replace("->", ".").replace("?.", ".").replace("::", ".").lstrip("$@\\")
    return text if all(part.isidentifier() for part in text.replace("\\", ".").split(".")) else ""


def plain_name(source: Source, node: Node | None) -> str:
    """A display name for an expression: `auth.required`, `passport.authenticate`, 'inline function'."""
    node = unwrapped(node)
    chain = chain_at(source, node)
    if chain is not None:
        return ".".join(part for part in (chain.root, *(link.name for link in chain.links)) if part)
    return "inline function" if node is not None and source.function_at(node) else dotted(source, node)


def is_call(node: Node | None) -> bool:
    return node is not None and node.type in _CALLS


def chains_of(source: Source) -> Iterator[Chain]:
    """Every outermost chain of a file, in source order."""
    receivers: set[int] = set()
    for node in source.calls:
        receiver = _receiver(node)[0]
        if receiver is not None and is_call(receiver):
            receivers.add(receiver.id)
    for node in source.calls:
        if node.id not in receivers and (found := chain_at(source, node)):
            yield found


def chain_at(source: Source, node: Node | None) -> Chain | None:
    """The chain that ends in this call; None if the node is not a call or the chain is too long."""
    links: list[Link] = []
    current = unwrapped(node)
    while current is not None and is_call(current):
        if len(links) >= MAX_LINKS:
            return None
        receiver, name = _receiver(current)
        links.append(_link(source, current, name))
        current = receiver
    return Chain(source, current, tuple(reversed(links))) if links else None


def _receiver(node: Node) -> tuple[Node | None, Node | None]:
    """The receiver of the call, and the node with the name of the called method."""
    callee = node.child_by_field_name("function") or node.child_by_field_name("constructor")
    if callee is not None:
        callee = unwrapped(callee)
        if callee is None:
            return None, None
        if callee.type in ("member_expression", "selector_expression"):
            inner = callee.child_by_field_name("object") or callee.child_by_field_name("operand")
            return unwrapped(inner), callee.child_by_field_name("property") or callee.child_by_field_name("field")
        if is_call(callee):
            return callee, None
        return None, callee
    receiver = next((found for name in _RECEIVER if (found := node.child_by_field_name(name))), None)
    named = node.child_by_field_name("name") or node.child_by_field_name("method") or node.child_by_field_name("type")
    if named is None and node.type == "object_creation_expression":
        named = next(iter(node.named_children), None)
    return unwrapped(receiver), named


def _link(source: Source, node: Node, name: Node | None) -> Link:
    positional: list[Node] = []
    named: list[tuple[str, Node]] = []
    passed = node.child_by_field_name("arguments")
    for each in (passed.named_children if passed is not None else [])[:MAX_ARGUMENTS]:
        if each.type in ("comment", "line_comment", "block_comment"):
            continue
        key = each.child_by_field_name("name") if each.type == "argument" else None
        value = unwrapped(each)
        if each.type == "pair":
            named_key = each.child_by_field_name("key")
            value = each.child_by_field_name("value")
            if value is not None:
                named.append((source.text(named_key).strip(":\"'"), value))
        elif key is not None and value is not None:
            named.append((source.text(key), value))
        elif value is not None:
            positional.append(value)
    return Link(
        source.text(name), tuple(positional), node, tuple(named), node.child_by_field_name("block"), line_of(name or node)
    )
