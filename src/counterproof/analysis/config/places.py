"""Places that data rules check: a call, a setting, a header or an attribute, with the deciding value.

Invariant: an unknown value makes every condition False. Not handled here: which places a rule examines.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from counterproof.analysis.config.settings import Setting, for_development
from counterproof.analysis.config.values import Switch, is_fixed, literal, switch
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.settings import is_django_settings
from counterproof.analysis.program.spread import given
from counterproof.analysis.program.traversal import argument as argument_of
from counterproof.analysis.program.traversal import keyword as keyword_of
from counterproof.analysis.project import Project
from counterproof.analysis.syntax.ir import Attribute, Call, Expr, Function, Name, Sequence


@dataclass(frozen=True, slots=True)
class Place:
    """`name` is the resolved name of the callee, or the name of the setting, header or attribute."""

    project: Project
    codebase: Codebase
    outline: Outline
    site: Site[Any]
    name: str
    value: Expr | None = None
    setting: Setting | None = None

    @property
    def call(self) -> Call:
        assert isinstance(self.site.node, Call)
        return self.site.node

    @property
    def function(self) -> Function | None:
        return self.site.function

    @property
    def development(self) -> bool:
        """Return True if the surrounding settings are for development."""
        return for_development(self.outline, self.setting.owner if self.setting else None)

    @property
    def django(self) -> bool:
        return is_django_settings(self.codebase, self.outline.path)

    def literal(self, value: Expr | None = None) -> object:
        return literal(self.codebase, self.outline, self.value if value is None else value, self.function)

    def text(self, value: Expr | None = None) -> str:
        """The string that a value is; "" if it is not a string."""
        found = self.literal(value)
        return found if isinstance(found, str) else ""

    def dotted(self, value: Expr | None = None) -> str:
        return self.outline.dotted(self.value if value is None else value)

    def switch(self, value: Expr | None = None) -> Switch:
        return switch(self.codebase, self.outline, self.value if value is None else value, self.function)

    def items(self) -> tuple[Expr, ...]:
        """The elements of a list, or the single value."""
        if isinstance(self.value, Sequence):
            return self.value.items
        return (self.value,) if self.value is not None else ()

    def meant(self, value: Expr | None) -> Expr | None:
        """A value, or the value of the project's variable that it names."""
        found = self.codebase.meaning(self.outline, value, self.function) if isinstance(value, Name | Attribute) else None
        return found.node if found is not None and isinstance(found.node, Expr) else value


Test = Callable[[Place], bool]
Take = Callable[[Place], Expr | None]


def always(_: Place) -> bool:
    return True


def fixed(at: Place) -> bool:
    """The same bytes or string in every run."""
    return at.value is not None and is_fixed(at.codebase, at.outline, at.value, at.function)


def off(at: Place) -> bool:
    """Certainly off; a value from the environment is not."""
    found = at.switch()
    return found.on is False and found.certain


def on(at: Place) -> bool:
    found = at.switch()
    return found.on is True and found.certain


def below(least: int) -> Test:
    def small(at: Place) -> bool:
        number = at.literal()
        return isinstance(number, int) and number < least

    return small


def one_of(*texts: str) -> Test:
    return lambda at: at.text().lower() in texts


def argument(position: int, *keywords: str) -> Take:
    """The argument with one of the keywords or, failing that, at a position."""

    def taken(at: Place) -> Expr | None:
        named = next((found for each in keywords[1:] if (found := keyword_of(at.call, each)) is not None), None)
        return named if named is not None else argument_of(at.call, position, keywords[0] if keywords else "")

    return taken


def keyword(*keywords: str) -> Take:
    """The argument with one of the keywords, also inside a spread mapping."""

    def found(at: Place) -> Iterator[Expr]:
        for each in keywords:
            if (value := given(at.codebase, at.outline, at.site, each)) is not None:
                yield value

    return lambda at: next(found(at), None)
