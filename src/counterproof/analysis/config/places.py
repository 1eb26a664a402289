"""Places that data rules check: a call, a setting, a header or an attribute, with the deciding value.

Invariant: an unknown value makes every condition False. Not handled here: which places a rule examines.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from counterproof.analysis.config.settings import Setting, for_development
from counterproof.analysis.config.values import Switch, is_fixed, literal, switch
from counterproof.analysis.config.web import is_web_module
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.settings import is_django_settings
from counterproof.analysis.program.spread import given
from counterproof.analysis.program.traversal import argument as argument_of
from counterproof.analysis.program.traversal import calls_in, spreads
from counterproof.analysis.program.traversal import keyword as keyword_of
from counterproof.analysis.project import Project
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Expr, Function, Name, Sequence
from counterproof.analysis.syntax.walk import last_name, walk

_READ = frozenset({"read", "read_text", "read_bytes", "text", "content", "body", "data", "stdout"})
"""Attributes and methods that hold a text from outside."""


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


def absent(at: Place) -> bool:
    return at.value is None


def development(at: Place) -> bool:
    return at.development


def django(at: Place) -> bool:
    """Settings of Django."""
    return at.django


def unconditional(at: Place) -> bool:
    """Neither for development nor below a condition."""
    return not at.development and not at.site.tests


def in_function(at: Place) -> bool:
    return at.function is not None


def web(at: Place) -> bool:
    """The module serves web requests."""
    return is_web_module(at.outline)


def of_module(at: Place) -> bool:
    """A setting assigned to a name of the module."""
    return at.setting is not None and at.setting.form == "name" and at.setting.owner is None


def set_again(at: Place) -> bool:
    """The module assigns the setting again further down, whatever happens before."""
    later = (each for each in at.outline.of(Assign) if each.owner is None and each.function is None and not each.tests)
    return any(each.line > at.site.line and at.name in map(last_name, each.node.targets) for each in later)


def spread(at: Place) -> bool:
    """The call passes on options that are not written here."""
    return bool(spreads(at.call))


def parameter(at: Place) -> bool:
    """The deciding value is a parameter of the function."""
    given = at.value
    return isinstance(given, Name) and at.function is not None and at.outline.local(at.function, given.id) is None


def on_by_default(at: Place) -> bool:
    """On, unless the environment turns it off."""
    return at.switch().on is True


def local(at: Place) -> bool:
    """The address of this machine."""
    return at.text() in ("localhost", "127.0.0.1", "::1")


def of_import(at: Place) -> bool:
    """The called name starts at an import of the file, not at a variable."""
    root: Expr = at.call.callee
    while isinstance(root, Attribute):
        root = root.value
    name = root.id if isinstance(root, Name) else ""
    shadowed = at.outline.local(at.function, name) or name in at.outline.top_level
    return name in at.outline.module.imports and not shadowed


def foreign_text(at: Place) -> bool:
    """The first argument comes from a file, a response or a caller."""
    text: Expr | None = argument_of(at.call, 0, "stream")
    if isinstance(text, Name):
        assigned = at.outline.local(at.function, text.id)
        if assigned is None or assigned.value is None:
            return at.function is not None or text.id not in at.outline.top_level
        text = assigned.value
    parts = (text,) if text is not None else ()
    opened = any(at.dotted(call.callee) in ("open", "io.open", "codecs.open") for call in calls_in(*parts))
    return opened or bool(_READ & {each.name for each in walk(*parts) if isinstance(each, Attribute)})


def not_for_security(at: Place) -> bool:
    """`usedforsecurity=False`."""
    return at.switch(keyword_of(at.call, "usedforsecurity")).on is False


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
