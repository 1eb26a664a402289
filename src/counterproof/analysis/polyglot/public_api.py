"""The public API of libraries in other languages (A10), requests that they send on behalf of callers, and plain scripts.

The exported functions depend on the language: `export` in an installable package, capital letters in Go, `public` in Java and
PHP, methods under `lib` in Ruby. Not handled here: whether a project is a library.
"""

import posixpath
from collections.abc import Iterator
from functools import cache

from tree_sitter import Node

from counterproof.analysis.endpoints.public_api import CALLERS, is_aside
from counterproof.analysis.endpoints.scripts import LOCAL
from counterproof.analysis.libraries import sinks
from counterproof.analysis.libraries.matcher import SinkTable
from counterproof.analysis.polyglot.corpus import OTHERS, SCRIPTS, Corpus, corpus_of
from counterproof.analysis.polyglot.entered import entered
from counterproof.analysis.polyglot.guards import words_of
from counterproof.analysis.polyglot.nodes import line_of
from counterproof.analysis.polyglot.source import Function, Source
from counterproof.analysis.project import Project
from counterproof.analysis.syntax.structured import parsed_json
from counterproof.model.errors import CounterproofError
from counterproof.model.location import at
from counterproof.model.recon import EntryKind, EntryPoint
from counterproof.model.survey import Language

_ASIDE = frozenset({"benchmark", "bin", "internal", "cmd", "spec"})
_UNTOUCHED = ("comment", "php_tag", "hash_bang_line")
_CLIENTS = ("client.get", "client.request")
"""Calls of a client created elsewhere."""


def exported_functions(project: Project) -> tuple[tuple[str, Function], ...]:
    """Path and function of all exports, in path order."""
    corpus = corpus_of(project)
    return corpus.remembered(("exported",), lambda: tuple((source.path, each) for source, each in _exported(corpus)))


def exported_api(project: Project) -> tuple[EntryPoint, ...]:
    """The exported functions as entry points."""
    return tuple(
        EntryPoint(
            EntryKind.PUBLIC_API, "call", f"{path.rpartition('.')[0].replace('/', '.')}.{each.qualified}", at(path, each.line),
            each.qualified, "", *CALLERS.parts,
        )
        for path, each in exported_functions(project)
    )  # fmt: skip


def _exported(corpus: Corpus) -> Iterator[tuple[Source, Function]]:
    packages = tuple(_packages(corpus))
    for source in corpus.sources(*OTHERS):
        folders = source.path.split("/")[:-1]
        if is_aside(source.path, _ASIDE) or any(folder.startswith(("_", ".")) for folder in folders):
            continue
        if source.language in SCRIPTS:
            if any(source.path.startswith(folder) for folder in packages):
                yield from ((source, each) for each in _of_module(corpus, source))
        else:
            yield from ((source, each) for each in source.functions if _is_public(source, each))


def _packages(corpus: Corpus) -> Iterator[str]:
    """Folders of installable packages."""
    for path, file in sorted(corpus.project.files.items()):
        if posixpath.basename(path) != "package.json" or file.test or file.size > 500_000:
            continue
        try:
            data: object = parsed_json(corpus.project.text(path))
        except (CounterproofError, ValueError):
            continue  # a broken manifest is reported by the code that reads manifests
        public = (
            isinstance(data, dict)
            and "private" not in data
            and any(key in data for key in ("main", "module", "exports", "files"))
        )
        if public:
            folder = posixpath.dirname(path)
            yield folder + "/" if folder else ""


def _of_module(corpus: Corpus, source: Source) -> Iterator[Function]:
    from counterproof.analysis.polyglot.javascript import modules_of

    modules = modules_of(corpus)
    seen: set[int] = set()
    for _, node in sorted(modules.exports(source).nodes.items()):
        found = modules.meaning(source, node)
        if found is None or found.node is None or found.source is not source:
            continue
        for each in _functions_in(source, found.node):
            if each.start not in seen and not each.name.startswith(("_", "#")):
                seen.add(each.start)
                yield each


def _functions_in(source: Source, node: Node) -> Iterator[Function]:
    from counterproof.analysis.polyglot.javascript.modules import CLASSES, FUNCTIONS

    if node.type in FUNCTIONS:
        function = source.function_at(node)
        if function is not None:
            yield function
    elif node.type in CLASSES:
        owner = source.class_name(node)
        yield from (
            each for each in source.functions if each.owner == owner and each.name and each.node.type == "method_definition"
        )
    elif node.type == "object":
        for each in source.functions:
            if node.start_byte < each.start < node.end_byte and each.name and next(source.around(each.start - 1), None) is None:
                yield each


def _is_public(source: Source, function: Function) -> bool:
    written = source.text(function.node, 300).partition("(")[0]
    if not function.name or function.name.startswith("_"):
        return False
    match source.language:
        case Language.GO:
            owned = not function.owner or function.owner[:1].isupper()
            return function.name[:1].isupper() and owned and b"package main" not in source.data[:20_000]
        case Language.JAVA:
            return "public" in written.split() and function.name != "main"
        case Language.PHP:
            return "private" not in written and "protected" not in written and bool(function.owner)
        case _:
            return source.path.startswith("lib/") or "/lib/" in source.path


def sending_files(project: Project) -> Iterator[str]:
    """Files in which some function sends a request to a URL from its caller."""
    corpus = corpus_of(project)
    return (source.path for source in corpus.sources(*OTHERS) if _steered(corpus, source))


def _steered(corpus: Corpus, source: Source) -> bool:
    senders = _senders(source.language)
    for chain in corpus.chains(source):
        link = chain.links[-1]
        written = ".".join(part for part in (chain.root, link.name) if part)
        if not (written in _CLIENTS or senders.exact(written) or senders.method(link.name)):
            continue
        function = next(source.around(link.node.start_byte), None)
        given = {name.lower() for name in function.parameters} if function is not None else set[str]()
        if given and any(words_of(source, each) & given for each in link.arguments[:3]):
            return True
    return False


@cache
def _senders(language: Language) -> SinkTable[None]:
    return SinkTable((None, each) for each in sinks("http-request", language))


def plain_scripts(project: Project) -> tuple[EntryPoint, ...]:
    """One entry point per file with top-level statements, for projects without other entry points."""
    found: list[EntryPoint] = []
    for source in corpus_of(project).sources(*OTHERS):
        first = next((child for child in source.root.named_children if child.type not in _UNTOUCHED), None)
        if first is not None:
            found.append(entered(EntryKind.MAIN, "script", source.path, (source, line_of(first), "<module>"), LOCAL))
    return tuple(found)
