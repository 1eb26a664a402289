"""The audited tree as analysis sees it: the frozen file list, confined reading, lowered modules on demand, lines to quote, and
notes of what was looked at.

Only files of the survey can be read, and only while they still hold the bytes that were surveyed. `checkpoint` is called between
files; it raises `OutOfTime` when the run's time is over, so that an analyst can hand in what it has.

Always holds: a location made here is inside its file, and its lines are quoted as they stand; what is remembered for several
askers is noted for each of them. Does not belong here: how notes are taken, and what is made of them.
"""

import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
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
"""Characters of the texts that are kept after they were read."""

SCRIPTS = (Language.JAVASCRIPT, Language.TYPESCRIPT)
_PACKAGES = ("package.json", "jsr.json", "deno.json")
"""Files that say how a folder of scripts is published; the first that does so counts."""
"""Languages that share one lowering and import each other's files."""

MAX_QUOTE = 400
"""Characters of one quoted line."""


def never_out_of_time() -> None:
    """A checkpoint for callers without a deadline."""


class Followed(NamedTuple):
    """Functions, by file and line: those under review, and those that may lead data to them."""

    reviewed: frozenset[tuple[str, int]]
    leading: frozenset[tuple[str, int]]


class Project:
    """One audited tree."""

    vulnerability_data: VulnerabilityData | None = None
    """The user's records of known vulnerabilities, where there are any."""

    results: "Results | None" = None
    """Results of earlier runs, where the user keeps them."""

    told: "Told | None" = None
    """What files say by themselves, as an earlier run heard it, where results are kept."""

    frozen: Mapping[str, str] = MappingProxyType({})
    """Texts that were kept when the scope was frozen: they are what is read, whatever becomes of the files (R40)."""

    followed: Followed | None = None
    """Functions that are followed for themselves; others only where they are called. None: all of them."""

    def __init__(self, root: Path, survey: Survey, checkpoint: Callable[[], None] = never_out_of_time) -> None:
        self.root = root
        self.survey = survey
        self.checkpoint = checkpoint
        self._modules: dict[str, Module] = {}
        self._reading = threading.Lock()
        self._texts: dict[str, str] = {}
        self._characters = 0
        self._noted: list[set[str]] = []
        self._made: dict[str, tuple[object, Noted]] = {}
        self.notes = Notes()
        self.at_the_end: list[Callable[[], None]] = []
        """What is kept for the next run once there is time for it."""
        self.unread: dict[str, Unread] = {}
        """Files that could not be read to their end, by path, as far as anybody tried."""
        for path, spared in progress.every_spared().items():
            if path in self.files:
                self.left_unread(path, spared.why)

    @cached_property
    def files(self) -> dict[str, SourceFile]:
        return {file.path: file for file in self.survey.files}

    def freeze(self, texts: Mapping[str, str], files: tuple[SourceFile, ...] = ()) -> None:
        """Keep these texts. `files` take the place of what the survey saw at their paths, or are added to it."""
        self.frozen = MappingProxyType({**self.frozen, **texts})
        if files:
            listed = {**self.files, **{file.path: file for file in files}}
            self.survey = replace(self.survey, files=tuple(listed[path] for path in sorted(listed)))
            del self.files  # made anew when it is asked for

    def variant(self, files: tuple[SourceFile, ...], texts: Mapping[str, str] = MappingProxyType({})) -> "Project":
        """The tree with these files instead, some of them with these texts. What was lowered of files that are the same is
        shared; results of earlier runs are found by the files, so nothing is mixed up."""
        other = Project(self.root, replace(self.survey, files=files), self.checkpoint)
        other.freeze({**self.frozen, **texts})
        other.unread, other.results = dict(self.unread), self.results
        other.followed = self.followed
        alike = self._script_sources() == other._script_sources()
        other._share(self, frozenset((Language.PYTHON, *(SCRIPTS if alike else ()))), frozenset(texts))
        return other

    def part(self, files: tuple[SourceFile, ...]) -> "Project":
        """The tree with nothing but some of its files; an import of what is left out leads nowhere."""
        other = self.variant(files)
        other._share(self, frozenset(SCRIPTS), frozenset())
        return other

    def _share(self, whole: "Project", languages: frozenset[Language], changed: frozenset[str]) -> None:
        for path, module in whole._modules.items():
            if path in self.files and path not in changed and whole.files[path].language in languages:
                self._modules[path] = module

    def _script_sources(self) -> list[tuple[str, str]]:
        """What decides where the imports of scripts lead: their names, and the contents of manifests."""
        manifests = (*_PACKAGES, "tsconfig.json", "jsconfig.json")
        return [
            (file.path, file.sha256 if file.path.rpartition("/")[2] in manifests else "")
            for file in self.survey.files
            if file.language in SCRIPTS or file.path.rpartition("/")[2] in manifests
        ]

    def of_language(self, language: Language) -> tuple[SourceFile, ...]:
        return tuple(file for file in self.survey.files if file.language is language)

    def text(self, path: str) -> str:
        """The file's text; refused unless it is in the survey and unchanged since. Texts read lately are kept."""
        self.notes.file(path)
        progress.at(path)
        if progress.is_closed(path):
            return ""
        with self._reading:
            for noted in self._noted:
                noted.add(path)
            if path in self.frozen:
                return self.frozen[path]
            known = self._texts.pop(path, None)
            if known is None:
                known = read_text(self.root, self.files[path])
                self._characters += len(known)
            self._texts[path] = known  # now the one read last
            while self._characters > MAX_TEXTS and len(self._texts) > 1:
                self._characters -= len(self._texts.pop(next(iter(self._texts))))
            return known

    @contextmanager
    def noting(self) -> Generator[set[str]]:
        """The paths of all files whose text is asked for meanwhile, so that a result can say what it was made from."""
        noted: set[str] = set()
        with self._reading:
            self._noted.append(noted)
        try:
            yield noted
        finally:
            with self._reading:
                self._noted = [each for each in self._noted if each is not noted]

    def line(self, path: str, number: int) -> str:
        """One line as it stands in the file, stripped of its indentation; '' past the end."""
        lines = self.text(path).split("\n")
        return lines[number - 1].strip() if 0 < number <= len(lines) else ""

    def once(self, name: str, make: Callable[[], T]) -> T:
        """What `make` gives, made once for this project. For whole examinations that several agents share."""
        if name not in self._made:
            self._made[name] = self.notes.watched(make)
        else:
            self.notes.again(self._made[name][1])
        return cast("T", self._made[name][0])

    def left_unread(self, path: str, why: str, internal: bool = False) -> None:
        """Note that a file could not be read to its end; `internal`: by a fault of this program."""
        if path not in self.unread:
            self.unread[path] = replace(unread(path, why, self.survey.accepted), internal=internal)

    def spared(self, path: str, what: str, make: Callable[[], T], instead: T) -> T:
        """What `make` gives; where it fails on what it reads, `instead`: one thing that cannot be handled costs nothing else.
        An error that is not raised on purpose is recorded as an internal one, with its traceback in the user's log."""
        try:
            return make()
        except (OutOfTime, TargetChanged):
            raise
        except CounterproofError as error:
            self.left_unread(path, str(error))
        except Exception as error:  # ours, whatever a hostile file did to bring it about
            keep_traceback(error, f"{what}: {path}")
            self.left_unread(path, f"internal error while {what} ({type(error).__name__}); please report it", internal=True)
        return instead

    def in_time(self) -> bool:
        """Whether there is time left, so that what was worked out is all there is."""
        try:
            self.checkpoint()
        except OutOfTime:
            return False
        return True

    def module(self, path: str) -> "Module":
        """The lowered module, parsed on first use. Of a page it is the scripts in it; a file in a language that is not lowered
        has an empty one."""
        self.notes.file(path)
        language = self.files[path].language
        if language in SCRIPTS:
            self.scripts()  # what a script imports depends on more than the script
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
        """How imports between the project's JavaScript and TypeScript files are resolved."""
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
    """A module of which nothing is known but its name."""
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
        """The lines of a place, at least one of them not blank."""
        text = "\n".join(self.line(where.path, number) for number in range(where.start, where.end + 1))
        return text.strip() or "(blank line)"
