"""Untrusted data as it enters: by which names (the request objects of web frameworks, the command line, standard input), and
what it is by its nature once it is told which part is taken: a field, a column, a name, the body as it came.

Invariant: a name here is data an outsider chooses. Configuration and the environment are not sources; they are settings.
Telling more about data never takes a taint away, but for variables that no request sets. Not handled here: handler parameters,
which the entry points give, and how code reaches into data.
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
"""The name under which every framework's request object is known; no module can be called so."""

CHAT = "chat message"
"""The name under which a message to a bot is known, and what it came with."""
_CHAT_TEXTS = vocabulary(
    "text content caption data args command matches raw_text clean_content html_text pattern_match file_name"
)
"""What the writer of a message chooses; who they are and where they write is the service's word."""
_CHAT_PARTS = vocabulary("message effective_message callback_query edited_message channel_post document reply_to_message")

ZOPE_REQUEST = f"{REQUEST} of Zope"
"""One that is a mapping of everything that was sent, too."""

ANSWER = f"{ZOPE_REQUEST}[]"
"""`REQUEST["RESPONSE"]`, an entry that is no data."""

_REQUEST_OBJECTS = frozenset(names("request", "object", None))

REQUEST_ATTRIBUTES = {name: channel for channel in KINDS["request-part"] for name in names("request-part", channel, None)}
SCRIPT_ATTRIBUTES = frozenset(name for part in KINDS["request-part"] for name in names("request-part", part, Language.JAVASCRIPT))
"""Those that frameworks of JavaScript have."""

_SERVER_SIDE = vocabulary("form values args params vars get_vars post_vars GET POST")
"""Attributes that requests have where they are received, and hardly where they are sent."""

LINK, BROWSER = "link", "browser"
BROWSER_CHANNELS = frozenset({LINK, BROWSER})
"""What a link says after `?` or `#`, and what else the browser knows of a page. It concerns the page alone, so that it counts
only for sinks that ask for it."""

MODEL = "model"
"""What a language model answers: whoever writes a text that it reads steers it. It counts for rules that ask for it."""

DOCUMENTS = frozenset({"document", "reply"})
"""What stands in a document, an archive or a mail, and what another server answers. It counts for rules that ask for it."""

_CHAINS = (".invoke()", ".ainvoke()", ".predict()", ".apredict()", ".run()", ".arun()", ".complete()", ".acomplete()")
_CHAINED = ("langchain", "llama_index.llms.")

NAMED_SOURCES = {name: channel for channel in KINDS["source"] for name in names("source", channel, None)}

METHOD_SOURCES = {name[2:]: channel for name, channel in NAMED_SOURCES.items() if name.startswith("*.")}
"""Methods that give such data whatever they are called on, as nothing else has a method of that name."""

LOCAL_CHANNELS = frozenset({"argv"})
"""Channels that only someone who can already run the program controls."""

_SETTINGS = names("setting", "package", None)

_REQUEST_NAMES = frozenset({"request", "req", "http_request", "httprequest"})
_ZOPE = vocabulary("AccessControl Products OFS ZPublisher Zope2 Zope zope plone")
_VIEW_SUFFIXES = ("View", "ViewSet", "Handler", "Endpoint", "Resource", "APIView", "Controller", "Mixin")

_ANSWERS = ("http.ServerResponse()", "fastify.FastifyReply()")
_FLUENT = re.compile(
    r"(http\.ServerResponse\(\)|fastify\.FastifyReply\(\))"
    r"\.(?:status|code|type|contentType|set|header|headers|append|cookie|clearCookie|vary|links|location|setCookie)\(\)"
)
"""Methods of an answer that give the answer itself: `res.status(400).send(…)`."""

CONTENT = "file content"
"""What the content of an uploaded file has passed, as opposed to the name that the client gave it."""

CLIENT_NAME = "client name"
"""What the name of a file or of a member of an archive has passed: it is not content, whatever it was taken from."""

PLAIN_TEXT = "plain text"
"""What data has passed that can only be a text: a query parameter, a form field, a cookie."""

OWN_ADDRESS = "own address"
"""What the address of the request itself has passed: whoever goes there again stays on this site."""

PREVIOUS_PAGE = "previous page"
"""What the address of the page that the visitor came from has passed: whoever goes there goes back."""

SOME_FIELD = "one field"
"""What a field of a request has passed whose name is known only when the program runs."""

_PATHS = tuple(names("receiver", "path"))
"""Modules whose objects are paths."""

_NO_COLUMNS = frozenset({"query", "objects", "all", "first", "last", "distinct", "reverse"})

REFERERS = frozenset({"referer", "referrer", "http_referer", "origin", "http_origin"})
"""What frameworks call the headers with the previous page and its site. The browser writes them; no link can."""

_NATURES = dict.fromkeys(REFERERS, frozenset({PREVIOUS_PAGE})) | dict.fromkeys(("host", "http_host"), frozenset({OWN_ADDRESS}))
"""What headers are by their names. The host is the one that the visitor asked."""

_SENT = ("HTTP_", "QUERY_STRING", "PATH_", "REQUEST_", "CONTENT_", "RAW_", "SCRIPT_", "COOKIE")
"""What names of a WSGI environment begin with that a request fills in."""

_FIELDED = frozenset({"query", "form", "header", "cookie"})
"""Channels that are mappings of fields."""

DJANGO_FILES = "web request.FILES"

RELATED = "django.db.models.Manager()"
"""What the objects of another model are reached through."""


def canonical(path: str) -> str:
    """One name for all request objects, for all messages to a bot, and for an answer whatever was set on it."""
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
        sent = last == "get" and head == ZOPE_REQUEST
        return "form" if sent else REQUEST_ATTRIBUTES.get(last, "") if head in (REQUEST, ZOPE_REQUEST) else ""
    if last in _SERVER_SIDE and "(" not in head and head.rpartition(".")[2] == "request":
        return REQUEST_ATTRIBUTES[last]  # the request that a framework keeps where everybody finds it
    return MODEL if path.startswith(_CHAINED) and path.endswith(_CHAINS) else field_channel(path)


def script_channel(path: str) -> str:
    """The same in JavaScript, where a request has other parts: `req.args` is what the program itself has put there."""
    head, _, last = path.rpartition(".")
    return "" if head == REQUEST and last not in SCRIPT_ATTRIBUTES else channel_of(path)


def doubtful(value: Value) -> bool:
    """Whether somebody outside may choose the value right now; what was stored earlier does not count."""
    return any(not isinstance(each.origin, Source) or each.origin.channel != STORED for each in gathered(value))


def is_request_name(name: str) -> bool:
    return name.lower() in _REQUEST_NAMES


def serves_web(module: ir.Module) -> bool:
    """Whether the file imports a web framework, so that a parameter called `request` is one."""
    return serves_requests((*module.imports.values(), *module.wildcards))


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


def origin_of(path: str) -> Trusted:
    return Trusted.SETTING if path.startswith(_SETTINGS) or ".config" in path else Trusted.INTERNAL


def field_channel(path: str) -> str:
    """`form` or `file` where a resolved name is what somebody sent in a form's field, else ''.

    Invariant: only fields that carry text as it came are sources; a field that turns its text into a number, a date or one
    of its choices is none."""
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
    """Taints with the name of the request parameter filled in, once it is known."""
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
    """Taints of one field of a request, whichever it is."""
    return tuple(
        taint._replace(passed=taint.passed | {SOME_FIELD})
        if isinstance(taint.origin, Source) and not taint.origin.parameter and taint.origin.channel in _FIELDED
        else taint
        for taint in value.taints
    )


def _is_setting(taint: Taint, key: str) -> bool:
    """A variable of a WSGI environment that the server's operator sets and no request does."""
    from_environment = isinstance(taint.origin, Source) and taint.origin.name == "parameter environ"
    return from_environment and key.isupper() and not key.startswith(_SENT)


def in_column(value: Value, name: str) -> Value:
    """A field of something read from a store: the taints remember which."""
    if not value.taints or name in _NO_COLUMNS or value.path == RELATED or not any(map(is_stored, value.taints)):
        return value
    return Value(taints=of_field(value, name), origin=value.origin, open=value.open, path=value.path, fields=value.fields)


def client_name(value: Value) -> Value:
    """The client's name of an uploaded file, which is no longer its content; the last part of a path."""
    if value.sym or not value.taints:
        return value
    last = value.path.startswith(_PATHS)
    taints = tuple(_without_folders(taint, last=last) for taint in named(value.taints))
    return Value(taints=taints, origin=value.origin, open=value.open, path=value.path, of=value.of)


def _without_folders(taint: Taint, *, last: bool) -> Taint:
    """`Path(name).name`. Django keeps the last part of the name that a client gives a file, and refuses one that is no name."""
    of_django = isinstance(taint.origin, Source) and taint.origin.name == DJANGO_FILES
    return taint._replace(passed=taint.passed | {"os.path.basename"}) if of_django or last else taint


def named(taints: tuple[Taint, ...]) -> tuple[Taint, ...]:
    """Taints of a file or an archive, turned into those of the names that its maker chose."""
    return tuple(
        taint._replace(passed=taint.passed | {CLIENT_NAME} if isinstance(taint.origin, Param) else taint.passed - {CONTENT})
        for taint in taints
    )


def undivided(taints: tuple[Taint, ...]) -> tuple[Taint, ...]:
    """Whoever decodes what a request sent has its body in hand, and not a field of a form."""
    return tuple(
        taint._replace(origin=taint.origin._replace(channel="body"))
        if isinstance(taint.origin, Source) and taint.origin.channel == "form" and not taint.origin.parameter
        else taint
        for taint in taints
    )
