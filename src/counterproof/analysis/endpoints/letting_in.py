"""Decorators that let known callers in instead of turning unknown ones away: `if self.current_user: return method(self)`.

Always holds: every call of what is decorated stands under a test of who is calling, so that nobody else gets to it, whatever the
others are told. Does not belong here: checks that end the call.
"""

from collections.abc import Iterator

from counterproof.analysis.endpoints.denial import is_identity, is_negative
from counterproof.analysis.outline.outline import Outline
from counterproof.analysis.outline.words import vocabulary, words_in
from counterproof.analysis.syntax.ir import Expr, Function, If, Loop, Name, Node, Statement, Try, With
from counterproof.analysis.syntax.walk import walk

MAX_DEPTH = 12
_SETTINGS = vocabulary("config configuration settings setting enabled allow feature")


def lets_in_only_known(outline: Outline, decorator: Function) -> bool:
    """Whether a decorator calls what it decorates for callers that a test knows, and for nobody else."""
    inner = [each for each in outline.module.functions if each.qualified.startswith(decorator.qualified + ".")]
    for wrapped in {each.name for each in decorator.parameters}:
        ways = [tests for each in inner for tests in _ways(each.body, wrapped, (), 0)]
        if ways:
            return all(any(_knows(test) for test in tests) for tests in ways)
    return False


def _ways(body: tuple[Statement, ...], wrapped: str, tests: tuple[Expr, ...], depth: int) -> Iterator[tuple[Expr, ...]]:
    """The tests over each call of what is decorated."""
    for statement in body if depth < MAX_DEPTH else ():
        match statement:
            case If(branches=branches, otherwise=otherwise):
                for branch in branches:
                    yield from _ways(branch.body, wrapped, (*tests, branch.test), depth + 1)
                yield from _ways(otherwise, wrapped, tests, depth + 1)
            case With(body=inner) | Loop(body=inner):
                yield from _ways(inner, wrapped, tests, depth + 1)
            case Try(body=inner):
                yield from _ways(inner, wrapped, tests, depth + 1)
                rest: list[Node] = [*(each for part in statement.handlers for each in part.body), *statement.otherwise]
                yield from ([tests] if _calls(wrapped, *rest, *statement.final) else [])
            case Function():
                continue
            case _:
                yield from ([tests] if _calls(wrapped, statement) else [])


def _calls(wrapped: str, *parts: Node) -> bool:
    """Whether what is decorated is called there, or handed to something that may call it."""
    return any(isinstance(node, Name) and node.id == wrapped for node in walk(*parts))


def _knows(test: Expr) -> bool:
    """A test of the caller, not of a setting that speaks of logins."""
    spoken = words_in(test)
    return is_identity(spoken) and not spoken & _SETTINGS and not is_negative(test)
