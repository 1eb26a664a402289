"""Any web site may read the answers.

## What it finds
Cross-origin rules that allow every origin: `CORS(app)` and `origins="*"` of Flask-CORS, `allow_origins=["*"]` of Starlette and
FastAPI, `CORS_ALLOW_ALL_ORIGINS = True` of django-cors-headers, an `Access-Control-Allow-Origin: *` header, and one that repeats
whatever origin the caller names. In scripts: CORS middleware that allows every origin or repeats the origin of the request, and
headers set by hand that do.

## Why it matters
The browser keeps one site from reading another's answers unless that other site allows it. With credentials allowed as well, any
page a user visits can read that user's data.

## What is safe
A list of origins, in the call or as `CORS_ORIGINS` among the settings, or a wildcard on answers that are public anyway; such a
wildcard without credentials is only a low finding. In scripts also a function that decides.

## Limits
Whether an answer is public is not decided here, so a wildcard without credentials has medium confidence.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.settings import for_development, settings_of
from counterproof.analysis.config.values import literal, switch
from counterproof.analysis.config.web import is_web_module
from counterproof.analysis.flow.seen_calls import SeenCall, is_true
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.request_fields import Channel, field_of
from counterproof.analysis.program.spread import given
from counterproof.analysis.program.traits import anywhere, trait
from counterproof.analysis.program.traversal import called, positional, text_of
from counterproof.analysis.program.words import words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CallRule, CheckRule, Confidence, Match, Severity
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Const, Expr, Index, Mapping, Name, Sequence
from counterproof.analysis.syntax.walk import walk

_SETTINGS = frozenset({"CORS_ORIGIN_ALLOW_ALL", "CORS_ALLOW_ALL_ORIGINS"})
_LOOSE_DOT = re.compile(r"(?<!\\)[a-z0-9]\.(?:com|org|net|io|dev|app|local)\b")
"""A dot before the last part of a host that is not escaped, and so stands for any letter."""
_MILD = Severity.LOW
"""Without credentials a browser reads for other sites only what anybody may read."""
_HEADER = "access-control-allow-origin"
_SETTING = ("send_header", "set_header", "add_header", "append_header", "add", "append", "setdefault")


def _check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    asked = settings_of(outline, frozenset({"CORS_ALLOW_CREDENTIALS", "CORS_SUPPORTS_CREDENTIALS"}))
    weight = None if any(switch(codebase, outline, each.value, each.function).on for each in asked) else _MILD
    for setting in settings_of(outline, _SETTINGS):
        found = switch(codebase, outline, setting.value, setting.function)
        if found.on and found.certain and not for_development(outline, setting.owner):
            yield bad(setting.site, setting.name, "every origin is allowed", Confidence.MEDIUM, severity=weight)
        else:
            yield good(setting.site, setting.name, "not every origin is allowed here")
    for site in outline.of(Call):
        yield from _call(codebase, outline, site)
    if is_web_module(outline):
        yield from _mapped(codebase, outline)
        for setting in settings_of(outline, frozenset({"CORS_ORIGINS"})):
            yield _origins(setting.site, _is_everyone(setting.value), credentials=weight is None)
    yield from _assigned(codebase, outline)


def _mapped(codebase: Codebase, outline: Outline) -> Iterator[Match]:
    """`headers={"Access-Control-Allow-Origin": "*"}`."""
    for site in outline.of(Mapping):
        for key, value in site.node.entries:
            if (text_of(key) or "").lower() == _HEADER:
                yield _header(Site(value, site.function, site.owner), literal(codebase, outline, value, site.function))


def _assigned(codebase: Codebase, outline: Outline) -> Iterator[Match]:
    for assigned in outline.of(Assign):
        for target in assigned.node.targets:
            if isinstance(target, Index) and (text_of(target.key) or "").lower() == _HEADER:
                if _is_reflected(outline, assigned, assigned.node.value):
                    yield bad(assigned, "Access-Control-Allow-Origin", "whatever origin asks is allowed")
                else:
                    yield _header(assigned, literal(codebase, outline, assigned.node.value, assigned.function))


def _call(codebase: Codebase, outline: Outline, site: Site[Call]) -> Iterator[Match]:
    dotted = outline.dotted(site.node.callee)
    last = dotted.rpartition(".")[2]
    if dotted in ("flask_cors.CORS", "flask_cors.cross_origin") or _is_told_later(codebase, outline, site):
        if not site.node.arguments and last == "CORS":
            return  # the application comes later, with what is allowed
        origins = _given(codebase, outline, site, "origins") or _given(codebase, outline, site, "resources")
        everyone = not anywhere(codebase, _names_origins) if origins is None else _is_everyone(origins)
        yield _origins(site, everyone, _credentials(codebase, outline, site, "supports_credentials"))
    elif last == "CORSMiddleware" or (last in ("add_middleware", "Middleware") and _names_cors(outline, site.node)):
        origins = _given(codebase, outline, site, "allow_origins")
        credentials = _credentials(codebase, outline, site, "allow_credentials")
        if origins is not None:
            yield _origins(site, _is_everyone(origins), credentials)
        elif pattern := text_of(given(codebase, outline, site, "allow_origin_regex")):
            yield _matched(site, pattern, credentials)
    elif called(site.node) in _SETTING and (text_of(positional(site.node, 0)) or "").lower() == _HEADER:
        if _is_reflected(outline, site, positional(site.node, 1)):
            yield bad(site, "Access-Control-Allow-Origin", "whatever origin asks is allowed")
        else:
            yield _header(site, literal(codebase, outline, positional(site.node, 1), site.function))


def _given(codebase: Codebase, outline: Outline, site: Site[Call], name: str) -> Expr | None:
    """What a keyword says, or the list or text that its variable was given."""
    said = given(codebase, outline, site, name)
    found = codebase.meaning(outline, said, site.function) if isinstance(said, Name | Attribute) else None
    return found.node if found is not None and isinstance(found.node, Expr) else said


def _is_told_later(codebase: Codebase, outline: Outline, site: Site[Call]) -> bool:
    """`cors = CORS()`, and `cors.init_app(app, origins=…)` in a factory."""
    callee = site.node.callee
    if not isinstance(callee, Attribute) or callee.name != "init_app":
        return False
    return codebase.constructor(outline, callee.value, site.function) == "flask_cors.CORS"


@trait("origins of Flask-CORS in a setting")
def _names_origins(outline: Outline) -> bool:
    """`CORS_ORIGINS = […]`: what Flask-CORS takes where a call names no origins."""
    return any(not _is_everyone(each.value) for each in settings_of(outline, frozenset({"CORS_ORIGINS"})))


def _names_cors(outline: Outline, call: Call) -> bool:
    first = positional(call, 0)
    return outline.dotted(first).endswith("CORSMiddleware")


def _credentials(codebase: Codebase, outline: Outline, site: Site[Call], name: str) -> bool:
    return bool(switch(codebase, outline, given(codebase, outline, site, name), site.function).on)


def _is_everyone(value: Expr) -> bool:
    """A "*" in the list itself; in a mapping of resources, as the value of `origins`."""
    if isinstance(value, Const | Sequence):
        parts = value.items if isinstance(value, Sequence) else (value,)
        return any(text_of(each) in ("*", ".*") for each in parts)
    return any(text_of(node) == "*" for node in walk(value))


def _origins(site: Site[Call] | Site[Expr], everyone: bool, credentials: bool) -> Match:
    if everyone and credentials:
        return bad(site, "allowed origins", "every origin is allowed, with credentials", detail="Credentials are allowed too.")
    if everyone:
        return bad(site, "allowed origins", "every origin is allowed", Confidence.MEDIUM, severity=_MILD)
    return good(site, "allowed origins", "a list of origins")


def _matched(site: Site[Call], pattern: str, credentials: bool) -> Match:
    """An expression that other people's hosts match too, because its dots or its beginning stand for anything."""
    host = pattern.removeprefix("^").removesuffix("$")
    loose = host.startswith((".*", ".+")) or host in ("", "https?://.*", "http.*") or bool(_LOOSE_DOT.search(host))
    if loose and credentials:
        return bad(site, "allowed origins", "the expression lets other hosts through, with credentials", Confidence.MEDIUM)
    return good(site, "allowed origins", "an expression")


def _is_reflected(outline: Outline, site: Site[Assign] | Site[Call], value: Expr | None) -> bool:
    """The caller's own origin sent back, without a test of it."""
    tested = {node.id for test in site.tests for node in walk(test) if isinstance(node, Name)}
    if value is None or any("origin" in words_in(test) for test in site.tests):
        return False
    if isinstance(value, Name) and value.id in tested:
        return False
    field = field_of(outline, site.function, value)
    if field is not None and field.channel is Channel.HEADER:
        return field.name.lower().replace("_", "-").removeprefix("http-") == "origin"
    found = words_in(outline.behind(site.function, value))
    return "origin" in found and "headers" in found


def _header(site: "Site[Call] | Site[Assign] | Site[Expr]", value: object) -> Match:
    if value == "*":
        return bad(site, "Access-Control-Allow-Origin", "every origin is allowed", Confidence.MEDIUM, severity=_MILD)
    if value == "null":
        return bad(site, "Access-Control-Allow-Origin", "the origin of every sandboxed frame is allowed", Confidence.MEDIUM)
    return good(site, "Access-Control-Allow-Origin", "not a wildcard")


RULE = CheckRule(
    title="CORS allows any origin",
    kind="cors",
    cwe=942,
    severity=Severity.MEDIUM,
    posture=True,
    consequence="Any page that a user visits can read this service's responses to that user's browser.",
    remedy="List the origins that may read responses.",
    check=_check,
    query="cross-origin rules",
    in_tests=True,
)


_HEADERS = ("setHeader", "header", "set", "append")


def _check_script(seen: SeenCall) -> Match | None:
    if seen.method in _HEADERS and seen.name.startswith("http.ServerResponse()"):
        return _script_header(seen)
    origin = seen.option(0, "origin")
    credentials = is_true(seen.option(0, "credentials"))
    if origin is not None and origin.const is True and credentials:
        return seen.bad("CORS", "every origin may ask with credentials")
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


SCRIPTS = RULE.in_scripts(
    CallRule,
    calls=(
        "cors",
        "@koa/cors",
        "kcors",
        "@fastify/cors",
        "hono/cors.cors",
        *(f"http.ServerResponse().{name}" for name in _HEADERS),
    ),
    check=_check_script,
    query="cross-origin settings",
)
