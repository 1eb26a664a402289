"""HTML that is safe by construction: a plain string is always text, and only `tag` makes elements.

Names of elements and attributes are our own literals. There is no way to put a string into a page as HTML except by building
a `Markup` out of it, and only this module and the page's own style and script do that.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from counterproof.reports import inert

_VOID: Final = frozenset({"input", "link", "meta", "rect", "path"})
"""Elements without content. SVG wants them closed, HTML does not mind."""


@dataclass(frozen=True, slots=True)
class Markup:
    """A finished piece of HTML."""

    html: str


Child = Markup | str
Attribute = str | int | bool


def tag(element: str, *children: Child, **attributes: Attribute) -> Markup:
    """An element. `class_` and `for_` stand for the reserved words, `_` inside a name for a hyphen; False leaves one out."""
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


def lines(text: str, most: int = inert.MAX_BLOCK) -> Markup:
    """Lines of code, to stand in a `pre` element."""
    return Markup(inert.html_block(text, most))


def together(parts: Iterable[Markup]) -> Markup:
    """Pieces one after the other, each on a line of its own."""
    return Markup("\n".join(part.html for part in parts))
