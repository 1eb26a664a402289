"""One comparison for all ecosystems, with the ordering of the ecosystem's own tools.

Invariant: a text that is not a version of its ecosystem gives None and is never guessed; texts are bounded before any pattern is
applied. Not handled here: the meaning of version ranges.
"""

from collections.abc import Callable

from counterproof.analysis.dependencies.versions import composer, maven, pep440, rubygems, semver

MAX_VERSION = 200

Ordering = Callable[[str, str], int | None]
"""Below, equal to or above zero; None if one of the texts is not a version."""


def _by_key(key: Callable[[str], tuple[object, ...] | None]) -> Ordering:
    def ordered(left: str, right: str) -> int | None:
        one, other = key(left), key(right)
        if one is None or other is None:
            return None
        return (one > other) - (one < other)

    return ordered


_ORDERINGS: dict[str, Ordering] = {
    "pypi": _by_key(pep440.key),
    "npm": _by_key(semver.key),
    "go": _by_key(semver.key),
    "packagist": _by_key(composer.key),
    "maven": maven.compare,
    "rubygems": rubygems.compare,
}


def compare(ecosystem: str, left: str, right: str) -> int | None:
    """Return -1, 0 or 1 if `left` is before, equal to or after `right`; None if unknown."""
    ordering = _ORDERINGS.get(ecosystem)
    if ordering is None or len(left) > MAX_VERSION or len(right) > MAX_VERSION:
        return None
    return ordering(left.strip(), right.strip())


def is_version(ecosystem: str, text: str) -> bool:
    """Return True if the ecosystem's ordering can parse the text."""
    return compare(ecosystem, text, text) is not None
