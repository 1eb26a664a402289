"""Builders and a tiny stage for playing audits against the pure machine: no files, no clock, no agents."""

from dataclasses import replace

from counterproof.model.baseline import Baseline, BaselineStatus
from counterproof.model.contract import AgentReply, AgentTask
from counterproof.model.dimension import Dimension, Track
from counterproof.model.fact import Fact, Operation
from counterproof.model.finding import Finding
from counterproof.model.flow import Flow, FlowStep, StepKind
from counterproof.model.ledger import Item, Ledger, Read, Search, Trace
from counterproof.model.location import at
from counterproof.model.proof import Link, Part, Proof, Shape
from counterproof.model.recon import Dependency, EntryKind, EntryPoint, ProjectType, Recon
from counterproof.model.severity import Confidence, Impact, Rating, Reach, Severity
from counterproof.model.survey import FileRole, Language, SourceFile, Survey
from counterproof.protocols.audit.commands import Command, LoadDocuments, RunAgent
from counterproof.protocols.audit.events import (
    AgentFailed,
    AgentFinished,
    AgentStarted,
    BaselineFinished,
    Document,
    DocumentsLoaded,
    Event,
    ReconReported,
    ReportWritten,
    Started,
    Surveyed,
)
from counterproof.protocols.audit.machine import step
from counterproof.protocols.audit.request import AuditRequest
from counterproof.protocols.audit.state import AuditState, Stage
from counterproof.protocols.guard.citations import Citation

NOW = "2026-01-01T00:00:00.000+00:00"


def a_file(path: str = "app.py", loc: int = 1000, language: Language | None = Language.PYTHON, test: bool = False) -> SourceFile:
    return SourceFile(path, language, loc, max(loc, 100), 30 * loc, "0" * 64, FileRole.TEST if test else FileRole.RUNTIME)


def a_survey(*files: SourceFile) -> Survey:
    return Survey("shop", files or (a_file(),), (), 1, "d" * 64)


def an_entry(path: str = "app.py", line: int = 10, kind: EntryKind = EntryKind.HTTP) -> EntryPoint:
    return EntryPoint(kind, "GET", "/", at(path, line), "index")


def a_recon(**changes: object) -> Recon:
    recon = Recon(
        modules=("app",),
        entry_points=(an_entry(),),
        content_types=("html",),
        dependencies=(Dependency("flask", "3.1.0", True, at("requirements.txt", 1)),),
        manifests=("requirements.txt",),
        frameworks=(),
        project_type=ProjectType.GENERAL_WEB,
        public_functions=1,
        outbound_from_arguments=False,
        p0_files=("app.py",),
    )
    return replace(recon, **changes)


def a_short_recon(number: int, **changes: object) -> Recon:
    """What attempt `number` found, and a way of looking that it has not tried yet."""
    every = ("modules", "entry_points", "content_types", "dependencies")
    return a_recon(**{"wider": f"way {number + 1}", "wider_for": every, **changes})


def a_finding(line: int = 20, **changes: object) -> Finding:
    finding = Finding(
        id="F001",
        rule="py.sql",
        title="SQL built from request data",
        dimension=Dimension.D1,
        cwe=89,
        severity=Severity.HIGH,
        confidence=Confidence.HIGH,
        location=at("app.py", line),
        evidence="db.execute(query)",
        impact="An attacker reads every order.",
        rating=Rating(Reach.LOW_PRIVILEGE, Impact.FULL),
        flow=Flow(
            (
                FlowStep(at("app.py", line - 1), StepKind.SOURCE, "q = request.args['q']"),
                FlowStep(at("app.py", line), StepKind.SINK, "db.execute(query)"),
            )
        ),
        proof=a_proof(line),
    )
    return replace(finding, **changes)


def a_proof(line: int = 20, **changes: object) -> Proof:
    """Entry and sink, both checked, nothing assumed: it supports every severity."""
    entry = Fact(at("app.py", line - 1), Operation.READ, "args")
    sink = Fact(at("app.py", line), Operation.CALL, "execute")
    proof = Proof(Shape.FLOW, (Link(Part.ENTRY, entry), Link(Part.SINK, sink)), checked=True)
    return replace(proof, **changes)


def earned(dimensions: tuple[Dimension, ...], path: str = "app.py") -> Ledger:
    """Records that earn full coverage for these dimensions."""
    searches = tuple(
        Search(d, kind, query, 1, (path,)) for d in dimensions for kind, query in (("a", "one"), ("a", "two"), ("b", "three"))
    )
    traces = tuple(Trace(d, "a", at(path, 20), True, "request") for d in dimensions if d.track is not Track.CONFIG)
    items = tuple(Item(d, "a", at(path, 5), True, "fine") for d in dimensions if d.track is Track.CONFIG)
    return Ledger((Read((path,), dimensions),), searches, traces, items, entries=(at(path, 10),))


def a_reply(task: AgentTask, *findings: Finding, ended: bool = True) -> AgentReply:
    return AgentReply(task.agent_id, task.round, task.dimensions, (), findings, ended=ended)


def good(findings: tuple[Finding, ...]) -> tuple[Citation, ...]:
    return tuple(Citation(index, True, True, True, proof=each.proof) for index, each in enumerate(findings))


def finished(task: AgentTask, *findings: Finding, ledger: Ledger | None = None, ended: bool = True) -> AgentFinished:
    return AgentFinished(task.id, NOW, a_reply(task, *findings, ended=ended), ledger or earned(task.dimensions), good(findings))


class Play:
    """Feeds events and keeps the last commands."""

    def __init__(self, request: AuditRequest | None = None) -> None:
        self.state = AuditState()
        self.commands: tuple[Command, ...] = ()
        self.issued: list[Command] = []
        self.feed(Started(request or AuditRequest("/shop"), "1.0"))

    def feed(self, event: Event) -> "Play":
        self.state, self.commands = step(self.state, event)
        self.issued.extend(self.commands)
        return self

    def until_loaded(self, survey: Survey | None = None) -> "Play":
        self.feed(Surveyed("survey", survey or a_survey()))
        load = self.commands[0]
        assert isinstance(load, LoadDocuments)
        return self.feed(DocumentsLoaded(load.id, tuple(Document(name, "0" * 64) for name in load.names)))

    def until_planned(self, survey: Survey | None = None, recon: Recon | None = None) -> "Play":
        self.until_loaded(survey)
        return self.feed(ReconReported("recon/1", recon or a_recon()))

    def until_hunting(self, survey: Survey | None = None, recon: Recon | None = None) -> "Play":
        """Quick hunts at once; standard and deep need the plan confirmed (pass yes=True) and the scan answered."""
        self.until_planned(survey, recon)
        if self.stage is Stage.BASELINE:
            self.scanned()
        elif "semgrep" in self.state.outstanding:
            agents = self.commands
            self.scanned()
            self.commands = agents
        return self

    def scanned(self, baseline: Baseline | None = None) -> "Play":
        return self.feed(BaselineFinished("semgrep", baseline or Baseline(BaselineStatus.SKIPPED, "not installed")))

    def tasks(self) -> tuple[AgentTask, ...]:
        return tuple(command.task for command in self.commands if isinstance(command, RunAgent))

    def hand_in_all(self, *findings: Finding) -> "Play":
        """Every agent of the last launch hands in; findings go to the agents of their dimensions."""
        for task in self.tasks():
            own = tuple(each for each in findings if each.dimension in task.dimensions)
            self.feed(AgentStarted(task.id, NOW)).feed(finished(task, *own))
        return self

    def fail_all(self, reason: str = "it broke") -> "Play":
        for task in self.tasks():
            self.feed(AgentFailed(task.id, NOW, reason))
        return self

    def written(self) -> "Play":
        return self.feed(ReportWritten("report", (("markdown", "0" * 64),)))

    @property
    def stage(self) -> Stage:
        return self.state.stage


def whole_quick_audit(*findings: Finding) -> Play:
    return Play().until_hunting().hand_in_all(*findings)
