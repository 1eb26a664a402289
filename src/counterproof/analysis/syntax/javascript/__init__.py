"""Lowering JavaScript and TypeScript to the intermediate form, through tree-sitter, so that broken syntax still yields code.

Invariant: `lower` returns for every text; unsupported parts are in `Module.problems`. A module's dotted name is its path without
dots, so that no external package can be mistaken for one of its files. Not handled here: reading files, and the meaning of code.
"""

import re
from functools import cache

import tree_sitter_javascript
import tree_sitter_typescript
from tree_sitter import Language, Node, Parser

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.javascript.expressions import EXPRESSIONS
from counterproof.analysis.syntax.javascript.lowering import EXPORTS, Lowering, Resolve
from counterproof.analysis.syntax.javascript.scopes import FUNCTIONS
from counterproof.analysis.syntax.javascript.statements import STATEMENTS
from counterproof.analysis.syntax.parsing import Unparsable, parsed
from counterproof.analysis.syntax.spelling import respelled, script_spelling
from counterproof.analysis.syntax.tree_walk import field, named

__all__ = ["EXPORTS", "is_template_text", "lower", "module_name", "outside"]

MAX_SCANNED = 200_000
"""Nodes searched for prototypes in one file."""


_FILLS = re.compile(rb"\b(?:this|self|that|_this)\.[A-Za-z_$][\w$]{0,80}\s{0,4}=[^=]")
"""A capitalised function that sets fields of its own object is a constructor, with or without prototype methods."""


@cache
def _parser(kind: str) -> Parser:
    if kind == "javascript":
        return Parser(Language(tree_sitter_javascript.language()))
    return Parser(
        Language(tree_sitter_typescript.language_tsx() if kind == "tsx" else tree_sitter_typescript.language_typescript())
    )


def _kind(path: str) -> str:
    if path.endswith((".ts", ".mts", ".cts")):
        return "typescript"
    return "tsx" if path.endswith(".tsx") else "javascript"


def module_name(path: str) -> str:
    """The name by which other modules refer to this file."""
    return "/" + path.replace(".", ":")


def outside(module: str) -> str:
    """The dotted name of an external module: `node:fs/promises` is `fs.promises`."""
    plain = module.removeprefix("node:")
    return "fs.promises" if plain == "fs/promises" else plain


def lower(path: str, text: str, resolve: Resolve = outside) -> ir.Module:
    """Lower a text to a module. `resolve` resolves its imports."""
    source = text.encode("utf-8", "replace").replace(b"\x00", b" ").removeprefix(b"\xef\xbb\xbf")
    parser, root = _read(_kind(path), source)
    if b"\\u" in source and (plain := respelled(source, root, script_spelling)) is not source:
        source, root = plain, parsed(parser, plain)
    cx = Lowering(source, resolve, EXPRESSIONS, STATEMENTS)
    if root.has_error:
        cx.record_errors(root)
    _find_prototypes(cx, root)
    start = ir.Assign(1, 1, (ir.Name(1, 1, EXPORTS),), ir.Mapping(1, 1, ()))
    body = (start, *cx.block(root, 0), *_aliased(cx), *_interoperation(cx))
    name = module_name(path)
    return ir.Module(
        path,
        name,
        name,
        source.count(b"\n") + 1,
        body,
        tuple(cx.functions),
        tuple(cx.classes),
        cx.imports,
        (),
        (),
        tuple(cx.problems),
    )


def _read(kind: str, source: bytes) -> tuple[Parser, Node]:
    """The tree in the dialect of the file's name, or in the one that fits: `.js` files may contain types too."""
    root = parsed(_parser(kind), source)
    if root.has_error:
        for other in ("tsx", "typescript"):
            fitting = parsed(_parser(other), source) if other != kind else root
            if not fitting.has_error:
                return _parser(other), fitting
    return _parser(kind), root


def is_template_text(path: str, text: str, start: int) -> bool:
    """True if a place is the text of a template literal, not code."""
    if "`" not in text[:start]:
        return False
    try:
        _, root = _read(_kind(path), text.encode("utf-8", "replace"))
    except Unparsable:
        return False
    at = len(text[:start].encode("utf-8", "replace"))
    node = root.descendant_for_byte_range(at, at)
    while node is not None and node.type in ("string_fragment", "escape_sequence"):
        node = node.parent
    return node is not None and node.type == "template_string"


def _aliased(cx: Lowering) -> tuple[ir.Statement, ...]:
    """Exports of a module variable, with the variable's final value."""
    return tuple(ir.Assign(1, 1, (ir.Name(1, 1, EXPORTS),), ir.Name(1, 1, name)) for name in cx.aliases[-1:])


def _interoperation(cx: Lowering) -> tuple[ir.Statement, ...]:
    """The exports of a CommonJS module as the default import of an ES module."""
    if any(each in cx.source for each in (b"export default", b"exports.default", b"as default")):
        return ()
    whole = ir.Name(1, 1, EXPORTS)
    return (ir.Assign(1, 1, (ir.Attribute(1, 1, whole, "default"),), whole),)


def _find_prototypes(cx: Lowering, root: Node) -> None:
    """Find functions assigned to a prototype, and their constructor functions; without recursion."""
    if b".prototype" not in cx.source and b"this" not in cx.source:
        return
    pending = [root]
    constructors: set[str] = set()
    for _ in range(MAX_SCANNED):
        if not pending:
            break
        current = pending.pop()
        if current.type == "assignment_expression":
            _prototype(cx, cx.text(field(current, "left"))[:200], field(current, "right"))
        elif current.type in ("function_declaration", "variable_declarator"):
            made = current if current.type == "function_declaration" else current.child_by_field_name("value")
            if made is not None and made.type in FUNCTIONS:
                name = cx.text(current.child_by_field_name("name"))
                constructors.add(name)
                if (
                    name[:1].isupper()
                    and made.type != "arrow_function"
                    and _FILLS.search(cx.source, made.start_byte, made.end_byte)
                ):
                    cx.prototypes.setdefault(name, [])
        pending.extend(reversed(current.named_children))
    cx.prototypes = {name: methods for name, methods in cx.prototypes.items() if name in constructors}


def _prototype(cx: Lowering, target: str, value: Node) -> None:
    owner, found, method = target.partition(".prototype")
    if not found or not owner.isidentifier():
        return
    if method.startswith(".") and value.type in FUNCTIONS:
        cx.prototypes.setdefault(owner, []).append((method[1:], value))
    elif not method and value.type == "object":
        methods = cx.prototypes.setdefault(owner, [])
        for each in named(value):
            inner = each.child_by_field_name("value") if each.type == "pair" else each
            key = each.child_by_field_name("key" if each.type == "pair" else "name")
            if inner is not None and inner.type in FUNCTIONS and key is not None:
                methods.append((cx.text(key), inner))
