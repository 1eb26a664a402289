"""One comparison for all ecosystems: picks the ordering that the ecosystem's own tools use.

Invariant: what cannot be read as a version of its ecosystem is None and never guessed; texts are bounded before any pattern
sees them. Not handled here: what a range of versions means.
"""

from collections.abc import Callable

from counterproof.analysis.dependencies.versions import composer, maven, pep440, rubygems, semver

MAX_VERSION = 200

Ordering = Callable[[str, str], int | None]
"""Below, equal to or above zero; None where one of the texts is no version."""


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
    """Whether `left` comes before (-1), with (0) or after (1) `right`; None where that cannot be told."""
    ordering = _ORDERINGS.get(ecosystem)
    if ordering is None or len(left) > MAX_VERSION or len(right) > MAX_VERSION:
        return None
    return ordering(left.strip(), right.strip())


def is_version(ecosystem: str, text: str) -> bool:
    """Whether the text is a version that the ecosystem's ordering understands."""
    return compare(ecosystem, text, text) is not None
