"""Shared by the tools of all agents of a run: searchable text, history, definitions and traces, each computed once.

Invariant: only files of the survey are visible; expensive parts are computed on first use, under a lock, and then cached. Not
handled here: metering and recording.
"""

import re
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TypeVar

from counterproof.analysis import flow
from counterproof.analysis.examination import Examination
from counterproof.analysis.facts.named import around, definitions, uses
from counterproof.analysis.facts.syntax_index import index_of
from counterproof.analysis.facts.units import Unit
from counterproof.analysis.git import History, NoHistory, open_history
from counterproof.analysis.map import map_of
from counterproof.analysis.program.codebase import codebase_of
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import FlowRule, load_rules
from counterproof.analysis.secrets.outgoing_text import safe, safe_text
from counterproof.analysis.source.globs import Glob, parse_glob
from counterproof.model.contract import AgentReply
from counterproof.model.fact import Operation
from counterproof.model.map import Map
from counterproof.model.recon import EntryPoint
from counterproof.model.survey import Language
from counterproof.protocols.guard.citations import Citation
from counterproof.toolbox import citing, units
from counterproof.toolbox.corpus import Corpus
from counterproof.toolbox.refusal import ToolRefused
from counterproof.toolbox.results import Symbol

T = TypeVar("T")
EVERYTHING = ("", "all files")
MAX_BRACES = 3
MAX_GLOBS = 64


class Bench:
    """One per run. `turn` is the lock for analyses, because parsed modules are shared."""

    def __init__(
        self,
        project: Project,
        entry_points: tuple[EntryPoint, ...] = (),
        confirmed_git: tuple[Path, ...] = (),
        turn: AbstractContextManager[object] | None = None,
    ) -> None:
        self.project = project
        self._entry_points = entry_points
        self._confirmed_git = confirmed_git
        self._turn = turn or threading.RLock()
        self._making = threading.RLock()
        self._corpus: Corpus | None = None
        self._history: History | NoHistory | None = None
        self._examination: Examination | None = None
        self._symbols: tuple[Symbol, ...] | None = None
        self._map: Map | None = None

    def close(self) -> None:
        with self._making:
            if self._corpus:
                self._corpus.close()
            if isinstance(self._history, History):
                self._history.close()
            self._corpus = self._history = None

    def corpus(self) -> Corpus:
        with self._making:
            if self._corpus is None:
                self._corpus = Corpus(self.project, self.text)
            return self._corpus

    def text(self, path: str) -> str:
        """A file's text in the form that agents may see."""
        with self._turn:
            return safe_text(self.project, path)

    def map(self) -> Map:
        """The map of the project in the form that agents may see."""
        with self._turn:
            if self._map is None:
                self._map = safe(self.project, map_of(self.project))
            return self._map

    def safe(self, value: T) -> T:
        """The result of an analysis in the form that agents may see."""
        with self._turn:
            return safe(self.project, value)

    def citations(self, reply: AgentReply) -> tuple[Citation, ...]:
        """Re-read every line that a reply cites."""
        with self._turn:
            return citing.citations(self.project, reply)

    def history(self) -> History:
        with self._making:
            if self._history is None:
                self._history = open_history(self.project.root, self._confirmed_git)
            if isinstance(self._history, NoHistory):
                raise ToolRefused(f"there is no history to read: {self._history.reason}")
            return self._history

    def files_of(self, scope: str) -> tuple[str, ...]:
        """Files that match a glob, sorted by path; a folder's name selects its contents."""
        if scope in EVERYTHING:
            return tuple(file.path for file in self.project.survey.files)
        globs = [parse_glob(each.removeprefix("./")) for each in _without_braces(scope)]
        if any(glob is None or glob.negated for glob in globs):
            raise ToolRefused(f"{scope[:100]!r} is not a glob; write it like src/**/*.py")
        chosen = [glob for glob in globs if glob]
        paths = ((file.path, tuple(file.path.split("/"))) for file in self.project.survey.files)
        found = tuple(path for path, parts in paths if any(_selects(glob, parts) for glob in chosen))
        if not found and scope in set(Language):
            return tuple(file.path for file in self.project.of_language(Language(scope)))
        return found

    def symbols(self) -> tuple[Symbol, ...]:
        """Every definition in the code, in any language with a grammar; Python's tests are left out."""
        with self._turn:
            if self._symbols is None:
                self._symbols = tuple(_definitions(self.project))
            return self._symbols

    def defined(self, name: str) -> list[Unit]:
        """The units of a name, tests included."""
        with self._turn:
            return definitions(self.project, {name}, tests=True).get(name, [])

    def used(self, name: str) -> dict[Unit, list[int]]:
        """The units that call a name or pass it on, with the lines."""
        found: dict[Unit, list[int]] = {}
        with self._turn:
            for path, line, _ in uses(self.project, {name}):
                found.setdefault(around(self.project, path, line), []).append(line)
        return found

    def unit(self, path: str, line: int) -> Unit:
        """The function around a line."""
        with self._turn:
            return units.unit_at(self.project, path, line)

    def callers_of(self, unit: Unit) -> tuple[Unit, ...]:
        """Units that use a function."""
        with self._turn:
            return units.callers_of(self.project, unit)

    def callees_of(self, unit: Unit) -> tuple[Unit, ...]:
        """Functions of the project that a unit calls."""
        with self._turn:
            return units.callees_of(self.project, unit)

    def examination(self) -> Examination:
        """All flows of the project, by all flow rules."""
        with self._turn:
            if self._examination is None:
                rules = tuple(each.rule for each in load_rules() if isinstance(each.rule, FlowRule))
                self._examination = flow.examine(self.project, rules, self._entry_points)
            return self._examination


def _without_braces(scope: str) -> list[str]:
    """Expand `*.{ts,js}` to `*.ts` and `*.js`, one pair of braces at a time."""
    found = [scope]
    for _ in range(MAX_BRACES):
        divided = [re.match(r"(.*?)\{([^{}]*)\}(.*)$", each) for each in found]
        if not any(divided):
            break
        found = [
            part
            for each, match in zip(found, divided, strict=True)
            for part in ([f"{match[1]}{one}{match[3]}" for one in match[2].split(",")] if match else [each])
        ][:MAX_GLOBS]
    return found


def _selects(glob: Glob, parts: tuple[str, ...]) -> bool:
    folders = (parts[:count] for count in range(1, len(parts)))
    return glob.matches(parts, directory=False) or any(glob.matches(folder, directory=True) for folder in folders)


def _definitions(project: Project) -> Iterator[Symbol]:
    for outline in codebase_of(project).outlines():
        found = [
            *(
                Symbol(f.qualified, "method" if "." in f.qualified else "function", outline.path, f.line, f.end)
                for f in outline.module.functions
            ),
            *(Symbol(c.qualified, "class", outline.path, c.line, c.end) for c in outline.module.classes),
        ]
        yield from sorted(found, key=lambda symbol: (symbol.line, symbol.name))
    for file in project.survey.files:
        if file.language and file.language is not Language.PYTHON and not file.test:
            yield from _named_in(project, file.path)


def _named_in(project: Project, path: str) -> Iterator[Symbol]:
    """Definitions according to the grammar, each at its first line."""
    seen: set[str] = set()
    for line, entries in sorted(index_of(project, path).items()):
        for operation, name in sorted(entries):
            if operation is Operation.DEFINE and name and name not in seen:
                seen.add(name)
                yield Symbol(name, "definition", path, line, line)
