"""Replacements in strings: `text.replace(a, b)`, `re.sub(a, b, text)`, `text.split(a).join(b)`.

Invariant: pure reading of literal code. Not handled here: whether the replacement is effective.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import positional, text_of
from counterproof.analysis.syntax.ir import Attribute, Call, Expr, Name

_ESCAPED = re.compile(r"\\([^\w\s])")


class Replacement(NamedTuple):
    """`what` is the searched text or, if `pattern` is set, the regular expression. `once` is True if only the first match is
    replaced."""

    site: Site[Call]
    of: Expr
    what: str
    by: str
    pattern: bool
    once: bool

    @property
    def plain(self) -> str:
        """The searched text without backslashes that only escape a character."""
        return _ESCAPED.sub(r"\1", self.what) if self.pattern else self.what


def replacements(outline: Outline, *, scripts: bool) -> Iterator[Replacement]:
    """Every replacement with a literal text."""
    for site in outline.of(Call):
        callee = site.node.callee
        first, second = positional(site.node, 0), positional(site.node, 1)
        if outline.dotted(callee) == "re.sub" and first is not None and (of := positional(site.node, 2)) is not None:
            what, by = text_of(first), text_of(second)
            if what is not None and by is not None:
                yield Replacement(site, of, what, by, True, False)
        elif isinstance(callee, Attribute) and callee.name in ("replace", "replaceAll") and (by := text_of(second)) is not None:
            found = _looked_for(first)
            if found is not None:
                what, flags, pattern = found
                once = scripts and callee.name == "replace" and "g" not in flags
                yield Replacement(site, callee.value, what, by, pattern, once)
        elif isinstance(callee, Attribute) and callee.name == "join" and (by := text_of(first)) is not None:
            split = callee.value
            if isinstance(split, Call) and isinstance(split.callee, Attribute) and split.callee.name == "split":
                what = text_of(positional(split, 0))
                if what is not None:
                    yield Replacement(site, split.callee.value, what, by, False, False)


def _looked_for(first: Expr | None) -> tuple[str, str, bool] | None:
    """The text or the pattern, with the pattern's flags."""
    text = text_of(first)
    if text is not None:
        return text, "", False
    if isinstance(first, Call) and isinstance(first.callee, Attribute) and first.callee.name == "compile":
        made = first.callee.value
        pattern = text_of(positional(first, 0))
        if isinstance(made, Name) and made.id == "<re>" and pattern is not None:
            return pattern, text_of(positional(first, 1)) or "", True
    return None
