"""Entry points of Go programs.

Invariant: names are followed by package and receiver, never guessed between two. Not handled here: what handlers do.
"""

from collections.abc import Iterator

from counterproof.analysis.polyglot.corpus import Corpus
from counterproof.analysis.polyglot.golang.background import background_entries
from counterproof.analysis.polyglot.golang.packages import Packages
from counterproof.analysis.polyglot.golang.web import web_routes
from counterproof.model.recon import EntryPoint


def find(corpus: Corpus) -> Iterator[EntryPoint]:
    packages = corpus.remembered(("packages",), lambda: Packages(corpus))
    yield from web_routes(packages)
    yield from background_entries(packages)
