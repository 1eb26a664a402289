"""Which lines of a page template act: values, tags, forms and scripts. The rest is markup and words.

Invariant: bounded by the scanner; in doubt a line acts. Not handled here: what a value is worth.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.templates.scanner import pieces

PAGES = (".html", ".htm", ".jinja", ".jinja2", ".j2", ".twig")
"""Files in the notation that the scanner reads; what has another one is not divided."""

_FOREIGN = ("<%", "<?", "{{{")
_QUOTED = re.compile(r"""(["'])[^"']*\1""")
_ACTING = re.compile(r"<(?:form|input|iframe|base|object|embed)\b|\bon[a-z]{3,20}\s{0,3}=", re.IGNORECASE)
_SCRIPT = re.compile(r"<script\b|</script", re.IGNORECASE)


def acting_lines(text: str) -> frozenset[int] | None:
    """The numbers of these lines; None where the text is in a notation that is not known here."""
    if any(sign in text for sign in _FOREIGN):
        return None
    return frozenset((*_with_values(text), *_with_elements(text)))


def _with_values(text: str) -> Iterator[int]:
    for piece in pieces(text):
        if piece.kind == "print" or (piece.kind == "tag" and not _is_constant(piece.text)):
            yield from range(piece.line, piece.line + piece.text.count("\n") + 1)


def _is_constant(tag: str) -> bool:
    """A tag with a quoted text and no name beside its own word, such as a translation."""
    bare, quoted = _QUOTED.subn("", tag)
    return bool(quoted) and len(bare.split()) < 2


def _with_elements(text: str) -> Iterator[int]:
    inside = False
    for number, line in enumerate(text.split("\n"), 1):
        marks = _SCRIPT.findall(line)
        if inside or marks or _ACTING.search(line):
            yield number
        inside = marks[-1].lower() == "<script" if marks else inside
