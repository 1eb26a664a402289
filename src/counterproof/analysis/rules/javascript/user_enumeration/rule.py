"""Login that tells which half was wrong, in JavaScript and TypeScript.

## What it finds
A function that answers an unknown user and a wrong password with different texts.

## Why it matters
An attacker learns which accounts exist, and tries passwords for those only.

## What is safe
One text for both.

## Limits
Texts that come from elsewhere, and answers that take different times, are not judged.
"""

from collections.abc import Iterator
from typing import TypeGuard

from counterproof.analysis.config.checks import bad, script_file, script_outline
from counterproof.analysis.outline.outline import Outline, Site
from counterproof.analysis.outline.traversal import text_of
from counterproof.analysis.outline.words import mentions, vocabulary, words, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Confidence, Impact, Severity

_USER = vocabulary("user username account email member")
_LOGIN = vocabulary("login signin authenticate logon auth passport session")
_PASSWORD = vocabulary("password passphrase")
_WRONG = vocabulary("invalid incorrect wrong unknown mismatch failed match found exist exists registered no")
MAX_TEXT = 120


def _check(project: Project, path: str) -> Iterator[Match]:
    outline = script_outline(project, path)
    for function in outline.module.functions:
        if function.within or not mentions(words_in(*function.parameters, *function.body), _PASSWORD):
            continue
        if not _signs_in(outline, function):
            continue
        texts = [(node, frozenset(words(str(node.value)))) for node in walk(*function.body) if _is_message(node)]
        user = [node for node, said in texts if said & _USER and said & _WRONG and not said & _PASSWORD]
        password = [node for node, said in texts if said & _PASSWORD and said & _WRONG and not said & _USER]
        if user and password:
            yield bad(
                Site(user[0], function, None), "login", "an unknown user and a wrong password are told apart", Confidence.MEDIUM
            )


def _signs_in(outline: Outline, function: ir.Function) -> bool:
    """Whether the function, one inside it, its route or the file is called after the login."""
    inner = (each.qualified for each in outline.module.functions if function.line <= each.line <= function.end)
    calls = (site.node for site in outline.of(ir.Call) if site.line <= function.line <= function.end <= site.end)
    routes = (text_of(each.arguments[0].value) or "" for each in calls if each.arguments)
    names = (outline.path.rpartition("/")[2], *inner, *(each.rpartition("/")[2] for each in routes))
    return any({*words(name), "".join(words(name.rpartition(".")[2]))} & _LOGIN for name in names)


def _is_message(node: ir.Node) -> TypeGuard[ir.Const]:
    return isinstance(node, ir.Const) and isinstance(node.value, str) and " " in node.value and len(node.value) < MAX_TEXT


RULE = CheckRule(
    RuleInfo(
        id="javascript-user-enumeration",
        title="User enumeration at login",
        dimension=Dimension.D2,
        kind="login",
        cwe=204,
        severity=Severity.LOW,
        posture=True,
        impact=Impact.LOCAL,
        consequence="An attacker learns which accounts exist.",
        remedy="Return the same message for an unknown user and a wrong password.",
    ),
    _check,
    script_file,
    query="texts of failed logins",
)
