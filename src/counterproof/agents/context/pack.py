"""Selects what is shown within a token budget, most valuable first, and states what was left out. Pure.

Invariant: no room is exceeded; shared sections are selected independently of the others, so that their bytes do not depend on
the task; omitted pieces are counted at their position.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.agents.context.sections import Piece, Section, Shown
from counterproof.agents.context.tokens import tokens
from counterproof.protocols.guard.isolation import MAX_BLOCK, Category

_FRAME = 120
"""The tokens of a section besides its pieces: title, marks, the note on omitted pieces."""
_BLOCK = MAX_BLOCK - 2_000


_PART = 12
"""An opening takes at most one in this many tokens of an agent's share, because every turn repeats it."""
_LEAST = 2_000


@dataclass(frozen=True, slots=True)
class Room:
    """Token budgets: for the sections shared by all tasks of a role, and for the task's own."""

    shared: int
    task: int

    def within(self, share: int | None) -> "Room":
        """The room for an agent with this many tokens as its share of the budget; None means no limit."""
        return self if share is None else self.at_most(max(_LEAST, share // _PART))

    def at_most(self, tokens: int) -> "Room":
        """The room reduced to this many tokens, in the same proportions."""
        whole = self.shared + self.task
        return self if whole <= tokens else Room(tokens * self.shared // whole, tokens * self.task // whole)


@dataclass(frozen=True, slots=True)
class Filled:
    """A section as shown. `bodies` are the texts of its data blocks; empty if `title` says everything."""

    title: str
    category: Category
    bodies: tuple[str, ...]
    pieces: tuple[Piece, ...] = ()
    tokens: int = 0
    left_out: int = 0

    @property
    def shows(self) -> tuple[Shown, ...]:
        return tuple(shown for piece in self.pieces for shown in piece.shows)


@dataclass(frozen=True, slots=True)
class Pack:
    """The content shown for one task, in order."""

    shared: tuple[Filled, ...] = ()
    task: tuple[Filled, ...] = ()

    @property
    def shows(self) -> tuple[Shown, ...]:
        return tuple(shown for each in (*self.shared, *self.task) for shown in each.shows)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the selected pieces that have one."""
        return tuple(piece.name for each in (*self.shared, *self.task) for piece in each.pieces if piece.name)

    @property
    def tokens(self) -> int:
        return sum(each.tokens for each in (*self.shared, *self.task))


def assembled(sections: tuple[Section, ...], room: Room) -> Pack:
    """Select the pieces of these sections that fit the room."""
    shared = tuple(each for each in sections if each.shared)
    own = tuple(each for each in sections if not each.shared)
    return Pack(tuple(_filled(shared, room.shared)), tuple(_filled(own, room.task)))


def _filled(sections: tuple[Section, ...], room: int) -> Iterator[Filled]:
    taken = _chosen(sections, room)
    for index, section in enumerate(sections):
        pieces = [piece for number, piece in enumerate(section.pieces) if (index, number) in taken]
        left_out = len(section.pieces) - len(pieces)
        if not section.pieces and section.none:
            yield Filled(f"{section.title} {section.none}", section.category, (), tokens=tokens(section.title) + _FRAME)
        elif section.pieces:
            yield _section(section, pieces, left_out)


def _section(section: Section, pieces: list[Piece], left_out: int) -> Filled:
    title = section.title
    if left_out:
        how = f"; {section.rest}" if section.rest else ""
        title += f" ({left_out} of {len(section.pieces)} left out for want of room{how})"
    cost = _FRAME + sum(tokens(piece.text) + 1 for piece in pieces)
    return Filled(title, section.category, tuple(_bodies(pieces)), tuple(pieces), cost, left_out)


def _chosen(sections: tuple[Section, ...], room: int) -> set[tuple[int, int]]:
    """Section and number of every selected piece: ranked by the section's value, then by the piece's."""
    order = sorted(
        (-section.value, -piece.value, index, number)
        for index, section in enumerate(sections)
        for number, piece in enumerate(section.pieces)
    )
    left = room
    used = [0] * len(sections)
    taken: set[tuple[int, int]] = set()
    for _, _, index, number in order:
        cost = tokens(sections[index].pieces[number].text) + 1 + (0 if used[index] else _FRAME)
        most = sections[index].most
        if cost <= left and not (most and used[index] + cost > most):
            left -= cost
            used[index] += cost
            taken.add((index, number))
    return taken


def _bodies(pieces: list[Piece]) -> Iterator[str]:
    """The pieces as texts that each fit a data block; a longer piece is split between lines."""
    lines: list[str] = []
    size = 0
    for line in (line for piece in pieces for line in piece.text.split("\n")):
        if lines and size + len(line) + 1 > _BLOCK:
            yield "\n".join(lines)
            lines, size = [], 0
        lines.append(line)
        size += len(line) + 1
    if lines:
        yield "\n".join(lines)
