"""Guards that the request itself can switch off: `if header != "1" and user is None: refuse` (CWE-290).

Always holds: only tests that refuse, that speak of the caller, and that let a plain value of a header, cookie or parameter stand
in for them. Does not belong here: signatures and tokens, which a caller cannot make up.
"""

from collections.abc import Iterator

from counterproof.analysis.backward.ground import Ground, ends
from counterproof.analysis.control.identity import caller_mentions
from counterproof.analysis.control.operations import Operation
from counterproof.analysis.control.wording import SPOOFABLE, finding
from counterproof.analysis.flow.quoting import Quotes
from counterproof.analysis.outline.words import vocabulary, words_in
from counterproof.analysis.syntax.ir import Attribute, Boolean, Call, Compare, Const, Expr, If, Name
from counterproof.analysis.syntax.walk import walk
from counterproof.model.finding import Finding
from counterproof.model.location import at

_CALLER = vocabulary("user caller session current role admin authenticated")
_CHANNELS = ("headers", "cookies", "args", "form", "values", "GET", "POST", "COOKIES", "META")


def spoofable_guards(quotes: Quotes, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    seen: set[int] = set()
    for each in operations:
        if id(each.function) in seen:
            continue
        seen.add(id(each.function))
        for node in walk(*each.function.body):
            if isinstance(node, If) and _switched_off(each.ground, node):
                why = "One value that the sender writes is enough instead of a login."
                yield finding(
                    quotes, SPOOFABLE, at(each.ground.path, node.branches[0].test.line), None, why, each.function.qualified
                )


def _switched_off(ground: Ground, node: If) -> bool:
    test = node.branches[0].test
    if not isinstance(test, Boolean) or test.operator != "and" or not ends(ground.outline, node.branches[0].body):
        return False
    spoken = [operand for operand in test.operands if _written_by_sender(operand)]
    rest = [operand for operand in test.operands if operand not in spoken]
    about_caller = any(words_in(each) & _CALLER or caller_mentions(ground.outline, each) for each in rest)
    return bool(spoken) and bool(rest) and about_caller


def _written_by_sender(operand: Expr) -> bool:
    """`request.headers.get("X") != "1"`: compared with a literal, so that anyone can write it."""
    if not isinstance(operand, Compare) or operand.operators != ("!=",):
        return False
    left, right = operand.operands
    literal = isinstance(right, Const) and isinstance(right.value, str) and bool(right.value)
    if not literal or not isinstance(left, Call) or not isinstance(left.callee, Attribute) or left.callee.name != "get":
        return False
    base = left.callee.value
    return (
        isinstance(base, Attribute)
        and base.name in _CHANNELS
        and any(isinstance(each, Name) and each.id == "request" for each in walk(base))
    )
