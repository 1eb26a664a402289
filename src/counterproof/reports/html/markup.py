"""HTML that is safe by construction: a plain string is always text, and only `tag` creates elements.

Names of elements and attributes are our own literals. A string can become HTML only by constructing a `Markup`, which only
this module and the page's own style and script do.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from counterproof.reports import inert

_VOID: Final = frozenset({"input", "link", "meta", "rect", "path"})
"""Elements without content. SVG requires closing them, HTML allows it."""


@dataclass(frozen=True, slots=True)
class Markup:
    """A finished piece of HTML."""

    html: str


Child = Markup | str
Attribute = str | int | bool


def tag(element: str, *children: Child, **attributes: Attribute) -> Markup:
    """An element. `class_` and `for_` stand for the reserved words, `_` inside a name for a hyphen; False omits an attribute."""
    start = f"{element}{''.join(_attribute(name, value) for name, value in attributes.items())}"
    if element in _VOID:
        return Markup(f"<{start}/>")
    return Markup(f"<{start}>{''.join(_child(child) for child in children)}</{element}>")


def _attribute(name: str, value: Attribute) -> str:
    if value is False:
        return ""
    written = name.rstrip("_").replace("_", "-")
    return f" {written}" if value is True else f' {written}="{inert.html(str(value))}"'


def _child(child: Child) -> str:
    return child.html if isinstance(child, Markup) else inert.html(child)


def lines(text: str, most: int = inert.MAX_BLOCK, widest: int = inert.MAX_CODE) -> Markup:
    """Lines of code for a `pre` element."""
    return Markup(inert.html_block(text, most, widest))


def together(parts: Iterable[Markup]) -> Markup:
    """The pieces in order, each on a line of its own."""
    return Markup("\n".join(part.html for part in parts))
