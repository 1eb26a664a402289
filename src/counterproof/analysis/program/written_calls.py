"""A call as written, for the sink matcher: arguments are expressions.

Invariant: anything known only at run time is UNKNOWN. Not handled here: resolving names; a walker that can does so in a subclass.
"""

from collections.abc import Sequence

from counterproof.analysis.libraries.matcher import UNKNOWN, Unknown
from counterproof.analysis.program.settings import entry_of
from counterproof.analysis.program.traversal import keyword, positional, text_of
from counterproof.analysis.syntax import ir


class WrittenCall:
    """The written arguments of a call."""

    def __init__(self, call: ir.Call) -> None:
        self.call = call

    @property
    def receiver(self) -> ir.Expr | None:
        return self.call.callee.value if isinstance(self.call.callee, ir.Attribute) else None

    def at(self, position: int) -> ir.Expr | None:
        return positional(self.call, position)

    def named(self, keyword_name: str) -> ir.Expr | None:
        return keyword(self.call, keyword_name)

    def every(self) -> list[ir.Expr]:
        return [each.value for each in self.call.arguments]

    def starred(self) -> tuple[int, list[ir.Expr]]:
        return 0, [each.value for each in self.call.arguments if each.spread == "*"]

    def literal(self, value: ir.Expr) -> str | None:
        return text_of(value)

    def text(self, value: ir.Expr) -> str | None:
        return str(value.value) if isinstance(value, ir.Const) else None

    def is_mapping(self, value: ir.Expr) -> bool:
        return isinstance(value, ir.Mapping)

    def items(self, value: ir.Expr) -> Sequence[ir.Expr] | Unknown | None:
        return value.items if isinstance(value, ir.Sequence) else UNKNOWN

    def entry(self, value: ir.Expr, name: str) -> ir.Expr | Unknown | None:
        if isinstance(value, ir.Call):
            return keyword(value, name)
        return entry_of(value, name) if isinstance(value, ir.Mapping) else UNKNOWN
