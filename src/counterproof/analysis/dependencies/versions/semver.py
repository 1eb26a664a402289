"""Semantic versions in the order of npm and Go. Go's pseudo-versions are pre-releases and need no special treatment.

Invariant: build labels (`+incompatible`) are ignored; missing parts are zero, because advisories also write `1` and `1.2`.
"""

import re

_VERSION = re.compile(
    r"[v=]{0,2}(?P<numbers>[0-9]+(?:\.[0-9]+){0,5})(?:-(?P<pre>[0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.+-]*)?", re.ASCII
)


def key(text: str) -> tuple[object, ...] | None:
    """A sort key for the version; None if the text is not a version."""
    found = _VERSION.fullmatch(text)
    if not found:
        return None
    numbers = [int(part) for part in found["numbers"].split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    return (tuple(numbers), _pre(found["pre"]))


def _pre(text: str | None) -> tuple[object, ...]:
    """A release follows all its pre-releases; numbers precede words."""
    if text is None:
        return (1,)
    return (0, tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in text.split(".")))
