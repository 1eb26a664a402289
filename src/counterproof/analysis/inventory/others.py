"""The inventories of languages besides Python: content types, triggers, files that matter, words for the kind of project."""

from counterproof.analysis.dependencies.ecosystems import LOCKS
from counterproof.analysis.inventory import signs
from counterproof.analysis.inventory.modules import AUTH, CONFIG, DATA
from counterproof.analysis.outline.words import words
from counterproof.analysis.polyglot.corpus import OTHERS, Corpus
from counterproof.analysis.polyglot.imports import imported
from counterproof.analysis.polyglot.source import Source
from counterproof.model.recon import Dependency

_LOCKS = frozenset(name for names in LOCKS.values() for name in names) | {"go.sum", "gradle.lockfile"}


def other_content_types(corpus: Corpus) -> frozenset[str]:
    found: set[str] = set()
    for source in corpus.sources(*OTHERS):
        found |= {
            kind for kind, marks in signs.CONTENT.items() if kind not in found and any(mark in source.data for mark in marks)
        }
    return frozenset(found)


def other_triggers(corpus: Corpus, dependencies: tuple[Dependency, ...]) -> frozenset[str]:
    """Domains that a declared dependency or an import of these languages makes worth a look, not those that only a lock names."""
    declared = [each for each in dependencies if each.declared.path.rpartition("/")[2] not in _LOCKS]
    seen = {each.name.lower() for each in declared if each.ecosystem != "pypi"}
    seen |= {name.lower() for source in corpus.sources(*OTHERS) for name in imported(corpus, source)}
    return frozenset(
        trigger
        for trigger, names in signs.TRIGGERS.items()
        if any(_within(each, name.lower()) for name in names for each in seen)
    )


def _within(seen: str, name: str) -> bool:
    """Whether a name is meant by another: itself, a part of a package, a version of a module, an artifact of a group."""
    return seen == name or seen.startswith((f"{name}.", f"{name}/", f"{name}:"))


def other_p0_files(corpus: Corpus) -> frozenset[str]:
    """Authentication, cryptography, data access and configuration, by file name and by what the file uses."""
    code = {source.path for source in corpus.sources(*OTHERS) if _matters(corpus, source)}
    settings = {
        file.path for file in corpus.project.survey.files if not file.test and file.path.rpartition("/")[2] in signs.CONFIG_FILES
    }
    return frozenset(code | settings)


def _matters(corpus: Corpus, source: Source) -> bool:
    stem = source.path.rpartition(".")[0]
    named = {word for part in stem.split("/")[-2:] for word in words(part)}
    if named & (AUTH | DATA | CONFIG):
        return True
    names = [name.lower() for name in imported(corpus, source)]
    if any(_within(name, known) for name in names for known in signs.SECURE | signs.DATA):
        return True
    marks = (*signs.DATA_MARKS.get(source.language, ()), *signs.SECURE_MARKS.get(source.language, ()))
    return any(mark in source.data for mark in marks)


def class_words(corpus: Corpus) -> frozenset[str]:
    return frozenset(word for source in corpus.sources(*OTHERS) for each in source.classes for word in words(each.name))
