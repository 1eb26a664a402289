"""Where untrusted data enters: the request objects of web frameworks, the command line, standard input.

Always holds: a name here is data an outsider chooses. Configuration and the environment are not sources; they are settings.
Does not belong here: handler parameters, which the entry points give.
"""

import re

from counterproof.analysis.flow.values import STORED, Source, Trusted, Value, gathered
from counterproof.analysis.libraries import names, serves_requests
from counterproof.analysis.libraries.concepts import KINDS
from counterproof.analysis.outline.words import vocabulary
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

    Always holds: only fields that carry text as it came are sources; a field that turns its text into a number, a date or one
    of its choices is none.
    """
    head, _, last = path.rpartition(".")
    if last not in _READ or not head.endswith("()") or head.split(".", 1)[0] not in _PACKAGES:
        return ""
    kind = head[:-2].rpartition(".")[2]
    if kind in _TEXTS:
        return "form"
    if kind in _FILES:
        return "file"
    return "form" if kind in _FORMS and last == "data" else ""
