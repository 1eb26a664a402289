"""Modes and everything that a mode fixes in advance: documents, phases, rounds, thresholds (A1, A3, A15, A30)."""

from collections.abc import Container, Iterable
from enum import StrEnum
from math import ceil

from counterproof.model.contract import Role
from counterproof.model.counting import counted as told

TINY_LOC = 500
"""Below this many lines of code the mode is quick, whatever was requested (A1)."""


class Mode(StrEnum):
    """How thorough an audit is."""

    QUICK = "quick"
    STANDARD = "standard"
    DEEP = "deep"


RULES = "rules"
"""The rule packs of the embedded analysts, which every run reads."""

SHARED = ("conduct", "rubric")
"""Documents in the prompt of every model, whatever its role."""


def documents(modelled: Container[Role]) -> tuple[str, ...]:
    """The documents that a run loads before planning (A3): the analysts' rules, and the documents in the prompts of models
    that hunt. Those of other roles are listed once such a role gets a task."""
    return (RULES, *asked_documents(role for role in (Role.HUNTER,) if role in modelled))


def asked_documents(roles: Iterable[Role]) -> tuple[str, ...]:
    """The documents in the prompts of models with these roles."""
    own = sorted({role.value.replace(" ", "-") for role in roles})
    return tuple(f"roles/{name}.md" for name in ((*SHARED, *own) if own else ()))


_FULL: dict[str, tuple[str, ...]] = {"1": ("1", "2"), "2": ("2.5",), "2.5": ("2", "3"), "3": ("4",), "4": ("5",), "5": ()}

PHASE_MOVES: dict[Mode, dict[str, tuple[str, ...]]] = {
    Mode.QUICK: {"1": ("1", "2"), "2": ("5",), "5": ()},
    Mode.STANDARD: _FULL,
    Mode.DEEP: _FULL,
}
"""Which phase may follow which (A30). The move from 2 to 5 after every agent failed (A27) is handled separately in
`moves.enter`."""


def skipped_phase(mode: Mode, current: str, wanted: str) -> str:
    """The phase to which a jump from `current` to `wanted` is sent back: the skipped phase, or `current` if the jump leads
    backwards or nowhere. '' if the move is allowed; staying always is."""
    moves = PHASE_MOVES[mode]
    if wanted == current or wanted in moves[current]:
        return ""
    order = tuple(moves)
    ahead = wanted in order and order.index(wanted) > order.index(current)
    return moves[current][-1] if ahead else current


ROUND_LIMIT: dict[Mode, int] = {Mode.QUICK: 1, Mode.STANDARD: 2, Mode.DEEP: 3}


def effective_mode(requested: Mode, loc: int) -> tuple[Mode, str]:
    """The mode that will run, and why it differs from the requested one ('' if it does not)."""
    if loc < TINY_LOC and requested is not Mode.QUICK:
        return Mode.QUICK, f"below {TINY_LOC} lines of code an audit is always quick, and this is {told(loc, 'line')}"
    return requested, ""


def threshold(mode: Mode, counted: int) -> int:
    """How many of `counted` dimensions must be covered (A15)."""
    share = 0.9 if mode is Mode.DEEP else 0.8
    return ceil(round(share * counted, 6))
