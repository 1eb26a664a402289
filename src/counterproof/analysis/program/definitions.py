"""Definitions of variables: the nouns that the search for them shares.

Always holds: a test is kept only if every path from the definition to the use passed it with that outcome. Does not belong here:
the search itself, and what the tests mean.
"""

from dataclasses import dataclass, field

from counterproof.analysis.program.file import File
from counterproof.analysis.syntax.ir import Expr, Name, Node, Sequence, Spread

MAX_VISITED = 20_000
"""Statements looked at for one use of a variable."""

ANY = "*"
"""A value in a collection, whichever."""

ITER = "*iter"
"""What iterating gives: the items of a sequence, the keys of a mapping."""

Key = str | int


@dataclass(frozen=True, slots=True)
class Held:
    """A test and how it came out; None means that a statement with this call ran to its end."""

    test: Expr
    truth: bool | None


@dataclass(frozen=True, slots=True, eq=False)
class Reaching:
    """One definition. `kind` is 'value', 'parameter', 'caught', 'outer' (a name of an enclosing scope) or 'open'.

    `access` says which part of `value` the name got; `stored` is the key under which `value` was put into the variable.
    """

    kind: str
    at: Node
    value: Expr | None = None
    access: tuple[Key, ...] = ()
    stored: Key | None = None
    tests: tuple[Held, ...] = ()


@dataclass(slots=True)
class Search:
    """One look for the definitions of one name. `held` are the tests passed so far, nearest first."""

    ground: File
    name: str
    found: list[Reaching] = field(default_factory=list[Reaching])
    held: list[Held] = field(default_factory=list[Held])
    left: int = MAX_VISITED

    def add(
        self, kind: str, at: Node, value: Expr | None = None, access: tuple[Key, ...] = (), stored: Key | None = None
    ) -> None:
        self.found.append(Reaching(kind, at, value, access, stored, tuple(self.held)))


def binds(target: Expr, name: str) -> tuple[Key, ...] | None:
    """How `name` is taken from what is assigned to `target`; None if it is not."""
    if isinstance(target, Spread):
        target = target.value
    if isinstance(target, Name):
        return () if target.id == name else None
    if isinstance(target, Sequence):
        for index, each in enumerate(target.items):
            inner = binds(each, name)
            if inner is not None:
                return (index, *inner)
    return None
