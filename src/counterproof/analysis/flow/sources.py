"""Where untrusted data enters: the request objects of web frameworks, the command line, standard input.

Always holds: a name here is data an outsider chooses. Configuration and the environment are not sources; they are settings.
Does not belong here: handler parameters, which the entry points give.
"""

from counterproof.analysis.flow.forms import field_channel
from counterproof.analysis.flow.values import STORED, Origin, Source, Value, gathered
from counterproof.analysis.flow.words import words
from counterproof.analysis.syntax import ir

REQUEST = "web request"
"""The name under which every framework's request object is known; no module can be called so."""

CHAT = "chat message"
"""The name under which a message to a bot is known, and what it came with."""
_CHAT_TEXTS = words("text content caption data args command matches raw_text clean_content html_text pattern_match file_name")
"""What the writer of a message chooses; who they are and where they write is the service's word."""
_CHAT_PARTS = words("message effective_message callback_query edited_message channel_post document reply_to_message")

_REQUEST_OBJECTS = frozenset(
    {
        "flask.request",
        "flask.globals.request",
        "flask.Request()",
        "flask.wrappers.Request()",
        "quart.request",
        "quart.Request()",
        "bottle.request",
        "bottle.BaseRequest()",
        "cherrypy.request",
        "werkzeug.Request()",
        "werkzeug.wrappers.Request()",
        "werkzeug.local.request",
        "django.http.HttpRequest()",
        "django.http.request.HttpRequest()",
        "django.core.handlers.wsgi.WSGIRequest()",
        "rest_framework.request.Request()",
        "starlette.requests.Request()",
        "starlette.requests.HTTPConnection()",
        "fastapi.Request()",
        "fastapi.requests.Request()",
        "aiohttp.web.Request()",
        "aiohttp.web_request.Request()",
        "sanic.Request()",
        "sanic.request.Request()",
        "pyramid.request.Request()",
        "falcon.Request()",
        "connexion.request",
        "tornado.httputil.HTTPServerRequest()",
        "http.IncomingMessage()",
        "koa.Context().request",
        "koa.Context().req",
        "hono.Context().req",
    }
)

_CHANNELS = {
    "query": "args GET query query_params query_string query_arguments params values rel_url qs get_param get_param_as_list "
    "nextUrl searchParams queries",
    "form": "form POST post forms body_arguments arguments data REQUEST formData",
    "json": "json get_json json_body media get_media",
    "body": "body rawBody parseBody get_data stream raw text read content rfile input_stream bounded_stream",
    "cookie": "cookies cookie COOKIES get_cookie",
    "header": "headers META environ user_agent referrer referer authorization get_header",
    "path": "param originalUrl path_params match_info matchdict view_args path url full_path path_info get_full_path uri",
    "file": "files FILES upload multipart",
}
REQUEST_ATTRIBUTES = {name: channel for channel, names in _CHANNELS.items() for name in names.split()}

_TORNADO = words(
    "get_argument get_arguments get_query_argument get_query_arguments get_body_argument get_body_arguments get_cookie"
)

LINK, BROWSER = "link", "browser"
BROWSER_CHANNELS = frozenset({LINK, BROWSER})
"""What a link says after `?` or `#`, and what else the browser knows of a page. It concerns the page alone, so that it counts
only for sinks that ask for it."""

_BROWSER = {
    **{f"{home}.{part}": LINK for home in ("location", "window.location", "document.location") for part in ("search", "hash")},
    **{f"{home}.href": BROWSER for home in ("location", "window.location", "document.location")},
    **dict.fromkeys(("document.URL", "document.documentURI", "document.referrer", "window.name"), BROWSER),
}

NAMED_SOURCES = {
    **_BROWSER,
    "sys.argv": "argv",
    "process.argv": "argv",
    "adm-zip().getEntries": "body",
    "input": "argv",
    "raw_input": "argv",
    "sys.stdin": "argv",
    "argparse.ArgumentParser().parse_args": "argv",
    "argparse.ArgumentParser().parse_known_args": "argv",
    "optparse.OptionParser().parse_args": "argv",
    "cgi.FieldStorage()": "form",
    "http.server.BaseHTTPRequestHandler().path": "path",
    "http.server.BaseHTTPRequestHandler().headers": "header",
    "http.server.BaseHTTPRequestHandler().rfile": "body",
    "http.server.SimpleHTTPRequestHandler().path": "path",
    "http.server.SimpleHTTPRequestHandler().headers": "header",
    "http.server.SimpleHTTPRequestHandler().rfile": "body",
    **{f"socket.socket(){peer}.{name}": "body" for peer in ("", ".accept()[]") for name in ("recv", "recvfrom", "makefile")},
    **{f"socketserver.{name}RequestHandler().request": "body" for name in ("Base", "Stream", "Datagram")},
    "socketserver.StreamRequestHandler().rfile": "body",
    "socketserver.DatagramRequestHandler().rfile": "body",
    "flask_restful.reqparse.RequestParser().parse_args": "query",
    "flask_restx.reqparse.RequestParser().parse_args": "query",
    "webargs.flaskparser.parser.parse": "query",
    "cherrypy.request.params": "query",
    "web.input()": "form",
    "web.data()": "body",
    "web.cookies()": "cookie",
    "aiohttp.web.WebSocketResponse()[].data": "body",
    **{f"aiohttp.web.WebSocketResponse().{name}": "body" for name in ("receive", "receive_str", "receive_json", "receive_bytes")},
    **{f"sanic.Websocket().{name}": "body" for name in ("recv", "recv_streaming")},
    "fastapi.WebSocket().receive_text": "body",
    "fastapi.WebSocket().receive_json": "body",
    "fastapi.WebSocket().receive_bytes": "body",
    "starlette.websockets.WebSocket().receive_text": "body",
    "starlette.websockets.WebSocket().receive_json": "body",
    "starlette.websockets.WebSocket().receive_bytes": "body",
    **{f"tornado.web.RequestHandler().{name}": "query" for name in sorted(_TORNADO)},
    **{
        f"koa.Context().{name}": REQUEST_ATTRIBUTES.get(name, "query")
        for name in ("query", "querystring", "search", "params", "headers", "header", "url", "originalUrl", "path", "cookies")
    },
    "tornado.web.RequestHandler().path_args": "path",
    "tornado.web.RequestHandler().path_kwargs": "path",
}

LOCAL_CHANNELS = frozenset({"argv"})
"""Channels that only someone who can already run the program controls."""

_SETTINGS = (
    "process.env",
    "os.environ",
    "os.getenv",
    "django.conf.settings",
    "configparser.",
    "decouple.config",
    "dotenv.",
    "environ.Env",
)

_REQUEST_NAMES = frozenset({"request", "req", "http_request", "httprequest"})
_FRAMEWORKS = words(
    """flask django aiohttp starlette fastapi sanic pyramid falcon bottle tornado quart rest_framework cherrypy webob werkzeug
    connexion litestar responder flask_restful flask_restx ninja channels"""
)
_VIEW_SUFFIXES = ("View", "ViewSet", "Handler", "Endpoint", "Resource", "APIView", "Controller", "Mixin")


def canonical(path: str) -> str:
    """One name for all request objects, and for all messages to a bot."""
    if path.startswith(CHAT) and path.rpartition(".")[2] in _CHAT_PARTS:
        return CHAT
    return REQUEST if path in _REQUEST_OBJECTS else path


def channel_of(path: str) -> str:
    """The channel if this resolved name is a source, else ''."""
    if path in NAMED_SOURCES:
        return NAMED_SOURCES[path]
    head, _, last = path.rpartition(".")
    if head == CHAT:
        return "message" if last in _CHAT_TEXTS else ""
    return REQUEST_ATTRIBUTES.get(last, "") if head == REQUEST else field_channel(path)


def doubtful(value: Value) -> bool:
    """Whether somebody outside may choose the value right now; what was stored earlier does not count."""
    return any(not isinstance(each.origin, Source) or each.origin.channel != STORED for each in gathered(value))


def is_request_name(name: str) -> bool:
    return name.lower() in _REQUEST_NAMES


def serves_web(module: ir.Module) -> bool:
    """Whether the file imports a web framework, so that a parameter called `request` is one."""
    return any(name.split(".", 1)[0] in _FRAMEWORKS for name in (*module.imports.values(), *module.wildcards))


def is_view_class(bases: tuple[str, ...]) -> bool:
    """Whether a class with these outside bases is handed requests by a framework."""
    return any(name.endswith(_VIEW_SUFFIXES) for name in bases)


def is_routed_class(bases: tuple[str, ...]) -> bool:
    """Whether a view class keeps the parameters of its route in `self.kwargs`, as Django's do."""
    return any(name.startswith(("django.views", "rest_framework.")) for name in bases) and is_view_class(bases)


def origin_of(path: str) -> Origin:
    return Origin.SETTING if path.startswith(_SETTINGS) or ".config" in path else Origin.INTERNAL
