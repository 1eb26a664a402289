"""Entry points of PHP programs.

Always holds: handlers are found by class and method; a script is its own handler. Does not belong here: what handlers do.
"""

from collections.abc import Iterator

from counterproof.analysis.polyglot.corpus import Corpus
from counterproof.analysis.polyglot.php.attributes import attribute_routes
from counterproof.analysis.polyglot.php.classes import Classes
from counterproof.analysis.polyglot.php.routes import called_routes
from counterproof.analysis.polyglot.php.scripts import script_entries
from counterproof.model.recon import EntryPoint


def find(corpus: Corpus) -> Iterator[EntryPoint]:
    classes = corpus.remembered(("php classes",), lambda: Classes(corpus))
    yield from called_routes(classes)
    yield from attribute_routes(classes)
    yield from script_entries(classes)
