"""Handlers that check passwords, and limits on attempts."""

from collections.abc import Iterator

from counterproof.analysis.config.passwords import PASSWORDS, is_form_check
from counterproof.analysis.libraries import names
from counterproof.analysis.program.codebase import Codebase, Definition
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.queries import statement_parts, statement_text
from counterproof.analysis.program.settings import django_settings, listed
from counterproof.analysis.program.traits import anywhere, trait
from counterproof.analysis.program.traversal import calls_in, keyword, text_of
from counterproof.analysis.program.words import mentions, vocabulary, words, words_in
from counterproof.analysis.syntax.ir import Attribute, Call, Compare, Const, Function, Name, Node
from counterproof.analysis.syntax.walk import last_name, walk

CHECK_DEPTH = 4
"""Functions that a password is passed through before it is compared."""
_CHECKING = vocabulary("login authenticate verify matches match check signin valid validate checkpw compare")
_MAKING = vocabulary("create set make new add register")
_LIMITING = vocabulary(
    "limit limits limited limiter ratelimit throttle throttled throttling attempts failures lockout locked axes"
)
_COUNTED = ("failed_logins", "failed_attempts", "login_attempts", "lockout", "locked out", "locked_until", "too many")
"""Text in columns and messages about counted attempts."""
_REQUESTS = ("request", "req", "form")
_ASKING_DJANGO = ("django.contrib.auth.authenticate", "django.contrib.auth.aauthenticate")
_SHIPPED = names("route", "login-view")
"""Framework logins, none of which counts attempts."""
_LIMITERS = names("guard", "rate-limit")


def checks_password(codebase: Codebase, outline: Outline, function: Function, depth: int = 0) -> bool:
    """Return True if a function, or one it passes the password or request to, compares it with the stored one."""
    key = ("checks password", id(function), depth)
    return codebase.remembered(key, lambda: _checks_password(codebase, outline, function, depth))


def _checks_password(codebase: Codebase, outline: Outline, function: Function, depth: int) -> bool:
    compared = (node for node in walk(*function.body) if isinstance(node, Compare) and not is_form_check(node))
    if any(mentions(words_in(*_held(outline, function, each)), PASSWORDS) and not _is_presence(each) for each in compared):
        return True
    return any(_call_checks(codebase, outline, function, call, depth) for call in calls_in(*function.body))


def _held(outline: Outline, function: Function, node: Compare) -> Iterator[Node]:
    """The operands of a comparison, and the values assigned to their variables."""
    for each in node.operands:
        made = outline.local(function, each.id) if isinstance(each, Name) else None
        yield from (each, *((made.value,) if made is not None and isinstance(made.value, Call) else ()))


def _is_presence(node: Compare) -> bool:
    """`password is None`, `"password" in form`, `topic == "password"`: tests for presence, or for a word."""
    return any(each in ("is", "is not", "in", "not in") for each in node.operators) or any(
        isinstance(each, Const) and (not each.value or mentions(frozenset(words(text_of(each) or "")), PASSWORDS))
        for each in node.operands
    )


def _call_checks(codebase: Codebase, outline: Outline, function: Function, call: Call, depth: int) -> bool:
    if outline.dotted(call.callee) in _ASKING_DJANGO:  # a token in place of a password cannot be guessed
        return mentions(words_in(*call.arguments), PASSWORDS) or [each.keyword for each in call.arguments] == ["request"]
    if outline.dotted(call.callee).removesuffix(".as_view") in _SHIPPED:
        return True
    parts = (*call.arguments, *statement_parts(outline, function, call)[1:])
    given = words_in(*parts)
    told = mentions(given, PASSWORDS) and "session" not in given and not outline.dotted(call.callee).startswith("re.")
    spoken = set(words(last_name(call.callee)))
    if told and (spoken & _CHECKING or (keyword(call, "password") is not None and not spoken & _MAKING)):
        return True
    if told and statement_text(statement_parts(outline, function, call)).startswith("select"):
        return True
    handed = any(isinstance(each.value, Name) and each.value.id in _REQUESTS for each in call.arguments)
    found = _called(codebase, outline, function, call) if (told or handed) and depth < CHECK_DEPTH else None
    if found is None or not isinstance(found.node, Function) or found.node is function:
        return False
    return checks_password(codebase, found.outline, found.node, depth + 1)


def _called(codebase: Codebase, outline: Outline, function: Function, call: Call) -> Definition | None:
    """The function that a call runs; `self.enter(…)` is a method of the same class."""
    callee = call.callee
    owner = outline.classes.get(function.owner)
    if isinstance(callee, Attribute) and isinstance(callee.value, Name) and callee.value.id == "self" and owner is not None:
        method = codebase.method(Definition(outline, owner), callee.name)
        return Definition(*method) if method else None
    return codebase.meaning(outline, callee, function)


def counts_attempts(function: Function) -> bool:
    """Return True for a rate-limit decorator, or names of counters in the function."""
    texts = (text.lower() for node in walk(*function.body) if (text := text_of(node)))
    return mentions(words_in(*function.decorators, *function.body), _LIMITING) or any(
        told in text for text in texts for told in _COUNTED
    )


@trait("limits every route")
def _limits_routes(outline: Outline) -> bool:
    for site in outline.of(Call):
        last = outline.dotted(site.node.callee).rpartition(".")[2]
        if last == "Limiter" and keyword(site.node, "default_limits") is not None:
            return True
        if last == "SlowAPIMiddleware" or (last == "add_middleware" and mentions(words_in(*site.node.arguments), _LIMITING)):
            return True
    return False


def limits_everything(codebase: Codebase) -> bool:
    """Return True for a limiter of every route: by default limits, as an installed application, or as middleware."""
    if anywhere(codebase, _limits_routes):
        return True
    installed = [each.text for outline in django_settings(codebase) for each in listed(outline, "INSTALLED_APPS")]
    return any(name.partition(".")[0] in _LIMITERS for name in installed)
