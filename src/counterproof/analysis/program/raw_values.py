"""Whether a value inserted into a text could contain anything: by its constructing expression and name.

Invariant: a value is raw only if the code shows it: a parameter, a field, an entry, or a variable assigned from one of those. A
call's result counts as harmless unless the call only passes a value on. Not handled here: which texts matter.
"""

from typing import Any

from counterproof.analysis.program.interpolation import MAX_PARTS, interpolated
from counterproof.analysis.program.outline import Outline, Site, is_default
from counterproof.analysis.program.traversal import argument
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.syntax import ir

MAX_HOPS = 4
MAX_SETTINGS = 4
"""Assignments to a URL that are examined, and values in each."""
PLAIN = vocabulary(
    """count num number size len length width height pk index idx port pid code status level line lineno version date time year
    month day total safe escaped quoted quote escape encoded sanitized cleaned threshold limit offset timeout ratio percent"""
)
"""Name words of values that are numbers, or already harmless."""
_MADE_HARMLESS = vocabulary("rendered escaped sanitized sanitised cleaned quoted")
"""Name words of objects whose parts are already harmless."""
_PASSING = (
    "strip", "lower", "upper", "title", "capitalize", "get", "replace", "decode", "encode", "str", "unicode", "repr", "format",
    "pop", "getvalue",
)  # fmt: skip
_VISITOR = "current_user"
"""The usual name for the logged-in user, who chose most of their own data."""
_ADDRESSES = vocabulary("url src href link")
_TEXTUAL = ("str", "unicode", "repr", "force_str", "force_text", "smart_str", "smart_text")
_NUMBERS = vocabulary("int float bool UUID Decimal date datetime")


class RawValues:
    """Answers for values at one place. `texts` are last name words of methods that return user-written text; if given, exception
    messages count too."""

    def __init__(
        self, outline: Outline, site: Site[Any], harmless: frozenset[str] = PLAIN, texts: frozenset[str] = frozenset()
    ) -> None:
        self._outline = outline
        self._texts = texts
        self._harmless_words = harmless
        self._function = site.function
        self._owner = site.owner

    def raw(self, expr: ir.Expr, hops: int = 0) -> str:
        """The name of a value inserted unchanged, '' if it is harmless or unknown."""
        if hops > MAX_HOPS:
            return ""
        match expr:
            case ir.Name(id=name):
                return self._name(name, expr.line, hops)
            case ir.Attribute(value=ir.Attribute(name="_meta")):
                return ""  # metadata of a Django model about its own table
            case ir.Attribute(value=value, name=name):
                return name if not self._harmless(name) and self._held(value) and not self._is_fixed(value, name) else ""
            case ir.Index(value=value, key=key):
                name = key.value if isinstance(key, ir.Const) and isinstance(key.value, str) else ""
                return name if name and not self._harmless(name) and self._held(value) else ""
            case ir.Call():
                return self._call(expr, hops)
            case ir.Conditional(then=then, other=other):
                return self.raw(then, hops + 1) or self.raw(other, hops + 1)
            case ir.Comprehension(element=element):
                return self.raw(element, hops + 1)
            case ir.Concat(parts=parts) | ir.Format(parts=parts):
                return next((name for each in parts[:MAX_PARTS] if (name := self.raw(each, hops + 1))), "")
            case _:
                built = interpolated(expr)
                return next((name for each in built.values if (name := self.raw(each, hops + 1))), "") if built else ""

    def _name(self, name: str, line: int, hops: int) -> str:
        if self._texts and self._is_exception(name, line):
            return name
        if self._harmless(name) or name.isupper():
            return self._address(name, hops) if set(words(name)[-1:]) & _ADDRESSES else ""
        assigned = self._assigned(name, line)
        if assigned is not None:
            return self.raw(assigned, hops + 1) or self._added(name, line, hops)
        parameters = self._function.parameters if self._function else ()
        given = next((each for each in parameters if each.name == name and each.kind in ("positional", "keyword", "*")), None)
        if (
            given is None
            or name in ("self", "cls")
            or (name == "name" and self._is_widget())
            or (isinstance(given.default, ir.Const) and not isinstance(given.default.value, str | None))
        ):
            return ""
        numeric = isinstance(given.annotation, ir.Name) and given.annotation.id in _NUMBERS
        return "" if numeric or self._always_literal(name) else name

    def _address(self, name: str, hops: int) -> str:
        """`src = base + "?day=" + form.day`: a URL is harmless by its name only if nothing shows how it was built."""
        settings = [each.node.value for each in self._outline.settings_of(name) if each.function is self._function is not None]
        last = settings[-MAX_SETTINGS:]
        built = [each for value in last if value is not None and (each := interpolated(value)) is not None]
        return next((found for each in built for value in each.values[:MAX_SETTINGS] if (found := self.raw(value, hops + 2))), "")

    def _added(self, name: str, line: int, hops: int) -> str:
        """`text += value`: the value appended to a variable before a line."""
        inside = (each.node for each in self._outline.settings_of(name) if each.function is self._function is not None)
        added = [each.value for each in inside if not isinstance(each, ir.Assign) and each.end < line]
        return next((found for each in added[-MAX_SETTINGS:] if (found := self.raw(each, hops + 2))), "")

    def _is_widget(self) -> bool:
        """`render(self, name, value, attrs)` of a form widget, whose name the program chose."""
        function = self._function
        return (
            function is not None
            and function.name == "render"
            and {"value", "attrs"} <= {each.name for each in function.parameters}
        )

    def _is_exception(self, name: str, line: int) -> bool:
        """`except ValueError as error`: its message may contain a caller's value."""
        return any(site.line <= line <= site.end for site in self._outline.caught(self._function, name))

    def _assigned(self, name: str, line: int) -> ir.Expr | None:
        """The last assignment to a variable before a line or, in a loop, possibly after it."""
        inside = [each for each in self._outline.settings_of(name) if each.function is self._function is not None]
        plain = [each for each in inside if isinstance(each.node, ir.Assign) and any(_is(to, name) for to in each.node.targets)]
        before = [each for each in plain if each.end < line]
        known = self._function is not None and any(each.name == name for each in self._function.parameters)
        made = [each for each in before if not _is_formatted(each.node.value, name) and not is_default(each, name)]
        chosen = (made or ([] if known else before))[-1:] or ([] if known else plain[-1:])
        return chosen[0].node.value if chosen else None

    def _always_literal(self, name: str) -> bool:
        """Return True if a function called only in this module receives only literals for this parameter. A function that others
        may call counts if it is not a handler and functions of its own module call it; a call at the end of the file shows its
        intended use."""
        function = self._function
        if function is None or function.name.startswith("__"):
            return False
        names = [each.name for each in function.parameters if each.name not in ("self", "cls")]
        sites = self._outline.calls_of(function.name)
        own = function.name.startswith("_") or not (function.decorators or any(each.function is None for each in sites))
        calls = [site.node for site in sites] if own else []
        given = [argument(call, names.index(name), name) for call in calls]
        return bool(given) and all(isinstance(each, ir.Const) for each in given)

    def _is_fixed(self, value: ir.Expr, name: str) -> bool:
        """`self.threshold`, assigned once in the class; `this.base`, to which the file assigns only strings."""
        if not isinstance(value, ir.Name) or value.id not in ("self", "cls", "this"):
            return False
        if value.id == "this":
            made = [each.node.value for each in self._outline.settings_of(name)]
            return bool(made) and all(isinstance(each, ir.Const) and isinstance(each.value, str) for each in made)
        return self._owner is not None and isinstance(self._outline.attributes(self._owner).get(name), ir.Const)

    def _held(self, value: ir.Expr) -> bool:
        """Return True for a field of a parameter or of the object itself; not of a module or constant, nor of a loop variable,
        because the iterable may be a table of the program's own."""
        while isinstance(value, ir.Attribute | ir.Index):
            value = value.value
        if isinstance(value, ir.Name) and value.id == _VISITOR:
            return True
        if not isinstance(value, ir.Name) or value.id in self._outline.module.imports or value.id.isupper():
            return False
        if value.id == "settings" or set(words(value.id)) & _MADE_HARMLESS or self._is_looked_up(value.id):
            return False
        return value.id not in self._outline.looped(self._function)

    def _is_looked_up(self, name: str) -> bool:
        """`badge = self.badges.get(value)`: a row of the program's own table."""
        assigned = self._outline.local(self._function, name)
        made = assigned.value if assigned is not None else None
        if not isinstance(made, ir.Call) or not isinstance(made.callee, ir.Attribute) or made.callee.name != "get":
            return False
        own = isinstance(made.callee.value, ir.Attribute | ir.Name) and bool(made.arguments)
        return own and not isinstance(made.arguments[0].value, ir.Const)

    def _call(self, call: ir.Call, hops: int) -> str:
        callee = call.callee
        if isinstance(callee, ir.Attribute) and callee.name in _PASSING:
            built = interpolated(call)
            if built is not None:
                return next((name for each in built.values if (name := self.raw(each, hops + 1))), "")
            key = call.arguments[0].value if callee.name in ("get", "pop") and call.arguments else None
            if isinstance(key, ir.Const) and isinstance(key.value, str):
                return key.value if not self._harmless(key.value) and self._held(callee.value) else ""
            if key is not None:
                return ""  # looked up by a key: the result may be the program's own data
            return self.raw(callee.value, hops + 1)
        if isinstance(callee, ir.Attribute) and callee.name == "join" and isinstance(callee.value, ir.Const) and call.arguments:
            return self._joined(call.arguments[0].value, hops)
        if isinstance(callee, ir.Attribute) and not call.arguments and callee.name.startswith("get_"):
            return callee.name if set(words(callee.name)[-1:]) & self._texts else ""
        if isinstance(callee, ir.Name) and callee.id in _TEXTUAL and call.arguments:
            return self.raw(call.arguments[0].value, hops + 1)
        return ""

    def _joined(self, several: ir.Expr, hops: int) -> str:
        """Elements of a list: literal ones, or those that the function appends; of several lists, of any."""
        if isinstance(several, ir.Concat):
            return next((name for each in several.parts if (name := self._joined(each, hops + 1))), "")
        if not isinstance(several, ir.Name):
            return self.raw(several, hops + 1)
        added = self._outline.appended(self._function, several.id)
        found = next((name for each in added if (name := self.raw(each, hops + 1))), "")
        return found or self.raw(several, hops + 1)

    def _harmless(self, name: str) -> bool:
        return name == "id" or bool(set(words(name)) & self._harmless_words)


def _is_formatted(value: ir.Expr | None, name: str) -> bool:
    """`text = text.replace(/…/g, "<b>$1</b>")`: adds tags to the text and keeps its content."""
    match value:
        case ir.Call(callee=ir.Attribute(name="sub"), arguments=(_, by, of)):
            made, text = by.value, of.value
        case ir.Call(callee=ir.Attribute(value=of, name="replace" | "replaceAll"), arguments=(_, by)):
            made, text = by.value, of
        case _:
            return False
    return _is(text, name) and isinstance(made, ir.Const) and isinstance(made.value, str) and "<" in made.value


def _is(target: ir.Expr, name: str) -> bool:
    return isinstance(target, ir.Name) and target.id == name
