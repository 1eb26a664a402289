"""How a block of statements handles a request: it continues, passes, or is rejected. Not handled here: the tested condition."""

from counterproof.analysis.program.words import names_in, words
from counterproof.analysis.syntax.ir import Assign, Call, Const, Expr, Node, Raise, Return, Sequence, Statement, Try, With
from counterproof.analysis.syntax.walk import last_name, walk


def goes_on(body: tuple[Statement, ...]) -> bool:
    """Return True if these statements return a response themselves, not under a further condition."""
    return any(isinstance(each, Return) or (isinstance(each, With | Try) and goes_on(each.body)) for each in body)


def ends_early(body: tuple[Statement, ...]) -> bool:
    """A bare `return`, or `return None`, as the only statement: a hook that lets the request pass."""
    last = body[-1] if body else None
    empty = isinstance(last, Return) and (last.value is None or (isinstance(last.value, Const) and last.value.value is None))
    return empty and len(body) == 1


def refuses(body: tuple[Statement, ...]) -> bool:
    """Return True if these statements end a request: they raise, abort, redirect or respond with 401 or 403."""
    for node in walk(*body):
        if isinstance(node, Raise) or _aborts(node) or _answers(node):
            return True
        if isinstance(node, Return) and _turns_down(node.value):
            return True
    return False


def _turns_down(value: Expr | None) -> bool:
    if value is None:
        return False
    if isinstance(value, Const):
        return value.value is False
    if isinstance(value, Sequence):
        return any(isinstance(each, Const) and each.value in (401, 403, 404, 503, 429) for each in value.items)
    spoken = {word for name in names_in(value) for word in words(name)}
    numbers = any(isinstance(node, Const) and node.value in (401, 403) for node in walk(value))
    return numbers or bool(spoken & {"redirect", "forbidden", "unauthorized", "abort", "denied", "error", "found"})


def _answers(node: Node) -> bool:
    """`response = "Forbidden", 403`, `status = 401`."""
    if not isinstance(node, Assign):
        return False
    code = isinstance(node.value, Const) and node.value.value in (401, 403)
    return code or (isinstance(node.value, Sequence) and _turns_down(node.value))


def _aborts(node: Node) -> bool:
    return isinstance(node, Call) and last_name(node.callee) in ("abort", "redirect", "send_error", "unauthorized")
