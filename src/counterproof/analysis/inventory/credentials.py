"""What shows that a project knows logins, tokens, sessions or passwords: libraries, files and routes (A16).

Invariant: each is named as it stands in the project. Not handled here: whether they are used well.
"""

from collections.abc import Iterator
from functools import cache

from counterproof.analysis.libraries import names
from counterproof.analysis.libraries.concepts import KINDS
from counterproof.analysis.polyglot import imports
from counterproof.analysis.polyglot.corpus import SCRIPTS, corpus_of
from counterproof.analysis.program.codebase import codebase_of
from counterproof.analysis.program.mentioned import imported
from counterproof.analysis.program.traits import told
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.project import Project
from counterproof.model.recon import NETWORK_KINDS, EntryPoint
from counterproof.model.survey import FileRole, Language

MAX_NAMED = 5
_SPOKEN = vocabulary(
    "login logout signin signup auth authentication authenticate session sessions token tokens jwt password passwords oauth"
)
_GUARDS = ("identity", "role", "token", "login", "module", "account")


def credentials_of(project: Project, entries: tuple[EntryPoint, ...]) -> tuple[str, ...]:
    """The first few, libraries before files before routes."""
    found = dict.fromkeys((*_libraries(project), *_files(project), *_routes(entries)))
    return tuple(found)[:MAX_NAMED]


def _libraries(project: Project) -> Iterator[str]:
    known = _packages(Language.PYTHON)
    for listed in told(codebase_of(project), imported).values():
        yield from (root for name in listed if (root := name.partition(".")[0]) in known)
    corpus, scripted = corpus_of(project), _packages(Language.JAVASCRIPT)
    for source in corpus.sources(*SCRIPTS):
        yield from (each for each in imports.imported(corpus, source) if each in scripted)


@cache
def _packages(language: Language) -> frozenset[str]:
    every = {name for kind in _GUARDS for name in names("guard", kind, language)}
    every |= {name for kind in KINDS["token"] for name in names("token", kind, language)}
    if language is Language.PYTHON:
        return frozenset(name.partition(".")[0] for name in every) - _frameworks() - {""}
    return frozenset(name.partition(".")[0] for name in every if not name.startswith("@"))


@cache
def _frameworks() -> frozenset[str]:
    """Packages that projects without a login import too."""
    return frozenset(name.partition(".")[0] for name in names("framework", "module"))


def _files(project: Project) -> Iterator[str]:
    for file in project.survey.files:
        if file.language is not None and file.role is FileRole.RUNTIME:
            stem = file.path.rpartition("/")[2].partition(".")[0]
            if set(words(stem)) & _SPOKEN:
                yield file.path


def _routes(entries: tuple[EntryPoint, ...]) -> Iterator[str]:
    served = (each for each in entries if each.kind in NETWORK_KINDS)
    return (f"{each.method} {each.path}" for each in served if set(words(each.path)) & _SPOKEN)
