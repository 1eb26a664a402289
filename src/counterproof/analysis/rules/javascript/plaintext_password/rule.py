"""Passwords compared as they were typed, in JavaScript and TypeScript.

## What it finds
A stored password compared with `===`, a function for comparing passwords that compares plainly, a query or an SQL statement that
looks users up by their password, and a statement that stores one as it was typed.

## Why it matters
Whoever reads the database once has every password, here and wherever else it is used.

## What is safe
`bcrypt.compare`, `argon2.verify`, `crypto.scrypt`.

## Limits
Told by names; a function that hashes anything is left alone.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, script_file, script_outline
from counterproof.analysis.config.passwords import (
    PASSWORDS,
    hashes_nearby,
    is_form_check,
    is_stored_password,
    password_statement,
)
from counterproof.analysis.outline.outline import Outline, Site
from counterproof.analysis.outline.words import mentions, vocabulary, words, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.analysis.syntax import ir
from counterproof.model.dimension import Dimension
from counterproof.model.proof import Guess
from counterproof.model.severity import Confidence, Impact, Severity

_COMPARING = vocabulary("compare check verify match validate")
_LOOKING = ("find", "findOne", "findAll", "count", "findFirst", "findUnique", "findOneBy")
_COMPARISONS = ("==", "!=")


def _check(project: Project, path: str) -> Iterator[Match]:
    outline = script_outline(project, path)
    for site in outline.of(ir.Compare):
        if set(site.node.operators) <= set(_COMPARISONS) and _plain(outline, site):
            yield bad(site, "password", "compared as it was typed", Confidence.MEDIUM)
    for call in outline.of(ir.Call):
        callee = call.node.callee
        if isinstance(callee, ir.Attribute) and callee.name in _LOOKING and call.node.arguments:
            value = _asked(call.node.arguments[0].value)
            if isinstance(value, ir.Name | ir.Attribute) and not hashes_nearby(outline, call.function):
                yield bad(call, "password", "users are looked up by their plain password", Confidence.MEDIUM)
            elif value is not None:
                yield good(call, "password", "hashed before it is looked up")
        if statement := password_statement(outline, call):
            hashed = hashes_nearby(outline, call.function)
            yield (
                good(call, "password", "hashed before it is used")
                if hashed
                else bad(call, "password", statement, Confidence.MEDIUM)
            )


def _plain(outline: Outline, site: Site[ir.Compare]) -> bool:
    if any(isinstance(each, ir.Const) for each in site.node.operands) or is_form_check(site.node):
        return False
    if hashes_nearby(outline, site.function):
        return False
    if any(is_stored_password(each) for each in site.node.operands):
        return mentions(words_in(*site.node.operands), PASSWORDS)
    return _by_parameters(site)


def _by_parameters(site: Site[ir.Compare]) -> bool:
    """`function comparePassword(stored, typed) { return stored === typed }`."""
    function = site.function
    if function is None:
        return False
    spoken = frozenset(words(function.qualified.rpartition(".")[2]))
    names = {each.name for each in function.parameters}
    both = all(isinstance(each, ir.Name) and each.id in names for each in site.node.operands)
    return both and bool(spoken & _COMPARING) and mentions(spoken, PASSWORDS)


def _asked(expr: ir.Expr) -> ir.Expr | None:
    """What a query asks a password to be."""
    if not isinstance(expr, ir.Mapping):
        return None
    for key, value in expr.entries:
        name = key.value if isinstance(key, ir.Const) else ""
        if name in ("where", "$and") and isinstance(value, ir.Mapping):
            return _asked(value)
        if name in ("password", "passwd", "pwd"):
            return value
    return None


RULE = CheckRule(
    RuleInfo(
        id="javascript-plaintext-password",
        title="Password compared as plain text",
        dimension=Dimension.D2,
        kind="password",
        cwe=256,
        severity=Severity.MEDIUM,
        guesses=(Guess.NAME,),
        impact=Impact.PARTIAL,
        consequence="Whoever reads the database has every password.",
        remedy="Store passwords hashed with bcrypt, scrypt or Argon2 and compare with their own function.",
    ),
    _check,
    script_file,
    query="comparisons of passwords",
)
