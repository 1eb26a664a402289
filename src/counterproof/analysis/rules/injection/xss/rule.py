"""HTML built from untrusted data.

## What it finds
Request data in text that is sent as HTML without escaping: what a Flask handler returns, `make_response`, `HttpResponse`,
`HTMLResponse`, `Markup`, `mark_safe`, Tornado's `self.write`. Templates (Jinja, Django, Tornado, Bottle) that print it where
escaping is switched off (`|safe`, `autoescape`, the environment's default) or not enough: an attribute without quotes, a script,
an event handler, the beginning of an address. Data that another request stored in a table, a model or a list of the program.

## Why it matters
The sender of a link can run scripts in the browser of whoever follows it, as that user.

## What is safe
Templates that escape by default, `html.escape`, `markupsafe.escape`, `bleach.clean`, JSON responses, other content types.

## Limits
Stored data is followed only where the code shows the write and the read of the same place, and reported with lower confidence.
Mako and other template languages are not read.
"""

from counterproof.analysis.ruleset import BODY, MARKUP_ESCAPES, PAGE, FlowRule, RuleInfo, Sink
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

_HTML = (("content_type", "~html"), ("mimetype", "~html"), ("media_type", "~html"))

_DJANGO_ERRORS = ("BadRequest", "Forbidden", "Gone", "NotFound", "ServerError")
_HANDLERS = ("BaseHTTPRequestHandler", "SimpleHTTPRequestHandler")

RULE = FlowRule(
    RuleInfo(
        id="xss",
        title="HTML built from untrusted data",
        dimension=Dimension.D1,
        kind="html",
        cwe=79,
        severity=Severity.HIGH,
        impact=Impact.PARTIAL,
        consequence="A crafted link runs the attacker's script in the victim's browser, in the victim's session.",
        remedy="Render a template that escapes, or escape the value with html.escape before it goes into HTML.",
    ),
    sinks=(
        Sink("flask.make_response", (BODY,), when=(PAGE,), data=True),
        Sink("flask.Response", (0, "response"), when=_HTML),
        Sink("werkzeug.wrappers.Response", (0, "response"), when=_HTML),
        Sink("quart.Response", (0, "response"), when=_HTML),
        Sink("flask.Markup", (0,)),
        Sink("markupsafe.Markup", (0, "object")),
        Sink("jinja2.Markup", (0,)),
        Sink("django.http.HttpResponse", (0, "content"), when=_HTML),
        *(Sink(f"django.http.HttpResponse{name}", (0, "content"), when=_HTML) for name in _DJANGO_ERRORS),
        Sink("django.http.StreamingHttpResponse", (0, "streaming_content"), when=_HTML),
        Sink("django.utils.safestring.mark_safe", (0, "s")),
        *(Sink(f"django.utils.safestring.{name}", (0,)) for name in ("SafeString", "SafeText")),
        Sink("django.utils.html.format_html", (0, "format_string")),
        Sink("starlette.responses.HTMLResponse", (0, "content")),
        Sink("fastapi.responses.HTMLResponse", (0, "content")),
        Sink("aiohttp.web.Response", ("text", "body"), when=(("content_type", "html|text/html"),)),
        Sink("starlette.responses.Response", (0, "content"), when=(("media_type", "text/html"),)),
        Sink("fastapi.Response", (0, "content"), when=(("media_type", "text/html"),)),
        Sink("fastapi.responses.Response", (0, "content"), when=(("media_type", "text/html"),)),
        Sink("sanic.response.html", (0, "body")),
        Sink("tornado.web.RequestHandler().write", (BODY, "chunk"), data=True),
        Sink("tornado.web.RequestHandler().finish", (BODY, "chunk"), data=True),
        Sink("pyramid.response.Response", (0, "body", "text"), when=_HTML),
        Sink("webob.Response", (0, "body", "text"), when=_HTML),
        Sink("falcon.Response().text=", when=(("<receiver>.content_type", "text/html|MEDIA_HTML"),)),
        Sink("falcon.Response().body=", when=(("<receiver>.content_type", "text/html|MEDIA_HTML"),)),
        *(Sink(f"http.server.{name}().wfile.write", (0,), when=(PAGE,)) for name in _HANDLERS),
        Sink("django.utils.html.format_html", (0, "format_string")),
        Sink("<template>"),
    ),
    sanitisers=(
        *MARKUP_ESCAPES,
        "json.dumps",
        "werkzeug.utils.secure_filename",
        "file extension",
        "opened file",
    ),
    poc="<script>alert(1)</script>",
    handler_returns=("flask", "quart", "bottle", "cherrypy", "web.py", "html"),
    stored=True,
)
