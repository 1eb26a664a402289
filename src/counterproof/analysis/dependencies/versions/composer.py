"""PHP versions in Composer's order: up to four numbers, then dev, alpha, beta, RC, stable, patch. Branches have no order."""

import re

_VERSION = re.compile(
    r"v?(?P<numbers>[0-9]+(?:\.[0-9]+){0,3})(?:[._-]?(?P<word>stable|alpha|beta|patch|rc|pl|a|b|p)(?P<step>(?:[.-]?[0-9]+)*))?"
    r"(?P<dev>[.-]?dev)?(?:\+\S*)?",
    re.IGNORECASE | re.ASCII,
)
_RANK = {"alpha": 1, "a": 1, "beta": 2, "b": 2, "rc": 3, "stable": 4, "patch": 5, "pl": 5, "p": 5}


def key(text: str) -> tuple[object, ...] | None:
    """A sort key for the version; None if the text is not a version."""
    found = _VERSION.fullmatch(text)
    if not found:
        return None
    numbers = [int(part) for part in found["numbers"].split(".")]
    numbers += [0] * (4 - len(numbers))
    rank = _RANK[(found["word"] or "stable").lower()]
    step = tuple(int(part) for part in re.findall(r"[0-9]+", found["step"] or ""))
    if found["dev"]:
        return (tuple(numbers), rank if found["word"] else 0, step, -1)
    return (tuple(numbers), rank, step, 0)
