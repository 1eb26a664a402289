"""The check of `cors-wildcard`."""

import re

from counterproof.analysis.config.patterns import Bad, Calls, Headers, Matching, Settings
from counterproof.analysis.config.places import Place, keyword, on
from counterproof.analysis.config.settings import settings_of
from counterproof.analysis.config.terms import one_of
from counterproof.analysis.config.web import is_web_module
from counterproof.analysis.flow.seen_calls import SeenCall, is_true
from counterproof.analysis.program.request_fields import Channel, field_of
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.program.words import words_in
from counterproof.analysis.ruleset import Confidence, Match, Severity
from counterproof.analysis.syntax.ir import Attribute, Const, Expr, Name, Sequence
from counterproof.analysis.syntax.walk import walk

_LOOSE_DOT = re.compile(r"(?<!\\)[a-z0-9]\.(?:com|org|net|io|dev|app|local)\b")
"""An unescaped dot before the last part of a host name, which matches any character."""
_CREDENTIALS = ("CORS_ALLOW_CREDENTIALS", "CORS_SUPPORTS_CREDENTIALS")


def _is_everyone(value: Expr | None) -> bool:
    """A "*" in the list itself or, in a mapping of resources, as the value of `origins`."""
    if isinstance(value, Const | Sequence):
        parts = value.items if isinstance(value, Sequence) else (value,)
        return any(text_of(each) in ("*", ".*") for each in parts)
    return value is not None and any(text_of(node) == "*" for node in walk(value))


def _is_open(at: Place) -> bool:
    return at.value is None or _is_everyone(at.value)


def _sends_credentials(at: Place) -> bool:
    """Return True if credentials are allowed: without them other sites can read only public responses."""
    if at.setting is None:
        given = keyword("supports_credentials", "allow_credentials")(at)
        return given is not None and bool(at.switch(given).on)
    return any(at.switch(each.value).on for each in settings_of(at.outline, *_CREDENTIALS))


def _origins(at: Place) -> Expr | None:
    return at.meant(keyword("origins", "resources")(at))


def _comes_later(at: Place) -> bool:
    """`cors = CORS()`, then `cors.init_app(app, origins=…)` in a factory."""
    callee = at.call.callee
    return isinstance(callee, Attribute) and at.codebase.constructor(at.outline, callee.value, at.function) == "flask_cors.CORS"


def _is_loose(at: Place) -> bool:
    """Return True if the pattern also matches attackers' hosts, because of unescaped dots or a missing anchor."""
    host = at.text().removeprefix("^").removesuffix("$")
    return host.startswith((".*", ".+")) or host in ("", "https?://.*", "http.*") or bool(_LOOSE_DOT.search(host))


def _is_reflected(at: Place) -> bool:
    """Return True if the request's origin is sent back without a check."""
    tested = {node.id for test in at.site.tests for node in walk(test) if isinstance(node, Name)}
    if at.value is None or isinstance(at.value, Const) or any("origin" in words_in(test) for test in at.site.tests):
        return False
    if (isinstance(at.value, Name) and at.value.id in tested) or at.site.node is at.value:
        return False
    field = field_of(at.outline, at.function, at.value)
    if field is not None and field.channel is Channel.HEADER:
        return field.name.lower().replace("_", "-").removeprefix("http-") == "origin"
    return words_in(at.outline.behind(at.function, at.value)) >= {"origin", "headers"}


_EVERYONE = "every origin is allowed"
_OPEN = (
    Bad(lambda at: _is_open(at) and _sends_credentials(at), f"{_EVERYONE}, with credentials"),
    Bad(_is_open, _EVERYONE, Confidence.MEDIUM, Severity.LOW),
)
_MIDDLEWARE = ("*.CORSMiddleware", "*.add_middleware", "*.Middleware")


_HEADERS = ("setHeader", "header", "set", "append")


def check_script(seen: SeenCall) -> Match | None:
    if seen.method in _HEADERS and seen.name.startswith("http.ServerResponse()"):
        return _script_header(seen)
    origin = seen.option(0, "origin")
    credentials = is_true(seen.option(0, "credentials"))
    if origin is not None and origin.const is True and credentials:
        return seen.bad("CORS", "every origin is allowed, with credentials")
    if origin is None or origin.const == "*" or any(each.const == "*" for each in origin.items or ()):
        return seen.bad("CORS", "every origin is allowed", Confidence.MEDIUM)
    return seen.good("CORS", "the origins are named or decided by code")


def _script_header(seen: SeenCall) -> Match | None:
    name, value = seen.text(0), seen.at(1)
    if name is None or name.lower() != "access-control-allow-origin" or value is None:
        return None
    if value.const == "*":
        return seen.bad("Access-Control-Allow-Origin", "every origin is allowed", Confidence.MEDIUM)
    if any(getattr(each.origin, "channel", "") == "header" for each in value.taints):
        return seen.bad("Access-Control-Allow-Origin", "repeats the origin of the request")
    return seen.good("Access-Control-Allow-Origin", "a fixed or computed origin")


check = Matching(
    Settings(
        ("CORS_ORIGIN_ALLOW_ALL", "CORS_ALLOW_ALL_ORIGINS"),
        bad=(
            Bad(lambda at: on(at) and not at.development and _sends_credentials(at), _EVERYONE, Confidence.MEDIUM),
            Bad(lambda at: on(at) and not at.development, _EVERYONE, Confidence.MEDIUM, Severity.LOW),
        ),
    ),
    Settings(("CORS_ORIGINS",), only=lambda at: is_web_module(at.outline)),
    Calls(("flask_cors.CORS",), _origins, lambda at: bool(at.call.arguments), optional=True),
    Calls(("flask_cors.cross_origin",), _origins, optional=True),
    Calls(("*.init_app",), _origins, _comes_later, optional=True),
    Calls(_MIDDLEWARE, lambda at: at.meant(keyword("allow_origins")(at))),
    Calls(
        _MIDDLEWARE,
        keyword("allow_origin_regex"),
        lambda at: keyword("allow_origins")(at) is None,
        Bad(
            lambda at: _is_loose(at) and _sends_credentials(at),
            "the pattern also matches other hosts, with credentials",
            Confidence.MEDIUM,
        ),
    ),
    Headers(
        ("access-control-allow-origin",),
        only=lambda at: not isinstance(at.site.node, Expr) or is_web_module(at.outline),
        bad=(
            Bad(_is_reflected, "the request's origin is always allowed"),
            Bad(one_of(["*"]), _EVERYONE, Confidence.MEDIUM, Severity.LOW),
            Bad(one_of(["null"]), "the origin of every sandboxed frame is allowed", Confidence.MEDIUM),
        ),
        item="Access-Control-Allow-Origin",
    ),
    bad=_OPEN,
    good="a list of origins, or not known here",
    item="allowed origins",
)
calls_script = (
    "cors",
    "@koa/cors",
    "kcors",
    "@fastify/cors",
    "hono/cors.cors",
    *(f"http.ServerResponse().{name}" for name in _HEADERS),
)
