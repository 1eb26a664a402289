"""Sessions that keep their id after login.

## What it finds
Handlers that check a password and then store the user in a server-side session without renewing the session id: CherryPy
without `session.regenerate()`, aiohttp-session with `get_session` instead of `new_session`, Django's `request.session[...]`
without `login()` or `cycle_key()`.

## Why it matters
An attacker who planted a session id in the victim's browser shares the session once the victim logs in.

## What is safe
A new id at login. Sessions stored in a signed cookie have no server-side id to fix, so Flask's own sessions are not checked.

## Limits
A new id that a helper function creates is recognised only if the function's name says so.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.logins import checks_password
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traversal import calls_in, text_of
from counterproof.analysis.program.words import names_in, vocabulary, words, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Match, Severity
from counterproof.analysis.syntax.ir import Assign, Attribute, Await, Call, Const, Expr, Function, Index, Name
from counterproof.analysis.syntax.walk import walk

_IDENTITY = vocabulary("user username userid uid login account member customer auth authenticated logged identity key")
_STANDING = vocabulary("admin staff signed valid access")
"""Words in session entries that are set to True for every logged-in user."""
_RENEWING = vocabulary("regenerate cycle_key flush new_session rotate rotate_id renew invalidate remember login login_user")


def _check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    told: set[str] = set()
    for site in outline.of(Assign):
        function = site.function
        target = next((each for each in site.node.targets if isinstance(each, Index)), None)
        if function is None or target is None or not _names_user(target, site.node.value):
            continue
        if not _on_server(outline, target.value, function):
            continue
        if not checks_password(codebase, outline, function):
            yield good(site, "session id", "no password is checked here")
        elif _renews(codebase, outline, function) or _reads(function, target):
            yield good(site, "session id", "a new one is given at login, or who it is stood there before")
        elif site.scope in told:
            yield good(site, "session id", "told above for this login")
        else:
            told.add(site.scope)
            yield bad(site, "session id", "kept when the user logs in", Confidence.MEDIUM)


def _names_user(target: Index, value: Expr | None) -> bool:
    key = text_of(target.key)
    spoken = set(words(key) if key is not None else words_in(target.key))
    if isinstance(value, Const):
        return value.value is True and bool(spoken & (_IDENTITY | _STANDING))
    return bool(spoken & _IDENTITY)


def _on_server(outline: Outline, owner: Expr, function: Function) -> bool:
    """Return True if an expression is a session stored on the server under an id."""
    dotted = outline.dotted(owner)
    if dotted in ("cherrypy.session", "cherrypy.serving.session"):
        return True
    roots = {name.partition(".")[0] for name in outline.module.imports.values()}
    if isinstance(owner, Attribute) and owner.name == "session":
        return "django" in roots and dotted.removeprefix("self.") == "request.session"
    if not isinstance(owner, Name):
        return False
    made = outline.local(function, owner.id)
    value = made.value.value if made is not None and isinstance(made.value, Await) else made.value if made is not None else None
    return isinstance(value, Call) and outline.dotted(value.callee) == "aiohttp_session.get_session"


def _reads(function: Function, target: Index) -> bool:
    """`name = session["user"]` before `session["user"] = …`: a logged-in user changes their own data."""
    key = text_of(target.key)
    given = [node.value for node in walk(*function.body) if isinstance(node, Assign) and node.value is not None]
    return key is not None and any(
        isinstance(each, Index) and text_of(each.key) == key and names_in(each.value) == names_in(target.value) for each in given
    )


def _renews(codebase: Codebase, outline: Outline, function: Function) -> bool:
    for call in calls_in(*function.body):
        name = call.callee.name if isinstance(call.callee, Attribute) else outline.dotted(call.callee).rpartition(".")[2]
        if name not in _RENEWING:
            continue
        own = codebase.meaning(outline, call.callee, function)
        if name != "login" or (own is None and outline.dotted(call.callee).startswith("django.contrib.auth")):
            return True
    return False


RULE = CheckRule(
    title="Session fixation",
    kind="session",
    cwe=384,
    severity=Severity.MEDIUM,
    posture=True,
    consequence="An attacker who planted the session id shares the session of the user who logs in.",
    remedy="Give the session a new id at every login: regenerate, cycle_key, new_session.",
    check=_check,
    query="session ids at login",
)
