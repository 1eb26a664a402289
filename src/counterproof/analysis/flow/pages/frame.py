"""A page being run: the variables of a template and the rules under which it prints.

Always holds: nesting and length of a page are bounded. Does not belong here: what its statements do.
"""

from counterproof.analysis.flow.frame import EnginePort, Frame
from counterproof.analysis.syntax import ir
from counterproof.analysis.templates.dialects import Dialect
from counterproof.analysis.templates.nodes import Macro, Template

MAX_DEPTH = 10
"""Pages and macros inside one another."""

MAX_PRINTS = 4_000
"""Prints of one page, those of its parts included."""


class PageFrame(Frame):
    """`asker` is the file whose nearest templates are meant; `fixed_line` the line of the code that holds the template's text."""

    __slots__ = ("asker", "blocks", "depth", "dialect", "escapes", "fixed_line", "macros", "prints")

    def __init__(self, engine: EnginePort, template: Template, dialect: Dialect, escapes: bool, asker: str) -> None:
        super().__init__(engine, module_of(template), None, None)
        self.dialect = dialect
        self.escapes = escapes
        self.asker = asker
        self.depth = 0
        self.prints = 0
        self.fixed_line = 0
        self.blocks: dict[str, tuple[Template, tuple[ir.Node, ...]]] = {}
        self.macros: dict[str, tuple[Template, Macro]] = {}


def module_of(template: Template) -> ir.Module:
    """A template in the place of a module, so that steps and sinks name its file."""
    return ir.Module(template.path, "", "", template.lines, ())
