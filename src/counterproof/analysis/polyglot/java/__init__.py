"""Entry points of Java programs.

Always holds: annotations are read as written, constants across files. Does not belong here: what handlers do.
"""

from collections.abc import Iterator

from counterproof.analysis.polyglot.corpus import Corpus
from counterproof.analysis.polyglot.java.background import background_entries
from counterproof.analysis.polyglot.java.web import web_routes
from counterproof.model.recon import EntryPoint


def find(corpus: Corpus) -> Iterator[EntryPoint]:
    yield from web_routes(corpus)
    yield from background_entries(corpus)
