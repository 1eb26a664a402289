"""What filters of templates do to a value.

Always holds: a filter that is not known hands the value on, with the flow marked as broken. Does not belong here: tags.
"""

from counterproof.analysis.flow.access import Place, element, iterated
from counterproof.analysis.flow.evaluate import mixed
from counterproof.analysis.flow.frame import Frame, with_taints
from counterproof.analysis.flow.hits import MARKED_SAFE
from counterproof.analysis.flow.marks import narrowed_value
from counterproof.analysis.flow.values import INTERNAL, UNSET, Value, gathered, joined
from counterproof.analysis.flow.words import words
from counterproof.analysis.libraries import kinds_of
from counterproof.analysis.syntax import ir
from counterproof.analysis.templates.nodes import Filter, Member
from counterproof.model.flow import Break

_ESCAPING = kinds_of("filter")
_CLEAN = words("""int float length count wordcount round filesizeformat date time timesince timeuntil yesno pluralize floatformat
    divisibleby get_digit length_is abs sum intcomma naturaltime naturalday datetimeformat dateformat strftime stringformat""")
_WHOLE = words("list sort reverse unique batch slice selectattr rejectattr select reject dictsort dictsortreversed groupby items")
_TEXT = words("""upper lower title capitalize capfirst trim strip center indent truncate truncatewords truncatechars
    truncatechars_html truncatewords_html wordwrap replace string join format cut ljust rjust add addslashes linenumbers
    unescape pprint attr map make_list safeseq""")
_SAFE = words("safe safeseq mark_safe markup")


def _is_widget(expr: ir.Expr) -> bool:
    """`field(**options)`, `form.name()`: the markup that a field of a form makes of itself, with what it holds escaped."""
    callee = expr.callee if isinstance(expr, ir.Call) else None
    if isinstance(callee, ir.Name):
        return True
    while isinstance(callee, Member | ir.Attribute | ir.Index):
        callee = callee.value
    return isinstance(callee, ir.Name) and ("form" in callee.id.lower() or "field" in callee.id.lower())


def filtered(frame: Frame, node: Filter) -> Value:
    """The value of `value|name(arguments)`."""
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
