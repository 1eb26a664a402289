"""Entry points of JavaScript and TypeScript programs.

Always holds: names are followed across files by imports, never guessed. Does not belong here: what handlers do.
"""

from collections.abc import Iterator

from counterproof.analysis.polyglot.corpus import Corpus
from counterproof.analysis.polyglot.javascript.background import background_entries
from counterproof.analysis.polyglot.javascript.files import file_routes
from counterproof.analysis.polyglot.javascript.modules import Modules
from counterproof.analysis.polyglot.javascript.nest import nest_entries
from counterproof.analysis.polyglot.javascript.resolvers import graphql_entries
from counterproof.analysis.polyglot.javascript.web import web_routes
from counterproof.model.recon import EntryPoint


def find(corpus: Corpus) -> Iterator[EntryPoint]:
    modules = modules_of(corpus)
    yield from web_routes(modules)
    yield from nest_entries(modules)
    yield from graphql_entries(modules)
    yield from file_routes(modules)
    yield from background_entries(modules)


def modules_of(corpus: Corpus) -> Modules:
    return corpus.remembered(("modules",), lambda: Modules(corpus))
