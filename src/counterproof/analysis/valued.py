"""Values that are worked out from many files and count by what they are: the entry points of a file, which files have a trait.

Whoever uses one notes its name. A later run works it out again, which must be cheap, and compares.

Always holds: a value is made from the project and its name alone. Does not belong here: what is done with values.
"""

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from counterproof.analysis.project import Project

Maker = Callable[["Project", str], object]

_MAKERS: dict[str, Maker] = {}


def valued(kind: str) -> Callable[[Maker], Maker]:
    """Makes a function the one that works out values of a kind. It gets what stands after the kind in the name of the value."""

    def register(make: Maker) -> Maker:
        _MAKERS[kind] = make
        return make

    return register


def named(kind: str, argument: str) -> str:
    return f"{kind}:{argument}"


def digest_of_value(project: "Project", name: str) -> str:
    """What a value is now, in short; '' where nobody knows how to make it."""
    kind, _, argument = name.partition(":")
    make = _MAKERS.get(kind)
    if make is None:
        return ""
    with project.notes.apart():
        return hashlib.sha256(repr(make(project, argument)).encode("utf-8", "surrogatepass")).hexdigest()
