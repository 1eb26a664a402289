"""How calls change what is followed: keys taken from collections, conversions, replacements, starred arguments.

Always holds: each function gives a new item or a plain answer; nothing is followed here. Does not belong here: which calls are
gone into.
"""

from dataclasses import replace

from counterproof.analysis.backward.definitions import ANY, ITER, Key
from counterproof.analysis.backward.derivation import Defence
from counterproof.analysis.backward.ground import Ground
from counterproof.analysis.backward.items import Item
from counterproof.analysis.outline.traversal import keyword
from counterproof.analysis.syntax.ir import Argument, Attribute, Call, Const, Expr, Function, Name, Parameter
from counterproof.model.location import at

TAKING = ("get", "pop", "getlist", "setdefault", "getfirst", "get_all", "getall", "getone", "first", "values", "items", "keys")


def through_stars(parameter: Parameter, argument: Argument, access: tuple[Key, ...]) -> tuple[tuple[Key, ...], tuple[Key, ...]]:
    """Which part of an argument a star parameter's part is, and which part of a spread argument a parameter is."""
    if parameter.kind in ("*", "**") and not argument.spread:
        return (), access[1:]
    if parameter.kind == "positional" and argument.spread:
        return (ANY,), access
    return (), access


def viewed(item: Item, call: Call) -> tuple[Key, ...]:
    """What iterating over `.values()`, `.items()` or `.keys()` gives, in terms of the mapping itself."""
    name = call.callee.name if isinstance(call.callee, Attribute) else ""
    access = item.access
    if name not in ("values", "items", "keys") or access[:1] != (ITER,):
        return access
    if name == "values":
        return (ANY, *access[1:])
    if name == "items" and len(access) > 1:
        return (ITER, *access[2:]) if access[1] == 0 else (ANY, *access[2:])
    return access


def is_own(target: Expr, name: str, function: Function | None) -> bool:
    first = function.parameters[0].name if function and function.parameters else ""
    return isinstance(target, Attribute) and target.name == name and isinstance(target.value, Name) and target.value.id == first


def is_module(ground: Ground, expr: Expr) -> bool:
    root = expr
    while isinstance(root, Attribute):
        root = root.value
    return isinstance(root, Name) and root.id in ground.outline.module.imports


def keyed(item: Item, call: Call, path: str = "") -> Item:
    """The key of `.get("name")` is the part of the collection that is taken."""
    if isinstance(call.callee, Attribute) and call.callee.name in (*TAKING, "get_argument", "get_query_argument", "get_cookie"):
        configured = call.callee.name == "get" and path.startswith("configparser.") and len(call.arguments) > 1
        first = call.arguments[1 if configured else 0].value if call.arguments else None
        key = first.value if isinstance(first, Const) and isinstance(first.value, str | int) else ANY
        if call.arguments:
            return replace(item, access=(key, *item.access)[:4])
    return item


def converted(item: Item, call: Call) -> Item:
    """`request.args.get("n", type=int)` gives a number or nothing."""
    wanted = keyword(call, "type")
    if isinstance(wanted, Name) and wanted.id in ("int", "float", "bool"):
        place = at(item.ground.path, call.line)
        return replace(item, defences=(*item.defences, Defence("numeric", place, f"type={wanted.id}")))
    return item


def marked(item: Item, call: Call) -> Item:
    """`re.sub("[^a-z]", "", x)` leaves only what the class lists."""
    if len(call.arguments) >= 3 and isinstance(call.callee, Attribute) and call.callee.name == "sub":
        pattern, instead = call.arguments[0].value, call.arguments[1].value
        if isinstance(pattern, Const) and isinstance(pattern.value, str) and isinstance(instead, Const):
            inside = pattern.value.removesuffix("+")
            if inside.startswith("[^") and inside.endswith("]") and not set(inside[2:-1]) & set("'\"<>;|&$`/\\ ") - set("\\"):
                place = at(item.ground.path, call.line)
                return replace(item, defences=(*item.defences, Defence("safe pattern", place, "re.sub() keeps plain characters")))
    return item


def replaced(item: Item, call: Call, method: str) -> Item:
    if method == "replace" and call.arguments and isinstance(call.arguments[0].value, Const):
        old = call.arguments[0].value.value
        place = at(item.ground.path, call.line)
        return replace(item, defences=(*item.defences, Defence(f"replaced {old}", place, f"replace({old!r})")))
    return item
