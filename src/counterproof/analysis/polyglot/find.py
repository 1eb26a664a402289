"""All entry points of a project in languages other than Python, each once.

Invariant: sorted by handler, whatever found them; of duplicates the first reader's version is kept.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from importlib import import_module

from counterproof.analysis.endpoints.verdict import UNREAD, left_open
from counterproof.analysis.libraries import names
from counterproof.analysis.polyglot.corpus import OTHERS, SCRIPTS, Corpus, corpus_of
from counterproof.analysis.polyglot.entered import entered, runs
from counterproof.analysis.project import Project
from counterproof.model.recon import EntryKind, EntryPoint, Guard
from counterproof.model.survey import Language

FED = left_open("whoever can write what is loaded")

MAX_ENTRIES = 30_000
Reader = Callable[[Corpus], Iterator[EntryPoint]]
_PACKAGES = {
    "javascript": SCRIPTS,
    "java": (Language.JAVA,),
    "golang": (Language.GO,),
    "php": (Language.PHP,),
    "ruby": (Language.RUBY,),
}
"""Packages next to this file, and the languages that they read."""


@lru_cache(maxsize=4)
def other_entry_points(project: Project) -> tuple[EntryPoint, ...]:
    """Sorted by handler, then by path."""
    corpus = corpus_of(project)
    found: dict[tuple[object, ...], EntryPoint] = {}
    for reader in (*_readers(corpus), loaders):
        for each in reader(corpus):
            found.setdefault((each.kind, each.method, each.path, each.handler), each)
            if len(found) >= MAX_ENTRIES:
                break
    busy = {each.handler for each in found.values() if each.kind not in (EntryKind.MAIN, EntryKind.LOADER)}
    kept = [each for each in found.values() if each.kind is not EntryKind.LOADER or each.handler not in busy]
    return tuple(sorted(kept, key=lambda each: (each.handler, each.kind, each.path, each.method)))


def _readers(corpus: Corpus) -> Iterator[Reader]:
    """The readers for the project's languages; others are not loaded."""
    for name, languages in _PACKAGES.items():
        if any(corpus.paths[each] for each in languages):
            find: Reader = import_module(f"counterproof.analysis.polyglot.{name}").find
            yield find if languages is SCRIPTS else partial(_with_unread_guards, find)


def _with_unread_guards(find: Reader, corpus: Corpus) -> Iterator[EntryPoint]:
    """The entry points of a language whose guards are not judged: without any guard found, the guard is unknown too."""
    guard, evidence, by, *_ = UNREAD.parts
    for each in find(corpus):
        unread = each.guard is Guard.ABSENT
        yield replace(each, guard=guard, guard_evidence=evidence, guarded_by=by) if unread else each


def loaders(corpus: Corpus) -> Iterator[EntryPoint]:
    for source in corpus.sources(*OTHERS):
        wanted = frozenset(names("code", "loader", source.language))
        if source.language in SCRIPTS and not any(name.encode() in source.data for name in wanted):
            continue
        for chain in corpus.chains(source):
            link = chain.links[-1]
            written = ".".join(part for part in (chain.root, link.name) if part) if len(chain.links) == 1 else link.name
            if not {written, link.name} & wanted:
                continue
            function = next(source.around(link.node.start_byte), None)
            where = runs(source, function) if function is not None else (source, link.line, "<module>")
            yield entered(EntryKind.LOADER, written, f"{source.path}:{link.line}", where, FED)
