"""The concepts in which libraries are described: few, and named as the field names them.

A library says what it brings in these words only (`python/flask.toml`); a rule says which concept must not meet which. So a new
library is one file, and no rule or engine names it.

    alias        modules by which names of the one that is the kind are imported too: where it defines them, and stand-ins
    filter       filters of templates that do what the function that is the kind does
    agent        offers functions to language models as tools
    sink         does harm with what it is given, by kind of harm: what a `Sink` describes call by call
    sanitiser    makes data harmless for sinks of a kind
    source       gives data that an outsider chooses, by the channel it came through
    request      the objects that stand for a request
    response     builds or ends an answer
    session      what the server keeps about a visitor
    setting      reads what the operator configured
    receiver     what the receiver of a method comes from, where the name of the method says too little
    entry        by which work comes in other than by requests
    framework    what an application imports or makes to serve requests
    token        signs or reads signed tokens
    template     renders a page
    domain       of what a project must be asked where it declares or imports this
    content      handles a kind of content: a package or, in languages besides Python, a text that only such code has
    project      what projects of one kind declare
    stack        what a project is built on: how its manifest and its code give it away
    code         everything else that a rule asks about by name, by what it does

Always holds: every kind that a file or a rule names stands in `KINDS`; a misspelt one is an error when it is loaded. Does not
belong here: names of libraries.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

RECEIVER = "<receiver>"
ANY = "<any>"
BODY = "<body>"
"""The first argument or, where that is a tuple of body, status and headers, the body. A mapping is JSON, so it is none."""
PROGRAM = "<program>"
"""The program that a command given as a list runs; if that is a shell or an interpreter, the script it is handed."""
SCRIPT = "<script>"
"""The script that a command hands to a shell or an interpreter; nothing where it runs another program."""
SYSTEM = "<system>"
"""Among arguments: the instructions to a language model among its messages, as opposed to what its user says."""

PAGE = ("<page>", "")
"""In `when`: the function around the call names no content type other than HTML, so that a browser shows the answer as a page."""
SQL_TEXT = ("<sql>", "")
"""In `when`: a literal inside the first argument starts like an SQL statement."""
EXPONENTIAL = ("<exponential>", "")
"""In `when`: a regular expression in the call, or what the method belongs to, can take exponential time."""

POLYNOMIAL = ("<polynomial>", "")
"""In `when`: such an expression can take time as the square of the length of the text, or more."""


@dataclass(frozen=True, slots=True)
class Sink:
    """A call that does harm with what it is given.

    `call` is a dotted name as imports resolve it ("subprocess.run", "os.system", "flask.redirect") or, with a leading
    "*.", a method of any receiver ("*.execute"); also what is put into a field ("*.innerHTML=") or under a name
    ("*.headers[location]"). `arguments` are the dangerous positions and keywords, or what stands under a name in one of them
    ("headers.Location"); RECEIVER stands for
    what the method is called on, ANY for every argument; BODY and PROGRAM are explained above. `receiver_from` lists calls
    or types that a "*." receiver must come from to count as certain; otherwise the hit stays, with confidence medium, unless
    `only_certain` drops it. In a file "<sql>" stands
    for every receiver of that kind that a library brings.

    `when` narrows by other arguments, as (reference, demand) pairs. A reference is a keyword, a position, or both
    ("1/Loader"), and may reach into how that argument was made ("parser.resolve_entities"). Demands: "True" the argument is
    that literal or name; "!SafeLoader|CSafeLoader" it is none of these, or absent; "~html" where it is a literal it contains
    that text; "-" it is absent. An argument whose value is not known satisfies every demand but "-".
    """

    call: str
    arguments: tuple[int | str, ...] = (0,)
    when: tuple[tuple[str, str], ...] = ()
    receiver_from: tuple[str, ...] = ()
    only_certain: bool = False
    only_remote: bool = False
    """Data from the command line does not count: whoever types it may do the same without the program."""
    channels: tuple[str, ...] = ()
    """Where given, only data that came this way counts."""
    folder: bool = False
    """It does something with a whole folder, so that the folder above the one that was meant is worth reaching."""
    data: bool = False
    """It takes data too, and sends that as JSON: what came a way that could not be followed counts only as part of a text."""
    text: bool = False
    """A plain text does harm too, although the rule minds objects: the text is run as a script."""
    question: bool = False
    """It only answers a question about what it is given: little, and nothing where the same function does worse with it."""
    before: str = ""
    """The package and its first version in which the call does no harm any more, as "lodash 4.17.12"."""


@dataclass(frozen=True, slots=True)
class Library:
    """All that is known of one library. `names` are dotted names, by concept and kind."""

    name: str
    language: str
    title: str
    own: bool = False
    """It comes from the user's folder."""
    sinks: Mapping[str, tuple[Sink, ...]] = field(default_factory=dict[str, tuple[Sink, ...]])
    names: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict[tuple[str, str], tuple[str, ...]])


KINDS: Final[Mapping[str, Mapping[str, str]]] = {
    "alias": {},
    "filter": {},
    "agent": {
        "package": "is imported by code that offers tools to language models",
        "server": "makes a server whose methods decorate tools",
        "tool-base": "is what classes of tools derive from",
        "tool-decorator": "makes a function a tool",
        "tool-method": "is the method of a server that makes a function a tool",
        "tool-registration": "makes a tool of the function that it is given",
    },
    "sink": {
        "address-opening": "has the operating system open an address with whatever program its scheme belongs to",
        "allocation": "takes time or memory in proportion to a number",
        "archive-extraction": "unpacks an archive whose members say where they go",
        "code-execution": "runs text as a program, or loads what a text names",
        "command-execution": "runs a program of the operating system",
        "decompression": "unpacks compressed data at once",
        "deserialisation": "rebuilds objects",
        "document-rendering": "renders markup on the server",
        "dom": "changes a page in the browser",
        "file-access": "reads, writes, sends or removes the file that a path names",
        "file-probe": "asks about a file",
        "header": "writes a header of an answer",
        "html": "sends or marks text as HTML",
        "http-request": "requests an address",
        "key": "signs or encrypts with a key",
        "ldap": "asks a directory",
        "model-instructions": "instructs a language model",
        "nosql": "asks a database without SQL",
        "pattern-match": "matches a text against a pattern",
        "prototype": "sets keys of an object by name",
        "redirect": "sends the browser elsewhere",
        "regex-construction": "compiles a regular expression",
        "salt": "hashes with a salt",
        "session": "keeps a value in the session",
        "slow-match": "matches a text against a pattern that may try it from many places",
        "sql": "runs SQL",
        "template-construction": "compiles the text of a template",
        "upload": "stores an uploaded file",
        "xml": "parses XML",
        "xpath": "evaluates XPath",
    },
    "sanitiser": {
        "code-execution": "reads data without running it",
        "command-execution": "quotes for a shell",
        "deserialisation": "verifies who wrote the data",
        "file-name": "makes a plain file name",
        "html": "escapes or cleans HTML",
        "json": "makes JSON, which ends no line and is no markup of its own",
        "ldap": "escapes for a directory",
        "nosql": "takes operators out of a query",
        "number": "raises unless its argument is a number, an address or the like",
        "path": "keeps a path inside a folder, or makes a stream of it",
        "regex-construction": "escapes for a regular expression",
        "sql": "quotes for SQL",
        "url": "encodes for an address",
    },
    "source": {
        "argv": "the command line or standard input",
        "body": "the body of a request",
        "browser": "what else the browser knows of a page",
        "cookie": "a cookie",
        "document": "a document, an archive or a mail says it, and whoever made that chooses it",
        "form": "a form",
        "header": "a header",
        "link": "what a link says after `?` or `#`",
        "model": "a language model answered it",
        "path": "the path of a request",
        "query": "the query of a request",
        "reply": "another server answered it",
    },
    "propagator": {
        "decoding": "takes an encoding off, and with it whatever safety it gave",
        "encoding": "encodes without protecting",
        "module": "its functions hand on what they are given",
        "none": "gives nothing back of what it is given (a package, or a call)",
        "none-call": "gives nothing back of what it is given (a call)",
        "whole": "gives back what it is given",
    },
    "schema": {
        "declares-choice": "decorates a field that holds one of a few values",
        "declares-number": "decorates a field that holds a number, a switch or a date",
        "declares-pattern": "decorates a field that matches a pattern as a whole where the pattern says so",
        "declares-text": "decorates a field that holds a text, and never an object",
        "declares-words": "decorates a field that holds letters, digits and a few harmless signs",
        "object": "describes an object by a schema for each of its fields",
        "plain": "describes a text, a number or a switch, and never an object",
    },
    "code": {
        "address-decoder": "gives the parts of an address as they were before a browser encoded them",
        "archive-package": "takes archives apart, whose maker chose the names in them",
        "file-removal": "removes files",
        "encoded-address": "is an address as a browser gives it, in which < and > are encoded",
        "element-functions": "its functions take a list and then a function for each element",
        "loader": "turns stored or received bytes into objects, as it is called in languages besides Python",
        "path-append": "puts parts of a path behind one another, those with a slash in front too",
        "path-is-absolute": "says whether a path begins at the root",
        "path-join": "puts parts of a path behind one another, and begins anew with one that has a slash in front",
        "path-normalisation": "resolves a path",
        "relative-path": "tells where a path lies, seen from a folder",
        "shell": "hands a text to a shell",
        "tar": "opens a tar archive",
        "temporary-file": "makes a temporary file of its own",
        "temporary-name": "names a temporary file without making it",
        "tls-client": "takes options of an encrypted connection",
        "traceback": "tells how an error came about",
        "word-check": "says yes only to letters, digits and a few harmless signs",
        "xml-parser": "makes an XML parser",
        "yaml-objects": "rebuilds objects from YAML, whatever it is told",
    },
    "cryptography": {
        "any-host-key": "accepts any host key",
        "cipher-module": "its functions encrypt",
        "hash-module": "its functions compute hashes",
        "key-generation": "generates a key of a given size",
        "random": "is random enough for secrets",
    },
    "framework": {
        "application": "makes an application, a server or a consumer of it",
        "converts-by-route": "hands on parts of an address as they are unless the route converts them",
        "cookie-session": "keeps visitors logged in by a cookie",
        "debug-option": "takes a debug option",
        "debug-setting": "reads DEBUG from the settings of the application",
        "decodes-path": "matches routes against the decoded path",
        "merges-slashes": "takes several slashes in an address for one",
        "json-resource": "turns what a method of a resource returns into JSON",
        "module": "is imported by code that serves requests",
        "page-from-return": "sends what a handler returns as a page",
        "page-module": "is imported by code that answers browsers",
        "unread": "is a web framework whose routes are not understood yet",
    },
    "entry": {
        "chat": "hands what is written in a chat to handlers (a package)",
        "chat-command": "hands what is written in a chat to commands and events (a package)",
        "clock": "runs work by the clock (a package)",
        "command-line": "reads the command line (a package)",
        "queue": "takes work from a queue (a package)",
        "socket": "serves connections that stay open (a package)",
    },
    "graphql": {
        "base": "is what classes with resolvers derive from",
        "resolver-decorator": "makes a method a resolver",
        "resolver-object": "makes an object whose `field` decorates resolvers",
        "schema": "makes a schema",
        "type-decorator": "makes a class a type of the schema",
    },
    "guard": {
        "account": "is used where callers are somebody (a package)",
        "csrf": "checks tokens against forged requests (a package)",
        "headers": "sets headers that protect pages (a package)",
        "identity": "asks for a login and says who the caller is",
        "login": "asks for a login",
        "middleware": "is middleware of Django that turns nobody away for being unknown",
        "module": "its decorators ask for a login",
        "none": "decorates without guarding",
        "rate-limit": "limits how often a client may ask (a package)",
        "role": "asks for a role or permission, which its arguments name",
        "token": "asks for a token or key",
    },
    "receiver": {
        "browser": "drives a browser",
        "directory": "asks a directory",
        "http-client": "sends requests",
        "http-client-class": "makes a client that keeps its settings",
        "http-module": "sends requests",
        "nosql": "is a database without SQL",
        "other": "has methods that share their names with those of databases, and do something else",
        "other-escape": "escapes for something other than HTML",
        "path": "is a path",
        "sql": "runs SQL",
        "template": "compiles templates",
        "upload": "holds an upload",
        "xml": "is a document",
    },
    "request": {
        "form": "its classes stand for forms that were sent (a package)",
        "form-class": "is what forms and serialisers derive from that check what was sent",
        "object": "stands for a request",
    },
    "request-part": {
        "body": "the body",
        "cookie": "a cookie",
        "file": "an upload",
        "form": "the form",
        "header": "a header",
        "json": "the body as JSON",
        "path": "the path or a part of it",
        "query": "the query",
    },
    "response": {
        "abort": "ends the path it stands on",
        "own-address": "gives an address of this very site",
        "package": "builds responses, each of which is a sink of its own where it matters",
        "redirect": "makes a whole answer, in which nothing of the address becomes HTML",
    },
    "route": {
        "application": "makes an application whose methods decorate handlers",
        "blueprint": "makes a blueprint",
        "blueprint-application": "makes an application that takes blueprints",
        "blueprint-extension": "adds routes to an application with blueprints",
        "decorator": "is a package whose functions decorate handlers themselves",
        "guard-option": "is the option of a route that asks for a login",
        "hook": "decorates what runs before every handler",
        "instance": "is an application or router whose methods take handlers",
        "json-rpc-method": "makes a function a method of a remote interface",
        "login-view": "is a login that counts no attempts",
        "mount": "is the method by which one is hung below another",
        "router": "makes a part of an application",
        "router-package": "is a package whose routers are read",
        "server": "hands every request to the function that it is given",
    },
    "session": {
        "cookie-middleware": "keeps the session of an application in a cookie",
        "middleware": "keeps sessions and takes their secret",
        "kept-middleware": "keeps sessions on the server, and gives visitors no more than the signed id of one",
        "request-context": "is kept for the time of a request",
        "store": "holds what the server keeps about a visitor",
        "user": "is the user who is logged in",
    },
    "setting": {
        "environment": "reads the environment",
        "file": "reads a file that may hold settings",
        "lookup": "reads one setting, or what to take where it is missing",
        "package": "comes from what the operator configured",
    },
    "domain": dict.fromkeys(
        (
            "sql-injection", "nosql-injection", "ldap-injection", "llm-security", "xxe", "template-injection", "jwt", "ssrf",
            "deserialisation", "crypto", "command-injection", "graphql", "oauth", "websocket",
        ),
        "makes that worth a look, where what the library brings does not say so already",
    ),
    "content": dict.fromkeys(
        (
            "archive", "csv", "event-stream", "form", "html", "image", "json", "multipart", "protobuf", "serialised-objects",
            "toml", "websocket", "xml", "yaml",
        ),
        "handles such content",
    ),
    "project": dict.fromkeys(
        ("cms", "finance", "identity", "data-platform", "iot", "saas"), "is declared by no other kind of project"
    ),
    "stack": {
        "import": "is imported by code built on it, where that differs from the package",
        "mark": "is a text in code that only this framework has",
        "package": "is declared by projects built on it; ending in `:`, `/`, `.` or `\\` everything that starts so",
        "unread": "is declared by projects built on it, and its entry points are not understood yet",
    },
    "template": {
        "bottle-page": "renders a page of Bottle: its name or its text, a mapping, keywords",
        "bottle-view": "decorates a handler that returns the variables of a page of Bottle",
        "django-page": "renders a page of Django: its name, its variables",
        "django-page-of-request": "renders a page of Django: the request, its name, its variables",
        "environment": "makes an environment that escapes only where it is told to",
        "jinja-page": "renders a page of Jinja and escapes by the ending of its name: its name, keywords",
        "jinja-page-of-request": "renders a page of Jinja: its name, the request, its variables",
        "jinja-text": "renders a text as a page of Jinja: the text, keywords",
        "jinja-view": "decorates a handler that returns the variables of a page of Jinja",
        "markdown": "makes HTML of Markdown and lets HTML through",
        "markup": "is text that counts as HTML",
    },
    "token": {
        "basic-credentials": "takes a name and a password",
        "call": "reads or makes a token",
        "guard": "checks tokens of every request",
        "key": "takes a key",
        "sign": "signs a token",
        "verify": "verifies a token, unless it is told not to",
    },
}  # fmt: skip
"""What there is of each concept, and what it means."""
