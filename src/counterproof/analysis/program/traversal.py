"""Parts of nodes: direct children, and the arguments of a call."""

from collections.abc import Iterator

from counterproof.analysis.syntax.ir import Argument, Call, Const, Expr, Node
from counterproof.analysis.syntax.walk import children as children
from counterproof.analysis.syntax.walk import last_name, walk


def calls_in(*roots: Node) -> Iterator[Call]:
    """Every call inside these nodes."""
    return (node for node in walk(*roots) if isinstance(node, Call))


def called(call: Call) -> str:
    """The name that a call uses: `execute` of `cursor.execute(…)`, `query_db` of `query_db(…)`."""
    return last_name(call.callee)


def text_of(expr: Node | None) -> str | None:
    """The text of a string literal, else None."""
    return expr.value if isinstance(expr, Const) and isinstance(expr.value, str) else None


def keyword(call: Call, name: str) -> Expr | None:
    """The value given for a keyword, or None."""
    for each in call.arguments:
        if each.keyword == name:
            return each.value
    return None


def positional(call: Call, index: int) -> Expr | None:
    """The argument at a position, or None; after a spread argument no position is certain."""
    for each in call.arguments:
        if each.keyword:
            continue
        if each.spread:
            return None
        if index == 0:
            return each.value
        index -= 1
    return None


def argument(call: Call, index: int, name: str) -> Expr | None:
    """The argument by keyword or, failing that, by position."""
    value = keyword(call, name)
    return value if value is not None else positional(call, index)


def spreads(call: Call) -> tuple[Argument, ...]:
    """Arguments that spread whole collections, which may contain further keywords."""
    return tuple(each for each in call.arguments if each.spread)
