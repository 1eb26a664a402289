"""The audited tree for analysis: the frozen file list, confined reading, lowered modules on demand, lines to quote, and notes on
inputs.

Only files of the survey can be read, and only while they still contain the surveyed bytes. `checkpoint` is called between files;
it raises `OutOfTime` at the time limit, so that an analyst can return its results so far.

Invariant: a location created here is inside its file, and its lines are quoted exactly; a cached result is noted for each of its
users. Not handled here: how notes are taken and used.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

from counterproof.analysis.notes import Noted, Notes
from counterproof.analysis.source.notebooks import checked, is_notebook
from counterproof.analysis.source.reading import TargetChanged, read_text
from counterproof.analysis.source.unread import unread
from counterproof.installation import keep_traceback
from counterproof.model.errors import CounterproofError, OutOfTime
from counterproof.model.location import Location
from counterproof.model.survey import Language, SourceFile, Survey, Unread
from counterproof.model.vulnerabilities import VulnerabilityData
from counterproof.supervision import progress

if TYPE_CHECKING:
    from counterproof.analysis.cache import Results
    from counterproof.analysis.cache.traits import Told
    from counterproof.analysis.syntax.ir import Module
    from counterproof.analysis.syntax.javascript.resolution import Resolver

T = TypeVar("T")

MAX_TEXTS = 32 << 20
"""Limit on the characters of cached file texts."""

SCRIPTS = (Language.JAVASCRIPT, Language.TYPESCRIPT)
_PACKAGES = ("package.json", "jsr.json", "deno.json")
"""Files that declare how a folder of scripts is published; the first with such a declaration counts."""

MAX_QUOTE = 400
"""Characters of one quoted line."""


def never_out_of_time() -> None:
    """A checkpoint for callers without a time limit."""


class Followed(NamedTuple):
    """Functions, by file and line: those under review, and those that may lead data to them."""

    reviewed: frozenset[tuple[str, int]]
    leading: frozenset[tuple[str, int]]


class Project:
    """One audited tree."""

    vulnerability_data: VulnerabilityData | None = None
    """The user's records of known vulnerabilities, if any."""

    results: "Results | None" = None
    """Results of earlier runs, if the user stores them."""

    told: "Told | None" = None
    """Traits of files from an earlier run, if results are stored."""

    frozen: Mapping[str, str] = MappingProxyType({})
    """Texts saved when the scope was frozen: they are read instead of the files, whatever happens to those (R40)."""

    followed: Followed | None = None
    """Functions that are followed for themselves; others only where they call. None: all functions."""

    def __init__(self, root: Path, survey: Survey, checkpoint: Callable[[], None] = never_out_of_time) -> None:
        self.root = root
        self.survey = survey
        self.checkpoint = checkpoint
        self._modules: dict[str, Module] = {}
        self._reading = threading.Lock()
        self._texts: dict[str, str] = {}
        self._characters = 0
        self._made: dict[str, tuple[object, Noted]] = {}
        self.notes = Notes()
        self.at_the_end: list[Callable[[], None]] = []
        """Callbacks that store results for the next run once there is time."""
        self.unread: dict[str, Unread] = {}
        """Files that could not be read completely, by path, among those tried."""
        for path, spared in progress.every_spared().items():
            if path in self.files:
                self.left_unread(path, spared.why)

    @cached_property
    def files(self) -> dict[str, SourceFile]:
        return {file.path: file for file in self.survey.files}

    def freeze(self, texts: Mapping[str, str], files: tuple[SourceFile, ...] = ()) -> None:
        """Use these texts instead of the files. `files` replace the survey's entries for their paths, or are added."""
        self.frozen = MappingProxyType({**self.frozen, **texts})
        if files:
            listed = {**self.files, **{file.path: file for file in files}}
            self.survey = replace(self.survey, files=tuple(listed[path] for path in sorted(listed)))
            del self.files  # recomputed on the next access

    def variant(self, files: tuple[SourceFile, ...], texts: Mapping[str, str] = MappingProxyType({})) -> "Project":
        """The tree with these files instead, some of them with these texts. Lowered modules of unchanged files are shared;
        results of earlier runs are looked up by content, so nothing is mixed up."""
        other = Project(self.root, replace(self.survey, files=files), self.checkpoint)
        other.freeze({**self.frozen, **texts})
        other.unread, other.results = dict(self.unread), self.results
        other.followed = self.followed
        alike = self._script_sources() == other._script_sources()
        other._share(self, frozenset((Language.PYTHON, *(SCRIPTS if alike else ()))), frozenset(texts))
        return other

    def part(self, files: tuple[SourceFile, ...]) -> "Project":
        """The tree with only some of its files; an import of an omitted file resolves to nothing."""
        other = self.variant(files)
        other._share(self, frozenset(SCRIPTS), frozenset())
        return other

    def _share(self, whole: "Project", languages: frozenset[Language], changed: frozenset[str]) -> None:
        for path, module in whole._modules.items():
            if path in self.files and path not in changed and whole.files[path].language in languages:
                self._modules[path] = module

    def _script_sources(self) -> list[tuple[str, str]]:
        """The inputs for resolving JavaScript imports: file names, and the contents of manifests."""
        manifests = (*_PACKAGES, "tsconfig.json", "jsconfig.json")
        return [
            (file.path, file.sha256 if file.path.rpartition("/")[2] in manifests else "")
            for file in self.survey.files
            if file.language in SCRIPTS or file.path.rpartition("/")[2] in manifests
        ]

    def of_language(self, language: Language) -> tuple[SourceFile, ...]:
        return tuple(file for file in self.survey.files if file.language is language)

    def text(self, path: str) -> str:
        """The file's text; refused unless it is in the survey and unchanged since. Recently read texts are cached."""
        self.notes.file(path)
        progress.at(path)
        if progress.is_closed(path):
            return ""
        with self._reading:
            if path in self.frozen:
                return self.frozen[path]
            known = self._texts.pop(path, None)
            if known is None:
                known = read_text(self.root, self.files[path])
                self._characters += len(known)
            self._texts[path] = known  # most recently used
            while self._characters > MAX_TEXTS and len(self._texts) > 1:
                self._characters -= len(self._texts.pop(next(iter(self._texts))))
            return known

    def line(self, path: str, number: int) -> str:
        """One line of the file, without indentation; '' past the end."""
        lines = self.text(path).split("\n")
        return lines[number - 1].strip() if 0 < number <= len(lines) else ""

    def once(self, name: str, make: Callable[[], T]) -> T:
        """The result of `make`, computed once for this project. For examinations that several agents share."""
        if name not in self._made:
            self._made[name] = self.notes.watched(make)
        else:
            self.notes.again(self._made[name][1])
        return cast("T", self._made[name][0])

    def left_unread(self, path: str, why: str, internal: bool = False) -> None:
        """Record that a file could not be read completely; `internal`: because of a defect in this program."""
        if path not in self.unread:
            self.unread[path] = replace(unread(path, why, self.survey.accepted), internal=internal)

    def spared(self, path: str, what: str, make: Callable[[], T], instead: T) -> T:
        """The result of `make`, or `instead` if it fails, so that one unreadable input affects nothing else. An unexpected error
        is recorded as internal, with its traceback in the user's log."""
        try:
            return make()
        except (OutOfTime, TargetChanged):
            raise
        except CounterproofError as error:
            self.left_unread(path, str(error))
        except Exception as error:  # a defect of this program, whatever hostile file triggered it
            keep_traceback(error, f"{what}: {path}")
            self.left_unread(path, f"internal error while {what} ({type(error).__name__}); please report it", internal=True)
        return instead

    def in_time(self) -> bool:
        """Return True if there is time left, so the computed results are complete."""
        try:
            self.checkpoint()
        except OutOfTime:
            return False
        return True

    def module(self, path: str) -> "Module":
        """The lowered module, parsed on first use. For a page, its scripts; for a language that is not lowered, an empty
        module."""
        self.notes.file(path)
        language = self.files[path].language
        if language in SCRIPTS:
            self.scripts()  # a script's imports depend on other files
        if path not in self._modules:
            progress.at(path)
            lower = self._python if language is Language.PYTHON else self._script if language in SCRIPTS else self._page
            module = None if progress.spared(path) else self.spared(path, "reading its syntax", lambda: lower(path), None)
            module = module or unreadable(path, language is not Language.PYTHON)
            for problem in module.problems:
                if problem.unread:
                    self.left_unread(path, f"line {problem.line}: {problem.text}")
            self._modules[path] = module
        return self._modules[path]

    def _python(self, path: str) -> "Module":
        from counterproof.analysis.syntax.python import lower  # parsers load only when code is looked at

        return lower(path, checked(self.text(path)) if is_notebook(self.files[path]) else self.text(path))

    def _script(self, path: str) -> "Module":
        from counterproof.analysis.syntax.javascript import lower

        resolver = self.scripts()
        return lower(path, self.text(path), lambda module: resolver.resolve(path, module))

    def _page(self, path: str) -> "Module | None":
        from counterproof.analysis.syntax.javascript import lower
        from counterproof.analysis.syntax.page_scripts import has_pages, script_of

        script = script_of(self.text(path)) if has_pages(path) and self.files[path].language is None else ""
        return lower(path, script) if script else None

    def scripts(self) -> "Resolver":
        """The resolver for imports between the project's JavaScript and TypeScript files."""
        from counterproof.analysis.syntax.javascript.resolution import Aliases, Manifest, Resolver

        def made() -> Resolver:
            manifests: dict[str, Manifest] = {}
            for name in _PACKAGES:
                for path in (each for each in self.files if each.rpartition("/")[2] == name):
                    read = Manifest(path.rpartition("/")[0], self.text(path))
                    known = manifests.get(read.folder)
                    if name == _PACKAGES[0] or (read.is_published and not (known is not None and known.is_published)):
                        manifests[read.folder] = read
            named = (each for each in self.files if each.rpartition("/")[2] in ("tsconfig.json", "jsconfig.json"))
            aliases = tuple(Aliases(each.rpartition("/")[0], self.text(each)) for each in named)
            paths = frozenset(each.path for each in self.survey.files if each.language in SCRIPTS)
            return Resolver(paths, tuple(manifests.values()), aliases)

        return self.once("imports of scripts", made)


def unreadable(path: str, script: bool) -> "Module":
    """A module of which only the name is known."""
    from counterproof.analysis.syntax.ir import Module
    from counterproof.analysis.syntax.javascript import module_name as name_of_script
    from counterproof.analysis.syntax.walk import module_name

    name, package = (name_of_script(path),) * 2 if script else module_name(path)
    return Module(path, name, package, 1, ())


class Quotes:
    """Reads each file once."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._lines: dict[str, list[str]] = {}

    def lines(self, path: str) -> list[str]:
        if path not in self._lines:
            self._lines[path] = self.project.text(path).split("\n")
        return self._lines[path]

    def line(self, path: str, number: int) -> str:
        lines = self.lines(path)
        return lines[number - 1].strip()[:MAX_QUOTE] if 0 < number <= len(lines) else ""

    def location(self, path: str, start: int, end: int) -> Location:
        last = len(self.lines(path))
        return Location(path, max(1, min(start, last)), max(1, min(max(start, end), last)))

    def evidence(self, where: Location) -> str:
        """The lines of a location, at least one of them not blank."""
        text = "\n".join(self.line(where.path, number) for number in range(where.start, where.end + 1))
        return text.strip() or "(blank line)"
