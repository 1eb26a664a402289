"""Rewriting JavaScript by small edits of its text that keep every line where it is and what the program does.

A rewrite is a function from a text to its edits; `rewrite` lists it under its name. Where a rewrite moves the call that
registers a route, `moves_routes` says so. Those marked with `typed` make TypeScript of the file.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise

import tree_sitter_javascript
import tree_sitter_typescript
from tree_sitter import Language, Node, Parser

_JAVASCRIPT = Parser(Language(tree_sitter_javascript.language()))
_TYPESCRIPT = Parser(Language(tree_sitter_typescript.language_typescript()))

Edit = tuple[int, int, str]
FUNCTIONS = ("arrow_function", "function_expression", "function_declaration", "method_definition")


class Text:
    """A file with its syntax tree."""

    def __init__(self, text: str, *, typescript: bool = False) -> None:
        self.source = text.encode()
        self.root = (_TYPESCRIPT if typescript else _JAVASCRIPT).parse(self.source).root_node

    def of(self, node: Node | None) -> str:
        return self.source[node.start_byte : node.end_byte].decode() if node is not None else ""

    def nodes(self, *types: str, within: Node | None = None) -> Iterator[Node]:
        pending = [within or self.root]
        while pending:
            node = pending.pop()
            if node.type in types:
                yield node
            pending.extend(reversed(node.children))

    def edited(self, edits: Iterator[Edit]) -> str:
        parts: list[bytes] = []
        at = 0
        for start, end, text in sorted(edits, key=lambda each: each[:2]):
            if start >= at:
                parts += [self.source[at:start], text.encode()]
                at = end
        return b"".join((*parts, self.source[at:])).decode()


Rewrite = Callable[[Text], Iterator[Edit]]
REWRITES: dict[str, Rewrite] = {}
TYPED: set[str] = set()
MOVING: set[str] = set()


def rewrite(function: Rewrite) -> Rewrite:
    REWRITES[function.__name__] = function
    return function


def typed(function: Rewrite) -> Rewrite:
    TYPED.add(function.__name__)
    return rewrite(function)


def moves_routes(function: Rewrite) -> Rewrite:
    MOVING.add(function.__name__)
    return rewrite(function)


def get(node: Node, name: str) -> Node:
    found = node.child_by_field_name(name)
    assert found is not None, (node.type, name)
    return found


def around(node: Node, before: str, after: str) -> Iterator[Edit]:
    yield node.start_byte, node.start_byte, before
    yield node.end_byte, node.end_byte, after


def instead(node: Node, text: str) -> Edit:
    return node.start_byte, node.end_byte, text


def inside(block: Node, before: str, after: str) -> Iterator[Edit]:
    """At the two ends of a block, within its braces."""
    yield block.start_byte, block.start_byte + 1, "{" + before
    yield block.end_byte - 1, block.end_byte, after + "}"


def required(t: Text) -> Iterator[tuple[Node, Node, Node]]:
    """`const name = require("module")` at the top: the statement, the name, the call."""
    for statement in t.root.children:
        if statement.type == "lexical_declaration" and len(statement.named_children) == 1:
            declared = statement.named_children[0]
            value = declared.child_by_field_name("value")
            if value is not None and value.type == "call_expression" and t.of(get(value, "function")) == "require":
                yield statement, get(declared, "name"), value


def chains(t: Text) -> Iterator[tuple[Node, list[Node]]]:
    """Texts that are put together with `+`, and their parts."""
    for node in t.nodes("binary_expression"):
        parts: list[Node] = []
        current = node
        while current.type == "binary_expression" and t.of(get(current, "operator")) == "+":
            parts.insert(0, get(current, "right"))
            current = get(current, "left")
        outermost = node.parent is not None and node.parent.type != "binary_expression"
        if parts and outermost and any(each.type in ("string", "template_string") for each in (current, *parts)):
            yield node, [current, *parts]


def between(parts: list[Node], text: str) -> Iterator[Edit]:
    for one, other in pairwise(parts):
        yield one.end_byte, other.start_byte, text


def of_request(t: Text) -> Iterator[Node]:
    """`req.query.name` and its beginnings, where they are read."""
    for node in t.nodes("member_expression"):
        owner = get(node, "object")
        while owner.type == "member_expression":
            owner = get(owner, "object")
        if t.of(owner) == "req" and node.parent is not None and node.parent.type not in ("assignment_expression",):
            yield node


def read_whole(t: Text) -> Iterator[Node]:
    """The same, without those that are only the beginning of something longer."""
    for node in of_request(t):
        if node.parent is not None and node.parent.type not in ("member_expression", "call_expression", "update_expression"):
            yield node


def handlers(t: Text) -> Iterator[tuple[Node, Node, Node]]:
    """Functions of `(req, res, …)`: the function, its parameters, its body."""
    for node in t.nodes("arrow_function", "function_expression", "function_declaration"):
        given = node.child_by_field_name("parameters")
        if given is not None and [t.of(each) for each in given.named_children[:2]] == ["req", "res"]:
            yield node, given, get(node, "body")


def routes(t: Text) -> Iterator[tuple[Node, Node, list[Node]]]:
    """`app.get("/x", …, handler)`: the call, what is called, the arguments."""
    for call in t.nodes("call_expression"):
        called = get(call, "function")
        if called.type != "member_expression" or t.of(get(called, "object")) not in ("app", "router"):
            continue
        given = [each for each in get(call, "arguments").named_children if each.type != "comment"]
        registers = t.of(get(called, "property")) in ("get", "post", "put", "delete", "patch")
        if registers and len(given) > 1 and given[0].type == "string" and given[-1].type in (*FUNCTIONS, "identifier"):
            yield call, called, given


def ifs(t: Text) -> Iterator[tuple[Node, Node, Node]]:
    """`if` without `else`: the statement, its condition, what it does."""
    for node in t.nodes("if_statement"):
        if node.parent is not None and node.parent.type == "statement_block" and not node.child_by_field_name("alternative"):
            yield node, get(node, "condition"), get(node, "consequence")


def asked(t: Text, method: str) -> Iterator[tuple[Node, Node, Node]]:
    """`owner.method(argument)`: the call, the owner, the argument."""
    for call in t.nodes("call_expression"):
        called, given = get(call, "function"), get(call, "arguments").named_children
        if called.type == "member_expression" and t.of(get(called, "property")) == method and len(given) == 1:
            yield call, get(called, "object"), given[0]
