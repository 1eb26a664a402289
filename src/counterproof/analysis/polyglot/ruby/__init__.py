"""Entry points of Ruby programs.

Always holds: routes lead to controller actions by Rails' naming; filters are read along the line of ancestors. Does not belong
here: what actions do.
"""

from collections.abc import Iterator

from counterproof.analysis.polyglot.corpus import Corpus
from counterproof.analysis.polyglot.ruby.background import background_entries
from counterproof.analysis.polyglot.ruby.classes import Classes
from counterproof.analysis.polyglot.ruby.routes import rails_routes
from counterproof.analysis.polyglot.ruby.small_frameworks import block_routes
from counterproof.model.recon import EntryPoint


def find(corpus: Corpus) -> Iterator[EntryPoint]:
    classes = corpus.remembered(("ruby classes",), lambda: Classes(corpus))
    yield from rails_routes(classes)
    yield from block_routes(classes)
    yield from background_entries(classes)
