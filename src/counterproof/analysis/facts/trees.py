"""The syntax tree of a file for the checker: parsed once per run, walked without recursion, bounded.

Invariant: a file without a supported grammar has no tree (None).
"""

import importlib
from collections.abc import Iterator
from functools import cache, lru_cache

from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser, Tree

from counterproof.analysis.facts.node_types import FUNCTIONS, IDENTIFIERS, MEMBERS
from counterproof.analysis.project import Project
from counterproof.analysis.syntax.parsing import Unparsable, parsed_whole
from counterproof.model.survey import Language

MAX_NODES = 2_000_000
"""Nodes examined per file; a larger file is checked only up to this limit."""

_GRAMMARS = {
    Language.PYTHON: ("tree_sitter_python", "language"),
    Language.JAVASCRIPT: ("tree_sitter_javascript", "language"),
    Language.TYPESCRIPT: ("tree_sitter_typescript", "language_typescript"),
    Language.JAVA: ("tree_sitter_java", "language"),
    Language.GO: ("tree_sitter_go", "language"),
    Language.PHP: ("tree_sitter_php", "language_php"),
    Language.RUBY: ("tree_sitter_ruby", "language"),
}


@cache
def _parser(module: str, function: str) -> Parser:
    pointer: object = getattr(importlib.import_module(module), function)()
    return Parser(Grammar(pointer))


def tree_of(project: Project, path: str) -> Tree | None:
    """The tree of a surveyed file; None without a grammar, or if it cannot be parsed within limits."""
    file = project.files.get(path)
    if file is None or file.language is None:
        return None

    def made() -> Tree | None:
        try:
            return parse_text(path, file.language, project.text(path).encode("utf-8", "replace"))
        except Unparsable as error:
            project.left_unread(path, str(error))
            return None

    return project.once(f"facts tree {path}", made)


def parse_text(path: str, language: Language | None, source: bytes) -> Tree:
    """The tree of a text in a language."""
    module, function = _GRAMMARS[language or Language.PYTHON]
    return parsed_whole(_parser(module, "language_tsx" if path.endswith(".tsx") else function), source)


def walk(node: Node, limit: int = MAX_NODES) -> Iterator[Node]:
    """The node and all named nodes beneath it, in source order."""
    pending = [node]
    for _ in range(limit):
        if not pending:
            return
        current = pending.pop()
        yield current
        pending.extend(reversed(current.named_children))


def text_of(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def first_line(node: Node) -> int:
    return node.start_point[0] + 1


def last_line(node: Node) -> int:
    row, column = node.end_point
    return row + 1 if column else max(row, node.start_point[0] + 1)


def dotted(node: Node | None) -> str:
    """A name as written in the code, with its receivers: `a.b().c`. Other expressions are '()' or '[]'."""
    parts: list[str] = []
    for _ in range(64):
        if node is None:
            break
        if node.type in IDENTIFIERS:
            parts.append(text_of(node).lstrip("$:@"))
            break
        if node.type in MEMBERS:
            receiver, name = MEMBERS[node.type]
            named = node.child_by_field_name(name) if name else None
            parts.append(text_of(named).lstrip("$#") if named else "")
            node = node.child_by_field_name(receiver) if receiver else None
            continue
        inner = node.child_by_field_name("function") or node.child_by_field_name("value") or node.child_by_field_name("object")
        node = inner
    return ".".join(part for part in reversed(parts) if part)


def enclosing_function(node: Node) -> Node | None:
    """The innermost function that contains a node; the node itself, if it is one."""
    current: Node | None = node
    while current is not None and current.type not in FUNCTIONS:
        current = current.parent
    return current


@lru_cache(maxsize=2)
def _rows(tree: Tree) -> list[bytes]:
    """A tree's lines, cached: findings come file by file, and splitting a large file for each would take quadratic time."""
    return (tree.root_node.text or b"").split(b"\n")


def smallest_on(tree: Tree, line: int) -> Node:
    """The smallest node that contains all code of a line."""
    rows = _rows(tree)
    text = rows[line - 1] if 0 < line <= len(rows) else b""
    first = len(text) - len(text.lstrip())
    last = max(first, len(text.rstrip()) - 1)
    found = tree.root_node.named_descendant_for_point_range((line - 1, first), (line - 1, last))
    return found or tree.root_node
