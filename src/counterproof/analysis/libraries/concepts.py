"""The concepts for describing libraries: few, with the field's usual names.

A library file lists its functions and classes under these concepts (`python/flask.toml`); a rule names the concepts that must not
meet. So a new library needs one file, and no rule or engine names the library.

    alias        modules that also export the names of the module given as the kind: its defining modules, and drop-ins
    filter       template filters that do the same as the function given as the kind
    agent        offers functions to language models as tools
    sink         is dangerous with untrusted arguments, by kind of harm; `Sink` describes each call
    sanitiser    makes data harmless for sinks of a kind
    source       returns data that an outsider controls, by channel
    request      objects that represent a request
    response     builds or ends a response
    session      the server's data about a visitor
    setting      reads the operator's configuration
    receiver     where a method's receiver comes from, if the method name alone is ambiguous
    entry        entry points for work other than requests
    framework    what an application imports or creates to serve requests
    token        signs or verifies signed tokens
    template     renders a page
    domain       review topics for a project that declares or imports this
    content      handles a kind of content: a package or, outside Python, text that only such code contains
    project      dependencies that only projects of one kind declare
    stack        the framework of a project, recognised by its manifest and code
    code         all other functions that rules look up by name, by their effect

Invariant: every kind in a file or rule is in `KINDS`; a misspelt one is an error when it is loaded. Not handled here: names of
libraries.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

RECEIVER = "<receiver>"
ANY = "<any>"
BODY = "<body>"
"""The first argument or, if that is a tuple of body, status and headers, the body. A mapping is sent as JSON, so it does not
count.
"""
PROGRAM = "<program>"
"""The program of a command given as a list; for a shell or an interpreter, the script passed to it."""
SCRIPT = "<script>"
"""The script that a command passes to a shell or an interpreter; empty if it runs another program."""
SYSTEM = "<system>"
"""Among arguments: the instructions in a language model's messages, as opposed to the user's text."""

PAGE = ("<page>", "")
"""In `when`: the function around the call sets no content type other than HTML, so a browser renders the response as a page."""
SQL_TEXT = ("<sql>", "")
"""In `when`: a literal inside the first argument starts like an SQL statement."""
EXPONENTIAL = ("<exponential>", "")
"""In `when`: a regular expression in the call, or its receiver, can take exponential time."""

POLYNOMIAL = ("<polynomial>", "")
"""In `when`: such an expression can take time quadratic in the length of the text, or worse."""


@dataclass(frozen=True, slots=True)
class Sink:
    """A call that is dangerous with untrusted arguments.

    `call` is a dotted name as imports resolve it ("subprocess.run", "os.system", "flask.redirect") or, with a leading "*.", a
    method of any receiver ("*.execute"); also an assignment to a field ("*.innerHTML=") or to a key ("*.headers[location]").
    `arguments` are the dangerous positions and keywords, or a key in one of them ("headers.Location"); RECEIVER stands for the
    method's receiver, ANY for every argument; BODY and PROGRAM are explained above. `receiver_from` lists calls or types that a
    "*." receiver must come from to count as certain; other receivers lower confidence to medium, or are dropped with
    `only_certain`. In a file "<sql>" stands for every receiver of that kind in any library.

    `when` adds conditions on other arguments, as (reference, demand) pairs. A reference is a keyword, a position, or both
    ("1/Loader"), and may refer to how that argument was created ("parser.resolve_entities"). Demands: "True" the argument is
    that literal or name; "!SafeLoader|CSafeLoader" it is none of these, or absent; "~html" a literal contains that text; "-" it
    is absent. An argument with an unknown value meets every demand but "-"."""

    call: str
    arguments: tuple[int | str, ...] = (0,)
    when: tuple[tuple[str, str], ...] = ()
    receiver_from: tuple[str, ...] = ()
    only_certain: bool = False
    only_remote: bool = False
    """Data from the command line does not count: its author can already run the program."""
    channels: tuple[str, ...] = ()
    """If given, only data from these channels counts."""
    folder: bool = False
    """The call works on a whole folder, so reaching the parent folder is worthwhile."""
    data: bool = False
    """The call also accepts data, and sends it as JSON: a broken flow counts only as part of a string."""
    text: bool = False
    """A plain string is harmful too, although the rule is about objects: the string is run as a script."""
    question: bool = False
    """The call only answers a question about its argument: low impact, and no finding if the same function does worse with it."""
    before: str = ""
    """The package and its first version in which the call is harmless, as "lodash 4.17.12"."""


@dataclass(frozen=True, slots=True)
class Library:
    """The description of one library. `names` are dotted names, by concept and kind."""

    name: str
    language: str
    title: str
    own: bool = False
    """True if the file is from the user's folder."""
    sinks: Mapping[str, tuple[Sink, ...]] = field(default_factory=dict[str, tuple[Sink, ...]])
    names: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict[tuple[str, str], tuple[str, ...]])


KINDS: Final[Mapping[str, Mapping[str, str]]] = {
    "alias": {},
    "filter": {},
    "agent": {
        "package": "is imported by code that offers tools to language models",
        "server": "makes a server whose methods decorate tools",
        "tool-base": "is a base class of tools",
        "tool-decorator": "makes a function a tool",
        "tool-method": "is a server method that makes a function a tool",
        "tool-registration": "turns its function argument into a tool",
    },
    "sink": {
        "address-opening": "makes the operating system open a URL with the program for its scheme",
        "allocation": "takes time or memory in proportion to a number",
        "archive-extraction": "extracts an archive to the paths of its members",
        "code-execution": "runs text as a program, or loads code by name",
        "command-execution": "runs a program of the operating system",
        "decompression": "decompresses data in one step",
        "deserialisation": "deserializes objects",
        "document-rendering": "renders markup on the server",
        "dom": "changes a page in the browser",
        "file-access": "reads, writes, sends or removes a file by path",
        "file-probe": "queries whether a file exists or its properties",
        "header": "writes a response header",
        "html": "sends or marks text as HTML",
        "http-request": "sends a request to a URL",
        "key": "signs or encrypts with a key",
        "ldap": "queries an LDAP directory",
        "model-instructions": "instructs a language model",
        "nosql": "queries a database without SQL",
        "pattern-match": "matches a text against a regular expression",
        "prototype": "sets keys of an object by name",
        "redirect": "sends the browser elsewhere",
        "regex-construction": "compiles a regular expression",
        "salt": "hashes with a salt",
        "session": "stores a value in the session",
        "slow-match": "matches a text against a regular expression from many start positions",
        "sql": "runs SQL",
        "template-construction": "compiles template source",
        "upload": "stores an uploaded file",
        "xml": "parses XML",
        "xpath": "evaluates XPath",
    },
    "sanitiser": {
        "code-execution": "reads data without running it",
        "command-execution": "quotes text for a shell",
        "deserialisation": "verifies the author of the data",
        "file-name": "returns a plain file name",
        "html": "escapes or sanitizes HTML",
        "json": "serializes to JSON, which contains no line break and no markup of its own",
        "ldap": "escapes text for LDAP",
        "nosql": "removes operators from a query",
        "number": "raises unless its argument is a number, an address or similar",
        "path": "keeps a path inside a folder, or returns a stream of it",
        "regex-construction": "escapes text for a regular expression",
        "sql": "quotes text for SQL",
        "url": "encodes text for a URL",
    },
    "source": {
        "argv": "the command line or standard input",
        "body": "the body of a request",
        "browser": "other data of the browser about a page",
        "cookie": "a cookie",
        "document": "content of a document, an archive or an e-mail, chosen by its author",
        "form": "a form",
        "header": "a header",
        "link": "the part of a link after `?` or `#`",
        "model": "output of a language model",
        "path": "the path of a request",
        "query": "the query of a request",
        "reply": "a response of another server",
    },
    "propagator": {
        "decoding": "decodes, and removes the safety of the encoding",
        "encoding": "encodes without protecting",
        "module": "its functions return data from their arguments",
        "none": "returns no data from its arguments (a package, or a call)",
        "none-call": "returns no data from its arguments (a call)",
        "whole": "returns data from its arguments",
    },
    "schema": {
        "declares-choice": "decorates a field with one of a few values",
        "declares-number": "decorates a field with a number, a boolean or a date",
        "declares-pattern": "decorates a field that matches a pattern, as a whole if the pattern is anchored",
        "declares-text": "decorates a field with a string, never an object",
        "declares-words": "decorates a field with letters, digits and a few harmless characters",
        "object": "describes an object by a schema for each of its fields",
        "plain": "describes a string, a number or a boolean, never an object",
    },
    "code": {
        "address-decoder": "decodes the parts of a URL that a browser encoded",
        "archive-package": "reads archives, whose creator chose the names in them",
        "file-removal": "removes files",
        "encoded-address": "is a URL encoded by a browser, in which < and > are encoded",
        "element-functions": "its functions take a list followed by a function for each element",
        "loader": "turns stored or received bytes into objects, in languages other than Python",
        "path-append": "joins path parts, including those with a leading slash",
        "path-is-absolute": "tests whether a path is absolute",
        "path-join": "joins path parts, and discards those before a part with a leading slash",
        "path-normalisation": "resolves a path",
        "relative-path": "returns a path relative to a folder",
        "shell": "passes a text to a shell",
        "tar": "opens a tar archive",
        "temporary-file": "creates a temporary file safely",
        "temporary-name": "returns a temporary file name without creating the file",
        "tls-client": "takes options of a TLS connection",
        "traceback": "formats a traceback",
        "word-check": "returns True only for letters, digits and a few harmless characters",
        "xml-parser": "creates an XML parser",
        "yaml-objects": "deserializes objects from YAML, whatever its options",
    },
    "cryptography": {
        "any-host-key": "accepts any host key",
        "cipher-module": "its functions encrypt",
        "hash-module": "its functions compute hashes",
        "key-generation": "generates a key of a given size",
        "random": "is random enough for secrets",
    },
    "framework": {
        "application": "creates an application, server or consumer",
        "converts-by-route": "passes URL parts unchanged unless the route converts them",
        "cookie-session": "keeps visitors logged in by a cookie",
        "debug-option": "takes a debug option",
        "debug-setting": "reads DEBUG from the settings of the application",
        "decodes-path": "matches routes against the decoded path",
        "merges-slashes": "treats several slashes in a URL as one",
        "json-resource": "serializes results of resource methods to JSON",
        "module": "is imported by code that serves requests",
        "page-from-return": "sends what a handler returns as a page",
        "page-module": "is imported by code that responds to browsers",
        "unread": "is a web framework whose routes are not supported yet",
    },
    "entry": {
        "chat": "passes chat messages to handlers (a package)",
        "chat-command": "passes chat messages to commands and events (a package)",
        "clock": "runs scheduled jobs (a package)",
        "command-line": "reads the command line (a package)",
        "queue": "takes jobs from a queue (a package)",
        "socket": "serves connections that stay open (a package)",
    },
    "graphql": {
        "base": "is a base class of classes with resolvers",
        "resolver-decorator": "makes a method a resolver",
        "resolver-object": "creates an object whose `field` decorates resolvers",
        "schema": "creates a schema",
    },
    "guard": {
        "account": "is used where callers log in (a package)",
        "csrf": "checks tokens against forged requests (a package)",
        "headers": "sets headers that protect pages (a package)",
        "identity": "requires a login and returns the caller",
        "login": "requires a login",
        "middleware": "is Django middleware that accepts anonymous callers",
        "module": "its decorators require a login",
        "none": "decorates without guarding",
        "rate-limit": "limits the request rate of a client (a package)",
        "role": "requires a role or permission named in its arguments",
        "token": "requires a token or key",
    },
    "receiver": {
        "browser": "drives a browser",
        "directory": "queries an LDAP directory",
        "http-client": "sends requests",
        "http-client-class": "creates a client that stores its settings",
        "http-module": "sends requests",
        "nosql": "is a database without SQL",
        "other": "has methods with the names of database methods that do something else",
        "other-escape": "escapes for something other than HTML",
        "path": "is a path",
        "sql": "runs SQL",
        "template": "compiles templates",
        "upload": "contains an upload",
        "xml": "is a document",
    },
    "request": {
        "form": "its classes represent submitted forms (a package)",
        "form-class": "is a base class of forms and serializers that validate submitted data",
        "object": "represents a request",
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
        "abort": "ends the control path",
        "own-address": "returns a URL of this site",
        "package": "builds responses; each is a separate sink where it matters",
        "redirect": "creates a complete response in which no part of the URL becomes HTML",
    },
    "route": {
        "application": "creates an application whose methods decorate handlers",
        "blueprint": "creates a blueprint",
        "blueprint-application": "creates an application that takes blueprints",
        "blueprint-extension": "adds routes to an application with blueprints",
        "decorator": "is a package whose functions decorate handlers themselves",
        "guard-option": "is the option of a route that requires a login",
        "hook": "decorates a function that runs before every handler",
        "instance": "is an application or router whose methods take handlers",
        "json-rpc-method": "makes a function a method of a remote interface",
        "login-view": "is a login without a limit on attempts",
        "page-package": "draws pages in a browser (a package)",
        "page-server": "serves what such a package draws, besides routes (a package)",
        "mount": "is the method that mounts a router below another",
        "router": "creates a part of an application",
        "router-package": "is a package whose routers are supported",
        "server": "passes every request to its function argument",
    },
    "session": {
        "cookie-middleware": "stores the session of an application in a cookie",
        "middleware": "stores sessions and takes their secret",
        "kept-middleware": "stores sessions on the server, and gives visitors only a signed session id",
        "request-context": "is stored for the duration of a request",
        "store": "contains the server's data about a visitor",
        "user": "is the logged-in user",
    },
    "setting": {
        "environment": "reads the environment",
        "file": "reads a file that may hold settings",
        "lookup": "reads one setting, or its default",
        "package": "comes from the operator's configuration",
    },
    "domain": dict.fromkeys(
        (
            "sql-injection", "nosql-injection", "ldap-injection", "llm-security", "xxe", "template-injection", "jwt", "ssrf",
            "deserialisation", "crypto", "command-injection", "graphql", "oauth", "websocket",
        ),
        "suggests this review topic, if the library's other entries do not",
    ),
    "content": dict.fromkeys(
        (
            "archive", "csv", "event-stream", "form", "html", "image", "json", "multipart", "protobuf", "serialised-objects",
            "toml", "websocket", "xml", "yaml",
        ),
        "handles such content",
    ),
    "project": dict.fromkeys(
        ("cms", "finance", "identity", "data-platform", "iot", "saas"), "is declared only by projects of this kind"
    ),
    "stack": {
        "import": "is imported by code built on it, if the name differs from the package",
        "mark": "is text that only this framework's code contains",
        "package": "is declared by projects built on it; a name ending in `:`, `/`, `.` or `\\` is a prefix",
        "unread": "is declared by projects built on it, and its entry points are not supported yet",
    },
    "template": {
        "bottle-page": "renders a Bottle page: its name or source, a mapping, keywords",
        "bottle-view": "decorates a handler that returns the variables of a Bottle page",
        "django-page": "renders a Django page: its name, its variables",
        "django-page-of-request": "renders a Django page: the request, its name, its variables",
        "environment": "creates an environment that escapes only if told to",
        "jinja-page": "renders a Jinja page and escapes by its file extension: its name, keywords",
        "jinja-page-of-request": "renders a Jinja page: its name, the request, its variables",
        "jinja-text": "renders a string as a Jinja page: the string, keywords",
        "jinja-view": "decorates a handler that returns the variables of a Jinja page",
        "markdown": "converts Markdown to HTML and keeps HTML in it",
        "markup": "is text that counts as HTML",
    },
    "token": {
        "basic-credentials": "takes a user name and a password",
        "call": "reads or creates a token",
        "guard": "verifies the tokens of every request",
        "key": "takes a key",
        "sign": "signs a token",
        "verify": "verifies a token, unless told not to",
    },
}  # fmt: skip
"""The kinds of each concept, with their meaning."""
