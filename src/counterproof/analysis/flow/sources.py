"""Sources of untrusted data by name (the request objects of web frameworks, the command line, standard input), and labels for its
parts: a field, a column, a name, the raw body.

Invariant: a name here is data that an outsider controls. Configuration and the environment are settings, not sources. Labels
never remove a taint, except for variables that no request sets. Not handled here: handler parameters, which the entry points
provide, and access to parts of data.
"""

import re

from counterproof.analysis.flow.values import CLEAN, STORED, Constant, Param, Source, Taint, Trusted, Value, gathered, is_stored
from counterproof.analysis.libraries import names, serves_requests
from counterproof.analysis.libraries.concepts import KINDS
from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk
from counterproof.model.survey import Language

_PACKAGES = frozenset(names("request", "form"))
_READ = frozenset({"data", "raw_data", "object_data"})
_FORMS = vocabulary("Form FlaskForm BaseForm SecureForm ModelForm")
_TEXTS = vocabulary("""
StringField TextField TextAreaField PasswordField HiddenField EmailField URLField SearchField TelField Field CKEditorField
PageDownField ColorField FieldList FormField
""")
_FILES = vocabulary("FileField MultipleFileField")

REQUEST = "web request"
"""The name for every framework's request object; no module has this name."""

CHAT = "chat message"
"""The name for a bot's message and its context."""
_CHAT_TEXTS = vocabulary(
    "text content caption data args command matches raw_text clean_content html_text pattern_match file_name"
)
"""Message parts that the sender controls; the sender's identity and chat come from the service."""
_CHAT_PARTS = vocabulary("message effective_message callback_query edited_message channel_post document reply_to_message")

_REQUEST_OBJECTS = frozenset(names("request", "object", None))

REQUEST_ATTRIBUTES = {name: channel for channel in KINDS["request-part"] for name in names("request-part", channel, None)}
SCRIPT_ATTRIBUTES = frozenset(name for part in KINDS["request-part"] for name in names("request-part", part, Language.JAVASCRIPT))
"""The request attributes of JavaScript frameworks."""

_SERVER_SIDE = vocabulary("form values args params vars get_vars post_vars GET POST")
"""Attributes of received requests that outgoing requests rarely have."""

LINK, BROWSER = "link", "browser"
BROWSER_CHANNELS = frozenset({LINK, BROWSER})
"""The part of a link after `?` or `#`, and the browser's other data about a page. It affects only the page, so it counts only for
sinks that list it.
"""

MODEL = "model"
"""The output of a language model: the author of any text it reads can influence it. It counts for rules that enable it."""

DOCUMENTS = frozenset({"document", "reply"})
"""Content of a document, an archive or an e-mail, and responses of other servers. It counts for rules that enable it."""

_CHAINS = (".invoke()", ".ainvoke()", ".predict()", ".apredict()", ".run()", ".arun()", ".complete()", ".acomplete()")
_CHAINED = ("langchain", "llama_index.llms.")

NAMED_SOURCES = {name: channel for channel in KINDS["source"] for name in names("source", channel, None)}

METHOD_SOURCES = {name[2:]: channel for name, channel in NAMED_SOURCES.items() if name.startswith("*.")}
"""Methods that return such data on any receiver, because nothing else has a method of that name."""

LOCAL_CHANNELS = frozenset({"argv"})
"""Channels controlled only by a user who can already run the program."""

_SETTINGS = names("setting", "package", None)

_REQUEST_NAMES = frozenset({"request", "req", "http_request", "httprequest"})
_VIEW_SUFFIXES = ("View", "ViewSet", "Handler", "Endpoint", "Resource", "APIView", "Controller", "Mixin")

_ANSWERS = ("http.ServerResponse()", "fastify.FastifyReply()")
_FLUENT = re.compile(
    r"(http\.ServerResponse\(\)|fastify\.FastifyReply\(\))"
    r"\.(?:status|code|type|contentType|set|header|headers|append|cookie|clearCookie|vary|links|location|setCookie)\(\)"
)
"""Methods of a response that return the response itself: `res.status(400).send(…)`."""

CONTENT = "file content"
"""Label of an uploaded file's content, as opposed to its client-supplied name."""

CLIENT_NAME = "client name"
"""Label of the name of a file or archive member: it is never content."""

PLAIN_TEXT = "plain text"
"""Label of data that can only be a string: a query parameter, a form field, a cookie."""

OWN_ADDRESS = "own address"
"""Label of the request's own URL: a redirect to it stays on this site."""

PREVIOUS_PAGE = "previous page"
"""Label of the URL of the visitor's previous page: a redirect to it goes back."""

SOME_FIELD = "one field"
"""Label of a request field whose name is known only at run time."""

_PATHS = tuple(names("receiver", "path"))
"""Modules whose objects are paths."""

_NO_COLUMNS = frozenset({"query", "objects", "all", "first", "last", "distinct", "reverse"})

REFERERS = frozenset({"referer", "referrer", "http_referer", "origin", "http_origin"})
"""Header names for the previous page and its site. The browser sets them; a link cannot."""

_NATURES = dict.fromkeys(REFERERS, frozenset({PREVIOUS_PAGE})) | dict.fromkeys(("host", "http_host"), frozenset({OWN_ADDRESS}))
"""Labels of headers, by name. The host header is the host that the visitor requested."""

_SENT = ("HTTP_", "QUERY_STRING", "PATH_", "REQUEST_", "CONTENT_", "RAW_", "SCRIPT_", "COOKIE")
"""Prefixes of WSGI environment variables that a request sets."""

_FIELDED = frozenset({"query", "form", "header", "cookie"})
"""Channels that are mappings of fields."""

DJANGO_FILES = "web request.FILES"

RELATED = "django.db.models.Manager()"
"""The manager for related objects of another model."""


def canonical(path: str) -> str:
    """The common name of all request objects, of all bot messages, and of a response after chained calls."""
    if path.startswith(_ANSWERS) and (answer := _FLUENT.fullmatch(path)):
        return answer.group(1)
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
        return REQUEST_ATTRIBUTES.get(last, "") if head == REQUEST else ""
    if last in _SERVER_SIDE and "(" not in head and head.rpartition(".")[2] == "request":
        return REQUEST_ATTRIBUTES[last]  # the request that a framework stores globally
    return MODEL if path.startswith(_CHAINED) and path.endswith(_CHAINS) else field_channel(path)


def script_channel(path: str) -> str:
    """The same in JavaScript, where a request has other parts: `req.args` is set by the program itself."""
    head, _, last = path.rpartition(".")
    return "" if head == REQUEST and last not in SCRIPT_ATTRIBUTES else channel_of(path)


def doubtful(value: Value) -> bool:
    """Return True if an outsider may control the value in this request; data stored earlier does not count."""
    return any(not isinstance(each.origin, Source) or each.origin.channel != STORED for each in gathered(value))


def is_request_name(name: str) -> bool:
    return name.lower() in _REQUEST_NAMES


def serves_web(module: ir.Module) -> bool:
    """Return True if the file imports a web framework, so a parameter called `request` is a request."""
    return serves_requests((*module.imports.values(), *module.wildcards))


def received(function: ir.Function, name: str) -> bool:
    """Return True if a function reads parts of a parameter that only incoming requests have: a form, a query."""
    parts = (each for each in walk(*function.body) if isinstance(each, ir.Attribute) and each.name in _SERVER_SIDE)
    return any(isinstance(each.value, ir.Name) and each.value.id == name for each in parts)


def is_view_class(bases: tuple[str, ...]) -> bool:
    """Return True if a framework passes requests to a class with these external bases."""
    return any(name.endswith(_VIEW_SUFFIXES) for name in bases)


def is_routed_class(bases: tuple[str, ...]) -> bool:
    """Return True if a view class stores its route parameters in `self.kwargs`, as Django's do."""
    return any(name.startswith(("django.views", "rest_framework.")) for name in bases) and is_view_class(bases)


def origin_of(path: str) -> Trusted:
    return Trusted.SETTING if path.startswith(_SETTINGS) or ".config" in path else Trusted.INTERNAL


def field_channel(path: str) -> str:
    """`form` or `file` if a resolved name is a submitted form field, else ''.

    Invariant: only fields that contain raw text are sources; a field that converts to a number, a date or a choice is not."""
    head, _, last = path.rpartition(".")
    if last not in _READ or not head.endswith("()") or head.split(".", 1)[0] not in _PACKAGES:
        return ""
    kind = head[:-2].rpartition(".")[2]
    if kind in _TEXTS:
        return "form"
    if kind in _FILES:
        return "file"
    return "form" if kind in _FORMS and last == "data" else ""


def of_field(value: Value, key: Constant) -> tuple[Taint, ...]:
    """Taints with the name of the request parameter added, once it is known."""
    if not isinstance(key, str) or not key:
        return value.taints
    nature = _NATURES.get(key.lower(), CLEAN)
    return tuple(
        taint._replace(
            origin=taint.origin._replace(parameter=key[:80]),
            passed=taint.passed | nature if taint.origin.channel == "header" else taint.passed,
        )
        if isinstance(taint.origin, Source) and not taint.origin.parameter
        else taint
        for taint in value.taints
        if not _is_setting(taint, key)
    )


def of_some_field(value: Value) -> tuple[Taint, ...]:
    """Taints of one unknown field of a request."""
    return tuple(
        taint._replace(passed=taint.passed | {SOME_FIELD})
        if isinstance(taint.origin, Source) and not taint.origin.parameter and taint.origin.channel in _FIELDED
        else taint
        for taint in value.taints
    )


def _is_setting(taint: Taint, key: str) -> bool:
    """A WSGI environment variable that the server's operator sets, and no request."""
    from_environment = isinstance(taint.origin, Source) and taint.origin.name == "parameter environ"
    return from_environment and key.isupper() and not key.startswith(_SENT)


def in_column(value: Value, name: str) -> Value:
    """A field of a stored object; the taints record its name."""
    if not value.taints or name in _NO_COLUMNS or value.path == RELATED or not any(map(is_stored, value.taints)):
        return value
    return Value(taints=of_field(value, name), origin=value.origin, open=value.open, path=value.path, fields=value.fields)


def client_name(value: Value) -> Value:
    """The client's name of an uploaded file instead of its content; the last part of a path."""
    if value.sym or not value.taints:
        return value
    last = value.path.startswith(_PATHS)
    taints = tuple(_without_folders(taint, last=last) for taint in named(value.taints))
    return Value(taints=taints, origin=value.origin, open=value.open, path=value.path, of=value.of)


def _without_folders(taint: Taint, *, last: bool) -> Taint:
    """`Path(name).name`. Django keeps the last part of a client's file name, and rejects an invalid one."""
    of_django = isinstance(taint.origin, Source) and taint.origin.name == DJANGO_FILES
    return taint._replace(passed=taint.passed | {"os.path.basename"}) if of_django or last else taint


def named(taints: tuple[Taint, ...]) -> tuple[Taint, ...]:
    """Taints of a file or archive, converted to taints of the names that its creator chose."""
    return tuple(
        taint._replace(passed=taint.passed | {CLIENT_NAME} if isinstance(taint.origin, Param) else taint.passed - {CONTENT})
        for taint in taints
    )


def undivided(taints: tuple[Taint, ...]) -> tuple[Taint, ...]:
    """Taints of a decoded request: its data is the body, not a form field."""
    return tuple(
        taint._replace(origin=taint.origin._replace(channel="body"))
        if isinstance(taint.origin, Source) and taint.origin.channel == "form" and not taint.origin.parameter
        else taint
        for taint in taints
    )
