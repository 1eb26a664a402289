"""Entry points of JavaScript and TypeScript programs.

Invariant: names are resolved across files by imports, never guessed. Not handled here: the handlers' behaviour.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.endpoints.verdict import OPEN, Verdict, strongest, unknown
from counterproof.analysis.polyglot.corpus import SCRIPTS, Corpus, Place
from counterproof.analysis.polyglot.entered import entered
from counterproof.analysis.polyglot.guards import refusal
from counterproof.analysis.polyglot.javascript.background import background_entries
from counterproof.analysis.polyglot.javascript.middleware import handler_of
from counterproof.analysis.polyglot.javascript.modules import Modules
from counterproof.analysis.polyglot.javascript.nest import nest_entries
from counterproof.analysis.polyglot.javascript.resolvers import graphql_entries
from counterproof.analysis.polyglot.javascript.web import web_routes
from counterproof.analysis.polyglot.source import Source
from counterproof.model.recon import EntryKind, EntryPoint, Guard

_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
_APP = re.compile(r"(?:(.{1,300})/)?app/((?:[^/]{1,100}/){0,20})route\.(?:ts|js|tsx|jsx|mjs)")
_PAGES = re.compile(r"(?:(.{1,300})/)?pages/(api/.{1,300}|api)\.(?:ts|js|tsx|jsx|mjs)")
_SVELTE = re.compile(r"(?:(.{1,300})/)?routes/((?:[^/]{1,100}/){0,20})\+server\.(?:ts|js)")
_MIDDLEWARE = re.compile(r"(?:.{1,300}/)?(?:middleware|proxy|hooks\.server)\.(?:ts|js|mjs)")


def find(corpus: Corpus) -> Iterator[EntryPoint]:
    modules = modules_of(corpus)
    yield from web_routes(modules)
    yield from nest_entries(modules)
    yield from graphql_entries(modules)
    yield from file_routes(modules)
    yield from background_entries(modules)


def modules_of(corpus: Corpus) -> Modules:
    return corpus.remembered(("modules",), lambda: Modules(corpus))


def file_routes(modules: Modules) -> Iterator[EntryPoint]:
    """Routes defined by file names: Next.js handlers in `app/` and `pages/api/`, and handlers of other meta-frameworks.

    Invariant: an edge middleware before them makes an open route unknown, because its matcher is not evaluated."""
    for source in modules.corpus.sources(*SCRIPTS):
        app, svelte, pages = (pattern.fullmatch(source.path) for pattern in (_APP, _SVELTE, _PAGES))
        if app or svelte:
            found = app or svelte
            path = _path((found[2] or "") if found else "")
            yield from _exported(modules, source, path, "Next.js" if app else "SvelteKit")
        elif pages:
            yield from _exported(modules, source, _path(pages[2].removesuffix("/index")), "Next.js", ("default",))


def _path(folders: str) -> str:
    """The path of a folder; groups and slots are not part of it, `[id]` is a parameter."""
    parts = [part for part in folders.split("/") if part and not part.startswith(("(", "@"))]
    return "/" + "/".join("{" + part.strip("[].") + "}" if part.startswith("[") else part for part in parts)


def _exported(
    modules: Modules, source: Source, path: str, framework: str, methods: tuple[str, ...] = _METHODS
) -> Iterator[EntryPoint]:
    """The handlers that a file exports by method, or its default one for any method."""
    exported = modules.exports(source).nodes
    for method in (each for each in methods if each in exported):
        (where, line, name), own = handler_of(modules, source, exported[method])
        verdict = strongest((own, _in_front(modules, source)))
        shown = ("ANY", name) if method == "default" else (method, method)
        yield entered(EntryKind.HTTP, shown[0], path, (where, line, shown[1]), verdict, framework)


def _in_front(modules: Modules, source: Source) -> Verdict:
    fronts = modules.corpus.remembered(("middleware files",), lambda: _middleware_files(modules))
    for path in fronts:
        folder = path.rpartition("/")[0].removesuffix("src").rstrip("/")
        if source.path.startswith(folder + "/" if folder else ""):
            front = modules.corpus.source(path)
            decides = any(refusal(Place(front, each), around=True) is not Guard.ABSENT for each in front.functions)
            if decides or b"auth" in front.data.lower():
                return unknown(path, 1, "middleware may cover this route; its matcher was not evaluated")
    return OPEN


def _middleware_files(modules: Modules) -> tuple[str, ...]:
    return tuple(path for path in sorted(modules.corpus.known) if _MIDDLEWARE.fullmatch(path))
