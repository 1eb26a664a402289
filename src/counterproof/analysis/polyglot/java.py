"""Entry points of Java programs: Spring MVC and WebFlux, JAX-RS, servlets, GraphQL mappings, messages, schedules, commands.

Invariant: annotations are read as written, with constants from other files, and an unknown value is shown as `{name}`; class and
method paths are joined; client interfaces with the same annotations are skipped; guards are listed, not judged. Not handled here:
the handlers' behaviour.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tree_sitter import Node

from counterproof.analysis.endpoints.verdict import CLOCK, LOCAL, OPEN, QUEUED, Verdict, as_written, left_open, strongest
from counterproof.analysis.polyglot.corpus import Corpus
from counterproof.analysis.polyglot.entered import entered, runs
from counterproof.analysis.polyglot.literals import items, known_text, literal
from counterproof.analysis.polyglot.nodes import line_of
from counterproof.analysis.polyglot.routers import joined
from counterproof.analysis.polyglot.source import Class, Function, Source
from counterproof.model.recon import EntryKind, EntryPoint
from counterproof.model.survey import Language

_SPRING = {f"{verb.title()}Mapping": verb for verb in ("GET", "POST", "PUT", "PATCH", "DELETE")} | {"RequestMapping": ""}
_REST = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
_GRAPHQL = ("QueryMapping", "MutationMapping", "SchemaMapping", "DgsQuery", "DgsMutation", "DgsData", "BatchMapping")
_CLIENTS = ("FeignClient", "HttpExchange", "RegisterRestClient", "RetrofitClient")
_SERVLET = {"doGet": "GET", "doPost": "POST", "doPut": "PUT", "doDelete": "DELETE", "doPatch": "PATCH", "service": "ANY"}
_GUARDS = ("PreAuthorize", "Secured", "RolesAllowed", "PostAuthorize", "Authenticated", "DenyAll", "RequiresPermissions",
           "RequiresRoles", "RequiresAuthentication", "SaCheckLogin", "SaCheckRole", "SaCheckPermission",
           "PermitAll", "AnonymousAllowed", "SaIgnore", "Anonymous")  # fmt: skip
_MATCHERS = ("requestMatchers", "antMatchers", "mvcMatchers", "pathMatchers", "regexMatchers", "securityMatcher", "anyRequest",
             "anyExchange")  # fmt: skip
_FUNCTIONAL = (b"RouterFunction", b"javalin", b"spark.Spark", b"io.vertx.ext.web")
_REMOTE = left_open("an interceptor of the server may check callers")
_SOCKET = left_open("whoever can open the connection")
_LISTENERS = ("KafkaListener", "RabbitListener", "JmsListener", "SqsListener", "StreamListener", "Incoming", "PulsarListener",
              "RabbitHandler")  # fmt: skip
_ON_METHOD = dict.fromkeys(_LISTENERS, (EntryKind.QUEUE, QUEUED)) | {
    "Scheduled": (EntryKind.SCHEDULED, CLOCK), "ShellMethod": (EntryKind.CLI, LOCAL),
    "MessageMapping": (EntryKind.WEBSOCKET, _SOCKET), "OnMessage": (EntryKind.WEBSOCKET, _SOCKET),
}  # fmt: skip
_TOPICS = ("topics", "queues", "destination", "value", "cron", "fixedRate", "fixedDelay", "key")
_SERVED = re.compile(r"\bextends\s{1,20}\w{0,60}Servlet\b")
_GRPC = re.compile(r"\bextends\s{1,20}(?:\w{1,80}\.)?(\w{1,80})ImplBase\b")
_RUNNERS = re.compile(r"\bimplements\b[^{]{0,300}\b(CommandLineRunner|ApplicationRunner|Runnable|Callable)\b")
_MAIN = re.compile(r"\bstatic\b[^({]{0,80}\bmain\b")
_CONTEXT = re.compile(r"(?m)^[ \t]{0,40}(?:server\.(?:servlet\.)?)?context-path[ \t]{0,5}[:=][ \t]{0,5}[\"']?(/[\w./-]{1,100})")
_SETTINGS = ("application.properties", "application.yml", "application.yaml")
_WEB_XML = re.compile(r"<servlet-name>\s{0,50}([^<\s]{1,200})\s{0,50}</servlet-name>\s{0,200}"
                      r"<(servlet-class|url-pattern)>\s{0,50}([^<\s]{1,200})")  # fmt: skip
_CONSTANT = re.compile(r"\{([A-Za-z_][\w.]{0,200}\.[A-Za-z_]\w{0,100})\}")
_COMMENTS = ("line_comment", "block_comment")
MAX_MEMBERS = 5_000


@dataclass(frozen=True, slots=True, eq=False)
class _Annotation:
    """`values` by element name; the unnamed element is 'value'."""

    name: str
    line: int
    source: Source
    values: dict[str, Node]

    @property
    def written(self) -> str:
        return f"{self.name}({self.source.text(self.values.get('value'))})" if self.values else self.name


_Annotations = tuple[_Annotation, ...]


def find(corpus: Corpus) -> Iterator[EntryPoint]:
    reader = _Reader(corpus)
    for source in corpus.sources(Language.JAVA):
        for each in source.classes:
            yield from reader.of_class(source, each)
        yield from reader.functional(source)


class _Reader:
    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.chains = strongest(self._filter_chains())
        self.context = next(self._context_paths(), "")
        self.servlets = dict(self._declared_servlets())
        self.application = next(self._application_paths(), "")

    def of_class(self, source: Source, each: Class) -> Iterator[EntryPoint]:
        outer, heritage = _annotations(source, each.node), source.heritage(each)
        client = any(found.name in _CLIENTS for found in outer)
        for child in each.body.named_children[:MAX_MEMBERS] if each.body is not None else ():
            function = source.function_at(child) if child.type == "method_declaration" else None
            if function is not None:
                inner = _annotations(source, child)
                own = _guards(inner)
                verdict = strongest((own if own is not OPEN else _guards(outer), self.chains))
                for method, path, framework in () if client else self._routes(each, function, outer, inner, heritage):
                    yield entered(EntryKind.HTTP, method, path, runs(source, function), verdict, framework)
                yield from self._others(source, each, function, outer, inner, heritage)

    def _routes(
        self, owner: Class, function: Function, outer: _Annotations, inner: _Annotations, heritage: str
    ) -> Iterator[tuple[str, str, str]]:
        """Method, path and framework of a method's routes."""
        names = {found.name for found in outer}
        web = "RequestMapping" in names or owner.node.type == "interface_declaration"
        web = web or any(name.endswith("Controller") for name in names)
        for each in inner:
            if each.name in _SPRING and web:
                paths = [joined(front, back) for front in self._paths(outer, "RequestMapping") for back in self._own_paths(each)]
                yield from ((method, joined(self.context, path), "Spring") for path in paths for method in _methods(each))
            elif each.name in _GRAPHQL:
                name = next(iter(self._texts(each, "field", "name", "value")), function.name)
                yield "POST", f"/graphql#{name}", "Spring"
            elif each.name in _REST:
                paths = [joined(front, back) for front in self._paths(outer, "Path") for back in self._paths(inner, "Path")]
                yield from ((each.name, joined(self.application, path), "JAX-RS") for path in paths)
        if function.name in _SERVLET and _SERVED.search(heritage):
            declared = next((found for found in outer if found.name == "WebServlet"), None)
            listed = self._texts(declared, "urlPatterns", "value") if declared else self.servlets.get(owner.name, ())
            for path in listed or (f"/{owner.name}",):
                yield _SERVLET[function.name], joined(self.context, path), "Servlet"

    def functional(self, source: Source) -> Iterator[EntryPoint]:
        """`route().GET("/x", handler::list)` and `route(GET("/x"), handler::list)` of WebFlux, Javalin's `app.get("/x", …)`."""
        if not self.corpus.mentions(source, *_FUNCTIONAL):
            return
        for link in (link for chain in self.corpus.chains(source) for link in chain.links):
            path = known_text(source, link.arguments[0]) if link.arguments else None
            if link.name.upper() in _REST and path is not None and path.startswith("/"):
                handler = source.text(link.arguments[1], 80) if len(link.arguments) > 1 else link.name
                yield entered(EntryKind.HTTP, link.name.upper(), path, (source, line_of(link.node), handler), self.chains)

    def _others(
        self, source: Source, owner: Class, function: Function, outer: _Annotations, inner: _Annotations, heritage: str
    ) -> Iterator[EntryPoint]:
        """Queues, schedules, remote procedures, sockets, commands, main methods."""
        where, written = runs(source, function), source.text(function.node)
        named = {found.name: found for found in outer}
        for each in inner:
            if each.name in _ON_METHOD:
                kind, said = _ON_METHOD[each.name]
                topic = named.get("ServerEndpoint", each) if each.name == "OnMessage" else each
                path = ", ".join(self._texts(topic, *_TOPICS)) or function.qualified
                yield entered(kind, each.name, path, where, said)
        service = _GRPC.search(heritage)
        if service and "public" in written.partition("(")[0]:
            yield entered(EntryKind.RPC, "gRPC", f"{service[1]}/{function.name}", where, _REMOTE)
        elif function.name == "main" and _MAIN.search(written):
            yield entered(EntryKind.MAIN, "main", owner.name, where, LOCAL)
        elif "Command" in named and function.name in ("run", "call") and _RUNNERS.search(heritage):
            name = next(iter(self._texts(named["Command"], "name")), owner.name)
            yield entered(EntryKind.CLI, "command", name, where, LOCAL)

    # --- texts ---------------------------------------------------------------------------------------------------------

    def _own_paths(self, each: _Annotation) -> tuple[str, ...]:
        return self._texts(each, "value", "path") or ("",)

    def _paths(self, found: _Annotations, name: str) -> tuple[str, ...]:
        return next((self._own_paths(each) for each in found if each.name == name), ("",))

    def _texts(self, each: _Annotation, *names: str) -> tuple[str, ...]:
        """All strings of the first of these elements that is present."""
        node = next((each.values[name] for name in names if name in each.values), None)
        return tuple(self._text(each.source, item) for item in items(node)) if node is not None else ()

    def _text(self, source: Source, node: Node) -> str:
        found = known_text(source, node)
        found = "{" + source.text(node) + "}" if found is None else found
        return _CONSTANT.sub(lambda each: self._constants.get(".".join(each[1].split(".")[-2:]), each[0]), found)

    @cached_property
    def _constants(self) -> dict[str, str]:
        """String constants of all classes, by `Class.FIELD`."""
        found: dict[str, str] = {}
        for source in self.corpus.sources(Language.JAVA):
            for each in source.assignments:
                value = literal(source, each.value) if next(source.around(each.start), None) is None else None
                if value is not None:
                    found.setdefault(f"{source.owner_at(each.start)}.{each.name}", value)
        return found

    # --- settings of the whole program ---------------------------------------------------------------------------------

    def _filter_chains(self) -> Iterator[Verdict]:
        """The first rule of every file that configures Spring Security: it applies before all routes."""
        for source in self.corpus.sources(Language.JAVA):
            if b"HttpSecurity" in source.data:
                links = (link for chain in self.corpus.chains(source) for link in chain.links if link.name in _MATCHERS)
                yield from (as_written(source.path, each.line, "Spring Security's filter chain") for each in [*links][:1])

    def _application_paths(self) -> Iterator[str]:
        for source in self.corpus.sources(Language.JAVA):
            if b"@ApplicationPath" in source.data:
                for each in (found for owner in source.classes for found in _annotations(source, owner.node)):
                    yield from self._texts(each, "value") if each.name == "ApplicationPath" else ()

    def _named(self, *names: str) -> Iterator[str]:
        """The texts of the project's files of these names, in path order."""
        for path, file in sorted(self.corpus.project.files.items()):
            if path.rpartition("/")[2] in names and not file.test and file.size < 500_000:
                yield self.corpus.project.text(path)

    def _context_paths(self) -> Iterator[str]:
        return (found[1] for text in self._named(*_SETTINGS) if (found := _CONTEXT.search(text)))

    def _declared_servlets(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Class names with their paths, from web.xml; read as text, so that no entity is expanded."""
        for text in self._named("web.xml"):
            found = _WEB_XML.findall(text)
            for name in (name for name, kind, _ in found if kind == "servlet-class"):
                owner = [value.rpartition(".")[2] for other, kind, value in found if (other, kind) == (name, "servlet-class")]
                yield owner[-1], tuple(value for other, kind, value in found if (other, kind) == (name, "url-pattern"))


def _guards(found: _Annotations) -> Verdict:
    """The annotations on a method or class about callers."""
    return strongest(as_written(each.source.path, each.line, each.written) for each in found if each.name in _GUARDS)


def _methods(each: _Annotation) -> tuple[str, ...]:
    if _SPRING[each.name]:
        return (_SPRING[each.name],)
    listed = re.findall(r"\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b", each.source.text(each.values.get("method")))
    return tuple(dict.fromkeys(listed)) or ("ANY",)


def _annotations(source: Source, node: Node) -> _Annotations:
    """The annotations on a declaration, in order."""
    modifiers = next((child for child in node.named_children if child.type == "modifiers"), None)
    found = (
        (each for each in modifiers.named_children[:100] if each.type in ("annotation", "marker_annotation")) if modifiers else ()
    )
    return tuple(
        _Annotation(
            source.text(each.child_by_field_name("name")).rpartition(".")[2], line_of(each), source, dict(_values(source, each))
        )
        for each in found
    )


def _values(source: Source, node: Node) -> Iterator[tuple[str, Node]]:
    listed = node.child_by_field_name("arguments")
    for each in listed.named_children[:100] if listed is not None else ():
        value = each.child_by_field_name("value") if each.type == "element_value_pair" else each
        if value is not None and each.type not in _COMMENTS:
            yield source.text(each.child_by_field_name("key")) if value is not each else "value", value
