"""Frameworks of languages besides Python: those that a manifest or code gives away, as the files of the libraries say.

Invariant: a manifest alone is a weak sign, code alone a strong one, both together make it certain (A3). Not handled here:
Python's frameworks; their conventions say the same of themselves.
"""

from collections.abc import Iterable, Iterator

from counterproof.analysis.inventory.domains import ECOSYSTEMS
from counterproof.analysis.inventory.frameworks import seen_framework
from counterproof.analysis.libraries import FOLDERS, libraries
from counterproof.analysis.libraries.concepts import Library
from counterproof.analysis.polyglot.corpus import OTHERS, Corpus
from counterproof.analysis.polyglot.imports import imported
from counterproof.model.recon import Dependency, Framework
from counterproof.model.survey import Language


def stacks_of(corpus: Corpus, dependencies: tuple[Dependency, ...]) -> tuple[Framework, ...]:
    """The frameworks seen, by name; those of one name in two ecosystems are two."""
    signs = _signs(corpus)
    by_folder: dict[str, list[Dependency]] = {folder: [] for _, folder in signs}
    for each in dependencies:
        if ECOSYSTEMS.get(each.ecosystem, Language.PYTHON) is not Language.PYTHON:
            by_folder.setdefault(FOLDERS[ECOSYSTEMS[each.ecosystem]], []).append(each)
    found: list[Framework] = []
    for folder, declared in by_folder.items():
        for stack in _stacks(folder):
            mine = [each for each in declared if _named(each.name, _packages(stack))]
            if (seen := seen_framework(stack.title, mine, signs.get((stack.title, folder), ""))) is not None:
                found.append(seen)
    return tuple(sorted(found, key=lambda each: (each.name, each.evidence)))


def unread_stacks(corpus: Corpus) -> tuple[str, ...]:
    """Names of frameworks that the code uses and whose entry points are not understood."""
    signs = _signs(corpus)
    folders = sorted({folder for _, folder in signs})
    every = ((each, folder) for folder in folders for each in _stacks(folder))
    return tuple(each.title for each, folder in every if ("stack", "unread") in each.names and (each.title, folder) in signs)


def _stacks(folder: str) -> Iterator[Library]:
    return (each for each in libraries(folder) if any(concept == "stack" for concept, _ in each.names))


def _packages(stack: Library) -> tuple[str, ...]:
    return stack.names.get(("stack", "package")) or stack.names.get(("stack", "unread"), ())


def _signs(corpus: Corpus) -> dict[tuple[str, str], str]:
    return corpus.remembered(("stacks",), lambda: dict(reversed(list(_seen(corpus)))))


def _seen(corpus: Corpus) -> Iterator[tuple[tuple[str, str], str]]:
    told = {
        folder: [
            (each.title, each.names.get(("stack", "import")) or _packages(each), each.names.get(("stack", "mark"), ()))
            for each in _stacks(folder)
        ]
        for folder in {FOLDERS[source.language] for source in corpus.sources(*OTHERS)}
    }
    for source in corpus.sources(*OTHERS):
        names = imported(corpus, source)
        for title, imports, marks in told[FOLDERS[source.language]]:
            name = next((name for name in names if _named(name, imports)), "")
            mark = next((mark for mark in marks if mark.encode() in source.data), "")
            if name or mark:
                yield (title, FOLDERS[source.language]), f"{source.path} imports {name}" if name else f"{source.path} uses {mark}"


def _named(name: str, known: Iterable[str]) -> bool:
    return any(name == each or (each.endswith((":", "/", ".", "\\")) and name.startswith(each)) for each in known)
