"""Doubts about scripts that a plan writes out: a constant that the same block gives another value.

Always: the block parses, binds the name once, and the new value is given inside of the scope of the constant.
"""

from collections import Counter
from collections.abc import Iterator

from tree_sitter import Node

from counterproof.analysis.plans.blocks import SCRIPTS, Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.script_trees import MAX_NODES, script_of, tree_of

_GIVEN = {"assignment_expression": "left", "augmented_assignment_expression": "left", "update_expression": "argument"}
"""Nodes that give a variable another value, and the field in which it stands."""


def reassigned_constants(case: Case) -> Iterator[Doubt]:
    """Constants that their own block gives another value: one doubt for one block."""
    for code in case.new_codes:
        if code.block.language in SCRIPTS and "const" in code.text and script_of(code.text, code.path):
            found = sorted(_reassigned(code), key=lambda each: each[2])
            yield from [_doubt(code, *found[0])] if found else []


def _reassigned(code: Code) -> Iterator[tuple[str, int, int]]:
    """Each constant with the line of the block that declares it, and the one that gives it another value."""
    tree = tree_of(code.text)
    source, pending = (tree[0], [tree[1]]) if tree else (b"", [])
    declared: dict[bytes, Node] = {}
    given: list[tuple[bytes, Node]] = []
    bound: Counter[bytes] = Counter()
    for _ in range(MAX_NODES):
        if not pending:
            break
        node = pending.pop()
        pending.extend(node.named_children)
        target = node.child_by_field_name(_GIVEN[node.type]) if node.type in _GIVEN else None
        if target is not None and target.type == "identifier":
            given.append((source[target.start_byte : target.end_byte], target))
        name = node.child_by_field_name("name") if node.type == "variable_declarator" else None
        if name is not None and name.type == "identifier" and _is_constant(source, node):
            declared[source[name.start_byte : name.end_byte]] = name
        if node.type in ("identifier", "shorthand_property_identifier_pattern") and _binds(node):
            bound[source[node.start_byte : node.end_byte]] += 1
    for text, target in given:
        name = declared.get(text)
        if name is not None and bound[text] == 1 and _is_inside(target, name):
            yield text.decode("utf-8", "replace"), name.start_point[0] + 1, target.start_point[0] + 1


def _is_constant(source: bytes, declarator: Node) -> bool:
    outer = declarator.parent
    return outer is not None and source[outer.start_byte :].startswith(b"const")


def _binds(node: Node) -> bool:
    """Whether an identifier is the name of a variable, a parameter, a part of a pattern or a definition."""
    outer = node.parent
    if outer is None:
        return False
    return outer.type.endswith(("_pattern", "_parameter")) or any(
        outer.child_by_field_name(field) == node for field in ("name", "pattern", "parameter")
    )


def _is_inside(target: Node, name: Node) -> bool:
    """Whether a place stands in the block that declares a name."""
    scope = name.parent.parent.parent if name.parent and name.parent.parent else None
    return scope is not None and scope.start_byte <= target.start_byte < scope.end_byte


def _doubt(code: Code, name: str, declared: int, given: int) -> Doubt:
    first, second = (code.block.first + line - 1 for line in (declared, given))
    return Doubt(
        Kind.SAID,
        name,
        "that it is a constant",
        f"Line {first} declares `{name}` as a constant, and line {second} gives it another value",
        f"Line {second} stops with a TypeError, or does not compile",
        f"Declare `{name}` with `let` in line {first}",
        lines=(second,),
        places=(f"plan:{first}",),
        evidence=Evidence.SCRIPT_CONSTANT,
    )
