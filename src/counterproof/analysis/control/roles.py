"""Whether a handler refers to its caller, in a condition or at all.

Invariant: an injected connection or helper is no caller. Not handled here: what guards require, which recon reads.
"""

from collections.abc import Iterator

from counterproof.analysis.control.identity import caller_mentions
from counterproof.analysis.control.operations import Operation
from counterproof.analysis.program.file import File
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.syntax.ir import Expr, Function, If, Name, Node, Parameter
from counterproof.analysis.syntax.walk import walk

ROLE_WORDS = vocabulary(
    "admin administrator role roles staff superuser permission permissions perm perms scope scopes owner group groups privilege"
)
_SERVICES = vocabulary("db database session connection connect engine settings config cache redis client service repository")


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
