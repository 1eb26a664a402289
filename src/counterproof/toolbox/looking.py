"""Looks up code for agents: lines, words, definitions, callers, flows, history.

Invariant: only files of the survey are visible, each in redacted form; patterns take linear time and match only visible text;
results are bounded and state what they omit. The caller counts calls (P10, R42); failures raise `ToolRefused`.
"""

from dataclasses import replace

from counterproof.analysis.facts.syntax_index import index_of
from counterproof.analysis.facts.units import Unit
from counterproof.analysis.git import Commit, Log
from counterproof.analysis.project import Project
from counterproof.analysis.secrets.redaction import redact
from counterproof.model.fact import Operation
from counterproof.model.ledger import Trace
from counterproof.model.location import Location
from counterproof.model.survey import SourceFile
from counterproof.protocols.guard.metering import MAX_LINES
from counterproof.toolbox import search
from counterproof.toolbox.bench import Bench
from counterproof.toolbox.refusal import ToolRefused
from counterproof.toolbox.results import HitLine, Line, Lines, Paths, SearchResult, Traced, UnitLines, Units

MAX_HITS = 60
MAX_PATHS = 300
MAX_COMMITS = 50
WHOLE_UNITS = 6
"""The units of one result that are shown with their lines; the others only with their location."""
MAX_UNITS = 60
MIN_UNIT, MAX_UNIT = 12, 80
"""The least and most lines of one unit in such a result; all units together have at most `MAX_LINES`, as one `read`."""
MAX_BINDINGS = 30
_USES = (Operation.READ, Operation.CALL, Operation.BUILD, Operation.RETURN, Operation.COMPARE)
_SETS = (Operation.ASSIGN, Operation.PARAMETER)
_NAME_SIGNS = "_$.#?!"


class Looking:
    """The tools that look at code, one instance per run, shared by its agents; calls are not metered. In a large tree `flows`
    covers a part; all other tools use the whole `bench`."""

    def __init__(self, bench: Bench, flows: Bench | None = None) -> None:
        self._bench = bench
        self._flows = flows or bench
        self._project = bench.project

    def close(self) -> None:
        self._bench.close()
        self._flows.close()

    def read(self, path: str, first: int = 1, last: int = 0) -> Lines:
        """Lines of a file from `first` on, at most `MAX_LINES`."""
        total = self.file(path).lines
        if not 1 <= first <= total:
            raise ToolRefused(f"{path} has {total} lines; line {first} does not exist")
        lines = self._bench.text(path).split("\n")
        end = min(last or total, first + MAX_LINES - 1, total)
        return Lines(path, tuple(Line(number, lines[number - 1].rstrip("\r")[:500]) for number in range(first, end + 1)), total)

    def file(self, path: str) -> SourceFile:
        file = self._project.files.get(path)
        if file is None:
            raise ToolRefused("the file is not part of the reviewed code; `glob` lists files")
        return file

    def grep(self, pattern: str, glob: str = "") -> SearchResult:
        """Lines that match a regular expression."""
        return self.search(pattern, glob)[0]

    def search(
        self, pattern: str, glob: str = "", most: int = MAX_HITS, probes: tuple[str, ...] = ()
    ) -> tuple[SearchResult, tuple[int, ...]]:
        """At most so many matching lines, and which of the probes match too."""
        corpus = self._bench.corpus()
        files = self._bench.files_of(glob)
        hits = search.find(corpus.select(files), pattern, probes)
        shown = tuple(HitLine(path, line, corpus.line(path, line).strip()[:300]) for path, line in hits.places[:most])
        skipped = tuple(each.path for each in corpus.unsearched if each.path in files)
        return SearchResult(len(hits.places), hits.files, shown, hits.more, None, skipped), hits.probed

    def glob(self, pattern: str, most: int = MAX_PATHS) -> Paths:
        found = self._bench.files_of(pattern)
        return Paths(found[:most], len(found))

    def symbols(self, query: str) -> Units:
        """The units with this name, with their lines; if there are none, the locations of those whose names contain it."""
        wanted = _plain(query)
        found = self._bench.defined(wanted)
        if found:
            return self._units(f"define {wanted}", [(each, ()) for each in found])
        near = [each for each in self._bench.symbols() if wanted.lower() in each.name.lower()]
        rows = tuple(UnitLines(each.name, each.path, each.line, each.end) for each in near[:MAX_UNITS])
        return Units(f"have {wanted} in their names; none is called so", rows, len(near))

    def callers(self, name: str = "", path: str = "", line: int = 0) -> Units:
        """The units that call or pass on a function, given by its name or by a line in it, each with the lines that do."""
        wanted = _plain(name or self._name_at(path, line))
        found = self._bench.used(wanted)
        return self._units(f"use {wanted}", [(unit, tuple(lines)) for unit, lines in found.items()])

    def _name_at(self, path: str, line: int) -> str:
        unit = self._bench.unit(self.file(path).path, line)
        if not unit.name:
            raise ToolRefused("no function is at that line; give a name, or a line of a function")
        return unit.short

    def traces(self, path: str, line: int) -> tuple[Trace, ...]:
        """How the known sinks at a line were traced."""
        return tuple(each for each in self._flows.examination().traces if covers(each.sink, path, line))

    def trace(self, path: str, line: int) -> Traced:
        """The origins of the data in a sink at a line; without a known sink, the assignments of the names in the line."""
        self.file(path)
        here, found = self.traces(path, line), self._flows.examination().findings
        flows = tuple(each.flow for each in found if each.flow and covers(each.flow.sink.location, path, line))
        bound = () if here else _bindings(self._project, path, line)
        if not here and not bound:
            raise ToolRefused(f"no known sink is at {path}:{line}, and nothing in its function sets what it uses")
        return Traced(here, self._bench.safe(flows), bound)

    def git_log(self, path: str = "", limit: int = 20) -> Log:
        """The newest commits, of the project or of one file."""
        if path:
            self.file(path)
        log = self._bench.history().log(path, max(1, min(limit, MAX_COMMITS)))
        return replace(log, commits=tuple(safe_commit(commit) for commit in log.commits))

    def excerpt(self, unit: Unit, matter: tuple[int, ...] = (), most: int = MAX_UNIT) -> UnitLines:
        """The lines of a unit; for a long one its head and the lines around `matter`."""
        lines = self._bench.text(unit.path).split("\n")
        numbers = range(unit.first, min(unit.last, len(lines)) + 1)
        if len(numbers) > most:
            beside = max(4, (most - 6) // (2 * max(1, len(matter))))
            near = {number for line in matter for number in range(line - beside, line + beside + 1)}
            head = range(unit.first, unit.first + (6 if matter else most))
            numbers = sorted({*head, *near} & set(numbers))[:most]
        shown = tuple(Line(number, lines[number - 1][:400]) for number in numbers)
        return UnitLines(unit.name, unit.path, unit.first, unit.last, matter, shown)

    def _units(self, what: str, found: list[tuple[Unit, tuple[int, ...]]]) -> Units:
        rows: list[UnitLines] = []
        left = MAX_LINES
        for unit, lines in found[:MAX_UNITS]:
            whole = len(rows) < WHOLE_UNITS and left >= MIN_UNIT
            shown = self.excerpt(unit, lines, min(MAX_UNIT, left)) if whole else None
            rows.append(shown or UnitLines(unit.name, unit.path, unit.first, unit.last, lines))
            left -= len(shown.lines) if shown else 0
        return Units(what, tuple(rows), len(found))


def covers(place: Location, path: str, line: int) -> bool:
    return place.path == path and place.start <= line <= place.end


def _plain(name: str) -> str:
    """The last part of a name. Raises `ToolRefused` if the text is not a name."""
    last = name.strip().removesuffix("()").rpartition(".")[2]
    if not last or len(last) > 200 or not all(each.isalnum() or each in _NAME_SIGNS for each in last):
        raise ToolRefused("give one name, as the code writes it")
    return last


def _bindings(project: Project, path: str, line: int) -> tuple[str, ...]:
    """The assignments above a line of the names that it uses, by the grammar alone, in any language."""
    index = index_of(project, path)
    used = {name.rpartition(".")[2] for operation, name in index.get(line, ()) if name and operation in _USES}
    rows: list[str] = []
    for number in sorted((each for each in index if each < line), reverse=True):
        rows += [
            f"{path}:{number}: {operation.value} {name}"
            for operation, name in sorted(index[number])
            if operation in _SETS and name.rpartition(".")[2] in used
        ]
    return tuple(dict.fromkeys(rows))[:MAX_BINDINGS]


def safe_commit(commit: Commit) -> Commit:
    """A commit in redacted form: commit messages may contain secrets too."""
    return replace(commit, author=redact(commit.author), subject=redact(commit.subject))
