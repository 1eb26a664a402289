"""Doubts about objects in a plan's TypeScript that do not fit their declared type.

Invariant: only blocks that parse, and only completely declared types: an interface or object type without an index signature or a
comment that omits members, and with known bases. A type declared in several places has the members of any, and requires those
that all require. An object that spreads another one is incomplete.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from counterproof.analysis.plans.blocks import Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Evidence
from counterproof.analysis.plans.imports import module_file
from counterproof.analysis.plans.script_trees import script_of, tree_of

MAX_BASES = 6
MAX_FOUND = 50
MAX_DEEP = 6
TYPESCRIPT = ("ts", "tsx", "typescript", "mts", "cts")
_DECLARED = ("interface_declaration", "type_alias_declaration")
_FUNCTIONS = ("arrow_function", "function_expression", "function_declaration", "method_definition")
_LEFT_OUT = re.compile(r"\.\.\.|…|\b(?:existing|unchanged|rest|others?|more|remaining)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Shape:
    """The members of a type, and whether each is required."""

    place: str
    members: dict[str, bool]
    bases: tuple[str, ...]


Declarations = dict[str, list[Shape | None]]
"""The shapes that a text declares under each name; None for an incomplete declaration."""


def misshapen_objects(case: Case) -> Iterator[Doubt]:
    """Objects with members that their type lacks, or without those it requires: one doubt per type."""
    found: dict[str, list[tuple[int, list[str], list[str], Shape]]] = {}
    shown = case.once("declared types", lambda: _shown(case))
    for code in case.new_codes:
        parsed = tree_of(code.text) if code.block.language in TYPESCRIPT else None
        for node in list(_nodes(parsed[1], "object"))[:MAX_FOUND] if parsed else ():
            source = parsed[0] if parsed else b""
            name, keys = _expected(source, node, 0), _keys(source, node)
            shape = _known(case, code, shown, name) if name and keys is not None else None
            if shape and keys is not None:
                unknown = [key for key in keys if key not in shape.members]
                lacking = [key for key, needed in shape.members.items() if needed and key not in keys]
                if unknown or lacking:
                    found.setdefault(name, []).append((code.block.first + node.start_point[0], unknown, lacking, shape))
    for name, misfits in found.items():
        yield _doubt(case, name, misfits)


def _nodes(root: Node, *kinds: str) -> Iterator[Node]:
    pending = [root]
    while pending:
        node = pending.pop()
        if node.type in kinds:
            yield node
        pending.extend(reversed(node.named_children))


def _text(source: bytes, node: Node | None) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace") if node else ""


def _keys(source: bytes, node: Node) -> list[str] | None:
    """The keys of an object; None if it is incomplete."""
    found: list[str] = []
    for each in node.named_children:
        key = each.child_by_field_name("key") or each.child_by_field_name("name") or each
        if each.type == "comment" and not _LEFT_OUT.search(_text(source, each)):
            continue
        if key.type not in ("property_identifier", "string", "shorthand_property_identifier"):
            return None
        found.append(_text(source, key).strip("'\""))
    return found


def _expected(source: bytes, node: Node, many: int) -> str:
    """The name of the type declared for a value at its position; '' if none."""
    around: Node | None = node.parent
    for _ in range(MAX_DEEP):
        if around is None or around.type not in ("parenthesized_expression", "array"):
            break
        many += around.type == "array"
        around = around.parent
    if around is None:
        return ""
    if around.type in ("variable_declarator", "required_parameter"):
        return _named_type(_text(source, around.child_by_field_name("type")), many)
    if around.type == "satisfies_expression":
        return _named_type(_text(source, around.named_children[-1]), many)
    if around.type == "return_statement" or (around.type == "arrow_function" and around.child_by_field_name("body") is not None):
        while around is not None and around.type not in _FUNCTIONS:
            around = around.parent
        return _named_type(_text(source, around.child_by_field_name("return_type") if around else None), many)
    return ""


def _named_type(text: str, many: int) -> str:
    """The plain name of a type, with as many array levels as the value."""
    plain = re.sub(r"\APromise<(.*)>\Z", r"\1", text.lstrip(": ").strip())
    for _ in range(many):
        stripped = re.sub(r"\[\]\Z|\A(?:Readonly)?Array<(.*)>\Z", r"\1", plain)
        if stripped == plain:
            return ""
        plain = stripped
    return plain if re.fullmatch(r"[A-Z]\w*", plain) else ""


def _shown(case: Case) -> Declarations:
    """The declarations in the plan's blocks; a type in a block that does not parse is unknown."""
    found: Declarations = {}
    for code in case.codes:
        parsed = tree_of(code.text) if code.block.language in TYPESCRIPT else None
        if parsed and not parsed[1].has_error:
            for name, shape in _declared(*parsed, "plan", code.block.first):
                found.setdefault(name, []).append(shape)
        else:
            for name in code.defined if code.block.language in (*TYPESCRIPT, "diff") else ():
                found.setdefault(name, []).append(None)
    return found


def _declared(source: bytes, root: Node, path: str, first: int) -> Iterator[tuple[str, Shape | None]]:
    for node in _nodes(root, *_DECLARED):
        name = _text(source, node.child_by_field_name("name"))
        body = node.child_by_field_name("body") or node.child_by_field_name("value")
        whole = (
            body is not None
            and body.type in ("interface_body", "object_type")
            and not node.child_by_field_name("type_parameters")
        )
        members = _members(source, body) if body is not None and whole else None
        bases = [_text(source, each) for clause in _nodes(node, "extends_type_clause") for each in clause.named_children]
        yield name, Shape(f"{path}:{first + node.start_point[0]}", members, tuple(bases)) if members is not None else None


def _members(source: bytes, body: Node) -> dict[str, bool] | None:
    found: dict[str, bool] = {}
    for each in body.named_children:
        name = each.child_by_field_name("name")
        if each.type == "comment" and not _LEFT_OUT.search(_text(source, each)):
            continue
        if each.type not in ("property_signature", "method_signature") or name is None or name.type == "computed_property_name":
            return None
        found[_text(source, name).strip("'\"")] = not any(child.type == "?" for child in each.children)
    return found


def _known(case: Case, code: Code, shown: Declarations, name: str) -> Shape | None:
    """A complete type, with the members of its bases, merged from all declarations in the plan and the code."""
    shapes = [*shown.get(name, []), *_there(case, code, name)]
    members: dict[str, bool] = {}
    for shape in shapes:
        if shape is None:
            return None
        added = dict(shape.members)
        for base in shape.bases[:MAX_BASES]:
            above = _known(case, code, shown, base) if base != name else None
            if above is None:
                return None
            added = above.members | added
        shared = members.keys() & added.keys() if members else added.keys()
        members = {each: (members.get(each, True) and added.get(each, True)) and each in shared for each in {**members, **added}}
    first = next((shape for shape in shapes if shape), None)
    return Shape(first.place, members, ()) if first else None


def _there(case: Case, code: Code, name: str) -> list[Shape | None]:
    """The declarations in a block's file, or in the module that it imports a name from; unknown if another file may be meant."""
    script = script_of(code.text, code.path)
    module = script.imported.get(name, "") if script else ""
    path = module_file(case, code.path, module) if module else case.ground.resolve(code.path) if code.path else ""
    parsed = tree_of(case.ground.text(path)) if path.endswith((".ts", ".tsx")) else None
    found = [shape for each, shape in _declared(*parsed, path, 1) if each == name] if parsed else []
    elsewhere = not found and bool(case.ground.occurrences(name).definitions)
    return [None] if elsewhere else found


def _doubt(case: Case, name: str, misfits: list[tuple[int, list[str], list[str], Shape]]) -> Doubt:
    line, _, _, shape = misfits[0]
    unknown = dict.fromkeys(key for _, keys, _, _ in misfits for key in keys)
    lacking = dict.fromkeys(key for _, _, keys, _ in misfits for key in keys)
    said = [f"has no {_listed(unknown)}"] if unknown else []
    said += [f"needs {_listed(lacking)}"] if lacking else []
    return Doubt(
        Evidence.MISSHAPEN,
        f"{name} object",
        f"{case.where(line)} writes out a `{name}` that does not fit its type",
        f"`{name}`, declared at {shape.place}, {' and '.join(said)}; it has {', '.join(list(shape.members)[:12]) or 'nothing'}",
        f"Line {line} does not compile",
        f"Write the object as `{name}` is declared, or change the declaration",
        lines=tuple(dict.fromkeys(line for line, *_ in misfits))[:5],
        places=(shape.place,),
    )


def _listed(names: dict[str, None]) -> str:
    return ", ".join(f"`{name}`" for name in list(names)[:6])
