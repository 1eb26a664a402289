"""The tools of plan verification agents: the plan with its repository, and metered tools for researchers (P10).

Invariant: a researcher reads, searches and queries history only through `PlanTools`, which counts calls, rejects those over
the allowance and records both; the engine relies on this record. Sources that an agent names are checked here too (P11).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

from counterproof.analysis.cache import Store
from counterproof.analysis.git import Commit, History, HistoryError, NoHistory, open_history
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.coverage import covered
from counterproof.analysis.plans.ground import DOCUMENT, Ground
from counterproof.analysis.plans.layout import lines_of
from counterproof.analysis.project import Project
from counterproof.analysis.secrets.outgoing_text import safe_text
from counterproof.analysis.secrets.redaction import redact
from counterproof.model.excerpt import Excerpt, excerpt
from counterproof.model.plan.contract import EMPTY_SEARCH, PlanReply, PlanTask, SourceCheck, Tool, Used
from counterproof.model.plan.coverage import NOT_COUNTED, Coverage
from counterproof.model.plan.outline import PlanOutline
from counterproof.model.plan.research import MEMORY, ResearchMode, UnknownType, plain, quotation, quoted, verified
from counterproof.model.plan.score import Mark
from counterproof.model.user_context import UserContext
from counterproof.protocols.plan import budgets
from counterproof.toolbox.bench import Bench
from counterproof.toolbox.looking import Looking, safe_commit
from counterproof.toolbox.memory import Memory, Note
from counterproof.toolbox.metered import MeteredLooking
from counterproof.toolbox.web import Web, WebFailed

MIN_QUOTE = 4
MAX_REREAD = 40_000
MAX_LINE = 240
"""The most characters of a line shown to a reader."""
QUOTED_LINES = 4
"""The lines after the named one in which a quotation may end."""
NO_WEB = "no web is configured, or the budget for it is used up"
MAX_HITS = 100
"""The most lines kept per word."""

_PLACE = re.compile(r"(?P<path>[^\n|]{1,400}):(?P<line>\d{1,7})\Z")
_COMMIT = re.compile(r"(?:commit )?(?P<id>[0-9a-f]{7,64})\Z")


@dataclass(frozen=True, slots=True)
class Hit:
    """A line that matches a search."""

    path: str
    line: int
    text: str

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}"


class PlanBench:
    """One plan with its repository, shared by all agents of a run; look-ups are cached."""

    def __init__(
        self,
        outline: PlanOutline,
        text: str,
        project: Project,
        store: Store | None = None,
        memory: Memory | None = None,
        web: Web | None = None,
        user: UserContext | None = None,
    ) -> None:
        self.user = user
        self.outline = outline
        self.text = text
        self.project = project
        self.store = store
        self.memory = memory
        self.web = web
        self.own = _own_path(outline, project)
        self.case = Case(outline, text, Ground(project, self.own, lambda: self.history))

    @cached_property
    def history(self) -> History | NoHistory:
        return open_history(self.project.root)

    @cached_property
    def looking(self) -> Looking:
        return Looking(Bench(self.project))

    @cached_property
    def headings(self) -> frozenset[str]:
        """The plan's headings as sources."""
        return frozenset(f"plan:{each.number}" for each in lines_of(self.text) if each.level)

    def coverage(self) -> Coverage:
        """The statements of the plan that were compared with the repository; empty if the text is not a plan."""
        return NOT_COUNTED if self.outline.no_plan else covered(self.case)

    def is_code(self, path: str) -> bool:
        """True if a file can define a name: documents mention names that do not exist yet."""
        return path in self.project.files and not DOCUMENT.search(path)

    def shown(self, path: str) -> str:
        """A file's text in the form that agents may see; '' with a limitation if it cannot be read."""
        return safe_text(self.project, path) if self.case.ground.text(path) else ""

    def close(self) -> None:
        history = self.__dict__.get("history")
        if isinstance(history, History):
            history.close()
        if "looking" in self.__dict__:
            self.looking.close()


def _own_path(outline: PlanOutline, project: Project) -> str:
    """The plan's own path in the repository; '' if it is outside."""
    try:
        return PurePath(outline.path).relative_to(project.root).as_posix()
    except ValueError:
        return ""


class PlanTools(MeteredLooking):
    """The tools of one task."""

    def __init__(self, bench: PlanBench, task: PlanTask) -> None:
        super().__init__(bench.looking, task.allowances)
        self.bench = bench
        self._task = task

    def twin(self) -> "PlanTools":
        """Tools for a second witness of the same task, with a separate record."""
        return PlanTools(self.bench, self._task)

    def _may(self, tool: Tool) -> bool:
        return not self.meter.refusal(tool)

    def read(self, path: str) -> str | None:
        """A file's text; None if the budget is used up or no such file is in scope."""
        if not self._may(Tool.READ):
            return None
        return self.bench.shown(path) if path in self.bench.project.files else None

    def grep(self, words: tuple[str, ...], paths: tuple[str, ...] | None = None) -> tuple[Hit, ...] | None:
        """Lines that contain one of these words, sorted by path; None if the budget is used up."""
        if not self._may(Tool.GREP):
            return None
        wanted = sorted({word for word in words if word}, key=lambda word: (-len(word), word))[:100]
        pattern = re.compile("|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in wanted)) if wanted else None
        return tuple(self._hits(pattern, tuple(wanted), paths)) if pattern else ()

    def _hits(self, pattern: re.Pattern[str], words: tuple[str, ...], paths: tuple[str, ...] | None) -> list[Hit]:
        """Limit the lines per word, so that a frequent word does not hide a rare one."""
        found: list[Hit] = []
        room = dict.fromkeys(words, MAX_HITS)
        for file, held in self.bench.case.ground.holding(words):
            if (paths is not None and file.path not in paths) or not any(room[word] for word in held):
                continue
            text = self.bench.shown(file.path)
            for number, line in enumerate(text.split("\n"), 1):
                wanted = {word for word in pattern.findall(line) if room[word]}
                if wanted:
                    found.append(Hit(file.path, number, line[:500]))
                    room.update({word: room[word] - 1 for word in wanted})
        return found

    def git_log(self, limit: int = 500) -> tuple[Commit, ...] | None:
        """The newest commits; None if the budget is used up, empty if there is no readable history."""
        if not self._may(Tool.GIT_LOG):
            return None
        history = self.bench.history
        if isinstance(history, NoHistory):
            return ()
        try:
            return tuple(safe_commit(each) for each in history.log(limit=limit).commits)
        except HistoryError:
            return ()

    def recall(self, words: tuple[str, ...]) -> tuple[Note, ...] | None:
        """The user's earlier decisions about these words; None if there is no memory or no budget left."""
        absent = self.bench.memory is None or all(each.tool is not Tool.MEMORY for each in self.given)
        if absent or self.bench.memory is None or not self._may(Tool.MEMORY):
            return None
        return self.bench.memory.search(words)

    def web_search(self, query: str, kind: UnknownType | None, temporal: bool = False) -> str:
        """The results of the user's web server, or `refused: …` with the reason. Only for questions that the local code could
        not answer."""
        looked = bool(self.meter.made(Tool.GREP) or self.meter.made(Tool.READ))
        why = budgets.web_refusal(self._task.mode or ResearchMode.SURFACE, kind, temporal, looked)
        web = self.bench.web
        if web is None or why or not self._may(Tool.WEB_SEARCH):
            return f"refused: {why or NO_WEB}"
        return self._asked(lambda: web.search(query))

    def web_fetch(self, address: str) -> str:
        """A page that a search of this run returned, or `refused: …`."""
        web = self.bench.web
        if web is None or not self._may(Tool.WEB_FETCH):
            return f"refused: {NO_WEB}"
        return self._asked(lambda: web.fetch(address))

    def _asked(self, ask: Callable[[], str]) -> str:
        try:
            return ask()
        except WebFailed as failure:
            return f"refused: {failure}"

    def used(self) -> tuple[Used, ...]:
        """The record by tool."""
        return self.meter.used()

    def checks(self, reply: PlanReply) -> tuple[SourceCheck, ...]:
        """Check every source that a reply names, and the quotations from it."""
        quotes: dict[str, list[str]] = {}
        for each in reply.unknowns:
            parts = verified(each.finding)
            if parts:
                quotes.setdefault(parts.source, []).append(quoted(parts.finding))
        for each in reply.card.marks if reply.card else ():
            if each.source and not self._is_on_record(each.source):
                quotes.setdefault(each.source, []).append(quoted(each.evidence))
        grounds = (source for each in reply.grounds for source in (*each.sources, *each.plan_sources))
        sources = [*quotes, *(each.location for each in reply.contexts), *grounds]
        return tuple(self.check(source, tuple(quotes.get(source, ()))) for source in dict.fromkeys(sources))

    def unsupported(self, mark: Mark) -> str:
        """Why nothing supports a model's mark (P22); '' if it names an item on record, or quotes the line that it names."""
        if not mark.source or self._is_on_record(mark.source):
            return ""
        quote = quoted(mark.evidence)
        check = self.check(mark.source, (quote,))
        if mark.source in self.bench.headings:
            return f"{mark.source} is a heading"
        return check.why or ("" if quote in check.quoted else f"it quotes no text found at {mark.source[:200]}")

    def _is_on_record(self, name: str) -> bool:
        shown = (self._task.challenges, self._task.unknowns, self._task.contexts, self._task.risks)
        return any(each.id == name for items in shown for each in items)

    def check(self, source: str, quotes: tuple[str, ...] = ()) -> SourceCheck:
        """Re-read a source. Quotations from it must occur there."""
        text = self._text_at(source)
        if isinstance(text, _Missing):
            return SourceCheck(source, False, text.why)
        there = plain(quotation(text[:MAX_REREAD], MAX_REREAD))
        standing = tuple(each for each in quotes if len(each) >= MIN_QUOTE and each in there)
        if not _PLACE.match(source):
            return SourceCheck(source, True, "", standing)
        return SourceCheck(source, True, "", standing, text.partition("\n")[0].strip()[:MAX_LINE], self._excerpt(source))

    def _excerpt(self, source: str) -> Excerpt | None:
        """The code around the line that a source names."""
        place = _PLACE.match(source)
        lines = self._lines_of(place["path"]) if place else None
        return excerpt(lines, int(place["line"]), int(place["line"])) if place and lines else None

    def line_at(self, source: str) -> str:
        """The text of a source for a quotation: the named line, and the following ones if it is almost blank."""
        text = self._text_at(source)
        if isinstance(text, _Missing):
            return ""
        first = text.strip().partition("\n")[0]
        return first if len(first.strip()) > MIN_QUOTE else text.strip()

    def _text_at(self, source: str) -> "str | _Missing":
        """The text at a source, or why there is none."""
        if source.startswith(EMPTY_SEARCH):
            return self._searched(source.removeprefix(EMPTY_SEARCH))
        place = _PLACE.match(source)
        if place:
            return self._placed(place["path"], int(place["line"]))
        commit = _COMMIT.match(source)
        if commit:
            history = self.bench.history
            there = isinstance(history, History) and bool(history.resolve(commit["id"]))
            return self._subject(commit["id"]) if there else _Missing("there is no such commit")
        if source.startswith(("https://", "http://")):
            pages = self.bench.web.pages if self.bench.web else {}
            return pages.get(source, _Missing("no search of this run returned this address"))
        if source.startswith(MEMORY):
            note = self.bench.memory.find(source) if self.bench.memory else None
            return f"{note.claim} {note.text}" if note else _Missing("memory holds no such note")
        return _Missing("it is neither a file with a line nor a commit")

    def _searched(self, word: str) -> "str | _Missing":
        """A search without results says so; one with results is no evidence of absence."""
        ground, count = self.bench.case.ground, len(self.bench.project.files)
        if "/" in word:
            there = ground.resolve(word)
            return _Missing(f"there is {there}") if there else f"none of {count} files has the path {word}"
        pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
        for file, _ in ground.holding((word,)):
            if self.bench.is_code(file.path) and pattern.search(ground.text(file.path)):
                return _Missing(f"{file.path} holds it")
        return f"no file of code or configuration among {count} files holds {word}"

    def _placed(self, path: str, line: int) -> "str | _Missing":
        """The line and a few after it, so that a quotation may continue there."""
        lines = self._lines_of(path)
        if lines is None:
            return _Missing("there is no such file in scope")
        if not 0 < line <= len(lines):
            return _Missing(f"the {'plan' if path == 'plan' else 'file'} has no such line")
        return "\n".join(lines[line - 1 : line + QUOTED_LINES])

    def _lines_of(self, path: str) -> list[str] | None:
        """The lines of the plan or of a file, in the form that may be shown; None if there is no such file."""
        if path == "plan":
            return redact(self.bench.text).split("\n")
        return self.bench.shown(path).split("\n") if path in self.bench.project.files else None

    def _subject(self, commit: str) -> str:
        history = self.bench.history
        commits = history.log(limit=500).commits if isinstance(history, History) else ()
        return next((safe_commit(each).subject for each in commits if each.id.startswith(commit)), "")


@dataclass(frozen=True, slots=True)
class _Missing:
    """A source without text; `why` says what is wrong with it."""

    why: str
