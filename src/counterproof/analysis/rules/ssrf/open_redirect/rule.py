"""Redirect to an address that untrusted data chooses.

## What it finds
Request data as the target of a redirect, by a function of the framework or as the `Location` header of an answer.

## Why it matters
A link that starts with the trusted site leads to another one; used for phishing and to steal tokens.

## What is safe
`url_for`, a target from a fixed list, a host check (`url_has_allowed_host_and_scheme`, `urlparse(x).netloc`), a literal prefix.

## Limits
A check that only looks for a leading slash does not count: `//host` leaves the site.
A function from outside that says by its name that it checks or cleans is believed, because its code is not there to be read.
"""

from counterproof.analysis.ruleset import FlowRule, RuleInfo, Sink
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

_RESPONSES = (
    "flask.Response",
    "quart.Response",
    "werkzeug.wrappers.Response",
    "django.http.HttpResponse",
    "starlette.responses.Response",
    "fastapi.Response",
    "fastapi.responses.Response",
    "aiohttp.web.Response",
)

RULE = FlowRule(
    RuleInfo(
        id="open-redirect",
        title="Redirect to an address from untrusted data",
        dimension=Dimension.D6,
        kind="redirect",
        cwe=601,
        severity=Severity.MEDIUM,
        impact=Impact.LOCAL,
        consequence="A link to the trusted site sends its visitor to the attacker's.",
        remedy="Redirect only to paths of your own, or check the host of the target against a fixed list.",
    ),
    sinks=(
        Sink("flask.redirect", (0, "location")),
        Sink("werkzeug.utils.redirect", (0, "location")),
        Sink("quart.redirect", (0, "location")),
        Sink("bottle.redirect", (0, "url")),
        Sink("django.shortcuts.redirect", (0, "to")),
        Sink("django.http.HttpResponseRedirect", (0, "redirect_to")),
        Sink("django.http.HttpResponsePermanentRedirect", (0, "redirect_to")),
        Sink("starlette.responses.RedirectResponse", (0, "url")),
        Sink("fastapi.responses.RedirectResponse", (0, "url")),
        Sink("aiohttp.web.HTTPFound", (0, "location")),
        *(
            Sink(f"aiohttp.web.{name}", (0, "location"))
            for name in ("HTTPSeeOther", "HTTPMovedPermanently", "HTTPTemporaryRedirect", "HTTPPermanentRedirect")
        ),
        Sink("sanic.response.redirect", (0, "to")),
        *(Sink(f"webob.exc.{name}", ("location",)) for name in ("HTTPFound", "HTTPSeeOther", "HTTPMovedPermanently")),
        Sink("pyramid.httpexceptions.HTTPMovedPermanently", (0, "location")),
        Sink("pyramid.httpexceptions.HTTPFound", (0, "location")),
        Sink("pyramid.httpexceptions.HTTPSeeOther", (0, "location")),
        Sink("falcon.HTTPFound", (0, "location")),
        Sink("falcon.HTTPSeeOther", (0, "location")),
        Sink("cherrypy.HTTPRedirect", (0, "urls")),
        *(Sink(f"web.{name}", (0, "url")) for name in ("seeother", "redirect", "found", "tempredirect")),
        Sink("litestar.response.Redirect", (0, "path")),
        Sink("tornado.web.RequestHandler().redirect", (0, "url")),
        *(Sink(f"gluon.{name}redirect", (0, "location")) for name in ("", "http.")),
        *(Sink(f"pylons.controllers.util.{name}", (0,)) for name in ("redirect", "redirect_to")),
        *(Sink(name, (0,), only_remote=True) for name in ("redirect", "redirect_to")),
        Sink("frappe.local.response.location=", (0,)),
        Sink("*.redirect", (0, "url", "location", "target"), only_remote=True),
        Sink("*.http_redirect", (0, "url"), only_remote=True),
        *(
            Sink(f"http.server.{name}().send_header", (1, "value"), when=(("0/keyword", "Location|location"),))
            for name in ("BaseHTTPRequestHandler", "SimpleHTTPRequestHandler")
        ),
        Sink("*.headers[location]"),
        Sink("django.http.HttpResponse()[location]"),
        Sink("tornado.web.RequestHandler().set_header", (1, "value"), when=(("0/name", "Location|location"),)),
        *(Sink(name, ("headers.Location", "headers.location")) for name in _RESPONSES),
    ),
    sanitisers=(
        "host check",
        "fixed host",
        "own address",
        "previous page",
        "urllib.parse.quote",
        "urllib.parse.quote_plus",
        "urllib.parse.urlencode",
    ),
    poc="https://attacker.example/",
    handler_returns=("address",),
)
