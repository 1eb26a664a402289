"""Parsed JavaScript and TypeScript in a plan: bound names, read names and imports.

Invariant: a text with a syntax error is ignored. Scopes are not distinguished: a name bound anywhere in a text counts as bound in
all of it. A part of a class, of an object or of a page is parsed as one. Nothing recurses.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache

import tree_sitter_typescript
from tree_sitter import Language, Node, Parser

from counterproof.analysis.syntax.parsing import Unparsable, parsed

MAX_NODES = 300_000
_NAMED = frozenset(["identifier", "type_identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern"])
_BINDING = {
    "variable_declarator": "name",
    "required_parameter": "pattern",
    "optional_parameter": "pattern",
    "arrow_function": "parameter",
    "catch_clause": "parameter",
    "function_declaration": "name",
    "generator_function_declaration": "name",
    "function_expression": "name",
    "generator_function": "name",
    "function_signature": "name",
    "class_declaration": "name",
    "abstract_class_declaration": "name",
    "class": "name",
    "interface_declaration": "name",
    "type_alias_declaration": "name",
    "enum_declaration": "name",
    "internal_module": "name",
    "module": "name",
    "type_parameter": "name",
    "mapped_type_clause": "name",
    "index_signature": "name",
    "object_assignment_pattern": "left",
    "assignment_pattern": "left",
    "pair_pattern": "value",
}
"""Nodes that bind names, with the field for the name."""
_INHERITED = frozenset(["object_assignment_pattern", "assignment_pattern", "pair_pattern"])
"""Parts of patterns, which bind names if the enclosing pattern does."""
_ONLY = {"nested_type_identifier": "module", "export_specifier": "name"}
"""Nodes of which only one part reads a name."""
_ELEMENTS = frozenset(["jsx_opening_element", "jsx_self_closing_element"])
_OFFERING = frozenset(["export_specifier", "lexical_declaration", "variable_declaration", "variable_declarator"])
_SKIPPED = frozenset(["jsx_closing_element", "type_predicate", "asserts", "namespace_export", "meta_property"])
_REQUIRE = re.compile(
    r"(?:\{(?P<names>[^{}]{1,400})\}[ \t]*=[ \t]*)?\b(?:require|import|jest\.mock)\([ \t]*['\"](?P<from>[^'\"\n]{1,200})['\"]"
)
_PAGE = re.compile(r"<script\b[^>]{0,200}>(.{0,200000}?)</script>", re.DOTALL)
_FRAMES = (("", ""), ("({", "\n})"), ("class _ {", "\n}"), ("<>", "\n</>"))
"""Code added around a part of a file so that it can be parsed."""


@dataclass(slots=True)
class Script:
    """The names in a text, each with the first line, counted from 1, that binds or reads it."""

    bound: dict[str, int] = field(default_factory=dict[str, int])
    read: dict[str, int] = field(default_factory=dict[str, int])
    imported: dict[str, str] = field(default_factory=dict[str, str])
    """The module of each imported name."""
    taken: list[tuple[str, str, int]] = field(default_factory=list[tuple[str, str, int]])
    """Imports: the module, the imported name ('' for the module itself), the line."""
    exported: dict[str, int] = field(default_factory=dict[str, int])
    is_module: bool = False
    is_import: bool = False
    """True if it contains only imports."""

    @property
    def free(self) -> list[str]:
        """The names that are read but not bound, in line order."""
        return sorted((name for name in self.read if name not in self.bound), key=lambda name: (self.read[name], name))


@cache
def _parser(elements: bool) -> Parser:
    grammar = tree_sitter_typescript.language_tsx() if elements else tree_sitter_typescript.language_typescript()
    return Parser(Language(grammar))


def script_of(text: str, path: str = "") -> Script | None:
    """The names in a text, None if it cannot be parsed. For a page, only its scripts."""
    if path.endswith((".vue", ".svelte", ".astro")) and "<script" in text:
        text = _scripts_of(text)
    return _script_of(text)


def _scripts_of(text: str) -> str:
    """The scripts of a page, each on its lines."""
    kept, end = "", 0
    for match in _PAGE.finditer(text):
        kept += re.sub(r"[^\n]", " ", text[end : match.start(1)]) + match[1]
        end = match.end(1)
    return kept


@lru_cache(maxsize=2_048)
def _script_of(text: str) -> Script | None:
    tree = tree_of(text)
    return _read(*tree) if tree else None


def tree_of(text: str) -> tuple[bytes, Node] | None:
    """A text with its tree, in the first frame in which it parses; None if it parses in none."""
    for opening, closing in _FRAMES:
        if opening == "<>" and not text.lstrip().startswith(("<", "{/*")):
            continue
        source = f"{opening}{text}{closing}".encode("utf-8", "replace").replace(b"\x00", b" ")
        for elements in (True, False):
            try:
                root = parsed(_parser(elements), source)
            except Unparsable:
                return None
            if not root.has_error and not _is_misread(root):
                return source, root
    return None


def _is_misread(root: Node) -> bool:
    """Return True if entries of an object, or fields of a type, were parsed as labelled statements."""
    labelled = [each for each in root.named_children if each.type == "labeled_statement"]
    return any(each.named_children[-1].type == "expression_statement" for each in labelled)


def _read(source: bytes, root: Node) -> Script:
    script = Script()
    pending: list[tuple[Node, bool]] = [(root, False)]
    for _ in range(MAX_NODES):
        if not pending:
            break
        node, binding = pending.pop()
        if node.type in _NAMED:
            _note(script, source, node, binding)
        elif node.type == "import_statement":
            _import(script, source, node)
        elif node.type == "export_statement" and node.child_by_field_name("source"):
            _export(script, source, node)
        elif node.type not in _SKIPPED:
            if node.type == "export_statement":
                _export(script, source, node)
            pending.extend(reversed(list(_inside(source, node, binding))))
    for match in _REQUIRE.finditer(source.decode("utf-8", "replace")):
        line = source[: match.start("from")].count(b"\n") + 1
        script.taken.extend((match["from"], name, line) for name in ["", *re.findall(r"[\w$]+", match["names"] or "")])
    script.is_import = bool(script.imported) and all(each.type in ("import_statement", "comment") for each in root.named_children)
    return script


def _text(source: bytes, node: Node) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _note(script: Script, source: bytes, node: Node, binding: bool) -> None:
    name, line = _text(source, node), node.start_point[0] + 1
    if binding:
        script.bound.setdefault(name, line)
        return
    if node.parent is None or node.parent.type != "nested_type_identifier":
        script.read.setdefault(name, line)


def _import(script: Script, source: bytes, node: Node) -> None:
    script.is_module = True
    origin = node.child_by_field_name("source")
    module = _text(source, origin).strip("'\"`") if origin else ""
    script.taken.append((module, "", node.start_point[0] + 1))
    pending = list(node.named_children)
    while pending:
        each = pending.pop()
        if each.type == "import_specifier":
            name = each.child_by_field_name("name")
            bound = each.child_by_field_name("alias") or name
            pending.extend([bound] if bound else [])
            script.taken.extend([(module, _text(source, name), name.start_point[0] + 1)] if name else [])
        elif each.type == "identifier":
            script.bound.setdefault(_text(source, each), each.start_point[0] + 1)
            script.imported.setdefault(_text(source, each), module)
        else:
            pending.extend(each.named_children)


def _export(script: Script, source: bytes, node: Node) -> None:
    """The names of an export: declared and listed ones; destructured exports and re-exports are not followed."""
    script.is_module = True
    declaration = node.child_by_field_name("declaration")
    pending = [declaration] if declaration else [each for each in node.named_children if each.type == "export_clause"]
    while pending:
        each = pending.pop()
        name = each.child_by_field_name("alias") or each.child_by_field_name("name")
        if name is None:
            pending.extend(part for part in each.named_children if part.type in _OFFERING)
        elif name.type not in ("object_pattern", "array_pattern"):
            script.exported.setdefault(_text(source, name), name.start_point[0] + 1)


def _inside(source: bytes, node: Node, binding: bool) -> Iterator[tuple[Node, bool]]:
    """The parts of a node that may bind or read names, and whether they bind."""
    kind = node.type
    if kind in _ONLY:
        part = node.child_by_field_name(_ONLY[kind])
        yield from [(part, False)] if part else []
        return
    target = _target(node)
    inner = binding if kind in _INHERITED else True
    passed = binding and kind in ("object_pattern", "array_pattern", "rest_pattern")
    for each in node.named_children:
        if not _is_plain(source, node, each):
            yield each, (each == target and inner) if target is not None else passed


def _target(node: Node) -> Node | None:
    """The binding part of a node."""
    if node.type == "infer_type":
        return node.named_child(0)
    if node.type == "for_in_statement":
        return node.child_by_field_name("left") if node.child_by_field_name("kind") else None
    return node.child_by_field_name(_BINDING[node.type]) if node.type in _BINDING else None


def _is_plain(source: bytes, node: Node, part: Node) -> bool:
    """Return True if an identifier reads nothing: the tag of a page's own element, or the operand of a type query."""
    if part.type != "identifier":
        return False
    tag = node.type in _ELEMENTS and part == node.child_by_field_name("name") and not _text(source, part)[:1].isupper()
    return tag or (node.type == "unary_expression" and _text(source, node).startswith("typeof"))
