"""HTTP routes of Java programs: Spring MVC and WebFlux, JAX-RS, servlets, functional routes, GraphQL mappings.

Invariant: class and method paths are joined; clients that are declared with the same annotations are left out. Not handled
here: queues, clocks and remote procedures.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.endpoints.verdict import Verdict
from counterproof.analysis.polyglot.corpus import Corpus
from counterproof.analysis.polyglot.java.annotations import Annotation, Constants, annotations
from counterproof.analysis.polyglot.java.security import before, filter_chains
from counterproof.analysis.polyglot.literals import known_text
from counterproof.analysis.polyglot.nodes import line_of
from counterproof.analysis.polyglot.routers import joined
from counterproof.analysis.polyglot.source import Class, Function, Source
from counterproof.model.location import at
from counterproof.model.recon import EntryKind, EntryPoint
from counterproof.model.survey import Language

_SPRING = {f"{verb.title()}Mapping": verb for verb in ("GET", "POST", "PUT", "PATCH", "DELETE")} | {"RequestMapping": ""}
_REST = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
_GRAPHQL = ("QueryMapping", "MutationMapping", "SchemaMapping", "DgsQuery", "DgsMutation", "DgsData", "BatchMapping")
_CLIENTS = ("FeignClient", "HttpExchange", "RegisterRestClient", "RetrofitClient")
_SERVLET = {"doGet": "GET", "doPost": "POST", "doPut": "PUT", "doDelete": "DELETE", "doPatch": "PATCH", "service": "ANY"}
_CONTEXT = re.compile(r"(?m)^[ \t]{0,40}(?:server\.(?:servlet\.)?)?context-path[ \t]{0,5}[:=][ \t]{0,5}[\"']?(/[\w./-]{1,100})")
_WEB_XML = re.compile(r"<servlet-name>\s{0,50}([^<\s]{1,200})\s{0,50}</servlet-name>\s{0,200}"
                      r"<(servlet-class|url-pattern)>\s{0,50}([^<\s]{1,200})")  # fmt: skip


def web_routes(corpus: Corpus) -> Iterator[EntryPoint]:
    if not corpus.paths[Language.JAVA]:
        return
    reader = _Reader(corpus)
    for source in corpus.sources(Language.JAVA):
        for each in source.classes:
            yield from reader.of_class(source, each)
        yield from reader.functional(source)


class _Reader:
    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.constants = Constants(corpus)
        self.chains = filter_chains(corpus)
        self.context = _context_path(corpus)
        self.servlets = dict(_declared_servlets(corpus))
        self.application = next(iter(self._application_paths()), "")

    def _application_paths(self) -> Iterator[str]:
        for source in self.corpus.sources(Language.JAVA):
            if b"@ApplicationPath" in source.data:
                for each in source.classes:
                    for found in annotations(source, each.node):
                        if found.name == "ApplicationPath":
                            yield from found.texts(self.constants, "value")

    def of_class(self, source: Source, each: Class) -> Iterator[EntryPoint]:
        outer = annotations(source, each.node)
        names = {found.name for found in outer}
        if names & set(_CLIENTS) or each.body is None:
            return
        heritage = source.heritage(each)
        servlet = re.search(r"\bextends\s{1,20}\w{0,60}Servlet\b", heritage) is not None
        web = (
            any(name.endswith("Controller") for name in names)
            or "RequestMapping" in names
            or each.node.type.startswith("interface")
        )
        for child in each.body.named_children[:5_000]:
            function = source.function_at(child) if child.type == "method_declaration" else None
            if function is None:
                continue
            inner = annotations(source, child)
            yield from self._spring(source, function, outer, inner, web)
            yield from self._rest(source, function, outer, inner)
            if servlet:
                yield from self._servlet(source, each, function, outer)

    def _spring(
        self, source: Source, function: Function, outer: tuple[Annotation, ...], inner: tuple[Annotation, ...], web: bool
    ) -> Iterator[EntryPoint]:
        prefixes = _first(outer, ("RequestMapping",), self.constants)
        for each in inner:
            if each.name in _SPRING and web:
                methods = _methods(each)
                for path in (
                    joined(front, back) for front in prefixes for back in each.texts(self.constants, "value", "path") or ("",)
                ):
                    for method in methods:
                        verdict = before(self.chains, inner, outer)
                        yield self._entry(source, function, method, joined(self.context, path), "Spring", verdict)
            elif each.name in _GRAPHQL:
                verdict = before(self.chains, inner, outer)
                name = next(iter(each.texts(self.constants, "field", "name", "value")), function.name)
                yield self._entry(source, function, "POST", f"/graphql#{name}", "Spring", verdict)

    def _rest(
        self, source: Source, function: Function, outer: tuple[Annotation, ...], inner: tuple[Annotation, ...]
    ) -> Iterator[EntryPoint]:
        methods = [each.name for each in inner if each.name in _REST]
        if not methods:
            return
        prefixes = _first(outer, ("Path",), self.constants)
        paths = _first(inner, ("Path",), self.constants)
        for path in (joined(front, back) for front in prefixes for back in paths):
            for method in methods:
                verdict = before(self.chains, inner, outer)
                yield self._entry(source, function, method, joined(self.application, path), "JAX-RS", verdict)

    def _servlet(self, source: Source, owner: Class, function: Function, outer: tuple[Annotation, ...]) -> Iterator[EntryPoint]:
        if function.name not in _SERVLET:
            return
        found = [each for each in outer if each.name == "WebServlet"]
        paths = found[0].texts(self.constants, "urlPatterns", "value") if found else self.servlets.get(owner.name, ())
        for path in paths or (f"/{owner.name}",):
            method = _SERVLET[function.name]
            verdict = before(self.chains, (), outer)
            yield self._entry(source, function, method, joined(self.context, path), "Servlet", verdict)

    def functional(self, source: Source) -> Iterator[EntryPoint]:
        """`route().GET("/x", handler::list)` and `route(GET("/x"), handler::list)` of WebFlux, Javalin's `app.get("/x", …)`."""
        if not any(word in source.data for word in (b"RouterFunction", b"javalin", b"spark.Spark", b"io.vertx.ext.web")):
            return
        for chain in self.corpus.chains(source):
            for link in chain.links:
                method = link.name.upper()
                path = known_text(source, link.arguments[0]) if link.arguments else None
                if method in _REST and path is not None and path.startswith("/"):
                    handler = source.text(link.arguments[1], 80) if len(link.arguments) > 1 else link.name
                    place = at(source.path, line_of(link.node))
                    yield EntryPoint(EntryKind.HTTP, method, path, place, handler, "", *self.chains.parts)

    def _entry(self, source: Source, function: Function, method: str, path: str, framework: str, verdict: Verdict) -> EntryPoint:
        place = at(source.path, function.line)
        return EntryPoint(EntryKind.HTTP, method, path, place, function.qualified, framework, *verdict.parts)


def _first(found: tuple[Annotation, ...], names: tuple[str, ...], constants: Constants) -> tuple[str, ...]:
    for each in found:
        if each.name in names:
            return each.texts(constants, "value", "path") or ("",)
    return ("",)


def _methods(each: Annotation) -> tuple[str, ...]:
    if _SPRING[each.name]:
        return (_SPRING[each.name],)
    listed = re.findall(r"\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b", each.written("method"))
    return tuple(dict.fromkeys(listed)) or ("ANY",)


def _context_path(corpus: Corpus) -> str:
    for path in sorted(corpus.project.files):
        if path.rpartition("/")[2] in ("application.properties", "application.yml", "application.yaml"):
            file = corpus.project.files[path]
            found = _CONTEXT.search(corpus.project.text(path)) if not file.test and file.size < 200_000 else None
            if found:
                return found[1]
    return ""


def _declared_servlets(corpus: Corpus) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Class names with their paths, from web.xml; read as text, so that nothing in it is expanded."""
    for path, file in sorted(corpus.project.files.items()):
        if path.rpartition("/")[2] != "web.xml" or file.size > 500_000:
            continue
        classes: dict[str, str] = {}
        patterns: dict[str, list[str]] = {}
        for name, kind, value in _WEB_XML.findall(corpus.project.text(path)):
            if kind == "servlet-class":
                classes[name] = value.rpartition(".")[2]
            else:
                patterns.setdefault(name, []).append(value)
        for name, class_name in classes.items():
            yield class_name, tuple(patterns.get(name, ()))
