"""Calls met on the way back: into functions of the project, through known functions, and where foreign ones end the walk.

Always holds: a call of the project is followed into its returns; a foreign one that nobody documented passes its arguments on
with the way marked as broken; keys taken from collections, conversions, replacements and starred arguments give a new item or a
plain answer and follow nothing themselves. Does not belong here: variables and parameters.
"""

from dataclasses import replace

from counterproof.analysis.backward.derivation import Defence, Hop, OriginKind
from counterproof.analysis.backward.dotted_names import Naming
from counterproof.analysis.backward.families import flow_rules
from counterproof.analysis.backward.items import MAX_FRAMES, Frame, Item, Walk
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.flow.models import is_harmless, is_passing, is_text_method
from counterproof.analysis.libraries import names
from counterproof.analysis.libraries.matcher import Sanitisers
from counterproof.analysis.program.definitions import ANY, ITER, Key
from counterproof.analysis.program.everyday import LOOKUPS, QUESTIONS
from counterproof.analysis.program.file import File
from counterproof.analysis.program.program import Callee, CallSite, passed
from counterproof.analysis.program.traversal import keyword, positional
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name, walk
from counterproof.model.flow import Break, StepKind
from counterproof.model.location import at

MAX_RETURNS = 12
MAX_FIELDS = 8

_NUMBERS = ("int", "float", "bool", "complex", "len", "ord", "hash", "round", "abs", "sum", "uuid.UUID", "decimal.Decimal")
_CARRYING = frozenset(names("propagator", "holder"))
"""Calls that make an object of their first argument, which it holds."""

_ARCHIVED = ("infolist", "namelist", "getmembers", "getnames", "getinfo", "getmember", "members")
_ANSWERS = names("response", "redirect")
"""Calls that make a whole answer, in which nothing of their argument becomes HTML."""

_CUTTING = (
    "split",
    "rsplit",
    "splitlines",
    "partition",
    "rpartition",
    "copy",
    "read",
    "readline",
    "readlines",
    "decode",
    "encode",
)
"""Methods that give a text or a file's content back, whole or in parts."""

_DATABASE = ("execute", "fetchone", "fetchall", "fetchmany", "query", "cursor", "scalar", "scalars", "all", "one", "filter")


class Calls:
    """Follows calls for one slicer."""

    def __init__(self, program: EnteredProgram, naming: Naming) -> None:
        self._program = program
        self._naming = naming
        self._sanitisers = Sanitisers(name for rule in flow_rules() for name in rule.sanitisers)

    def follow(self, slicer: Walk, item: Item, call: ir.Call) -> None:
        path = self._naming.of(item.ground, call.callee)
        if slicer.source(keyed(item, call), path) or slicer.source(item, f"{path}()" if path else ""):
            return
        if not path.startswith("configparser.") and slicer.setting(item, path):
            return
        item = converted(keyed(item, call, path), call)
        label = self._sanitisers.label(path, call.callee.name if isinstance(call.callee, ir.Attribute) else "")
        if label:
            place = at(item.ground.path, call.line)
            item = replace(item, defences=(*item.defences, Defence(label, place, f"{label.removeprefix('*.')}()")))
        callees = self._program.callees(item.ground, call)
        if callees and self._enter(slicer, item, call, callees):
            return
        self._foreign(slicer, item, call, path)

    def _enter(self, slicer: Walk, item: Item, call: ir.Call, callees: tuple[Callee, ...]) -> bool:
        depth = item.frame.depth + 1 if item.frame else 1
        if depth > MAX_FRAMES:
            slicer.end(item, OriginKind.UNKNOWN, "functions nest too deep here", Break.DEPTH_LIMIT)
            return True
        entered = False
        for callee in callees:
            if callee.function.name == "__init__":
                continue  # an object is made: its arguments are what it holds
            site = CallSite(item.ground, call, item.ground.function(call))
            frame = Frame(site, callee, item.frame, depth)
            for value in self._results(callee):
                note = f"{callee.function.name} returns it"
                hop = Hop(StepKind.RETURN, callee.ground.path, value.line, note, self._here(item, call))
                slicer.push(
                    replace(
                        item, ground=callee.ground, expr=value, hop=hop, anchor=value, frame=frame,
                        broken=item.broken or callee.broken, hops=item.hops + 1,
                    )
                )  # fmt: skip
                entered = True
            if not entered:
                slicer.end(item, OriginKind.INTERNAL, f"{callee.function.name} returns nothing")
                entered = True
        return entered

    def _here(self, item: Item, call: ir.Call) -> Hop:
        if item.hop.line == call.line and item.hop.path == item.ground.path:
            return item.hop
        return Hop(StepKind.CALL, item.ground.path, call.line, "the result of a call", item.hop, last_name(call.callee))

    def _results(self, callee: Callee) -> list[ir.Expr]:
        found: list[ir.Expr] = []
        for each in walk(*callee.function.body):
            if (
                isinstance(each, ir.Return | ir.Yield)
                and each.value is not None
                and callee.ground.function(each) is callee.function
            ):
                found.append(each.value)
        return found[:MAX_RETURNS]

    def _foreign(self, slicer: Walk, item: Item, call: ir.Call, path: str) -> None:
        receiver = call.callee.value if isinstance(call.callee, ir.Attribute) else None
        method = call.callee.name if isinstance(call.callee, ir.Attribute) else ""
        arguments = [each.value for each in call.arguments]
        plain = replace(item, access=())
        if path in _CARRYING:
            held = [value for value in (positional(call, 0),) if value is not None]
            self._each(slicer, item, held or arguments)
        elif path in _NUMBERS or path in _ANSWERS or is_harmless(path) or method in QUESTIONS:
            label = "numeric" if path in _NUMBERS else "harmless result"
            place = at(item.ground.path, call.line)
            made = replace(plain, defences=(*item.defences, Defence(label, place, f"{path or method}()")))
            self._each(slicer, made, arguments or [call.callee])
        elif receiver is not None and method in _ARCHIVED:
            slicer.push(replace(item, expr=receiver, access=(".member",)))
        elif receiver is not None and method in TAKING and not self._is_database(item.ground, receiver):
            self._taken(slicer, item, receiver, call)
        elif is_passing(path) and "()" not in path:
            self._each(slicer, marked(plain, call), arguments or [call.callee])
        elif receiver is not None and (is_text_method(method) or method in _CUTTING):
            self._text(slicer, item, call, receiver, method)
        elif method in LOOKUPS and receiver is not None:
            slicer.end(item, OriginKind.STORED, f"what {method}() looks up")
        elif self._makes_object(item.ground, call):
            self._each(slicer, plain, arguments)
        else:
            self._undocumented(slicer, plain, call, receiver, path)

    def _is_database(self, ground: File, receiver: ir.Expr) -> bool:
        called = [
            each.callee.name for each in walk(receiver) if isinstance(each, ir.Call) and isinstance(each.callee, ir.Attribute)
        ]
        return any(name in _DATABASE for name in called) or self._naming.of(ground, receiver).endswith((".objects", ".query"))

    def _taken(self, slicer: Walk, item: Item, receiver: ir.Expr, call: ir.Call) -> None:
        """`d.get(key, default)`: what the collection holds, or the default; never the key."""
        slicer.push(replace(item, expr=receiver, access=viewed(item, call)))
        default = keyword(call, "default") or (call.arguments[1].value if len(call.arguments) > 1 else None)
        if default is not None and not isinstance(default, ir.Const):
            slicer.push(replace(item, expr=default, access=item.access[1:]))

    def _text(self, slicer: Walk, item: Item, call: ir.Call, receiver: ir.Expr, method: str) -> None:
        """Methods of texts: the text itself and, for those that put something in, their arguments."""
        hop = item.hop
        plain = replace(item, access=())
        if method in ("format", "join", "replace", "format_map"):
            if hop.line != call.line or hop.path != item.ground.path:
                hop = Hop(StepKind.BUILD, item.ground.path, call.line, "put together here", item.hop)
            values = call.arguments[1:] if method == "replace" else call.arguments
            for each in reversed(values):
                if not isinstance(each.value, ir.Const):
                    access = (ITER,) if method == "join" else ()
                    slicer.push(replace(plain, expr=each.value, hop=hop, access=access))
        if not isinstance(receiver, ir.Const) or not call.arguments:
            slicer.push(replace(replaced(plain, call, method), expr=receiver, hop=hop))

    def _makes_object(self, ground: File, call: ir.Call) -> bool:
        found = self._program.codebase.meaning(ground, call.callee)
        return found is not None and isinstance(found.node, ir.Class) and bool(call.arguments)

    def _undocumented(self, slicer: Walk, item: Item, call: ir.Call, receiver: ir.Expr | None, path: str) -> None:
        values = [each.value for each in call.arguments]
        if receiver is not None and not isinstance(receiver, ir.Const) and not is_module(item.ground, receiver):
            values.append(receiver)
        if not values:
            slicer.end(item, OriginKind.INTERNAL, f"the result of {path or 'a call'}()")
        broken = item.broken or Break.EXTERNAL_LIBRARY
        for value in reversed(values):
            slicer.push(replace(item, expr=value, broken=broken))

    def _each(self, slicer: Walk, item: Item, values: list[ir.Expr]) -> None:
        for value in reversed(values):
            slicer.push(replace(item, expr=value))

    def argument(
        self,
        slicer: Walk,
        item: Item,
        site: CallSite,
        callee: Callee,
        parameter: ir.Parameter,
        frame: Frame | None,
        upward: int = 0,
    ) -> None:
        """From a parameter to what a call passes for it."""
        given = passed(site.call, callee, parameter)
        for argument in given:
            note = f"passed to {callee.function.name} as {parameter.name}"
            hop = Hop(StepKind.CALL, site.ground.path, argument.line, note, item.hop, last_name(site.call.callee))
            if parameter.kind == "**" and argument.keyword and item.access[:1] == (ITER,):
                slicer.end(item, OriginKind.LITERAL, f"the name {argument.keyword}, written in the code")
                continue
            spread, access = through_stars(parameter, argument, item.access)
            slicer.push(
                replace(
                    item, ground=site.ground, expr=argument.value, hop=hop, anchor=argument, frame=frame,
                    access=(*spread, *access)[:4], broken=item.broken or callee.broken, upward=item.upward + upward,
                    hops=item.hops + 1,
                )
            )  # fmt: skip
        if not given and parameter.default is not None:
            slicer.push(replace(item, ground=callee.ground, expr=parameter.default, anchor=parameter.default, frame=None))
        elif not given:
            slicer.end(item, OriginKind.INTERNAL, f"{parameter.name} is not passed at {site.ground.path}:{site.call.line}")

    def fields(self, ground: File, expr: ir.Attribute) -> list[tuple[File, ir.Expr, int]]:
        """What a class of the project keeps under an attribute: every assignment to it in its own methods."""
        owner = self._program.class_of(ground, expr.value, ground.function(expr))
        if owner is None or not isinstance(owner.node, ir.Class):
            return []
        found: list[tuple[File, ir.Expr, int]] = []
        for each in self._program.codebase.ancestry(owner).own:
            home = self._program.file(each.path)
            for site in each.outline.of(ir.Assign):
                inside = site.owner is each.node and site.node.value is not None
                if inside and any(is_own(target, expr.name, site.function) for target in site.node.targets):
                    assert site.node.value is not None
                    found.append((home, site.node.value, site.line))
        return found[:MAX_FIELDS]


TAKING = ("get", "pop", "getlist", "setdefault", "getfirst", "get_all", "getall", "getone", "first", "values", "items", "keys")


def through_stars(
    parameter: ir.Parameter, argument: ir.Argument, access: tuple[Key, ...]
) -> tuple[tuple[Key, ...], tuple[Key, ...]]:
    """Which part of an argument a star parameter's part is, and which part of a spread argument a parameter is."""
    if parameter.kind in ("*", "**") and not argument.spread:
        return (), access[1:]
    if parameter.kind == "positional" and argument.spread:
        return (ANY,), access
    return (), access


def viewed(item: Item, call: ir.Call) -> tuple[Key, ...]:
    """What iterating over `.values()`, `.items()` or `.keys()` gives, in terms of the mapping itself."""
    name = call.callee.name if isinstance(call.callee, ir.Attribute) else ""
    access = item.access
    if name not in ("values", "items", "keys") or access[:1] != (ITER,):
        return access
    if name == "values":
        return (ANY, *access[1:])
    if name == "items" and len(access) > 1:
        return (ITER, *access[2:]) if access[1] == 0 else (ANY, *access[2:])
    return access


def is_own(target: ir.Expr, name: str, function: ir.Function | None) -> bool:
    first = function.parameters[0].name if function and function.parameters else ""
    return (
        isinstance(target, ir.Attribute)
        and target.name == name
        and isinstance(target.value, ir.Name)
        and target.value.id == first
    )


def is_module(ground: File, expr: ir.Expr) -> bool:
    root = expr
    while isinstance(root, ir.Attribute):
        root = root.value
    return isinstance(root, ir.Name) and root.id in ground.module.imports


def keyed(item: Item, call: ir.Call, path: str = "") -> Item:
    """The key of `.get("name")` is the part of the collection that is taken."""
    if isinstance(call.callee, ir.Attribute) and call.callee.name in (
        *TAKING,
        "get_argument",
        "get_query_argument",
        "get_cookie",
    ):
        configured = call.callee.name == "get" and path.startswith("configparser.") and len(call.arguments) > 1
        first = call.arguments[1 if configured else 0].value if call.arguments else None
        key = first.value if isinstance(first, ir.Const) and isinstance(first.value, str | int) else ANY
        if call.arguments:
            return replace(item, access=(key, *item.access)[:4])
    return item


def converted(item: Item, call: ir.Call) -> Item:
    """`request.args.get("n", type=int)` gives a number or nothing."""
    wanted = keyword(call, "type")
    if isinstance(wanted, ir.Name) and wanted.id in ("int", "float", "bool"):
        place = at(item.ground.path, call.line)
        return replace(item, defences=(*item.defences, Defence("numeric", place, f"type={wanted.id}")))
    return item


def marked(item: Item, call: ir.Call) -> Item:
    """`re.sub("[^a-z]", "", x)` leaves only what the class lists."""
    if len(call.arguments) >= 3 and isinstance(call.callee, ir.Attribute) and call.callee.name == "sub":
        pattern, instead = call.arguments[0].value, call.arguments[1].value
        if isinstance(pattern, ir.Const) and isinstance(pattern.value, str) and isinstance(instead, ir.Const):
            inside = pattern.value.removesuffix("+")
            if inside.startswith("[^") and inside.endswith("]") and not set(inside[2:-1]) & set("'\"<>;|&$`/\\ ") - set("\\"):
                place = at(item.ground.path, call.line)
                return replace(item, defences=(*item.defences, Defence("safe pattern", place, "re.sub() keeps plain characters")))
    return item


def replaced(item: Item, call: ir.Call, method: str) -> Item:
    if method == "replace" and call.arguments and isinstance(call.arguments[0].value, ir.Const):
        old = call.arguments[0].value.value
        place = at(item.ground.path, call.line)
        return replace(item, defences=(*item.defences, Defence(f"replaced {old}", place, f"replace({old!r})")))
    return item
