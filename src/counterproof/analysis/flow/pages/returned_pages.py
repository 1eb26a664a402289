"""Handlers that return a page's variables as a mapping: decorated ones, and Django views that name a template.

Invariant: only a returned mapping with known entries counts as a page. Not handled here: calls that render.
"""

from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.flow.index import FunctionInfo
from counterproof.analysis.flow.pages.calls import Asked, context_of, run_asked
from counterproof.analysis.flow.values import Value, literal
from counterproof.analysis.libraries import names
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import dotted
from counterproof.analysis.templates.dialects import BOTTLE, DJANGO, JINJA

_DECORATORS = dict.fromkeys(names("template", "jinja-view"), JINJA) | dict.fromkeys(names("template", "bottle-view"), BOTTLE)


def render_return(frame: Frame, node: ir.Node, value: Value) -> None:
    """Run the page for the variables that a handler returns."""
    info = frame.function
    if info is None or value.entries is None:
        return
    asked = _decorated(info) or _context_data(frame, info)
    if asked is not None:
        asked.context = context_of(value)
        run_asked(frame, node, asked)


def _decorated(info: FunctionInfo) -> Asked | None:
    for decorator in info.node.decorators:
        call = decorator.value
        if not isinstance(call, ir.Call) or not call.arguments:
            continue
        known = _DECORATORS.get(dotted(call.callee, info.module) or "")
        first = call.arguments[0].value
        if known and isinstance(first, ir.Const) and isinstance(first.value, str):
            return Asked("jinja", known, literal(first.value))
    return None


def _context_data(frame: Frame, info: FunctionInfo) -> Asked | None:
    """`get_context_data` of a view whose class names its template."""
    if info.node.name != "get_context_data" or info.owner is None:
        return None
    name = frame.engine.stored(info.owner, "template_name")
    return Asked("django", DJANGO, name) if name is not None and isinstance(name.const, str) else None
