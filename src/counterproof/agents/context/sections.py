"""Sections and their pieces: what could be shown to an agent, before anybody knows whether there is room for it. Pure data."""

from dataclasses import dataclass

from counterproof.model.user_context import UserContext
from counterproof.protocols.guard.isolation import Category


@dataclass(frozen=True, slots=True)
class Shown:
    """Lines of a file of the target that a piece shows."""

    path: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Piece:
    """The smallest thing that is shown or left out. `value` ranks it within its section, the largest first; pieces of one value
    keep their order. `name` is for whoever wants to know which pieces were taken."""

    text: str
    value: int = 0
    shows: tuple[Shown, ...] = ()
    name: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """`title` is ours and stands outside the data. `value` ranks the section; `most` is the most tokens that it may take, 0 for
    no such bound. `shared`: the same for every task of a run and role. `none` is said where there is no piece; without it an
    empty section is not mentioned. `rest` says how to get at what was left out."""

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
    """What the user says about the program, the same for every agent (A65)."""
    lines = (f"{context.name}:", *context.text.splitlines()) if context else ()
    title = f"{_USER} no evidence of what the code does:"
    return (Section(title, Category.USER, tuple(map(Piece, lines)), 210, shared=True),) if lines else ()
