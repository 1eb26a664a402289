"""The toolbox of a model-driven agent: metered tools for the model, and the engine's checks of its submissions.

Invariant: the record contains only the model's own work (A52), so a model's claim must rest on its own reads (A29); its
submissions are checked against the source and compared with the analysers; lines that address a reader are withheld (X1);
modules are loaded within A3's limits; everything shown was redacted. The model can call only `read` to `knowledge`; the rest
is for the engine.
"""

import threading
from collections.abc import Iterable
from dataclasses import replace

from counterproof.analysis import facts, families
from counterproof.analysis.facts.units import Unit
from counterproof.analysis.git import Log
from counterproof.analysis.git.history import Commit
from counterproof.analysis.map.exposure import exposure
from counterproof.analysis.project import OutOfTime
from counterproof.analysis.text.marks import WITHHELD
from counterproof.analysis.text.suspicion import suspicions
from counterproof.knowledge.modules import KnowledgeModule
from counterproof.model.contract import AgentReply, AgentTask
from counterproof.model.fact import NAMELESS, Fact
from counterproof.model.finding import Corroboration, Finding, StepResult
from counterproof.model.judgement import Judgement, Verdict
from counterproof.model.ledger import Ledger, Read, Trace
from counterproof.model.location import Location
from counterproof.model.map import Map
from counterproof.model.openitem import Answered
from counterproof.model.proof import Assumption, Guess, Proof
from counterproof.model.recon import Recon
from counterproof.model.survey import Language, Survey
from counterproof.protocols.audit.modules import Offer, load_refusal, offered
from counterproof.protocols.guard import witnesses
from counterproof.protocols.guard.citations import Checks, Citation, Reached, Refutation, refusal
from counterproof.toolbox import answers, citing, text_searches
from counterproof.toolbox.bench import Bench
from counterproof.toolbox.credit import files_cited, places_of, trace_of
from counterproof.toolbox.recording import RecordingToolbox
from counterproof.toolbox.remarks import COMMITS, Remark, remarks_of
from counterproof.toolbox.results import Lines, Paths, SearchResult, Traced, UnitLines, Units
from counterproof.toolbox.tools import Tools
from counterproof.toolbox.withheld import shown_lines
from counterproof.toolbox.workspace import Workspace

Span = tuple[str, int, int]
"""A file with the first and last line of a part of it."""

MAX_OPERATIONS = 20


class WitnessedTools(Tools):
    """Bound to one task of one model."""

    def __init__(
        self, workspace: Workspace, bench: Bench, task: AgentTask, recon: Recon | None, modules: tuple[KnowledgeModule, ...] = ()
    ) -> None:
        super().__init__(bench, task)
        self._modules = {each.card.name: each for each in modules}
        self._offers = offered(tuple(each.card for each in modules), task.languages, recon, task.dimensions)
        self._loaded: tuple[Offer, ...] = ()
        self._met: set[str] = set()
        self._shown: frozenset[str] = frozenset()
        self._spans: tuple[Span, ...] = ()
        self._cited: frozenset[str] = frozenset()
        self._lock = threading.Lock()
        self._followed: tuple[Trace, ...] = ()
        self._deepened: tuple[Trace, ...] = ()
        self._entry_points = workspace.entry_points
        self._recon = recon
        self._answers: tuple[Answered, ...] = ()
        self._handed_in = False
        self.reads_by_itself = False
        """The host can read the target by itself: then a quotation that occurs at its line counts (A29)."""
        self._stated: tuple[tuple[str, int], ...] = ()
        self._analysts = RecordingToolbox(workspace, task)

    # Called by the model.

    def read(self, path: str, first: int = 1, last: int = 0, because: str = "") -> Lines:
        lines = super().read(path, first, last, because)
        self._met.add(path)
        return replace(lines, lines=tuple(replace(each, text=self._line(path, each.number)) for each in lines.lines))

    def grep(self, pattern: str, glob: str = "") -> SearchResult:
        result = super().grep(pattern, glob)
        hits = tuple(replace(each, text=self._line(each.path, each.line)) for each in result.shown)
        self._note_shown((each.path, each.line, each.line) for each in hits)
        return replace(result, shown=hits)

    def glob(self, pattern: str) -> Paths:
        paths = super().glob(pattern)
        self._met.update(paths.paths)
        return paths

    def git_log(self, path: str = "", limit: int = 20) -> Log:
        log = super().git_log(path, limit)
        self._met.add(COMMITS)
        return replace(log, commits=tuple(_without_orders(each) for each in log.commits))

    def symbols(self, query: str) -> Units:
        return self._as_seen(super().symbols(query))

    def callers(self, name: str = "", path: str = "", line: int = 0) -> Units:
        return self._as_seen(super().callers(name, path, line))

    def _as_seen(self, found: Units) -> Units:
        """Bodies in the form shown to this agent. Their lines may be cited and count as met, like those of the opening (A52)."""
        units: list[UnitLines] = []
        for each in map(self._new_in, found.units):
            units.append(
                replace(each, lines=tuple(replace(line, text=self._line(each.path, line.number)[:400]) for line in each.lines))
            )
            self._note_shown(_spans(units[-1]))
        return replace(found, units=tuple(units))

    def _new_in(self, each: UnitLines) -> UnitLines:
        """The unit without the lines that this agent has seen, if it has seen them all (A61)."""
        read = ((path, one.first, one.last) for one in super().ledger().reads for path in one.paths)
        seen = {line for path, first, last in (*self._spans, *read) if path == each.path for line in range(first, last + 1)}
        if len(each.lines) <= len(each.matter) or any(line.number not in seen for line in each.lines):
            return each
        return replace(each, lines=tuple(line for line in each.lines if line.number in each.matter), before=True)

    def _note_shown(self, spans: Iterable[Span]) -> None:
        """Record lines that a tool showed: they may be cited (A29)."""
        with self._lock:
            added = tuple(spans)
            self._spans += added
            self._shown |= {path for path, _, _ in added}
            self._met |= self._shown

    def trace(self, path: str, line: int) -> Traced:
        traced = super().trace(path, line)
        flows = tuple(
            replace(flow, steps=tuple(replace(step, code=self._line(step.location.path, step.location.start))
                                      for step in flow.steps))
            for flow in traced.flows
        )  # fmt: skip
        self._note_shown((step.location.path, step.location.start, step.location.end) for each in flows for step in each.steps)
        return replace(traced, flows=flows)

    def knowledge(self, name: str) -> KnowledgeModule:
        """A knowledge module, from its own call allowance, within A3's limits."""
        with self._lock:
            offer = next((each for each in self._offers if each.name == name), None)
            why = load_refusal(offer, self._loaded)
            self.charge_knowledge(name, why)
            assert offer is not None
            self._loaded = (*self._loaded, offer)
            return self._modules[name]

    # Called only by the engine.

    @property
    def offers(self) -> tuple[Offer, ...]:
        """Matching modules that are not loaded yet; empty if no more may be loaded."""
        return tuple(each for each in self._offers if not load_refusal(each, self._loaded))

    @property
    def modules_loaded(self) -> tuple[str, ...]:
        return tuple(each.name for each in self._loaded)

    def own_reads(self) -> frozenset[str]:
        """The files that the model itself read, or was shown at the beginning."""
        return super().ledger().files_read() | self._shown

    def begin(self, shown: tuple[Span, ...], modules: tuple[str, ...]) -> None:
        """Record the opening's contents. Lines of these files may be cited, and text in them that addresses a model counts as
        met; they count as read only if the model then used them (A52). The modules count as loaded (A3)."""
        self._spans = shown
        self._shown = frozenset(path for path, _, _ in shown)
        self._met.update(self._shown)
        self._loaded = (*self._loaded, *(each for each in self._offers if each.name in modules))

    def inlined(self) -> tuple[KnowledgeModule, ...]:
        """The modules that may be loaded, most certain first, as many as A3 allows."""
        wanted: tuple[Offer, ...] = ()
        for offer in self._offers:
            if not load_refusal(offer, wanted):
                wanted = (*wanted, offer)
        return tuple(self._modules[each.name] for each in wanted)

    @property
    def recon(self) -> Recon | None:
        return self._recon

    @property
    def map(self) -> Map:
        return self._bench.map()

    @property
    def survey(self) -> Survey:
        return self._bench.project.survey

    def language_of(self, path: str) -> Language | None:
        file = self._bench.project.files.get(path)
        return file.language if file else None

    def unit(self, path: str, line: int) -> Unit:
        """The function around a line."""
        return self._bench.unit(path, line)

    def callers_around(self, unit: Unit) -> tuple[Unit, ...]:
        return self._bench.callers_of(unit)

    def callees_around(self, unit: Unit) -> tuple[Unit, ...]:
        return self._bench.callees_of(unit)

    def as_shown(self, path: str, first: int, last: int) -> tuple[tuple[int, str], ...]:
        """Lines in the form shown to this agent, for its opening and for repairs; nothing is charged."""
        total = self.lines_of(path)
        if not total:
            return ()
        return tuple((number, self._line(path, number)[:500]) for number in range(max(1, first), min(last, total) + 1))

    def refusals(self, reply: AgentReply) -> tuple[str, ...]:
        """Why each finding of a reply would be rejected; '' if it would be accepted."""
        reads = self.own_reads()
        cited = zip(reply.findings, super().citations(reply), strict=True)
        return tuple(refusal(finding, replace(each, read=self._may_cite(finding, reads)), reads) for finding, each in cited)

    def _may_cite(self, finding: Finding, reads: frozenset[str]) -> bool:
        return self.reads_by_itself or finding.location.path in reads

    def bears_out(self, fact: Fact) -> bool:
        """True if the source confirms a fact."""
        return facts.holds(self._bench.project, fact)

    def operations_at(self, place: Location) -> tuple[str, ...]:
        """The operations and names in a location's syntax; empty if no grammar parses the file."""
        if place.path not in self._bench.project.files:
            return ()
        index = facts.index_of(self._bench.project, place.path)
        said = sorted(index.get(place.start, ()))
        found = (f"{operation.value} {name}".strip() for operation, name in said if name or operation in NAMELESS)
        return tuple(dict.fromkeys(found))[:MAX_OPERATIONS]

    def lines_of(self, path: str) -> int:
        file = self._bench.project.files.get(path)
        return file.lines if file else 0

    def quote(self, path: str, line: int) -> str:
        """A line of a file, redacted; '' if it does not exist."""
        if not 1 <= line <= self.lines_of(path):
            return ""
        return self._bench.text(path).split("\n")[line - 1].strip()[:400]

    def met(self) -> tuple[Remark, ...]:
        """Locations of text addressing a model in what the model was shown."""
        return remarks_of(self._bench).about(frozenset(self._met))

    def notes(self) -> tuple[str, ...]:
        return remarks_of(self._bench).notes()

    def ledger(self) -> Ledger:
        """The model's own work, without the analysers' (A52). A stated flow that the text confirms hop by hop is a trace of
        its own (A59)."""
        own = super().ledger()
        given = answers.records(self._task.open_items, self._answers, self._recon)
        read = tuple((path, each.first, each.last) for each in own.reads for path in each.paths)
        searched = text_searches.searches(self._bench.project, (*self._spans, *read)) if self._handed_in else ()
        given += answers.stated(self._stated, self._recon, self._bench.unit)
        return own + given + Ledger(self._made_use_of(), searched, traces=(*self._followed, *self._deepened))

    def _made_use_of(self) -> tuple[Read, ...]:
        """The parts of the opening that were then hit by a search, looked up, or cited."""
        used = {place.path for place in self._evidence} | self._cited
        return tuple(Read((path,), self._task.dimensions, first, last) for path, first, last in self._spans if path in used)

    def state(self, flows: tuple[Proof, ...]) -> None:
        """Record a diver's stated flows: one that ends at a finding of its task is a trace, as far as it can be followed."""
        sinks = {(each.location.path, each.location.start): each for each in self._task.findings}
        found: list[Trace] = []
        for flow in flows:
            place = flow.links[-1].fact.at if flow.links else None
            finding = sinks.get((place.path, place.start)) if place else None
            if finding:
                found += trace_of(finding, facts.checked(self._bench.project, replace(flow, checked=False, refuted=())))
        self._deepened = tuple(found)

    def citations(self, reply: AgentReply) -> tuple[Citation, ...]:
        """Re-read every citation; a claim counts only if the model itself read the file. Valid claims are compared with the
        analysers' results."""
        reads = self.own_reads()
        self._handed_in = reply.ended
        self._cited = files_cited(reply)
        self._answers = tuple(each for each in reply.answers if each.at.path in reads)
        found: list[Citation] = []
        followed: list[Trace] = []
        stated: list[tuple[str, int]] = []
        for each, finding in zip(super().citations(reply), reply.findings, strict=True):
            each = replace(each, read=self._may_cite(finding, reads), proof=self._checked(finding))
            if not refusal(finding, each, reads):
                each = replace(citing.located(self._bench.project, each, finding), corroboration=self._witness(finding))
                stated += [(place.path, place.start) for place in places_of(finding)]
                followed += trace_of(finding, each.proof)
            found.append(each)
        self._followed, self._stated = tuple(followed), tuple(stated)
        return tuple(found)

    def checks(self, reply: AgentReply) -> Checks:
        """Check the model's typed reasons against the source, and the defences that it names against findings (A53, A54)."""
        project = self._bench.project
        given = [step.fact for each in reply.judgements for step in each.validation.steps if step.fact]
        ordered = tuple(dict.fromkeys(each.path for each in self.met() if each.path in project.files))
        return Checks(
            tuple(dict.fromkeys(fact for fact in given if facts.holds(project, fact))),
            tuple(each for judgement in reply.judgements if (each := self._refutation(judgement))),
            ordered,
            tuple(each for judgement in reply.judgements if (each := self._reached(judgement))),
        )

    def _reached(self, judgement: Judgement) -> Reached | None:
        """The entry point named in a confirmation, if the map has one there that leads to the finding (A40)."""
        finding = next((each for each in self._task.findings if each.id == judgement.finding_id), None)
        step = judgement.validation.reach
        if finding is None or step.at is None or step.result is not StepResult.PASS:
            return None
        found = exposure(self._bench.project, self._entry_points, step.at, finding.location)
        return Reached(finding.id, found[1], found[0].guarded) if found else None

    def _checked(self, finding: Finding) -> Proof | None:
        """The proof as the checker leaves it, whatever it states about itself; without an analyst for the language it always
        has an open point (A55)."""
        if finding.proof is None:
            return None
        project = self._bench.project
        proof = facts.checked(project, replace(finding.proof, checked=False, refuted=()))
        file = project.files.get(finding.location.path)
        if file is None or file.language is None or file.language in families.FOLLOWED:
            return proof
        alone = Assumption(Guess.NO_ANALYST, file.language.value, finding.location)
        return replace(proof, assumptions=(*proof.assumptions, alone))

    def _refutation(self, judgement: Judgement) -> Refutation | None:
        finding = next((each for each in self._task.findings if each.id == judgement.finding_id), None)
        defence = judgement.validation.defence.fact
        if finding is None or defence is None or judgement.verdict is Verdict.CONFIRMED:
            return None
        why = facts.refutes(self._bench.project, self._entry_points, finding, defence)
        return Refutation(finding.id, defence, why) if why else None

    def _witness(self, claim: Finding) -> Corroboration:
        try:
            return witnesses.corroboration_of(self._analysts.judge(claim, 4))
        except OutOfTime:
            return Corroboration.AGENT_ALONE

    def _line(self, path: str, number: int) -> str:
        """A line in the form shown to agents."""
        lines = shown_lines(self._bench.project, path)
        return lines[number - 1].rstrip("\r")[:2_000] if 1 <= number <= len(lines) else ""


def _without_orders(commit: Commit) -> Commit:
    if not suspicions(f"{commit.author} {commit.subject}"):
        return commit
    return replace(commit, author=WITHHELD, subject=WITHHELD)


def _spans(unit: UnitLines) -> tuple[Span, ...]:
    """The displayed parts of a unit, without the omitted ones between them."""
    numbers = [each.number for each in unit.lines]
    firsts = [number for number in numbers if number - 1 not in numbers]
    lasts = [number for number in numbers if number + 1 not in numbers]
    return tuple((unit.path, first, last) for first, last in zip(firsts, lasts, strict=True))
