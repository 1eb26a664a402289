"""Where a text is judged by letters that it begins with, ends with, contains, or that a pattern finds in it.

Always holds: pure reading, both languages alike. Does not belong here: what the test is for.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from counterproof.analysis.outline.outline import Outline, Site
from counterproof.analysis.outline.traversal import positional, text_of
from counterproof.analysis.syntax.ir import Attribute, Call, Compare, Expr, Name, Sequence

START, END, INSIDE, PATTERN, WHOLE = "start", "end", "inside", "pattern", "whole"
_ENDS = {"startswith": START, "startsWith": START, "endswith": END, "endsWith": END}
_CALLS = ("match", "search", "fullmatch", "test", "exec")
_QUOTED = re.compile(r"\\([./:-])")


class TextTest(NamedTuple):
    """`texts` are the letters that are looked for, as far as the code spells them out."""

    site: Site[Call] | Site[Compare]
    tested: Expr
    sought: Expr
    how: str
    texts: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name of what is tested, through `toLowerCase()` and the like."""
        expr = self.tested
        while isinstance(expr, Call) and isinstance(expr.callee, Attribute):
            expr = expr.callee.value
        return expr.id if isinstance(expr, Name) else expr.name if isinstance(expr, Attribute) else ""


def text_tests(outline: Outline) -> Iterator[TextTest]:
    """Every test of a text by a part of it, and every comparison with texts."""
    for site in outline.of(Call):
        callee = site.node.callee
        first = positional(site.node, 0)
        if not isinstance(callee, Attribute) or first is None:
            continue
        if callee.name in _ENDS:
            yield TextTest(site, callee.value, first, _ENDS[callee.name], _texts(outline, first))
        elif callee.name in _CALLS:
            yield from _matched(outline, site, callee.value, first)
    for site in outline.of(Compare):
        if len(site.node.operands) == 2:
            left, right = site.node.operands
            inside = site.node.operators[0] in ("in", "not in")
            if inside and not isinstance(right, Sequence) and not _texts(outline, right):
                yield TextTest(site, right, left, INSIDE, _texts(outline, left))
            elif inside or site.node.operators[0] in ("==", "!=", "===", "!=="):
                yield TextTest(site, left, right, WHOLE, _texts(outline, right))


def _matched(outline: Outline, site: Site[Call], receiver: Expr, first: Expr) -> Iterator[TextTest]:
    """`re.match(pattern, text)` and `/pattern/.test(text)`, also where the pattern has a name."""
    second = positional(site.node, 1)
    if outline.dotted(receiver) == "re" and second is not None:
        yield TextTest(site, second, first, PATTERN, _texts(outline, first))
    elif texts := _compiled(outline, receiver):
        yield TextTest(site, first, receiver, PATTERN, texts)


def _compiled(outline: Outline, expr: Expr) -> tuple[str, ...]:
    if isinstance(expr, Name):
        known = outline.top_level.get(expr.id)
        expr = known.value if known is not None and known.value is not None else expr
    made = isinstance(expr, Call) and isinstance(expr.callee, Attribute) and expr.callee.name == "compile"
    return _texts(outline, expr.arguments[0].value) if made and isinstance(expr, Call) and expr.arguments else ()


def _texts(outline: Outline, expr: Expr) -> tuple[str, ...]:
    """The texts that an expression spells out: itself, those of a list, or of a list under a name."""
    if isinstance(expr, Name):
        known = outline.top_level.get(expr.id)
        expr = known.value if known is not None and known.value is not None else expr
    if isinstance(expr, Call) and len(expr.arguments) == 1 and isinstance(expr.arguments[0].value, Sequence):
        expr = expr.arguments[0].value  # `frozenset({…})`
    if isinstance(expr, Sequence):
        return tuple(text for each in expr.items if (text := text_of(each)) is not None)
    text = text_of(expr)
    return (text,) if text is not None else ()


def unquoted(pattern: str) -> str:
    """A pattern without the marks that only quote a sign of an address."""
    return _QUOTED.sub(r"\1", pattern)
