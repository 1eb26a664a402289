"""Entry points of PHP programs: routes by calls and by attributes, plain scripts, console commands, jobs and message handlers.

Invariant: handlers are found by class and method; a script is its own handler; guards are listed, not judged. Not handled here:
the handlers' behaviour.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.endpoints.verdict import LOCAL, OPEN, QUEUED
from counterproof.analysis.polyglot.corpus import Corpus
from counterproof.analysis.polyglot.entered import entered, runs
from counterproof.analysis.polyglot.nodes import line_of
from counterproof.analysis.polyglot.php.attributes import attribute_routes
from counterproof.analysis.polyglot.php.classes import Classes
from counterproof.analysis.polyglot.php.routes import called_routes
from counterproof.analysis.polyglot.source import Class, Source
from counterproof.model.recon import EntryKind, EntryPoint
from counterproof.model.survey import Language

_SUPERGLOBAL = re.compile(rb"\$_(GET|POST|REQUEST|COOKIE|FILES|SERVER|SESSION)\b|php://input|\$HTTP_RAW_POST_DATA|filter_input\(")
_ARGUMENTS = re.compile(rb"\A#!|\$argv\b|\bgetopt\(")
_METHODS = {b"GET": "GET", b"POST": "POST", b"FILES": "POST"}
_WEB_ROOTS = ("public", "web", "www", "htdocs", "public_html", "html", "webroot")
_NOT_SERVED = ("vendor", "database", "migrations", "config", "resources", "lang", "storage", "bootstrap")
_COMMAND = re.compile(r"\bextends\s{1,20}\\?(?:\w{1,60}\\){0,6}\w{0,40}Command\b|AsCommand")
_NAMED = re.compile(
    r"(?:\$signature|\$defaultName|\$name)\s{0,5}=\s{0,5}['\"]([^'\"\s]{1,100})"
    r"|AsCommand\(\s{0,50}(?:name:\s{0,5})?['\"]([^'\"]{1,100})"
)
_QUEUED = re.compile(r"\bimplements\b[^{]{0,200}\b(?:ShouldQueue|MessageHandlerInterface)\b|AsMessageHandler")


def find(corpus: Corpus) -> Iterator[EntryPoint]:
    classes = Classes(corpus)
    yield from called_routes(classes)
    yield from attribute_routes(classes)
    framework = any(path.rpartition("/")[2] in ("artisan", "symfony.lock") for path in corpus.project.files)
    for source in corpus.sources(Language.PHP):
        for each in source.classes:
            yield from _class(source, each)
        if source.path.split("/")[0] not in _NOT_SERVED and (not framework or source.path.startswith("public/")):
            yield from _script(source)


def _script(source: Source) -> Iterator[EntryPoint]:
    """A file that reads the request outside classes and functions handles requests under its own path."""
    reads = [found for found in _SUPERGLOBAL.finditer(source.data) if next(source.around(found.start()), None) is None]
    first = next((child for child in source.root.named_children if child.type not in ("php_tag", "text", "comment")), None)
    if first is None:
        return
    where = source, line_of(first), "<script>"
    if reads:
        folder, _, rest = source.path.partition("/")
        methods = sorted({_METHODS[found[1]] for found in reads if found[1] in _METHODS}) or ["ANY"]
        for method in methods:
            yield entered(
                EntryKind.HTTP, method, "/" + (rest if rest and folder in _WEB_ROOTS else source.path), where, OPEN, "PHP"
            )
    elif _ARGUMENTS.search(source.data):
        yield entered(EntryKind.CLI, "script", source.path, where, LOCAL)


def _class(source: Source, each: Class) -> Iterator[EntryPoint]:
    head = source.text(each.node.child_by_field_name("attributes")) + source.heritage(each)
    own = {function.name: function for function in source.functions if function.owner == each.name}
    runner, invoked = own.get("handle"), own.get("__invoke")
    if _COMMAND.search(head) and (handler := runner or own.get("execute") or invoked):
        signature = _NAMED.search(source.text(each.node, 5_000))
        name = (signature[1] or signature[2]) if signature else each.name
        yield entered(EntryKind.CLI, "command", name, runs(source, handler), LOCAL)
    if _QUEUED.search(head) and (handler := runner or invoked):
        yield entered(EntryKind.QUEUE, "job", each.name, runs(source, handler), QUEUED)
