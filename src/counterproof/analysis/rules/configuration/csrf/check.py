"""The check of `csrf`."""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.patterns import Bad, Calls, Matching, Settings
from counterproof.analysis.config.places import Place, keyword, off
from counterproof.analysis.flow.seen_calls import SESSION_MIDDLEWARE, SeenCall, routed
from counterproof.analysis.libraries import names
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.settings import listed
from counterproof.analysis.program.traits import anywhere, told, trait
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import Confidence, Language, Match
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.ir import Attribute, Call, Class, Expr, Function, Sequence
from counterproof.analysis.syntax.walk import walk

_INPUT = frozenset({"GET", "POST", "FILES", "body", "data", "json", "read", "save", "delete", "create", "update", "set_cookie"})
_MACHINES = vocabulary("api webhook webhooks hook callback bot ipn notify ping")
"""Name words of endpoints that other programs call."""
_KEY_WORDS = vocabulary("apikey bearer authorization webhook")
_SIGNED = vocabulary("signature hmac verify verified signed digest")
_SESSIONS = "django.contrib.sessions.middleware.SessionMiddleware"
_MIDDLEWARE = "django.middleware.csrf.CsrfViewMiddleware"


def _is_off(at: Place) -> bool:
    return off(at) and not at.development


def _keeps_sessions(at: Place) -> bool:
    return at.django and _SESSIONS in _middleware(at)


def _middleware(at: Place) -> list[str]:
    return [each.text for name in ("MIDDLEWARE", "MIDDLEWARE_CLASSES") for each in listed(at.outline, name)]


def _check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    for function in (*outline.module.functions, *outline.module.classes):
        for decorator in function.decorators:
            value = decorator.value
            names = [outline.dotted(value.callee if isinstance(value, Call) else value)]
            names += [outline.dotted(each.value) for each in value.arguments] if isinstance(value, Call) else []
            if any(name.rpartition(".")[2] == "csrf_exempt" or name.endswith("csrf.exempt") for name in names):
                signed = words_in(*function.body) & _SIGNED or not _takes_input(function)
                signed = signed or any(_is_for_nobody(outline, each.value) for each in function.decorators)
                signed = signed or _asks_for_key(codebase, outline, function)
                signed = signed or (any(name.endswith("csrf.exempt") for name in names) and not _knows_user(function))
                site = Site(decorator, None, None)
                label = f"csrf_exempt on {function.name}"
                yield (
                    good(site, label, "a signature is checked, no session is used, or the request is not read")
                    if signed
                    else bad(site, label, "protection is disabled")
                )


def _is_for_nobody(outline: Outline, value: Expr) -> bool:
    """`@login_not_required`, alone or passed to `method_decorator`: the sender is not identified by a cookie."""
    named = [value.callee, *(each.value for each in value.arguments)] if isinstance(value, Call) else [value]
    return any(outline.dotted(each).rpartition(".")[2] == "login_not_required" for each in named)


def _takes_input(function: Function | Class) -> bool:
    """Return True if a view reads the request or has side effects; a page that is only displayed does not."""
    if isinstance(function, Class):
        return True
    return bool({node.name for node in walk(*function.body) if isinstance(node, Attribute)} & _INPUT)


def _asks_for_key(codebase: Codebase, outline: Outline, function: Function | Class) -> bool:
    """Return True if the view, or a decorator around it, identifies its caller by a key that browsers do not send themselves."""
    bodies = [*function.body]
    for decorator in function.decorators:
        value = decorator.value
        found = codebase.meaning(outline, value.callee if isinstance(value, Call) else value)
        if found and isinstance(found.node, Function):
            bodies += found.node.body
    names = words_in(*bodies) | {word for node in walk(*bodies) for word in words(text_of(node) or "")}
    if names & _KEY_WORDS or {"api", "key"} <= names:
        return True
    called = {*words(function.name), *words(outline.path)}
    return bool(called & _MACHINES) and not _knows_user(function)


def _knows_user(function: Function | Class) -> bool:
    return bool(words_in(*function.body, *function.decorators) & {"session", "login", "user", "logged", "account"})


def makes_tornado(at: Place) -> bool:
    """`tornado.web.Application(…)`, also where a subclass passes its options on."""
    return not at.name.endswith("__init__") or at.name.startswith("tornado.") or _is_super_call(at.outline, at.site)


def _is_super_call(outline: Outline, site: Site[Call]) -> bool:
    callee = site.node.callee
    is_super = isinstance(callee, Attribute) and callee.name == "__init__" and isinstance(callee.value, Call)
    bases = [outline.dotted(base) for base in site.owner.bases] if site.owner else []
    return is_super and "tornado.web.Application" in bases


def lacks_xsrf_cookies(at: Place) -> bool:
    """Return True if `xsrf_cookies` is missing: only with it Tornado checks tokens."""
    return at.value is None and not anywhere(at.codebase, _mentions_xsrf) and anywhere(at.codebase, _takes_posts)


@trait("mentions xsrf_cookies", "xsrf_cookies")
def _mentions_xsrf(outline: Outline) -> bool:
    return any("xsrf_cookies" in (text_of(node) or "") for node in walk(*outline.module.body))


@trait("takes posts with Tornado", "tornado")
def _takes_posts(outline: Outline) -> bool:
    return any(
        name.startswith("tornado.web.") and "post" in outline.methods(each)
        for each in outline.module.classes
        for name in (outline.dotted(base) for base in each.bases)
    )


@trait("middleware against forged requests")
def _token_middleware(outline: Outline) -> list[str]:
    names = (each.name for each in outline.module.functions)
    return [name for name in names if "middleware" in name and set(words(name)) & {"csrf", "xsrf"}]


def lacks_own_middleware(at: Place) -> bool:
    """Return True if a CSRF middleware of the project is missing from the list of an aiohttp application."""
    own = any(told(at.codebase, _token_middleware).values())
    return own and isinstance(at.value, Sequence) and not words_in(*at.value.items) & {"csrf", "xsrf"}


_PROTECTING = frozenset(names("guard", "csrf", Language.JAVASCRIPT))

_CHANGING = ("post", "put", "patch", "delete")


def check_script(seen: SeenCall) -> Match | None:
    nested = seen.option(0, "cookie", "sameSite")
    given = nested if nested is not None else seen.option(0, "sameSite")
    if given is not None and given.const not in ("none", "None", False):
        return seen.good("session cookie", "sameSite is set or computed")
    if not any(_changes(module) for module in seen.watch.modules_near(seen.frame.path)):
        return seen.good("session cookie", "no route here changes anything")
    found = sorted(seen.packages() & _PROTECTING)
    if found:
        return seen.good("session cookie", f"the program uses {found[0]}")
    return seen.bad("session cookie", "sent with cross-site requests, and no token is required", Confidence.MEDIUM)


def _changes(module: ir.Module) -> bool:
    """Return True if a file registers a route whose name or method says that it changes data."""
    for node in walk(*module.body):
        if isinstance(node, ir.Call) and isinstance(node.callee, ir.Attribute) and node.callee.name in _CHANGING:
            first = routed(node) or next((text_of(each.value) for each in node.arguments), None)
            if first is not None and first.startswith("/"):
                return True
    return False


check = Matching(
    Settings(
        ("WTF_CSRF_ENABLED", "CSRF_ENABLED", "xsrf_cookies"),
        bad=Bad(_is_off, "switched off"),
        good="on, or off for development only",
    ),
    Settings(
        ("MIDDLEWARE", "MIDDLEWARE_CLASSES"),
        only=_keeps_sessions,
        bad=Bad(lambda at: _MIDDLEWARE not in _middleware(at), "not installed"),
        good="installed",
        item="CsrfViewMiddleware",
    ),
    Calls(
        ("tornado.web.Application", "*.__init__"),
        keyword("xsrf_cookies"),
        makes_tornado,
        Bad(lacks_xsrf_cookies, "not set, and handlers take POST requests", Confidence.MEDIUM),
        item="xsrf_cookies",
        optional=True,
    ),
    Calls(
        ("aiohttp.web.Application",),
        keyword("middlewares"),
        bad=Bad(lacks_own_middleware, "the project's CSRF middleware is not installed"),
        item="middlewares",
    ),
    also=_check,
)
calls_script = SESSION_MIDDLEWARE
