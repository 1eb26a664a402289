"""Running a page: its variables, escaping, inheritance, includes, macros, and prints as sinks.

Invariant: nesting and length of a page are bounded; escaped output is harmful only where escaping is insufficient. Not handled
here: how code selects a page.
"""

from collections.abc import Callable
from typing import Any

from counterproof.analysis.flow.access import Place, attribute, element, iterated
from counterproof.analysis.flow.evaluate import mixed
from counterproof.analysis.flow.execute import run
from counterproof.analysis.flow.frame import EnginePort, Evaluator, Frame
from counterproof.analysis.flow.hits import MARKED_SAFE, ON_SITE, PRINTED, PRINTED_ADDRESS
from counterproof.analysis.flow.marks import narrowed_value
from counterproof.analysis.flow.sinks import record
from counterproof.analysis.flow.sources import in_column
from counterproof.analysis.flow.values import (
    INTERNAL,
    STORED,
    UNSET,
    Source,
    StepKind,
    Taint,
    Value,
    gathered,
    joined,
    with_taints,
)
from counterproof.analysis.libraries import kinds_of
from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.syntax import ir
from counterproof.analysis.templates.dialects import Dialect
from counterproof.analysis.templates.nodes import Block, Filter, Include, Macro, Macros, Member, Print, Spot, Template
from counterproof.model.flow import Break

MAX_DEPTH = 10
"""Nesting limit of pages and macros."""

MAX_PRINTS = 4_000
"""Limit on the prints of one page, including its parts."""


class PageFrame(Frame):
    """`asker` is the file used to choose the nearest template; `fixed_line` the code line of a template string."""

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
    """A template as a module, so that steps and sinks name its file."""
    return ir.Module(template.path, "", "", template.lines, ())


_ESCAPING = kinds_of("filter")
_CLEAN = vocabulary("""int float length count wordcount round filesizeformat date time timesince timeuntil yesno pluralize
    floatformat divisibleby get_digit length_is abs sum intcomma naturaltime naturalday datetimeformat dateformat strftime
    stringformat""")
_WHOLE = vocabulary(
    "list sort reverse unique batch slice selectattr rejectattr select reject dictsort dictsortreversed groupby items"
)
_TEXT = vocabulary("""upper lower title capitalize capfirst trim strip center indent truncate truncatewords truncatechars
    truncatechars_html truncatewords_html wordwrap replace string join format cut ljust rjust add addslashes linenumbers
    unescape pprint attr map make_list safeseq""")
_SAFE = vocabulary("safe safeseq mark_safe markup")


def _is_widget(expr: ir.Expr) -> bool:
    """`field(**options)`, `form.name()`: a form field that renders itself, with its value escaped."""
    callee = expr.callee if isinstance(expr, ir.Call) else None
    if isinstance(callee, ir.Name):
        return True
    while isinstance(callee, Member | ir.Attribute | ir.Index):
        callee = callee.value
    return isinstance(callee, ir.Name) and ("form" in callee.id.lower() or "field" in callee.id.lower())


def filtered(frame: Frame, node: Filter) -> Value:
    """The value of `value|name(arguments)`.

    Invariant: an unknown filter passes the value on, with the flow marked as broken."""
    value = frame.value(node.value)
    arguments = [frame.value(each) for each in node.arguments]
    name = node.name
    if name in _CLEAN or (name in _SAFE and _is_widget(node.value)):
        return INTERNAL
    if name in _ESCAPING:
        return narrowed_value(mixed([value]), _ESCAPING[name])
    if name in _SAFE:
        return narrowed_value(mixed([value]), MARKED_SAFE)
    if name in ("default", "d", "default_if_none"):
        return joined(value, arguments[0]) if arguments else value
    if name in ("first", "last", "random", "min", "max"):
        return iterated(value, Place(frame.path, node.line))
    if name in _WHOLE:
        return value
    if name == "attr" and arguments and isinstance(arguments[0].const, str):
        return element(value, arguments[0].const or UNSET, Place(frame.path, node.line))
    result = mixed([value, *arguments])
    if name in _TEXT:
        return result
    return with_taints(result, tuple(each._replace(broken=each.broken or Break.EXTERNAL_LIBRARY) for each in gathered(result)))


SINK = "<template>"
"""The name of template output in the sinks of rules."""

_OPEN = frozenset({Spot.UNQUOTED, Spot.SCRIPT, Spot.HANDLER})
"""Positions where HTML escaping is insufficient."""

Body = tuple[Any, ...]


def run_page(frame: PageFrame, template: Template) -> None:
    """Run the page from its outermost parent, with the blocks of its children in place."""
    current, depth = template, 0
    while True:
        for name, body in current.blocks.items():
            frame.blocks.setdefault(name, (current, body))
        for name, macro in current.macros.items():
            frame.macros.setdefault(name, (current, macro))
        above = _named(frame, current.parent) if current.parent is not None else None
        if above is None or depth >= MAX_DEPTH:
            break
        _within(frame, current, tuple(each for each in current.body if isinstance(each, (ir.Assign, Macros))))
        current, depth = above, depth + 1
    _within(frame, current, current.body)


def _named(frame: PageFrame, name: ir.Expr) -> Template | None:
    value = frame.value(name)
    if not isinstance(value.const, str):
        return None
    return frame.engine.pages.find(value.const, frame.asker, frame.dialect)


def _within(frame: PageFrame, template: Template, body: Body) -> None:
    """Run statements of another file."""
    if frame.depth >= MAX_DEPTH:
        return
    before = frame.module
    frame.module, frame.path = module_of(template), template.path
    frame.depth += 1
    run(frame, body)
    frame.depth -= 1
    frame.module, frame.path = before, before.path


def _block(frame: PageFrame, node: Block) -> None:
    found = frame.blocks.get(node.name)
    if found is not None:
        _within(frame, *found)


def _include(frame: PageFrame, node: Include) -> None:
    template = _named(frame, node.template)
    if template is None:
        return
    outer = frame.env
    frame.env = {**outer, **{name: frame.value(value) for name, value in node.given}}
    _within(frame, template, template.body)
    frame.env = outer


def _macros(frame: PageFrame, node: Macros) -> None:
    template = _named(frame, node.template)
    if template is None:
        return
    if node.alias:
        for name, macro in template.macros.items():
            frame.macros[f"{node.alias}.{name}"] = (template, macro)
    for there, here in node.names:
        if there in template.macros:
            frame.macros[here] = (template, template.macros[there])


def _macro_called(frame: PageFrame, expr: ir.Node) -> tuple[ir.Call, Template, Macro] | None:
    if isinstance(expr, Filter):
        expr = expr.value
    if not isinstance(expr, ir.Call):
        return None
    callee = expr.callee
    name = callee.id if isinstance(callee, ir.Name) else ""
    if isinstance(callee, ir.Attribute) and isinstance(callee.value, ir.Name):
        name = f"{callee.value.id}.{callee.name}"
    found = frame.macros.get(name)
    return (expr, *found) if found else None


def _call_macro(frame: PageFrame, call: ir.Call, template: Template, macro: Macro) -> None:
    plain = [each.value for each in call.arguments if not each.keyword and not each.spread]
    keywords = {each.keyword: each.value for each in call.arguments if each.keyword}
    given = dict(frame.env)
    for position, (name, default) in enumerate(macro.parameters):
        argument = keywords.get(name, plain[position] if position < len(plain) else default)
        given[name] = frame.value(argument) if argument is not None else INTERNAL
    outer = frame.env
    frame.env = given
    _within(frame, template, macro.body)
    frame.env = outer


def _print(frame: PageFrame, node: Print) -> None:
    frame.prints += 1
    if frame.prints > MAX_PRINTS:
        return
    macro = _macro_called(frame, node.value)
    if macro is not None:
        _call_macro(frame, *macro)
        return
    value = frame.value(node.value)
    escaped = frame.escapes if node.escaped is None else node.escaped
    taints = tuple(
        _printed(each, node.spot, escaped=escaped) for each in gathered(value) if _harms(each, node.spot, escaped=escaped)
    )
    if not taints:
        return
    line = frame.fixed_line or node.line
    shown = frame.stepped(Value(taints=taints), StepKind.CALL, line, f"printed in {node.spot.value}")
    for rule, sink in frame.engine.sinks.exact(SINK):
        record(frame, rule, sink, ir.Node(line, line), [shown])


def _printed(taint: Taint, spot: Spot, *, escaped: bool) -> Taint:
    """The taint with its print position added if it was escaped: a caller's value may still turn out harmless there."""
    if not escaped or MARKED_SAFE in taint.passed:
        return taint
    return taint._replace(passed=taint.passed | {PRINTED_ADDRESS if spot is Spot.ADDRESS else PRINTED})


def _harms(taint: Taint, spot: Spot, *, escaped: bool) -> bool:
    if spot is Spot.OTHER:
        return False
    if not escaped or MARKED_SAFE in taint.passed:
        return True
    if taint.broken or (isinstance(taint.origin, Source) and taint.origin.channel == STORED):
        return False  # after escaping, only control over the first character is harmful
    return spot in _OPEN or (spot is Spot.ADDRESS and not taint.passed & ON_SITE)


def _member(frame: Frame, node: Member) -> Value:
    owner = frame.value(node.value)
    at = Place(frame.path, node.line)
    if owner.entries is not None or (owner.rest is not None and not owner.fields):
        return element(owner, node.name, at)
    return in_column(attribute(frame.engine, owner, node.name, at), node.name)


PAGE_EVALUATORS: dict[type, Evaluator] = {Filter: filtered, Member: _member}
PAGE_EXECUTORS: dict[type, Callable[[Any, Any], None]] = {Print: _print, Block: _block, Include: _include, Macros: _macros}
