"""Conditions of a handler on its caller: a role that it requires itself, or any test of who calls.

Invariant: a condition counts only if it refers to the caller, because a role in the request body is chosen by the sender. Not
handled here: guards before the handler, which recon reads.
"""

from collections.abc import Iterator

from counterproof.analysis.control.identity import caller_mentions
from counterproof.analysis.control.operations import Operation, handed_in
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.program.file import File, ends
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.syntax.ir import Expr, Function, If, Name, Node, Parameter
from counterproof.analysis.syntax.walk import walk

ROLE_WORDS = vocabulary(
    "admin administrator role roles staff superuser permission permissions perm perms scope scopes owner group groups privilege"
)
_SERVICES = vocabulary("db database session connection connect engine settings config cache redis client service repository")
_OWNING = vocabulary("id owner author creator")


def roles_asked(program: EnteredProgram, ground: File, function: Function) -> frozenset[str]:
    """The words of conditions on the caller's role that end the call; `not admin and owner != caller` lets owners through, so
    requires no role."""
    injected = handed_in(program, ground, function)
    asked: frozenset[str] = frozenset()
    for node in walk(*function.body):
        for branch in node.branches if isinstance(node, If) else ():
            spoken = words_in(branch.test)
            refuses = ends(ground, branch.body) and spoken & ROLE_WORDS and not spoken & _OWNING
            if refuses and _speaks_of_caller(injected, ground, function, branch.test):
                asked |= spoken
    return asked


def tests_caller(operation: Operation) -> bool:
    """Return True if any condition in the handler is about the caller."""
    tests = _tests(operation.function)
    return any(_speaks_of_caller(operation.handed, operation.ground, operation.function, test) for test in tests)


def uses_caller(operation: Operation) -> bool:
    """Return True if the handler uses the caller at all."""
    return _speaks_of_caller(operation.handed, operation.ground, operation.function, *operation.function.body)


def _speaks_of_caller(injected: frozenset[str], ground: File, function: Function, *parts: Node) -> bool:
    handed = {each.name for each in function.parameters if each.name in injected and not _is_service(each)}
    if caller_mentions(ground, *parts):
        return True
    return any(isinstance(node, Name) and node.id in handed for node in walk(*parts))


def _is_service(parameter: Parameter) -> bool:
    """Return True for an injected connection or helper, not a user."""
    parts = [each for each in (parameter.default, parameter.annotation) if each is not None]
    return bool({*words(parameter.name), *words_in(*parts)} & _SERVICES)


def _tests(function: Function) -> Iterator[Expr]:
    return (branch.test for node in walk(*function.body) if isinstance(node, If) for branch in node.branches)
