"""The walk itself: from an expression back to everything that can decide about its value.

One work list, no recursion. Going into a function remembers the call, so that its parameters lead back to that call's
arguments; a function that the walk started in leads to all its callers. Always holds: every item is either followed, or ends
in an origin; a walk that is cut short says so. Does not belong here: judging what was found.
"""

from dataclasses import replace
from typing import Final

from counterproof.analysis.backward.calls import Calls
from counterproof.analysis.backward.derivation import Defence, Hop, Origin, OriginKind, Way
from counterproof.analysis.backward.dotted_names import Naming
from counterproof.analysis.backward.guards import Guards
from counterproof.analysis.backward.items import MAX_ACCESS, MAX_HOPS, MAX_ITEMS, MAX_UPWARD, MAX_WAYS, Item
from counterproof.analysis.backward.parameters import Parameters
from counterproof.analysis.backward.pieces import enclosing_values, parts_of, placeholders, united
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.flow.sources import MODEL, REQUEST, REQUEST_ATTRIBUTES, channel_of, origin_of
from counterproof.analysis.flow.values import Trusted
from counterproof.analysis.libraries import names
from counterproof.analysis.program.definitions import ANY, ITER, Key, Reaching
from counterproof.analysis.program.reaching_definitions import reaching
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.syntax import ir
from counterproof.model.flow import Break, StepKind
from counterproof.model.location import at

_KEPT: Final = ("web request.session", "web request.user", *names("session", "store"), *names("session", "user"),
                *names("session", "request-context"))  # fmt: skip
"""What the server keeps about a visitor."""
_BUILT: Final = (ir.Concat, ir.Format, ir.Binary)


_TOLD = {"argv": "the command line or standard input", MODEL: "the answer of a language model"}


class Slicer:
    """Walks backwards in one program. One instance serves any number of sinks."""

    def __init__(self, program: EnteredProgram) -> None:
        self.program = program
        self.naming = Naming(program)
        self.guards = Guards(program)
        self.calls = Calls(program, self.naming)
        self.parameters = Parameters(program)
        self._pending: list[Item] = []
        self._ways: list[Way] = []
        self._seen: set[tuple[object, ...]] = set()

    def ways(self, starts: tuple[Item, ...]) -> tuple[Way, ...]:
        """All ways that lead to these expressions, in a fixed order."""
        self._pending = list(reversed(starts))
        self._ways, self._seen = [], set()
        left = MAX_ITEMS
        while self._pending and len(self._ways) < MAX_WAYS:
            item = self._pending.pop()
            left -= 1
            if left < 0 or item.hops > MAX_HOPS:
                self.end(item, OriginKind.UNKNOWN, "the walk was cut short", Break.DEPTH_LIMIT)
                break
            key = (
                id(item.expr),
                item.access,
                id(item.frame.site.call) if item.frame else 0,
                tuple(d.label for d in item.defences),
            )
            if key not in self._seen:
                self._seen.add(key)
                self._follow(item)
        return tuple(self._ways)

    def push(self, item: Item) -> None:
        self._pending.append(item)

    def end(self, item: Item, kind: OriginKind, text: str, broken: Break | None = None, **more: str) -> None:
        """The walk is over for this item: record its way."""
        place = at(item.ground.path, max(1, min(item.expr.line, item.ground.module.lines)))
        first = Hop(StepKind.SOURCE, place.path, place.start, text, item.hop)
        origin = Origin(kind, place, text, more.get("channel", ""), more.get("parameter", ""))
        self._ways.append(Way(origin, first, item.defences, item.broken or broken, item.appended))

    def _follow(self, item: Item) -> None:
        match item.expr:
            case ir.Const():
                self.end(item, OriginKind.LITERAL, "a literal")
            case ir.Name():
                self._name(item, item.expr)
            case ir.Attribute():
                self._attribute(item, item.expr)
            case ir.Index():
                self._index(item, item.expr)
            case ir.Call():
                self._call(item, item.expr)
            case ir.Compare() | ir.Not():
                self.end(item, OriginKind.LITERAL, "a truth value")
            case ir.Lambda() | ir.Slice():
                self.end(item, OriginKind.INTERNAL, "a function or range of the program")
            case _:
                self._parts(item)

    def _parts(self, item: Item) -> None:
        """Expressions whose value is made of their parts."""
        expr = item.expr
        if isinstance(expr, ir.Mapping):
            self._mapping(item, expr)
        elif isinstance(expr, ir.Sequence):
            self._sequence(item, expr)
        elif isinstance(expr, ir.Comprehension):
            self._onward(item, expr.element, access=item.access[1:])
        elif isinstance(expr, _BUILT):
            self._built(item, expr)
        else:
            parts = parts_of(expr)
            if not parts:
                self.end(item, OriginKind.UNKNOWN, "code that is not understood", Break.REFLECTION)
            for part in reversed(parts):
                self._onward(item, part)

    def _onward(self, item: Item, expr: ir.Expr, hop: Hop | None = None, access: tuple[Key, ...] | None = None) -> None:
        self.push(
            replace(
                item,
                expr=expr,
                hop=hop or item.hop,
                access=item.access if access is None else access[:MAX_ACCESS],
                hops=item.hops + (hop is not None),
            )
        )

    def _built(self, item: Item, expr: ir.Concat | ir.Format | ir.Binary) -> None:
        hop = item.hop
        if hop.line != expr.line or hop.path != item.ground.path:
            hop = Hop(StepKind.BUILD, item.ground.path, expr.line, "put together here", item.hop)
        parts = expr.operands if isinstance(expr, ir.Binary) else expr.parts
        if isinstance(expr, ir.Binary) and expr.operator == "%" and len(parts) == 2 and isinstance(parts[0], ir.Const):
            self._percent(item, hop, parts[0], parts[1])
            return
        for part in reversed(parts):
            if not isinstance(part, ir.Const) or len(parts) == 1:
                appended = part is not parts[0] and not isinstance(expr, ir.Binary) and text_of(parts[0]) != "/"
                self._onward(replace(item, appended=item.appended or appended), part, hop, ())
        if all(isinstance(part, ir.Const) for part in parts):
            self.end(item, OriginKind.LITERAL, "a literal")

    def _percent(self, item: Item, hop: Hop, pattern: ir.Const, values: ir.Expr) -> None:
        """`"… %d …" % x` takes numbers only; other places take everything."""
        marks = placeholders(pattern.value) if isinstance(pattern.value, str) else []
        given = values.items if isinstance(values, ir.Sequence) and values.kind == "tuple" else (values,)
        for index, part in enumerate(given):
            numeric = len(marks) == len(given) and marks[index] in "dixXofeEgG"
            defence = (Defence("numeric", at(item.ground.path, part.line), "%d takes numbers only"),) if numeric else ()
            self.push(replace(item, expr=part, hop=hop, access=(), defences=(*item.defences, *defence), hops=item.hops + 1))

    def _mapping(self, item: Item, expr: ir.Mapping) -> None:
        wanted = item.access[0] if item.access else ANY
        if wanted == ITER:
            for key, value in reversed(expr.entries):
                self._onward(item, value if key is None else key, access=item.access if key is None else item.access[1:])
            return
        keys = [key.value for key, _ in expr.entries if isinstance(key, ir.Const)]
        exact = wanted != ANY and wanted in keys
        for key, value in expr.entries:
            if exact and isinstance(key, ir.Const) and key.value != wanted:
                continue
            self._onward(item, value, access=item.access if key is None else item.access[1:])
        if not expr.entries:
            self.end(item, OriginKind.LITERAL, "an empty mapping")

    def _sequence(self, item: Item, expr: ir.Sequence) -> None:
        wanted = item.access[0] if item.access else ANY
        items = expr.items
        if (
            isinstance(wanted, int)
            and -len(items) <= wanted < len(items)
            and not any(isinstance(each, ir.Spread) for each in items)
        ):
            items = (items[wanted],)
        for each in reversed(items):
            self._onward(item, each.value if isinstance(each, ir.Spread) else each, access=item.access[1:])
        if not items:
            self.end(item, OriginKind.LITERAL, "an empty collection")

    def _index(self, item: Item, expr: ir.Index) -> None:
        key: Key = ANY
        if isinstance(expr.key, ir.Const) and isinstance(expr.key.value, str | int):
            key = expr.key.value
        whole = isinstance(expr.key, ir.Slice)
        self._onward(item, expr.value, access=item.access if whole else (key, *item.access))

    def _attribute(self, item: Item, expr: ir.Attribute) -> None:
        path = self.naming.of(item.ground, expr)
        if self.source(item, path) or self.setting(item, path):
            return
        fields = self.calls.fields(item.ground, expr)
        for ground, value, line in fields:
            hop = Hop(StepKind.ASSIGN, ground.path, line, f"kept in .{expr.name}", item.hop, expr.name)
            self.push(replace(item, ground=ground, expr=value, hop=hop, anchor=value, frame=None, hops=item.hops + 1))
        if not fields:
            self._onward(item, expr.value, access=("." + expr.name, *item.access))

    def source(self, item: Item, path: str) -> bool:
        """End here if a resolved name is something an outsider fills in."""
        channel = channel_of(path) if path else ""
        if path == REQUEST:  # the whole request was handed on; what is taken from it tells the channel
            taken = [key.removeprefix(".") for key in item.access if isinstance(key, str)]
            channel = next((REQUEST_ATTRIBUTES[key] for key in taken if key in REQUEST_ATTRIBUTES), "")
        if not channel:
            return False
        name = next((str(key) for key in item.access if isinstance(key, str) and key[:1] not in ("*", ".")), "")
        if channel == "file" and item.broken is None and not any(key in (".filename", ".name", ".member") for key in item.access):
            place = at(item.ground.path, item.expr.line)
            item = replace(item, defences=(*item.defences, Defence("upload object", place, "the upload itself, not its name")))
        kind = OriginKind.LOCAL if channel == "argv" else OriginKind.REQUEST
        named = f" “{name}”" if name else ""
        text = _TOLD.get(channel, f"request data ({channel}){named}")
        if channel == "path" and self.parameters.fixed_path(item.ground, item.expr):
            self.end(item, OriginKind.LITERAL, "the path of a fixed route")
        else:
            self.end(item, kind, text, channel=channel, parameter=name)
        return True

    def setting(self, item: Item, path: str) -> bool:
        """End here if a resolved name is a setting or the session."""
        if not path:
            return False
        if origin_of(path) is Trusted.SETTING:
            self.end(item, OriginKind.SETTING, f"the setting {path}")
            return True
        if path.startswith(_KEPT):
            self.end(item, OriginKind.INTERNAL, f"{path}, which the server keeps")
            return True
        return False

    def _call(self, item: Item, call: ir.Call) -> None:
        self.calls.follow(self, item, call)

    def _name(self, item: Item, expr: ir.Name) -> None:
        found = reaching(item.ground, expr, expr.id)
        late = self._late(item, expr)
        for each in reversed(found):
            self._definition(item, expr, each, late)
        if not found:
            self.end(item, OriginKind.UNKNOWN, f"{expr.id} is defined nowhere", Break.REFLECTION)

    def _late(self, item: Item, expr: ir.Name) -> tuple[Defence, ...]:
        """Tests after the variable was used but before the sink, while it still had the same value."""
        if item.ground.function(item.anchor) is not item.ground.function(expr):
            return ()
        here = reaching(item.ground, item.anchor, expr.id)
        then = reaching(item.ground, expr, expr.id)
        if len(here) != 1 or len(then) != 1 or here[0].at is not then[0].at:
            return ()
        return self.guards.defences(item.ground, here[0].tests, expr.id)

    def _definition(self, item: Item, expr: ir.Name, found: Reaching, late: tuple[Defence, ...]) -> None:
        guarded = self.guards.defences(item.ground, found.tests, expr.id)
        item = replace(item, defences=united(item.defences, (*guarded, *late)))
        if found.kind == "outer":
            self._outer(item, expr)
        elif found.kind == "parameter" and isinstance(found.at, ir.Parameter):
            self._parameter(item, found.at)
        elif found.kind == "value" and found.value is not None:
            self._assigned(item, expr, found, found.value)
        elif found.kind == "caught":
            text = "an error that was caught, which may repeat what was sent"
            self.end(item, OriginKind.UNKNOWN, text, Break.EXTERNAL_LIBRARY)
        else:
            self.end(item, OriginKind.UNKNOWN, f"{expr.id} could not be followed", Break.DEPTH_LIMIT)

    def _assigned(self, item: Item, expr: ir.Name, found: Reaching, value: ir.Expr) -> None:
        access = (*found.access, *item.access)
        if found.stored is not None:
            wanted = item.access[0] if item.access else ANY
            if wanted not in (ANY, ITER) and found.stored not in (ANY, wanted):
                return  # another entry of the same collection
            if wanted == ITER and isinstance(found.stored, str) and found.stored != ANY:
                self.end(item, OriginKind.LITERAL, f"the key {found.stored}, written in the code")
                return
            access = item.access[1:]
        hop = item.hop
        if hop.line != found.at.line or hop.path != item.ground.path:
            hop = Hop(StepKind.ASSIGN, item.ground.path, found.at.line, f"{expr.id} gets its value", item.hop, expr.id)
        self._onward(item, value, hop, access)

    def _parameter(self, item: Item, parameter: ir.Parameter) -> None:
        function = item.ground.parent(parameter)
        if not isinstance(function, ir.Function):
            self.end(item, OriginKind.UNKNOWN, f"the argument {parameter.name} of a lambda", Break.CALLBACK)
        elif item.frame is not None and item.frame.callee.function is function:
            self.calls.argument(self, item, item.frame.site, item.frame.callee, parameter, item.frame.outer)
        else:
            self.parameters.upwards(self, self.calls, item, function, parameter, MAX_UPWARD)

    def _outer(self, item: Item, expr: ir.Name) -> None:
        """A name of an enclosing function, of the module, or of another file."""
        ground, outline = item.ground, item.ground
        path = self.naming.of(ground, expr)
        if self.source(item, path) or self.setting(item, path):
            return
        values = enclosing_values(outline, ground.function(expr), expr.id)
        if not values and expr.id in outline.module.imports:
            found = self.program.codebase.define(outline.module.imports[expr.id], outline.path)
            if found and not isinstance(found.node, ir.Function | ir.Class):
                self.push(replace(item, ground=self.program.file(found.path), expr=found.node, anchor=found.node, frame=None))
                return
        for value, line in reversed(values):
            hop = Hop(StepKind.ASSIGN, ground.path, line, f"{expr.id} gets its value", item.hop, expr.id)
            self.push(replace(item, expr=value, hop=hop, anchor=value, hops=item.hops + 1))
        if not values:
            kind = OriginKind.UNKNOWN if expr.id in outline.module.imports else OriginKind.INTERNAL
            self.end(item, kind, path or expr.id, Break.EXTERNAL_LIBRARY if kind is OriginKind.UNKNOWN else None)
