"""Walks along keys that leave out names of prototypes, and can be got past.

Always holds: only what the function spells out; a question that cannot be read here counts as a whole one. Does not belong here:
walks that ask nothing.
"""

from collections.abc import Iterator

from counterproof.analysis.config.deep_keys import PROTOTYPES, Unit
from counterproof.analysis.config.key_shapes import last_name
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk

_LAST = frozenset({"pop", "at", "last"})
_TEXTS = frozenset({"str", "toString", "toPath", "castPath", "isString"})


def way_around(unit: Unit) -> str:
    """How a key gets past the questions about prototypes; empty where it does not, or where they cannot be read."""
    asked = _asked(unit)
    if not asked:
        return ""
    if all(_is_last(unit, each) for each in asked):
        return "only the last key is held against __proto__"
    plain = all(isinstance(each, ir.Name | ir.Index) for each in asked)
    if plain and _takes_lists(unit, asked) and not _makes_texts(unit, asked):
        return "a key that is a list passes the comparison with __proto__"
    return ""


def _asked(unit: Unit) -> list[ir.Expr]:
    """What is compared with names of prototypes; nothing where they are named in any other way too."""
    compared = list(_compared(unit))
    named = [node for node in unit.nodes if isinstance(node, ir.Const) and node.value in PROTOTYPES]
    inside = {id(node) for _, tests in compared for node in walk(tests)}
    return [key for key, _ in compared] if named and all(id(each) in inside for each in named) else []


def _compared(unit: Unit) -> Iterator[tuple[ir.Expr, ir.Compare]]:
    """`key === "__proto__"`, `["__proto__"].includes(key)`."""
    for node in unit.nodes:
        if isinstance(node, ir.Compare) and len(node.operands) == 2:
            for key, other in (node.operands, node.operands[::-1]):
                texts = other.items if isinstance(other, ir.Sequence) else (other,)
                if any(isinstance(each, ir.Const) and each.value in PROTOTYPES for each in texts):
                    yield key, node


def _is_last(unit: Unit, key: ir.Expr) -> bool:
    """`parts[parts.length - 1]`, `parts.pop()`, and variables that hold it."""
    made = unit.made(key.id) if isinstance(key, ir.Name) else [key]
    return bool(made) and all(each is not None and _takes_last(each) for each in made)


def _takes_last(value: ir.Expr) -> bool:
    if isinstance(value, ir.Call):
        return last_name(value.callee) in _LAST
    return (
        isinstance(value, ir.Index)
        and isinstance(value.key, ir.Binary)
        and any(isinstance(each, ir.Attribute) and each.name == "length" for each in walk(value.key))
    )


def _takes_lists(unit: Unit, asked: list[ir.Expr]) -> bool:
    """Whether the path may be given as a list: it is divided nowhere, or only where it is a text."""
    given = {each.name for each in unit.function.parameters}
    if "split" not in unit.called:
        parts = [value for each in asked for value in (unit.made(each.id) if isinstance(each, ir.Name) else [each])]
        return any(isinstance(each, ir.Index) and isinstance(each.value, ir.Name) and each.value.id in given for each in parts)
    return any(_may_be_list(node, given) for node in unit.nodes)


def _may_be_list(node: ir.Node, given: set[str]) -> bool:
    """`Array.isArray(path)`, `path.split && …`, `text ? path.split(".") : path`."""
    match node:
        case ir.Call(callee=callee, arguments=(ir.Argument(value=ir.Name(id=name)), *_)):
            return name in given and last_name(callee) == "isArray"
        case ir.Boolean(operands=(ir.Attribute(value=ir.Name(id=name), name="split"), *_)):
            return name in given
        case ir.Conditional(then=then, other=other):
            whole, divided = (then, other) if isinstance(then, ir.Name) else (other, then)
            return isinstance(whole, ir.Name) and whole.id in given and _divides(divided, whole.id)
        case _:
            return False


def _divides(value: ir.Expr, name: str) -> bool:
    calls = (each for each in walk(value) if isinstance(each, ir.Call) and last_name(each.callee) == "split")
    return any(isinstance(each, ir.Name) and each.id == name for call in calls for each in walk(call.callee))


def _makes_texts(unit: Unit, asked: list[ir.Expr]) -> bool:
    """Whether keys become texts before they are asked about, or whether it is asked that they are."""
    names = {each.id for each in asked if isinstance(each, ir.Name)}
    made = (value for name in names for value in unit.made(name) if value is not None)
    return any(isinstance(each, ir.Concat | ir.Format) for value in made for each in walk(value)) or any(
        _is_about_texts(node, names) for node in unit.nodes
    )


def _is_about_texts(node: ir.Node, names: set[str]) -> bool:
    """`String(key)`, `keys.map(String)`, `typeof key === "string"`, `key.constructor === String`."""
    match node:
        case ir.Call(callee=ir.Name(id="isinstance"), arguments=(ir.Argument(value=ir.Name(id=name)), *_)):
            return name in names
        case ir.Call(callee=callee, arguments=arguments):
            handed = {each.value.id for each in arguments if isinstance(each.value, ir.Name)}
            return last_name(callee) in _TEXTS or bool(handed & {"String", "str"} and last_name(callee) == "map")
        case ir.Attribute(value=ir.Name(id=name), name="constructor"):
            return name in names
        case _:
            return False
