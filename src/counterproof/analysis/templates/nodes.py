"""What a template is made of, beside the statements and expressions of the intermediate form.

Invariant: lines count from 1. Not handled here: reading text.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from counterproof.analysis.syntax import ir


class Spot(StrEnum):
    """Where in a page a value is printed."""

    TEXT = "text"
    QUOTED = "a quoted attribute"
    UNQUOTED = "an attribute without quotes"
    ADDRESS = "the beginning of an address"
    HANDLER = "an event handler"
    SCRIPT = "a script"
    SCRIPT_TEXT = "a text inside a script"
    OTHER = "a comment or a style"


@dataclass(slots=True, eq=False)
class Filter(ir.Node):
    """`value|name(arguments)`."""

    value: ir.Expr
    name: str
    arguments: tuple[ir.Expr, ...]


@dataclass(slots=True, eq=False)
class Member(ir.Node):
    """`value.name` as templates mean it: a field, or an element of that name."""

    value: ir.Expr
    name: str


@dataclass(slots=True, eq=False)
class Print(ir.Node):
    """`{{ value }}`. `escaped` is None where the environment decides; `raw` where the tag itself prints as it is."""

    value: ir.Expr
    spot: Spot
    escaped: bool | None


@dataclass(slots=True, eq=False)
class Block(ir.Node):
    """A part that templates further down may replace."""

    name: str


@dataclass(slots=True, eq=False)
class Include(ir.Node):
    """Another template printed here; `given` are variables that it gets beside those of its surroundings."""

    template: ir.Expr
    given: tuple[tuple[str, ir.Expr], ...] = ()


@dataclass(slots=True, eq=False)
class Macros(ir.Node):
    """`import "x" as alias`, or names taken out of it: (name there, name here)."""

    template: ir.Expr
    alias: str
    names: tuple[tuple[str, str], ...]


@dataclass(slots=True, eq=False)
class Macro(ir.Node):
    """A part of a page with parameters."""

    name: str
    parameters: tuple[tuple[str, "ir.Expr | None"], ...]
    body: tuple[ir.Node, ...]


@dataclass(slots=True, eq=False)
class Template:
    """One file, or one text in the code. `markup` says that there is a tag in it, so that it may be a page."""

    path: str
    lines: int
    body: tuple[ir.Node, ...] = ()
    blocks: dict[str, tuple[ir.Node, ...]] = field(default_factory=dict[str, tuple[ir.Node, ...]])
    macros: dict[str, Macro] = field(default_factory=dict[str, Macro])
    parent: ir.Expr | None = None
    markup: bool = False
    problem: str = ""
