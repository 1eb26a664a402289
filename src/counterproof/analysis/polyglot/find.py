"""All entry points of a project in languages besides Python, each once.

Always holds: the order is that of the handlers, whatever found them; what two readers see is kept as the first one saw it.
"""

from functools import lru_cache

from counterproof.analysis.polyglot import golang, java, javascript, php, ruby
from counterproof.analysis.polyglot.corpus import corpus_of
from counterproof.analysis.polyglot.loaders import loaders
from counterproof.analysis.project import Project
from counterproof.model.recon import EntryKind, EntryPoint

MAX_ENTRIES = 30_000


@lru_cache(maxsize=4)
def other_entry_points(project: Project) -> tuple[EntryPoint, ...]:
    """Sorted by handler, then by path."""
    corpus = corpus_of(project)
    found: dict[tuple[object, ...], EntryPoint] = {}
    for reader in (javascript.find, java.find, golang.find, php.find, ruby.find, loaders):
        for each in reader(corpus):
            found.setdefault((each.kind, each.method, each.path, each.handler), each)
            if len(found) >= MAX_ENTRIES:
                break
    busy = {each.handler for each in found.values() if each.kind not in (EntryKind.MAIN, EntryKind.LOADER)}
    kept = [each for each in found.values() if each.kind is not EntryKind.LOADER or each.handler not in busy]
    return tuple(sorted(kept, key=lambda each: (each.handler, each.kind, each.path, each.method)))
