"""Guards that a header of the request's own can switch off.

## What it finds
A check of the caller's rights that is skipped when a header of the request has a certain value.

## Why it matters
Headers are chosen by the sender. Whoever adds this one gets past the check.

## What is safe
Deciding by the session or a verified token alone.

## Limits
Whether something in front of the application removes the header is not visible in the code.
"""

from collections.abc import Iterator
from dataclasses import replace

from counterproof.analysis.backward.ground import Ground, ends
from counterproof.analysis.control.identity import caller_mentions
from counterproof.analysis.control.messages import SPOOFABLE, finding
from counterproof.analysis.control.operations import Operation
from counterproof.analysis.flow.quotes import Quotes
from counterproof.analysis.outline.traversal import text_of
from counterproof.analysis.outline.words import vocabulary, words_in
from counterproof.analysis.ruleset import ControlRule, RuleInfo
from counterproof.analysis.syntax.ir import (
    Assign,
    Attribute,
    Boolean,
    Call,
    Compare,
    Const,
    Expr,
    Function,
    If,
    Name,
    Not,
    Raise,
    Return,
)
from counterproof.analysis.syntax.walk import walk
from counterproof.model.dimension import Dimension
from counterproof.model.finding import Finding
from counterproof.model.location import at
from counterproof.model.recon import Guard
from counterproof.model.severity import Impact, Severity

_CALLER = vocabulary("user caller session current role admin authenticated")
_OWN_ADDRESSES = {"127.0.0.1", "localhost", "::1"}
_OWN_NETWORKS = ("127.", "10.", "192.168.", "172.16.")
_FORWARDED = {"x-forwarded-for", "x-real-ip", "x-client-ip", "client-ip", "x-originating-ip", "true-client-ip", "x-remote-ip"}
MAX_STEPS = 2
"""Variables that an address is followed through."""
_CHANNELS = ("headers", "cookies", "args", "form", "values", "GET", "POST", "COOKIES", "META")


def spoofable_guards(quotes: Quotes, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    """Guards that the request itself can switch off: `if header != "1" and user is None: refuse` (CWE-290).

    Always holds: only tests that refuse, that speak of the caller, and that let a plain value of a header, cookie or parameter
    stand in for them.
    """
    seen: set[int] = set()
    for each in operations:
        if id(each.function) in seen:
            continue
        seen.add(id(each.function))
        for node in walk(*each.function.body):
            if isinstance(node, If) and (why := _weakness(each, node)):
                place = at(each.ground.path, node.branches[0].test.line)
                past = (
                    replace(each.entry, guard=Guard.ABSENT, guard_evidence="", guarded_by=None)
                    if each.entry.guard is Guard.UNKNOWN
                    else each.entry
                )
                yield finding(quotes, SPOOFABLE, place, past, why, each.function.qualified)


def _weakness(operation: Operation, node: If) -> str:
    if _switched_off(operation.ground, node):
        return "One value that the sender writes is enough instead of a login."
    arms = [*(branch.body for branch in node.branches), node.otherwise]
    outline = operation.ground.outline
    decides = any(isinstance(each, Return | Raise) for body in arms for each in walk(*body)) or ends(outline, arms[0])
    if decides and any(_by_address(operation.function, branch.test) for branch in node.branches):
        return "The address that is trusted is read from a header that the sender writes."
    return ""


def _by_address(function: Function, test: Expr) -> bool:
    """`if ip == "127.0.0.1"` or `ip.startswith("10.")` where the address was taken from `X-Forwarded-For`."""
    compared = _compared(test.operand if isinstance(test, Not) else test)
    texts = {text for each in compared for node in walk(each) if (text := text_of(node)) is not None}
    if not any(text in _OWN_ADDRESSES or text.startswith(_OWN_NETWORKS) for text in texts):
        return False
    given = [each for each in compared if not isinstance(each, Const)]
    for _ in range(MAX_STEPS):
        names = {node.id for node in walk(*given) if isinstance(node, Name)}
        given += [
            node.value
            for node in walk(*function.body)
            if isinstance(node, Assign)
            and node.value is not None
            and any(isinstance(t, Name) and t.id in names for t in node.targets)
        ]
    spoken = {text.lower().replace("_", "-").removeprefix("http-") for node in walk(*given) if (text := text_of(node))}
    return bool(spoken & _FORWARDED)


def _compared(test: Expr) -> list[Expr]:
    """The two sides of a test for equality, membership or a beginning."""
    if isinstance(test, Compare) and len(test.operands) == 2 and test.operators[0] in ("==", "!=", "in", "not in"):
        return list(test.operands)
    if isinstance(test, Call) and isinstance(test.callee, Attribute) and test.callee.name == "startswith":
        return [test.callee.value, *(each.value for each in test.arguments)]
    return []


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


RULE = ControlRule(
    RuleInfo(
        id="spoofable-guard",
        title="Guard bypassed by a request header",
        dimension=Dimension.D3,
        kind="login",
        cwe=290,
        severity=Severity.HIGH,
        impact=Impact.PARTIAL,
        consequence="Anyone who adds the header to a request gets past the check of who they are.",
        remedy="Decide by the caller's session or token alone; strip such headers at the proxy.",
    ),
    lambda site: spoofable_guards(site.quotes, site.operations),
)
