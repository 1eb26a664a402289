"""Where untrusted data enters: the request objects of web frameworks, the command line, standard input.

Always holds: a name here is data an outsider chooses. Configuration and the environment are not sources; they are settings.
Does not belong here: handler parameters, which the entry points give.
"""

from counterproof.analysis.flow.forms import field_channel
from counterproof.analysis.flow.values import STORED, Origin, Source, Value, gathered
from counterproof.analysis.flow.words import words
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk

REQUEST = "web request"
"""The name under which every framework's request object is known; no module can be called so."""

CHAT = "chat message"
"""The name under which a message to a bot is known, and what it came with."""
_CHAT_TEXTS = words("text content caption data args command matches raw_text clean_content html_text pattern_match file_name")
"""What the writer of a message chooses; who they are and where they write is the service's word."""
_CHAT_PARTS = words("message effective_message callback_query edited_message channel_post document reply_to_message")

ZOPE_REQUEST = f"{REQUEST} of Zope"
"""One that is a mapping of everything that was sent, too."""

ANSWER = f"{ZOPE_REQUEST}[]"
"""`REQUEST["RESPONSE"]`, an entry that is no data."""

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
    "form": "form POST post forms body_arguments arguments data REQUEST formData vars get_vars post_vars",
    "json": "json get_json json_body media get_media",
    "body": "body payload rawBody parseBody get_data stream raw text read content rfile input_stream bounded_stream",
    "cookie": "cookies cookie COOKIES get_cookie",
    "header": "headers META environ user_agent referrer referer authorization get_header",
    "path": "param originalUrl path_params match_info matchdict view_args path url full_path path_info get_full_path uri",
    "file": "files FILES upload multipart",
}
REQUEST_ATTRIBUTES = {name: channel for channel, names in _CHANNELS.items() for name in names.split()}

_SERVER_SIDE = words("form values args params vars get_vars post_vars GET POST")
"""Attributes that requests have where they are received, and hardly where they are sent."""

_TORNADO = words(
    "get_argument get_arguments get_query_argument get_query_arguments get_body_argument get_body_arguments get_cookie"
)

LINK, BROWSER = "link", "browser"
BROWSER_CHANNELS = frozenset({LINK, BROWSER})
"""What a link says after `?` or `#`, and what else the browser knows of a page. It concerns the page alone, so that it counts
only for sinks that ask for it."""

MODEL = "model"
"""What a language model answers: whoever writes a text that it reads steers it. It counts for rules that ask for it."""

_BROWSER = {
    **{f"{home}.{part}": LINK for home in ("location", "window.location", "document.location") for part in ("search", "hash")},
    **{f"{home}.href": BROWSER for home in ("location", "window.location", "document.location")},
    **dict.fromkeys(("document.URL", "document.documentURI", "document.referrer", "window.name"), BROWSER),
}

_OPENAI = ("OpenAI", "AsyncOpenAI", "AzureOpenAI", "AsyncAzureOpenAI")
_MODELS = (
    *(f"openai.{client}().{part}.create()" for client in _OPENAI for part in ("chat.completions", "completions", "responses")),
    *(f"openai.{name}()" for name in ("ChatCompletion.create", "ChatCompletion.acreate", "Completion.create")),
    *(f"openai.{part}.create()" for part in ("chat.completions", "completions", "responses")),
    *(f"anthropic.{client}().messages.create()" for client in ("Anthropic", "AsyncAnthropic", "AnthropicBedrock")),
    *(f"litellm.{name}()" for name in ("completion", "acompletion", "text_completion")),
    *(f"ollama.{name}()" for name in ("chat", "generate", "Client().chat", "Client().generate")),
    *(f"google.generativeai.GenerativeModel().{name}()" for name in ("generate_content", "generate_content_async")),
    "google.genai.Client().models.generate_content()",
    *(f"cohere.{client}().{name}()" for client in ("Client", "ClientV2") for name in ("chat", "generate")),
    "mistralai.Mistral().chat.complete()",
    "groq.Groq().chat.completions.create()",
    "together.Together().chat.completions.create()",
    "huggingface_hub.InferenceClient().text_generation()",
    "huggingface_hub.InferenceClient().chat_completion()",
)
_CHAINS = (".invoke()", ".ainvoke()", ".predict()", ".apredict()", ".run()", ".arun()", ".complete()", ".acomplete()")
_CHAINED = ("langchain", "llama_index.llms.")

NAMED_SOURCES = {
    **_BROWSER,
    **dict.fromkeys(_MODELS, MODEL),
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
    **{f"frappe.{place}form_dict": "form" for place in ("", "local.")},
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
    connexion litestar responder flask_restful flask_restx ninja channels pylons webapp2 gluon odoo openerp frappe ckan klein
    swob"""
)
_ZOPE = words("AccessControl Products OFS ZPublisher Zope2 Zope zope plone")
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
    if head.startswith(REQUEST):
        sent = last == "get" and head == ZOPE_REQUEST
        return "form" if sent else REQUEST_ATTRIBUTES.get(last, "") if head in (REQUEST, ZOPE_REQUEST) else ""
    if last in _SERVER_SIDE and "(" not in head and head.rpartition(".")[2] == "request":
        return REQUEST_ATTRIBUTES[last]  # the request that a framework keeps where everybody finds it
    return MODEL if path.startswith(_CHAINED) and path.endswith(_CHAINS) else field_channel(path)


def doubtful(value: Value) -> bool:
    """Whether somebody outside may choose the value right now; what was stored earlier does not count."""
    return any(not isinstance(each.origin, Source) or each.origin.channel != STORED for each in gathered(value))


def is_request_name(name: str) -> bool:
    return name.lower() in _REQUEST_NAMES


def serves_web(module: ir.Module) -> bool:
    """Whether the file imports a web framework, so that a parameter called `request` is one."""
    names = (*module.imports.values(), *module.wildcards)
    return any(name.split(".", 1)[0] in _FRAMEWORKS or name.startswith("twisted.web") for name in names)


def of_zope(module: ir.Module) -> bool:
    """Whether the requests of a file are Zope's."""
    return any(name.split(".", 1)[0] in _ZOPE for name in module.imports.values())


def received(function: ir.Function, name: str) -> bool:
    """Whether a function reads from a parameter what only a request that came in has: a form, a query."""
    parts = (each for each in walk(*function.body) if isinstance(each, ir.Attribute) and each.name in _SERVER_SIDE)
    return any(isinstance(each.value, ir.Name) and each.value.id == name for each in parts)


def is_view_class(bases: tuple[str, ...]) -> bool:
    """Whether a class with these outside bases is handed requests by a framework."""
    return any(name.endswith(_VIEW_SUFFIXES) for name in bases)


def is_routed_class(bases: tuple[str, ...]) -> bool:
    """Whether a view class keeps the parameters of its route in `self.kwargs`, as Django's do."""
    return any(name.startswith(("django.views", "rest_framework.")) for name in bases) and is_view_class(bases)


def origin_of(path: str) -> Origin:
    return Origin.SETTING if path.startswith(_SETTINGS) or ".config" in path else Origin.INTERNAL
