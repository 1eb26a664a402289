"""Parsed JavaScript and TypeScript: the imports of a text, and its tree for further reading.

Invariant: a text with a syntax error is ignored. A part of a class, of an object or of a page is parsed as one. Nothing recurses.
"""

import re
from functools import lru_cache

from tree_sitter import Node

from counterproof.analysis.polyglot.grammars import parser_for
from counterproof.analysis.syntax.parsing import Unparsable, parsed

Taken = tuple[str, str, int]
"""An import, re-export or require: the module, the imported name ('' for the module itself), the line."""

_REQUIRE = re.compile(
    r"(?:\{(?P<names>[^{}]{1,400})\}[ \t]*=[ \t]*)?\b(?:require|import|jest\.mock)\([ \t]*['\"](?P<from>[^'\"\n]{1,200})['\"]"
)
_PAGE = re.compile(r"<script\b[^>]{0,200}>(.{0,200000}?)</script>", re.DOTALL)
_FRAMES = (("", ""), ("({", "\n})"), ("class _ {", "\n}"), ("<>", "\n</>"))
"""Code added around a part of a file so that it can be parsed."""


def taken_by(text: str, path: str = "") -> tuple[Taken, ...] | None:
    """The imports of a text, None if it cannot be parsed. For a page, only its scripts."""
    return _taken_by(scripts_of(text, path))


def scripts_of(text: str, path: str) -> str:
    """The scripts of a page, each on its lines; any other text as it is."""
    if not path.endswith((".vue", ".svelte", ".astro")) or "<script" not in text:
        return text
    kept, end = "", 0
    for match in _PAGE.finditer(text):
        kept += re.sub(r"[^\n]", " ", text[end : match.start(1)]) + match[1]
        end = match.end(1)
    return kept


@lru_cache(maxsize=2_048)
def _taken_by(text: str) -> tuple[Taken, ...] | None:
    tree = tree_of(text)
    if tree is None:
        return None
    source, root = tree
    found: list[Taken] = []
    for node in root.named_children:
        origin = node.child_by_field_name("source")
        if node.type in ("import_statement", "export_statement") and origin is not None:
            module = text_of(source, origin).strip("'\"`")
            found += [(module, name, line) for name, line in [("", node.start_point[0] + 1), *_names(source, node)]]
    for match in _REQUIRE.finditer(source.decode("utf-8", "replace")):
        line = source[: match.start("from")].count(b"\n") + 1
        found += [(match["from"], name, line) for name in ["", *re.findall(r"[\w$]+", match["names"] or "")]]
    return tuple(found)


def _names(source: bytes, node: Node) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    pending = list(node.named_children)
    while pending:
        each = pending.pop(0)
        name = each.child_by_field_name("name") if each.type in ("import_specifier", "export_specifier") else None
        found += [(text_of(source, name), name.start_point[0] + 1)] if name else []
        pending += [] if name else each.named_children
    return found


def tree_of(text: str) -> tuple[bytes, Node] | None:
    """A text with its tree, in the first frame in which it parses; None if it parses in none."""
    for opening, closing in _FRAMES:
        if opening == "<>" and not text.lstrip().startswith(("<", "{/*")):
            continue
        source = f"{opening}{text}{closing}".encode("utf-8", "replace").replace(b"\x00", b" ")
        for dialect in ("tsx", "typescript"):
            try:
                root = parsed(parser_for(dialect), source)
            except Unparsable:
                return None
            if not root.has_error and not _is_misread(root):
                return source, root
    return None


def text_of(source: bytes, node: Node) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _is_misread(root: Node) -> bool:
    """Return True if entries of an object, or fields of a type, were parsed as labelled statements."""
    labelled = [each for each in root.named_children if each.type == "labeled_statement"]
    return any(each.named_children[-1].type == "expression_statement" for each in labelled)
