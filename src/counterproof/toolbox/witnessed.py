"""The toolbox of an agent that a model drives: metered tools for the model, the analysers beside it, and the two kept apart.

Always holds: what the model read and what the analysers read are separate records, so a model's claim must rest on its own
reading (A29); authors' words do not reach a hunter in its first pass (X2); modules are loaded within A3's limits; everything
shown was redacted. The model only ever reaches `read` to `knowledge`; the rest is for the engine.
"""

import threading
from dataclasses import replace

from counterproof.analysis.git import Log
from counterproof.analysis.project import OutOfTime
from counterproof.analysis.text.authors import is_document, without_comments
from counterproof.knowledge.modules import KnowledgeModule
from counterproof.model.contract import AgentReply, AgentTask, Role
from counterproof.model.dimension import Dimension
from counterproof.model.finding import Corroboration, Finding
from counterproof.model.judgement import HitJudgement, Judgement
from counterproof.model.ledger import Ledger
from counterproof.model.recon import Recon
from counterproof.protocols.audit.modules import Offer, load_refusal, offered
from counterproof.protocols.guard import witnesses
from counterproof.protocols.guard.citations import Citation, refusal
from counterproof.protocols.guard.metering import MAX_LINES, Meter
from counterproof.toolbox.bench import Bench
from counterproof.toolbox.recording import RecordingToolbox
from counterproof.toolbox.refusal import ToolRefused
from counterproof.toolbox.remarks import COMMITS, Remark, remarks_of
from counterproof.toolbox.results import Lines, Paths, SearchResult, Symbols, Traced
from counterproof.toolbox.tools import Tools
from counterproof.toolbox.workspace import Workspace

WITHHELD = "‹withheld in a first pass›"


class WitnessedTools:
    """Bound to one task of one model."""

    def __init__(
        self, workspace: Workspace, bench: Bench, task: AgentTask, recon: Recon | None, modules: tuple[KnowledgeModule, ...] = ()
    ) -> None:
        self._bench = bench
        self._task = task
        self._tools = Tools(bench, task)
        self._modules = {each.card.name: each for each in modules}
        self._offers = offered(tuple(each.card for each in modules), task.languages, recon, task.dimensions)
        self._loaded: tuple[Offer, ...] = ()
        self._met: set[str] = set()
        self._lock = threading.Lock()
        self._corroborations: dict[str, Corroboration] = {}
        self.first_pass = task.role is Role.HUNTER and task.round == 1
        self.analysts = RecordingToolbox(workspace, task)

    # What the model reaches.

    def read(self, path: str, first: int = 1, last: int = MAX_LINES, because: str = "") -> Lines:
        if self.first_pass and is_document(path):
            raise ToolRefused("documents of the authors are not read in a first pass; read the code")
        lines = self._tools.read(path, first, last, because)
        self._met.add(path)
        if not self.first_pass:
            return lines
        shown = self._without_comments(path)
        return replace(lines, lines=tuple(replace(each, text=shown[each.number - 1][:2_000]) for each in lines.lines))

    def grep(self, pattern: str, glob: str = "", kind: str = "", dimension: Dimension | None = None) -> SearchResult:
        result = self._tools.grep(pattern, glob, kind, dimension)
        self._met.update(each.path for each in result.shown)
        if not self.first_pass:
            return result
        hits = tuple(replace(each, text=self._first_pass_line(each.path, each.line)) for each in result.shown)
        return replace(result, shown=hits)

    def glob(self, pattern: str) -> Paths:
        paths = self._tools.glob(pattern)
        self._met.update(paths.paths)
        return paths

    def git_log(self, path: str = "", limit: int = 20) -> Log:
        log = self._tools.git_log(path, limit)
        self._met.add(COMMITS)
        if self.first_pass:
            log = replace(log, commits=tuple(replace(each, author=WITHHELD, subject=WITHHELD) for each in log.commits))
        return log

    def symbols(self, query: str) -> Symbols:
        return self._tools.symbols(query)

    def trace(self, path: str, line: int) -> Traced:
        traced = self._tools.trace(path, line)
        if self.first_pass:
            flows = tuple(
                replace(flow, steps=tuple(replace(step, code=self._first_pass_line(step.location.path, step.location.start))
                                          for step in flow.steps))
                for flow in traced.flows
            )  # fmt: skip
            traced = replace(traced, flows=flows)
        return traced

    def knowledge(self, name: str) -> KnowledgeModule:
        """A module, from its own allowance of calls, and only as many as A3 allows."""
        with self._lock:
            offer = next((each for each in self._offers if each.name == name), None)
            why = load_refusal(offer, self._loaded)
            self._tools.charge_knowledge(name, why)
            assert offer is not None
            self._loaded = (*self._loaded, offer)
            return self._modules[name]

    # What only the engine reaches.

    @property
    def offers(self) -> tuple[Offer, ...]:
        return self._offers

    @property
    def modules_loaded(self) -> tuple[str, ...]:
        return tuple(each.name for each in self._loaded)

    def begin_turn(self) -> None:
        self._tools.begin_turn()

    def meter(self) -> Meter:
        return self._tools.meter()

    def own_reads(self) -> frozenset[str]:
        """What the model itself read."""
        return self._tools.ledger().files_read()

    def hit(self, path: str, line: int) -> bool:
        return self._tools.hit(path, line)

    def lines_of(self, path: str) -> int:
        file = self._bench.project.files.get(path)
        return file.lines if file else 0

    def quote(self, path: str, line: int) -> str:
        """A line as it stands in the file, redacted; '' where there is none."""
        if not 1 <= line <= self.lines_of(path):
            return ""
        return self._bench.text(path).split("\n")[line - 1].strip()[:400]

    def met(self) -> tuple[Remark, ...]:
        """Places with text that speaks to a model, in what the model was shown."""
        return remarks_of(self._bench).about(frozenset(self._met))

    def notes(self) -> tuple[str, ...]:
        return remarks_of(self._bench).notes()

    def paired(self, reply: AgentReply, beside: AgentReply) -> AgentReply:
        """The model's reply with what the analysers found beside it, numbered anew, each with its witnesses (A29)."""
        checked = self._tools.citations(reply)
        reads = self.own_reads()
        sound = tuple(f for f, c in zip(reply.findings, checked, strict=True) if not refusal(f, c, reads))
        unsound = tuple(f for f, c in zip(reply.findings, checked, strict=True) if refusal(f, c, reads))
        pairs = [
            *witnesses.paired(sound, beside.findings, self._witness),
            *((finding, Corroboration.UNCHECKED) for finding in unsound),
        ]
        numbered = [(replace(finding, id=f"F{number:03}"), word) for number, (finding, word) in enumerate(pairs, 1)]
        self._corroborations = {finding.id: word for finding, word in numbered}
        return replace(
            reply,
            findings=tuple(finding for finding, _ in numbered),
            flows=reply.flows + beside.flows,
            hotspots=tuple(dict.fromkeys((*reply.hotspots, *beside.hotspots))),
            modules_loaded=tuple(dict.fromkeys((*self.modules_loaded, *beside.modules_loaded))),
            notes=tuple(dict.fromkeys((*reply.notes, *beside.notes))),
            ended=reply.ended and beside.ended,
        )

    def derive(self, finding: Finding, steps: int) -> Judgement:
        return self.analysts.derive(finding, steps)

    def verify_hit(self, index: int) -> HitJudgement:
        return self.analysts.verify_hit(self._task.hits[index])

    def _witness(self, claim: Finding) -> Corroboration:
        try:
            return witnesses.corroboration_of(self.derive(claim, 4))
        except OutOfTime:
            return Corroboration.AGENT_ALONE

    def ledger(self) -> Ledger:
        """The work of both. For hunters the analysers' reading stays out of it: what a model has not read is not read, so that a
        later round may (A47)."""
        beside = self.analysts.ledger()
        return self._tools.ledger() + (replace(beside, reads=()) if self._task.role is Role.HUNTER else beside)

    def citations(self, reply: AgentReply) -> tuple[Citation, ...]:
        """Every citation re-read. The analysers' own findings count as read by them; a model's only if the model read them."""
        reads = self.own_reads()
        found: list[Citation] = []
        for each, finding in zip(self._tools.citations(reply), reply.findings, strict=True):
            word = self._corroborations.get(finding.id, Corroboration.UNCHECKED)
            read = bool(finding.rule) or finding.location.path in reads
            found.append(replace(each, read=read, corroboration=word))
        return tuple(found)

    def _first_pass_line(self, path: str, line: int) -> str:
        lines = self._without_comments(path)
        return lines[line - 1][:2_000] if 1 <= line <= len(lines) else ""

    def _without_comments(self, path: str) -> list[str]:
        project = self._bench.project
        file = project.files[path]
        if is_document(path):
            return [WITHHELD] * file.lines
        return project.once(
            f"first pass {path}", lambda: without_comments(path, file.language, self._bench.text(path)).text.split("\n")
        )
