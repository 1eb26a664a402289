"""Session that stays the same when a user logs in, in JavaScript and TypeScript.

## What it finds
A login that writes the user into the session of the request and does not call `regenerate` first.

## Why it matters
Whoever planted a session id in the visitor's browser before the login shares the session after it.

## What is safe
`req.session.regenerate`, or a session that is a token made at the login.

## Limits
Told by the names of what is written; a login that another function regenerates for is reported too.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import judged, script_file, script_outline
from counterproof.analysis.outline.outline import Outline
from counterproof.analysis.outline.words import mentions, vocabulary, words, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Confidence, Impact, Severity

_USERS = vocabulary("user userid uid username account accountid customer member loggedin authenticated isauthenticated auth")
_LOGIN = vocabulary("login signin authenticate logon password passwd validatelogin")
_REQUESTS = vocabulary("req request ctx context")
MAX_AROUND = 4
"""Functions around a place that are looked at."""


def _check(project: Project, path: str) -> Iterator[Match]:
    outline = script_outline(project, path)
    for site in outline.of(ir.Assign):
        if not any(_signs_in(target) for target in site.node.targets) or _signs_out(site.node.value):
            continue
        around = _around(outline, site.function)
        if not around or not mentions(frozenset(word for each in around for word in _spoken(each)), _LOGIN):
            continue
        renewed = any(
            isinstance(node, ir.Attribute) and node.name == "regenerate" for each in around for node in walk(*each.body)
        )
        yield judged(site, "session", not renewed, "renewed at the login" if renewed else "kept at the login", Confidence.MEDIUM)


def _signs_in(target: ir.Expr) -> bool:
    if not isinstance(target, ir.Attribute) or "".join(words(target.name)) not in _USERS:
        return False
    return isinstance(target.value, ir.Attribute) and target.value.name == "session"


def _signs_out(value: ir.Expr | None) -> bool:
    return isinstance(value, ir.Const) and not value.value


def _around(outline: Outline, function: ir.Function | None) -> list[ir.Function]:
    """The functions around a place, up to the one that is handed the request."""
    found: list[ir.Function] = []
    while function is not None and len(found) < MAX_AROUND:
        found.append(function)
        if any(each.name in _REQUESTS for each in function.parameters):
            break
        function = outline.functions.get(function.within) if function.within else None
    return found


def _spoken(function: ir.Function) -> frozenset[str]:
    return words_in(*function.body) | frozenset(words(function.qualified))


RULE = CheckRule(
    RuleInfo(
        id="javascript-session-fixation",
        title="Session fixation",
        dimension=Dimension.D2,
        kind="session",
        cwe=384,
        severity=Severity.MEDIUM,
        posture=True,
        impact=Impact.PARTIAL,
        consequence="A session id planted before login stays valid after it.",
        remedy="Call req.session.regenerate before the user is written into the session.",
    ),
    _check,
    script_file,
    query="users written into sessions",
)
