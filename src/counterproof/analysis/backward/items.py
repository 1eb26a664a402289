"""What the backward walk carries along: expressions still to be followed, and the calls it went into.

Always holds: an item knows the way it came, the defences it met and why it may be broken. Does not belong here: following.
"""

from dataclasses import dataclass
from typing import Protocol

from counterproof.analysis.backward.derivation import Defence, Hop, OriginKind
from counterproof.analysis.program.definitions import Key
from counterproof.analysis.program.file import File
from counterproof.analysis.program.program import Callee, CallSite
from counterproof.analysis.syntax.ir import Expr, Node
from counterproof.model.flow import Break

MAX_ITEMS = 6_000
"""Expressions followed from one sink."""

MAX_WAYS = 60
MAX_HOPS = 60
MAX_FRAMES = 8
"""Functions gone into, one inside the other."""

MAX_UPWARD = 8
"""Callers followed upwards, one above the other."""

MAX_ACCESS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A call that the walk went into, and the one before it."""

    site: CallSite
    callee: Callee
    outer: "Frame | None"
    depth: int


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """An expression still to be followed. `anchor` is where the walk entered this function."""

    ground: File
    expr: Expr
    hop: Hop
    anchor: Node
    access: tuple[Key, ...] = ()
    defences: tuple[Defence, ...] = ()
    appended: bool = False
    frame: Frame | None = None
    broken: Break | None = None
    upward: int = 0
    hops: int = 1


class Walk(Protocol):
    """The walk from one sink, as those see it who follow one kind of step for it."""

    def push(self, item: Item) -> None: ...
    def end(self, item: Item, kind: OriginKind, text: str, broken: Break | None = None, **more: str) -> None:
        """The walk is over for this item: record its way."""
        ...

    def source(self, item: Item, path: str) -> bool:
        """End here if a resolved name is something an outsider fills in."""
        ...

    def setting(self, item: Item, path: str) -> bool:
        """End here if a resolved name is a setting or the session."""
        ...
