"""Library descriptions by concept: the only lookup for rules and engines.

`concepts` defines the concepts, `<language>/<library>.toml` describes one library. A user's own files are in a folder of the same
structure, and replace ours of the same name or, with `extends = true`, add to them.

Invariant: results are in the order of library names, `methods` last, because a receiver's known library takes precedence over a
bare method name. Not handled here: resolving names in code.
"""

import itertools
import os
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

from counterproof.analysis.libraries.concepts import KINDS, Library, Sink
from counterproof.analysis.libraries.files import library_from, shipped
from counterproof.model.errors import InvalidValue, UserError
from counterproof.model.survey import Language

__all__ = [
    "FOLDERS", "LANGUAGES", "kinds_of", "libraries", "names", "own_contents", "own_folder", "public_name", "serves_requests",
    "sinks",
]  # fmt: skip

_FOLLOWED = ("python", "javascript")
"""Languages with data-flow analysis."""
LANGUAGES = (*_FOLLOWED, "java", "go", "php", "ruby")
FOLDERS = {each: each.value for each in Language} | {Language.TYPESCRIPT: "javascript"}
_LAST = "methods"


def own_folder() -> Path:
    """The folder for users' own libraries; `COUNTERPROOF_HOME` moves it."""
    override = os.environ.get("COUNTERPROOF_HOME")
    home = Path(override).expanduser() if override else None
    return (home or Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "counterproof") / "libraries"


def _own_files() -> tuple[Path, ...]:
    """The users' files, in a fixed order."""
    return tuple(path for language in LANGUAGES for path in sorted((own_folder() / language).glob("*.toml")))


@cache
def libraries(language: str) -> tuple[Library, ...]:
    """Every library of a language."""
    found = {each.name: each for each in shipped(Path(__file__).parent / language)}
    for path in (each for each in _own_files() if each.parent.name == language):
        library, extends = _own(path, language)
        before = found.get(path.stem)
        found[path.stem] = _united(before, library) if extends and before else library
    return tuple(sorted(found.values(), key=lambda each: (each.name == _LAST, each.name)))


@cache
def sinks(kind: str, language: Language = Language.PYTHON) -> tuple[Sink, ...]:
    """Every sink of a kind in a language."""
    assert kind in KINDS["sink"], kind
    found = (each for library in libraries(FOLDERS[language]) for each in library.sinks.get(kind, ()))
    return tuple(_with_receivers(each, language) for each in found)


@cache
def names(concept: str, kind: str, language: Language | None = Language.PYTHON) -> tuple[str, ...]:
    """Every name of a concept and kind in a language, or in all of them."""
    assert kind in KINDS[concept], kind
    folders = (FOLDERS[language],) if language else _FOLLOWED
    every = (library for folder in folders for library in libraries(folder))
    return tuple(dict.fromkeys(name for library in every for name in library.names.get((concept, kind), ())))


def public_name(name: str) -> str:
    """The name under which a package publishes an import: `flask.helpers.send_file` is `flask.send_file`."""
    aliases = kinds_of("alias")
    if name in aliases:
        return aliases[name]
    module, _, last = name.rpartition(".")
    return f"{aliases[module]}.{last}" if module in aliases else name


@cache
def kinds_of(concept: str) -> dict[str, str]:
    """The kind of every name of a concept in Python."""
    every = (each for library in libraries("python") for each in library.names.items())
    return {name: kind for (there, kind), listed in every if there == concept for name in listed}


def serves_requests(imported: Iterable[str]) -> bool:
    """Return True if a file imports, or derives a class from, a web framework."""
    return any(f"{name}.".startswith(_inside_frameworks()) for name in imported)


@cache
def _inside_frameworks() -> tuple[str, ...]:
    return tuple(f"{each}." for each in names("framework", "module"))


def _with_receivers(sink: Sink, language: Language) -> Sink:
    """Expand `<kind>` to every receiver of that kind."""
    if not any(each.startswith("<") for each in sink.receiver_from):
        return sink
    kinds = [names("receiver", each.strip("<>"), language) if each.startswith("<") else (each,) for each in sink.receiver_from]
    return replace(sink, receiver_from=tuple(itertools.chain(*kinds)))


def _own(path: Path, language: str) -> tuple[Library, bool]:
    try:
        return library_from(path.stem, language, path.read_bytes(), own=True)
    except (InvalidValue, OSError) as error:
        hint = "correct it, or take it out of the folder; `counterproof libraries show NAME` shows how ours are written"
        raise UserError(f"the library {path} is broken: {error}", hint) from error


def _united(ours: Library, theirs: Library) -> Library:
    """Both libraries merged, the user's first."""
    return Library(
        ours.name, ours.language, theirs.title, True,
        {kind: (*theirs.sinks.get(kind, ()), *ours.sinks.get(kind, ())) for kind in {**ours.sinks, **theirs.sinks}},
        {each: (*theirs.names.get(each, ()), *ours.names.get(each, ())) for each in {**ours.names, **theirs.names}},
    )  # fmt: skip


def own_contents() -> tuple[tuple[str, bytes], ...]:
    """The contents of the users' files, for cache keys."""
    return tuple((f"{path.parent.name}/{path.name}", path.read_bytes()) for path in _own_files())
