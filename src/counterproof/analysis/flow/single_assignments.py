"""The expression behind a JavaScript variable that is assigned once, for rules about notation.

Invariant: a variable that is assigned twice, or nowhere in the file, is returned unchanged. Not handled here: values; the engine
computes those.
"""

from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk

MAX_HOPS = 3
MAX_SCANNED = 20_000
"""Nodes of one function or file that are searched for assignments."""

Table = dict[str, ir.Expr | None]


def as_written(frame: Frame, expr: ir.Expr | None) -> ir.Expr | None:
    """The expression that a variable was initialised with, if certain."""
    for _ in range(MAX_HOPS):
        found = _behind(frame, expr.id) if isinstance(expr, ir.Name) else None
        if found is None:
            break
        expr = found
    return expr


def _behind(frame: Frame, name: str) -> ir.Expr | None:
    around: Frame | None = frame
    while around is not None and around.function is not None:
        if any(each.name == name for each in around.function.node.parameters):
            return None
        table = _table(frame, around.function.node.body)
        if name in table:
            return table[name]
        around = around.closure
    return _table(frame, frame.module.body).get(name)


def _table(frame: Frame, body: tuple[ir.Statement, ...]) -> Table:
    """Variables with their only assigned expression; None for variables assigned again."""
    known = frame.engine.written.get(id(body))
    if known is not None:
        return known
    table: Table = {}
    for node, _ in zip(walk(*body), range(MAX_SCANNED), strict=False):
        targets = node.targets if isinstance(node, ir.Assign) else (node.target,) if isinstance(node, ir.Bind) else ()
        for target in targets:
            if isinstance(target, ir.Name):
                value = node.value if isinstance(node, (ir.Assign, ir.Bind)) else None
                table[target.id] = value if target.id not in table or _is_nothing(table[target.id]) else None
    frame.engine.written[id(body)] = table
    return table


def _is_nothing(expr: ir.Expr | None) -> bool:
    """`let x;` before an assignment."""
    return isinstance(expr, ir.Const) and expr.value is None
