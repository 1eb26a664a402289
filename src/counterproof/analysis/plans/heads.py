"""The parameters of TypeScript and Go functions, and the numbers of arguments in calls.

Invariant: only top-level functions; one with any number of arguments is skipped, and so are calls that spread a list, or pass all
results of another call.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from counterproof.analysis.plans.script_trees import text_of, tree_of
from counterproof.analysis.polyglot.grammars import parser_for
from counterproof.analysis.syntax.parsing import Unparsable, parsed

GO = "go"


@dataclass(frozen=True, slots=True)
class Head:
    """The parameters of a function, and the number of required ones."""

    line: int
    names: tuple[str, ...]
    least: int

    @property
    def most(self) -> int:
        return len(self.names)


def heads_in(text: str, language: str) -> Iterator[tuple[str, Head | None]]:
    """The top-level functions of a text; None for one with any number of arguments."""
    source, root = _tree(text, language)
    for each in root.named_children if root else ():
        node = each.child_by_field_name("declaration") or each
        declared = node.named_children if node.type == "lexical_declaration" else [node]
        for one in declared:
            function = one.child_by_field_name("value") if one.type == "variable_declarator" else one
            name, given = one.child_by_field_name("name"), function.child_by_field_name("parameters") if function else None
            if name is not None and given is not None and one.type != "method_declaration":
                yield text_of(source, name), (_go_head if language == GO else _head)(source, one, given)


def _tree(text: str, language: str) -> tuple[bytes, Node | None]:
    if language != GO:
        return tree_of(text) or (b"", None)
    source = text.encode("utf-8", "replace")
    try:
        root = parsed(parser_for(GO), source)
    except Unparsable:
        return b"", None
    return source, None if root.has_error else root


def _head(source: bytes, node: Node, given: Node) -> Head | None:
    parts = [each for each in given.named_children if each.type != "comment"]
    if any(part.named_children and part.named_children[0].type == "rest_pattern" for part in parts):
        return None
    needed = [part.type == "required_parameter" and part.child_by_field_name("value") is None for part in parts]
    least = max((index + 1 for index, each in enumerate(needed) if each), default=0)
    return Head(node.start_point[0] + 1, tuple(re.split(r"[?:=]", text_of(source, part))[0].strip() for part in parts), least)


def _go_head(source: bytes, node: Node, given: Node) -> Head | None:
    parts = [each for each in given.named_children if each.type != "comment"]
    named = [name for part in parts for name in part.children_by_field_name("name") or [part]]
    head = Head(node.start_point[0] + 1, tuple(text_of(source, each) for each in named), len(named))
    return head if all(part.type == "parameter_declaration" for part in parts) else None


def calls_in(text: str, language: str) -> Iterator[tuple[str, int, int]]:
    """(the function as written, the line, the number of arguments) of the calls in a text."""
    source, root = _tree(text, language)
    pending = [root] if root else []
    while pending:
        node = pending.pop()
        pending.extend(reversed(node.named_children))
        called, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if node.type != "call_expression" or called is None or given is None:
            continue
        parts = [each.type for each in given.named_children if each.type != "comment"]
        spread = {"spread_element", "variadic_argument"} & {*parts} or (language == GO and parts == ["call_expression"])
        if not spread:
            yield text_of(source, called), node.start_point[0] + 1, len(parts)
