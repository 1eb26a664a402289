"""Whether a value that is put into a text could hold anything: by what made it and by what it is called.

Always holds: a value is raw only where the code says so: a parameter, a field, an entry, or a variable set from one of those.
What a call gives counts as harmless unless it only hands a value on. Does not belong here: which texts matter.
"""

from typing import Any

from counterproof.analysis.outline.interpolation import interpolated
from counterproof.analysis.outline.outline import Outline, Site
from counterproof.analysis.outline.words import vocabulary, words
from counterproof.analysis.syntax.ir import Attribute, Call, Comprehension, Conditional, Const, Expr, Index, Name

MAX_HOPS = 4
PLAIN = vocabulary(
    """count num number size len length width height pk index idx port pid code status level line lineno version date time year
    month day total safe escaped quoted quote escape encoded sanitized cleaned threshold limit offset timeout ratio percent"""
)
"""Words of names whose values are numbers, or were made harmless before."""
_PASSING = (
    "strip",
    "lower",
    "upper",
    "title",
    "capitalize",
    "get",
    "replace",
    "decode",
    "encode",
    "str",
    "unicode",
    "repr",
    "format",
    "pop",
    "getvalue",
)
_NUMBERS = vocabulary("int float bool UUID Decimal date datetime")


class RawValues:
    """Answers for the values at one place."""

    def __init__(self, outline: Outline, site: Site[Any], harmless: frozenset[str] = PLAIN) -> None:
        self._outline = outline
        self._harmless_words = harmless
        self._function = site.function
        self._owner = site.owner

    def raw(self, expr: Expr, hops: int = 0) -> str:
        """The name of what is put in as it is, '' where it is harmless or not known."""
        if hops > MAX_HOPS:
            return ""
        match expr:
            case Name(id=name):
                return self._name(name, hops)
            case Attribute(value=value, name=name):
                return name if not self._harmless(name) and self._held(value) and not self._is_fixed(value, name) else ""
            case Index(value=value, key=key):
                name = key.value if isinstance(key, Const) and isinstance(key.value, str) else ""
                return name if name and not self._harmless(name) and self._held(value) else ""
            case Call():
                return self._call(expr, hops)
            case Conditional(then=then, other=other):
                return self.raw(then, hops + 1) or self.raw(other, hops + 1)
            case Comprehension(element=element):
                return self.raw(element, hops + 1)
            case _:
                built = interpolated(expr)
                return next((name for each in built.values if (name := self.raw(each, hops + 1))), "") if built else ""

    def _name(self, name: str, hops: int) -> str:
        if self._harmless(name) or name.isupper():
            return ""
        assigned = self._outline.local(self._function, name)
        if assigned is not None and assigned.value is not None:
            return self.raw(assigned.value, hops + 1)
        parameters = self._function.parameters if self._function else ()
        given = next((each for each in parameters if each.name == name and each.kind in ("positional", "keyword")), None)
        if (
            given is None
            or name in ("self", "cls")
            or (isinstance(given.default, Const) and not isinstance(given.default.value, str | None))
        ):
            return ""
        numeric = isinstance(given.annotation, Name) and given.annotation.id in _NUMBERS
        return "" if numeric else name

    def _is_fixed(self, value: Expr, name: str) -> bool:
        """`self.threshold`, where the class says once what that is."""
        if self._owner is None or not isinstance(value, Name) or value.id not in ("self", "cls"):
            return False
        return isinstance(self._outline.attributes(self._owner).get(name), Const)

    def _held(self, value: Expr) -> bool:
        """A field of an object that somebody passed or that the object itself keeps; not of a module or a constant, nor of what
        a loop runs over: a table of the program's own is as likely as anything else."""
        while isinstance(value, Attribute | Index):
            value = value.value
        if not isinstance(value, Name) or value.id in self._outline.module.imports or value.id.isupper():
            return False
        if self._is_looked_up(value.id):
            return False
        return value.id != "settings" and value.id not in self._outline.looped(self._function)

    def _is_looked_up(self, name: str) -> bool:
        """`badge = self.badges.get(value)`: a row of a table of the program's own."""
        assigned = self._outline.local(self._function, name)
        made = assigned.value if assigned is not None else None
        if not isinstance(made, Call) or not isinstance(made.callee, Attribute) or made.callee.name != "get":
            return False
        own = isinstance(made.callee.value, Attribute | Name) and bool(made.arguments)
        return own and not isinstance(made.arguments[0].value, Const)

    def _call(self, call: Call, hops: int) -> str:
        callee = call.callee
        if isinstance(callee, Attribute) and callee.name in _PASSING:
            built = interpolated(call)
            if built is not None:
                return next((name for each in built.values if (name := self.raw(each, hops + 1))), "")
            key = call.arguments[0].value if callee.name in ("get", "pop") and call.arguments else None
            if isinstance(key, Const) and isinstance(key.value, str):
                return key.value if not self._harmless(key.value) and self._held(callee.value) else ""
            if key is not None:
                return ""  # looked up by something: what is found there is the program's own as likely as not
            return self.raw(callee.value, hops + 1)
        if isinstance(callee, Name) and callee.id in ("str", "unicode", "repr") and call.arguments:
            return self.raw(call.arguments[0].value, hops + 1)
        return ""

    def _harmless(self, name: str) -> bool:
        return name == "id" or bool(set(words(name)) & self._harmless_words)
