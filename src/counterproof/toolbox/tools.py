"""The tools of one agent: read, grep, glob, git_log, symbols, callers, trace. No tool writes.

Invariant: every call is charged (A22, A23), checked against earlier rounds (A47), bounded, and recorded, rejected ones too
(A29 is judged from this record). Results are plain data, bounded and redacted. Rejections are `ToolRefused`. An agent's input
is only compared, parsed or passed as one argument; it can name only files listed in the survey.
"""

from dataclasses import replace

from counterproof.analysis.git import Log
from counterproof.model.contract import AgentReply, AgentTask
from counterproof.model.dimension import Dimension
from counterproof.model.errors import InvalidValue
from counterproof.model.ledger import Ledger, Read, Search
from counterproof.model.location import Location, at
from counterproof.model.survey import Language
from counterproof.protocols.audit.repetition import RoundRules, read_refusal, rules_for, search_refusal
from counterproof.protocols.guard.citations import Citation
from counterproof.protocols.guard.metering import MAX_LINES, Meter, Tool, Use
from counterproof.toolbox import search
from counterproof.toolbox.account import Account
from counterproof.toolbox.bench import EVERYTHING, Bench
from counterproof.toolbox.looking import Looking, covers
from counterproof.toolbox.probes import Probe, all_probes
from counterproof.toolbox.refusal import ToolRefused
from counterproof.toolbox.results import Lines, Paths, SearchResult, Traced, Units

MAX_SHOWN_HITS = 100
MAX_SHOWN_PATHS = 500


class Tools:
    """Bound to one task. Also the task's toolbox: it supplies the ledger and re-reads citations."""

    def __init__(self, bench: Bench, task: AgentTask, rules: RoundRules | None = None) -> None:
        self._bench = bench
        self._task = task
        self._rules = rules if rules is not None else rules_for(task)
        self._account = Account(task.limits)
        self._looking = Looking(bench)
        self._led: set[str] = set()
        self._evidence: dict[Location, None] = {}
        """Locations that the agent's own searches, traces and look-ups led to."""

    def ledger(self) -> Ledger:
        return self._account.ledger

    def meter(self) -> Meter:
        return self._account.meter

    def begin_turn(self) -> None:
        """Count a turn of the agent; rejected if none is left. In the last five, tools are rejected (A22)."""
        self._account.begin_turn()

    def citations(self, reply: AgentReply) -> tuple[Citation, ...]:
        return self._bench.citations(reply)

    def read(self, path: str, first: int = 1, last: int = 0, because: str = "") -> Lines:
        """Lines of a file. `because` is a hit, as `file:line`, needed if an earlier round settled the file."""
        last = last or first + MAX_LINES - 1
        use = Use(Tool.READ, lines=last - first + 1, led=path in self._led)
        with self._account.call(use, path, f"{first}-{last}"):
            self._looking.file(path)
            if refusal := read_refusal(self._rules, path, self._task.dimensions, _place(because), tuple(self._evidence)):
                raise ToolRefused(refusal)
            lines = self._looking.read(path, first, last)
            record = Read((path,), self._task.dimensions, first, lines.lines[-1].number)
        self._account.add(Ledger(reads=(record,)))
        self._led.add(path)
        return lines

    def grep(self, pattern: str, glob: str = "") -> SearchResult:
        """Lines that match a regular expression, in files that match a glob. The known sinks that the pattern matches
        determine what it counts as a search for (A63)."""
        with self._account.call(Use(Tool.GREP), pattern, glob):
            search.checked_pattern(pattern)
            if refusal := search_refusal(self._rules, pattern, glob, lambda scope: frozenset(self._bench.files_of(scope))):
                raise ToolRefused(refusal)
            known = all_probes()
            found, probed = self._looking.search(pattern, glob, MAX_SHOWN_HITS, tuple(probe.line for _, probe in known))
        query = pattern if glob in EVERYTHING else f"{pattern} in {glob}"
        whole = self._whole_languages(set(self._bench.files_of(glob)) - set(found.unsearched))
        record = _search_records(query, found, tuple(known[index] for index in probed), whole)
        self._account.add(Ledger(searches=record))
        self._evidence.update({at(each.path, each.line): None for each in found.shown})
        return replace(found, counted=any(each.probed for each in record))

    def glob(self, pattern: str) -> Paths:
        """Files of the survey that match a glob."""
        with self._account.call(Use(Tool.GLOB), pattern):
            return self._looking.glob(pattern, MAX_SHOWN_PATHS)

    def git_log(self, path: str = "", limit: int = 20) -> Log:
        """The newest commits, of the project or of one file."""
        with self._account.call(Use(Tool.GIT_LOG), path, str(limit)):
            return self._looking.git_log(path, limit)

    def symbols(self, query: str) -> Units:
        """Definitions of a name, with their lines; if there are none, those whose names contain the query."""
        with self._account.call(Use(Tool.SYMBOLS), query):
            return self._looking.symbols(query)

    def callers(self, name: str = "", path: str = "", line: int = 0) -> Units:
        """The callers of a name, or of the function around a line, matched by name, with their lines. The callers' files count
        as led to."""
        with self._account.call(Use(Tool.CALLERS, led=True), name or path, str(line)):
            found = self._looking.callers(name, path, line)
        self._follow(tuple(at(each.path, line) for each in found.units for line in each.matter))
        return found

    def trace(self, path: str, line: int) -> Traced:
        """The origins of the data in the sinks at a line, as far as the code can be followed."""
        category = next((each.kind for each in self._looking.traces(path, line)), "")
        with self._account.call(Use(Tool.TRACE, category=category), path, str(line)):
            found = self._looking.trace(path, line)
        self._account.add(Ledger(traces=found.traces))
        steps = (step.location for flow in found.flows for step in flow.steps)
        self._follow((*(each.sink for each in found.traces), *(steps if found.traces else ())))
        return found

    def _whole_languages(self, searched: set[str]) -> tuple[Language, ...]:
        """Languages of the survey whose files were all searched."""
        found: dict[Language, bool] = {}
        for file in self._bench.project.survey.files:
            if file.language:
                found[file.language] = found.get(file.language, True) and file.path in searched
        return tuple(language for language, whole in found.items() if whole)

    def hit(self, path: str, line: int) -> bool:
        """True if one of the agent's own searches or traces hit this line."""
        return any(covers(place, path, line) for place in self._evidence)

    def charge_knowledge(self, name: str, refusal: str = "") -> None:
        """Count the loading of a knowledge module; `refusal` is a further reason against it (A3, A22)."""
        with self._account.call(Use(Tool.KNOWLEDGE), name):
            if refusal:
                raise ToolRefused(refusal)

    def _follow(self, places: tuple[Location, ...]) -> None:
        self._led.update(place.path for place in places)
        self._evidence.update(dict.fromkeys(places))


def _search_records(
    query: str, found: SearchResult, matched: tuple[tuple[Dimension, Probe], ...], whole: tuple[Language, ...]
) -> tuple[Search, ...]:
    """The records of a search, for each dimension and sub-category whose known sinks it matches. An empty search is recorded
    for each language that it covered; if it matches no known sink it is no evidence of absence (A16, A59)."""
    if found.hits:
        kinds = sorted({(dimension, probe.kind) for dimension, probe in matched}, key=lambda pair: (pair[0].order, pair[1]))
        return tuple(Search(dimension, kind, query, found.hits, found.files) for dimension, kind in kinds)
    covered = {(dimension, probe.kind, probe.language) for dimension, probe in matched if probe.language in whole}
    return tuple(
        Search(dimension, kind, query, 0, language=language.value)
        for dimension, kind, language in sorted(covered, key=lambda each: (each[0].order, each[1], each[2].value))
    )


def _place(text: str) -> Location | None:
    path, _, line = text.rpartition(":")
    if not path or not line.isascii() or not line.isdigit() or len(line) > 8:
        return None
    try:
        return at(path, int(line))
    except InvalidValue:
        return None
