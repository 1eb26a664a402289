"""Roles required by an API's authenticators: `NinjaAPI(auth=[KeyAuth(), TokenAuth()])`.

Invariant: a role counts only if every authenticator requires it, because each one alone can accept a caller. An unread
authenticator requires none. Not handled here: whether there is a guard at all.
"""

from collections.abc import Iterator

from counterproof.analysis.control.roles import ROLE_WORDS
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.program.codebase import Definition
from counterproof.analysis.program.traversal import keyword
from counterproof.analysis.program.words import words_in
from counterproof.analysis.syntax.ir import Call, Class, Const, Expr, Function, If, Raise, Return, Sequence, Statement
from counterproof.analysis.syntax.walk import walk
from counterproof.model.recon import EntryPoint

_ROLES = ROLE_WORDS - {"owner"}
_MAX_HELPERS = 2
"""Nesting limit for functions that an authenticator calls."""


def asked_by_authenticators(program: EnteredProgram, entry: EntryPoint) -> frozenset[str]:
    """Words for roles that every authenticator of the entry point requires."""
    place = entry.guarded_by.at if entry.guarded_by is not None else None
    if entry.framework != "Ninja" or place is None or not program.holds(place.path):
        return frozenset()
    outline = program.codebase.outline(place.path)
    listed = (keyword(site.node, "auth") for site in outline.of(Call))
    given = next((each for each in listed if each is not None and each.line == place.start), None)
    asked = [_asked(program, each) for each in _each(program, Definition(outline, given))] if given is not None else []
    return frozenset[str]().union(*asked) if asked and all(asked) else frozenset()


def _each(program: EnteredProgram, given: Definition) -> Iterator[Definition]:
    """Every authenticator in a list, a variable or a single value."""
    node = given.node
    if isinstance(node, Sequence):
        for item in node.items:
            yield from _each(program, Definition(given.outline, item))
        return
    meant = program.codebase.meaning(given.outline, node) if isinstance(node, Expr) and not isinstance(node, Call) else None
    if meant is not None and isinstance(meant.node, Sequence | Call):
        yield from _each(program, meant)
    else:
        yield meant or given


def _asked(program: EnteredProgram, authenticator: Definition) -> frozenset[str]:
    node = authenticator.node.callee if isinstance(authenticator.node, Call) else authenticator.node
    made = program.codebase.meaning(authenticator.outline, node) if isinstance(node, Expr) else authenticator
    if made is None:
        return frozenset()
    if isinstance(made.node, Class):
        method = made.outline.functions.get(f"{made.node.qualified}.authenticate")
        return _refusing(program, Definition(made.outline, method)) if method is not None else frozenset()
    return _refusing(program, made)


def _refusing(program: EnteredProgram, found: Definition, depth: int = 0) -> frozenset[str]:
    """The roles in conditions that end the call, in this function and its callees."""
    if not isinstance(found.node, Function):
        return frozenset()
    asked: frozenset[str] = frozenset()
    for node in walk(*found.node.body):
        if isinstance(node, If):
            refusing = (branch.test for branch in node.branches if _turns_away(branch.body))
            asked |= words_in(*refusing) & _ROLES
        elif isinstance(node, Call) and depth < _MAX_HELPERS:
            helper = program.codebase.meaning(found.outline, node.callee, found.node)
            asked |= _refusing(program, helper, depth + 1) if helper is not None else frozenset()
    return asked


def _turns_away(body: tuple[Statement, ...]) -> bool:
    """Return True if these statements raise an error or return no user."""
    last = body[-1] if body else None
    if isinstance(last, Return):
        return last.value is None or (isinstance(last.value, Const) and not last.value.value)
    return isinstance(last, Raise)
