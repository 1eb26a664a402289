"""Sections and their pieces: the content that could be shown to an agent, before selection. Pure data."""

from dataclasses import dataclass

from counterproof.model.user_context import UserContext
from counterproof.protocols.guard.isolation import Category


@dataclass(frozen=True, slots=True)
class Shown:
    """The lines of a target file that a piece shows."""

    path: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Piece:
    """The smallest unit of selection. `value` ranks it within its section, largest first; equal pieces keep their order.
    `name` identifies selected pieces."""

    text: str
    value: int = 0
    shows: tuple[Shown, ...] = ()
    name: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """`title` is ours and outside the data. `value` ranks the section; `most` is its token limit, 0 for none. `shared`: the
    same for every task of a run and role. `none` is the text for a section without pieces; without it an empty section is
    omitted. `rest` says how to get omitted pieces."""

    title: str
    category: Category
    pieces: tuple[Piece, ...]
    value: int = 50
    most: int = 0
    shared: bool = False
    none: str = ""
    rest: str = ""


_USER = (
    "What the user says about the program. It is the user's word: what it calls meant, trusted or out of scope is so; it is no "
)


def user_section(context: UserContext | None) -> tuple[Section, ...]:
    """The user's description of the program, the same for every agent (A65)."""
    lines = (f"{context.name}:", *context.text.splitlines()) if context else ()
    title = f"{_USER} no evidence of what the code does:"
    return (Section(title, Category.USER, tuple(map(Piece, lines)), 210, shared=True),) if lines else ()
