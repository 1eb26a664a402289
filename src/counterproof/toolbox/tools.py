"""The tools of one agent: read, grep, glob, git_log, symbols, callers, trace. There is no tool that writes.

Invariant: every call is charged (A22, A23), checked against what earlier rounds did (A47), made within bounds, and recorded,
refused ones too (A29 is judged from this record). Answers are plain data, bounded and redacted. Refusals are `ToolRefused`.
Whatever an agent sends is only compared, parsed or passed as one argument; it never names a file that the survey does not list.
"""

from dataclasses import replace

from counterproof.analysis.git import Log
from counterproof.model.contract import AgentReply, AgentTask
from counterproof.model.dimension import Dimension
from counterproof.model.errors import InvalidValue
from counterproof.model.ledger import Ledger, Read, Search
from counterproof.model.location import Location, at
from counterproof.model.survey import Language, SourceFile
from counterproof.protocols.audit.repetition import RoundRules, read_refusal, rules_for, search_refusal
from counterproof.protocols.guard.citations import Citation
from counterproof.protocols.guard.metering import MAX_LINES, Meter, Tool, Use
from counterproof.toolbox import search
from counterproof.toolbox.account import Account
from counterproof.toolbox.bench import EVERYTHING, Bench
from counterproof.toolbox.looking import Looking, bindings, safe_commit
from counterproof.toolbox.probes import Probe, all_probes
from counterproof.toolbox.refusal import ToolRefused
from counterproof.toolbox.results import HitLine, Line, Lines, Paths, SearchResult, Traced, Units

MAX_SHOWN_HITS = 100
MAX_SHOWN_PATHS = 500
MAX_COMMITS = 50
MAX_LINE = 2_000


class Tools:
    """Bound to one task. Serves as the task's toolbox: it answers for the ledger and re-reads citations."""

    def __init__(self, bench: Bench, task: AgentTask, rules: RoundRules | None = None) -> None:
        self._bench = bench
        self._task = task
        self._rules = rules if rules is not None else rules_for(task)
        self._account = Account(task.limits)
        self._looking = Looking(bench)
        self._led: set[str] = set()
        self._evidence: dict[Location, None] = {}

    def ledger(self) -> Ledger:
        return self._account.ledger

    def meter(self) -> Meter:
        return self._account.meter

    def begin_turn(self) -> None:
        """Count a turn of the agent; refused when none is left. With five left, tools are refused (A22)."""
        self._account.begin_turn()

    def citations(self, reply: AgentReply) -> tuple[Citation, ...]:
        return self._bench.citations(reply)

    def read(self, path: str, first: int = 1, last: int = 0, because: str = "") -> Lines:
        """Lines of a file. `because` names a hit, as `file:line`, where an earlier round settled the file."""
        last = last or first + MAX_LINES - 1
        use = Use(Tool.READ, lines=last - first + 1, led=path in self._led)
        with self._account.call(use, path, f"{first}-{last}"):
            file = self._file(path)
            if refusal := read_refusal(self._rules, path, self._task.dimensions, _place(because), tuple(self._evidence)):
                raise ToolRefused(refusal)
            if not 1 <= first <= file.lines:
                raise ToolRefused(f"{path} has {file.lines} lines; line {first} does not exist")
            wanted = self._bench.text(path).split("\n")[first - 1 : min(last, file.lines)]
            lines = tuple(Line(first + index, _shown(text)) for index, text in enumerate(wanted))
            record = Read((path,), self._task.dimensions, first, lines[-1].number)
        self._account.add(Ledger(reads=(record,)))
        self._led.add(path)
        return Lines(path, lines, file.lines)

    def grep(self, pattern: str, glob: str = "") -> SearchResult:
        """Lines that match a regular expression, in files that a glob selects. What it was a search for is decided by the known
        sinks that it would have found (A63)."""
        with self._account.call(Use(Tool.GREP), pattern, glob):
            search.checked_pattern(pattern)
            files = self._bench.files_of(glob)
            if refusal := search_refusal(self._rules, pattern, glob, self._frozen_files):
                raise ToolRefused(refusal)
            known = all_probes()
            corpus = self._bench.corpus()
            hits = search.find(corpus.select(files), pattern, tuple(probe.line for _, probe in known))
            shown = tuple(HitLine(path, line, _shown(corpus.line(path, line))) for path, line in hits.places[:MAX_SHOWN_HITS])
            skipped = tuple(each.path for each in corpus.unsearched if each.path in files)
        query = pattern if glob in EVERYTHING else f"{pattern} in {glob}"
        matched = tuple(known[index] for index in hits.probed)
        record = _search_records(query, hits, matched, self._whole_languages(files, skipped))
        self._account.add(Ledger(searches=record))
        self._evidence.update({at(each.path, each.line): None for each in shown})
        return SearchResult(len(hits.places), hits.files, shown, hits.more, any(each.probed for each in record), skipped)

    def glob(self, pattern: str) -> Paths:
        """Files of the survey that a glob selects."""
        with self._account.call(Use(Tool.GLOB), pattern):
            found = self._bench.files_of(pattern)
        return Paths(found[:MAX_SHOWN_PATHS], len(found))

    def git_log(self, path: str = "", limit: int = 20) -> Log:
        """The newest commits, of the project or of one file."""
        with self._account.call(Use(Tool.GIT_LOG), path, str(limit)):
            if path:
                self._file(path)
            log = self._bench.history().log(path, max(1, min(limit, MAX_COMMITS)))
        return replace(log, commits=tuple(safe_commit(commit) for commit in log.commits))

    def symbols(self, query: str) -> Units:
        """Definitions of a name, with their lines; where none is called so, those whose names hold the query."""
        with self._account.call(Use(Tool.SYMBOLS), query):
            return self._looking.symbols(query)

    def callers(self, name: str = "", path: str = "", line: int = 0) -> Units:
        """Who calls a name, or the function that a line stands in, as far as names tell, with the callers' lines. The callers'
        files count as led to."""
        with self._account.call(Use(Tool.CALLERS, led=True), name or path, str(line)):
            if not name:
                self._file(path)
            found = self._looking.callers(name or self._looking.name_at(path, line))
        self._follow(tuple(at(each.path, line) for each in found.units for line in each.matter))
        return found

    def trace(self, path: str, line: int) -> Traced:
        """Where the data of the sinks at a line comes from, as far as the code can be followed."""
        examined = self._bench.examination() if path in self._bench.project.files else None
        here = tuple(each for each in (examined.traces if examined else ()) if _covers(each.sink, path, line))
        with self._account.call(Use(Tool.TRACE, category=here[0].kind if here else ""), path, str(line)):
            self._file(path)
            if not here or examined is None:
                bound = bindings(self._bench.project, path, line)
                if not bound:
                    raise ToolRefused(f"no known sink stands at {path}:{line}, and nothing in its function sets what it uses")
                return Traced((), (), bound)
            flows = tuple(each.flow for each in examined.findings if each.flow and _covers(each.flow.sink.location, path, line))
        self._account.add(Ledger(traces=here))
        self._follow((*(each.sink for each in here), *(step.location for flow in flows for step in flow.steps)))
        return Traced(here, self._bench.safe(flows))

    def _whole_languages(self, files: tuple[str, ...], skipped: tuple[str, ...]) -> tuple[Language, ...]:
        """Languages of the survey whose files were all searched."""
        searched = set(files) - set(skipped)
        found: dict[Language, bool] = {}
        for file in self._bench.project.survey.files:
            if file.language:
                found[file.language] = found.get(file.language, True) and file.path in searched
        return tuple(language for language, whole in found.items() if whole)

    def evidence(self) -> tuple[Location, ...]:
        """Places that the agent's own searches, traces and look-ups led to."""
        return tuple(self._evidence)

    def hit(self, path: str, line: int) -> bool:
        """True if one of the agent's own searches or traces hit this line."""
        return any(_covers(place, path, line) for place in self._evidence)

    def charge_knowledge(self, name: str, refusal: str = "") -> None:
        """Count the loading of a knowledge module; `refusal` says why it is not allowed all the same (A3, A22)."""
        with self._account.call(Use(Tool.KNOWLEDGE), name):
            if refusal:
                raise ToolRefused(refusal)

    def _follow(self, places: tuple[Location, ...]) -> None:
        self._led.update(place.path for place in places)
        self._evidence.update(dict.fromkeys(places))

    def _file(self, path: str) -> SourceFile:
        file = self._bench.project.files.get(path)
        if file is None:
            raise ToolRefused("the file is not part of the reviewed code")
        return file

    def _frozen_files(self, scope: str) -> frozenset[str]:
        return frozenset(self._bench.files_of(scope))


def _search_records(
    query: str, hits: search.Hits, matched: tuple[tuple[Dimension, Probe], ...], whole: tuple[Language, ...]
) -> tuple[Search, ...]:
    """The records of a search, for each dimension and sub-category of which it would have found a known sink. An empty one is on
    record for each language that it went through; where it would have found none it is no evidence of absence (A16, A59)."""
    if hits.places:
        kinds = sorted({(dimension, probe.kind) for dimension, probe in matched}, key=lambda pair: (pair[0].order, pair[1]))
        return tuple(Search(dimension, kind, query, len(hits.places), hits.files) for dimension, kind in kinds)
    found = {(dimension, probe.kind, probe.language) for dimension, probe in matched if probe.language in whole}
    return tuple(
        Search(dimension, kind, query, 0, language=language.value)
        for dimension, kind, language in sorted(found, key=lambda each: (each[0].order, each[1], each[2].value))
    )


def _covers(place: Location, path: str, line: int) -> bool:
    return place.path == path and place.start <= line <= place.end


def _place(text: str) -> Location | None:
    path, _, line = text.rpartition(":")
    if not path or not line.isascii() or not line.isdigit() or len(line) > 8:
        return None
    try:
        return at(path, int(line))
    except InvalidValue:
        return None


def _shown(text: str) -> str:
    plain = text.rstrip("\r")
    if len(plain) <= MAX_LINE:
        return plain
    return f"{plain[:MAX_LINE]} … ({len(plain) - MAX_LINE:,} more characters)"
