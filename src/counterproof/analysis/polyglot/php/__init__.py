"""Entry points of PHP programs.

Invariant: handlers are found by class and method; a script is its own handler. Not handled here: what handlers do.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.endpoints.verdict import LOCAL, OPEN, QUEUED
from counterproof.analysis.polyglot.corpus import Corpus
from counterproof.analysis.polyglot.nodes import line_of
from counterproof.analysis.polyglot.php.attributes import attribute_routes
from counterproof.analysis.polyglot.php.classes import Classes
from counterproof.analysis.polyglot.php.routes import called_routes
from counterproof.analysis.polyglot.source import Class, Source
from counterproof.model.location import at
from counterproof.model.recon import EntryKind, EntryPoint
from counterproof.model.survey import Language

_SUPERGLOBAL = re.compile(rb"\$_(GET|POST|REQUEST|COOKIE|FILES|SERVER|SESSION)\b|php://input|\$HTTP_RAW_POST_DATA|filter_input\(")
_WEB_ROOTS = ("public", "web", "www", "htdocs", "public_html", "html", "webroot")
_NOT_SERVED = ("vendor", "database", "migrations", "config", "resources", "lang", "storage", "bootstrap")


def find(corpus: Corpus) -> Iterator[EntryPoint]:
    classes = corpus.remembered(("php classes",), lambda: Classes(corpus))
    yield from called_routes(classes)
    yield from attribute_routes(classes)
    yield from script_entries(classes)


def script_entries(classes: Classes) -> Iterator[EntryPoint]:
    """Plain PHP files as entry points, console commands, queued jobs and message handlers.

    A file that reads the request outside of any class and function answers requests under its own path."""
    framework = any(path.rpartition("/")[2] in ("artisan", "symfony.lock") for path in classes.corpus.project.files)
    for source in classes.corpus.sources(Language.PHP):
        for each in source.classes:
            yield from _class(source, each)
        yield from _script(source, framework)


def _script(source: Source, framework: bool) -> Iterator[EntryPoint]:
    if source.path.split("/")[0] in _NOT_SERVED or (framework and not source.path.startswith("public/")):
        return
    reads = [found for found in _SUPERGLOBAL.finditer(source.data) if next(source.around(found.start()), None) is None]
    first = next((child for child in source.root.named_children if child.type not in ("php_tag", "text", "comment")), None)
    if first is None:
        return
    line = line_of(first)
    if reads:
        for method in _methods(reads, source):
            yield EntryPoint(
                EntryKind.HTTP,
                method,
                _path(source.path),
                at(source.path, line),
                "<script>",
                "PHP",
                *OPEN.parts,
            )
    elif source.data.startswith(b"#!") or re.search(rb"\$argv\b|\bgetopt\(", source.data):
        yield EntryPoint(EntryKind.CLI, "script", source.path, at(source.path, line), "<script>", "", *LOCAL.parts)


def _methods(reads: list[re.Match[bytes]], source: Source) -> tuple[str, ...]:
    names = {found[1] for found in reads}
    methods = (["GET"] if names & {b"GET"} else []) + (["POST"] if names & {b"POST", b"FILES"} else [])
    return tuple(methods) or ("ANY",)


def _path(path: str) -> str:
    parts = path.split("/")
    served = parts[1:] if len(parts) > 1 and parts[0] in _WEB_ROOTS else parts
    return "/" + "/".join(served)


def _class(source: Source, each: Class) -> Iterator[EntryPoint]:
    head = source.text(each.node.child_by_field_name("attributes"), 400) + source.heritage(each)
    runs = {function.name: function for function in source.functions if function.owner == each.name}
    command = re.search(r"\bextends\s{1,20}\\?(?:\w{1,60}\\){0,6}\w{0,40}Command\b", head) or "AsCommand" in head
    if command and (handler := runs.get("handle") or runs.get("execute") or runs.get("__invoke")):
        signature = re.search(
            r"(?:\$signature|\$defaultName|\$name)\s{0,5}=\s{0,5}['\"]([^'\"\s]{1,100})|AsCommand\(\s{0,50}(?:name:\s{0,5})?['\"]([^'\"]{1,100})",
            source.text(each.node, 5_000),
        )
        name = (signature[1] or signature[2]) if signature else each.name
        yield EntryPoint(EntryKind.CLI, "command", name, at(source.path, handler.line), handler.qualified, "", *LOCAL.parts)
    queued = (
        re.search(r"\bimplements\b[^{]{0,200}\b(?:ShouldQueue|MessageHandlerInterface)\b", head) or "AsMessageHandler" in head
    )
    if queued and (worker := runs.get("handle") or runs.get("__invoke")):
        yield EntryPoint(EntryKind.QUEUE, "job", each.name, at(source.path, worker.line), worker.qualified, "", *QUEUED.parts)
