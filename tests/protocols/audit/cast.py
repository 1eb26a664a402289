"""Scripted agents for standard and deep audits: every role does its job unless a test says otherwise."""

from collections.abc import Callable
from dataclasses import replace

from counterproof.model.baseline import Baseline, BaselineStatus, Hit, Unparsed
from counterproof.model.contract import AgentReply, AgentTask, Role
from counterproof.model.coverage import DimensionCoverage, Status
from counterproof.model.dimension import ALL_DIMENSIONS, Dimension
from counterproof.model.finding import Finding, StepResult, Validation, ValidationStep
from counterproof.model.flow import Flow, FlowStep, StepKind
from counterproof.model.judgement import HitJudgement, HitVerdict, Judgement, Verdict
from counterproof.model.ledger import Ledger, Read
from counterproof.model.location import at
from counterproof.model.report import Report
from counterproof.model.severity import Complexity, Impact, Rating, Reach, Severity
from counterproof.model.survey import Survey
from counterproof.protocols.audit.commands import WriteReport
from counterproof.protocols.audit.events import AgentFailed, AgentFinished, Event
from counterproof.protocols.audit.markers import text
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.request import AuditRequest
from counterproof.protocols.audit.state import Stage
from protocols.audit.play import NOW, Play, a_file, a_finding, a_survey, earned, finished, good

Part = Callable[[AgentTask], Event]

MILD = Rating(Reach.LOW_PRIVILEGE, Impact.LOCAL)
"""Calibrates to Medium."""

HARMLESS = Rating(Reach.ADMIN, Impact.LOCAL, Complexity.STRONG_PRECONDITIONS)
"""Calibrates to Low."""

PASSED = Validation(*(ValidationStep(StepResult.PASS, f"step {n} holds", at("app.py", 20)) for n in range(1, 5)))


def steps(*results: StepResult) -> Validation:
    """Four steps with these outcomes; what is not given passes."""
    full = (*results, *(StepResult.PASS,) * (4 - len(results)))
    return Validation(*(ValidationStep(each, "" if each is StepResult.SKIP else "seen in the code") for each in full))


FITTING = {
    Verdict.CONFIRMED: steps(),
    Verdict.DOWNGRADED: steps(StepResult.PASS, StepResult.PARTIAL),
    Verdict.REJECTED: steps(StepResult.PASS, StepResult.FAIL),
}


def audit(mode: Mode, survey: Survey | None = None, **changes: object) -> Play:
    """Played up to the hunt, the plan confirmed in advance, the scan skipped."""
    request = replace(AuditRequest("/shop", mode=mode, yes=True), **changes)
    return Play(request).until_hunting(survey)


def judged(finding: Finding, verdict: Verdict = Verdict.CONFIRMED, path: str = "", line: int = 20) -> Judgement:
    return Judgement(finding.id, verdict, FITTING[verdict], at(path or finding.location.path, line))


def reading(task: AgentTask) -> Ledger:
    """A ledger that shows every file of the task as read."""
    paths = {each.location.path for each in task.findings} | {hit.path for hit in task.hits} | set(task.files) | {"app.py"}
    return Ledger(reads=(Read(tuple(sorted(paths)), task.dimensions),))


def reply(task: AgentTask, **changes: object) -> AgentReply:
    return replace(AgentReply(task.agent_id, task.round, task.dimensions, (), ()), **changes)


def validator(task: AgentTask, verdict: Verdict = Verdict.CONFIRMED) -> AgentFinished:
    words = tuple(judged(each, verdict) for each in task.findings)
    return AgentFinished(task.id, NOW, reply(task, judgements=words), reading(task), ())


def a_flow(depth: int, path: str = "app.py") -> Flow:
    kinds = (StepKind.SOURCE, *(StepKind.ASSIGN,) * (depth - 2), StepKind.SINK)
    return Flow(tuple(FlowStep(at(path, 10 + n), kind, f"line {n}") for n, kind in enumerate(kinds)))


def diver(task: AgentTask, *findings: Finding, flows: tuple[Flow, ...] = (a_flow(6),)) -> AgentFinished:
    answer = reply(task, findings=findings, flows=flows)
    return AgentFinished(task.id, NOW, answer, reading(task), good(findings))


def hits(count: int, path: str = "app.py", dimension: Dimension | None = Dimension.D1) -> tuple[Hit, ...]:
    return tuple(
        Hit(f"S{n:03}", "sql-string", path, n, n, "string in a query", 89, Severity.HIGH, dimension) for n in range(1, count + 1)
    )


def scan(*found: Hit, unparsed: int = 0) -> Baseline:
    """A completed scan, or a partial one if anything was left unparsed."""
    if not unparsed:
        return Baseline(BaselineStatus.COMPLETED, "", found)
    left = tuple(Unparsed(f"broken{n}.py", "syntax error") for n in range(unparsed))
    return Baseline(BaselineStatus.PARTIAL, "some files could not be read", found, left)


def from_hit(hit: Hit, **changes: object) -> Finding:
    finding = a_finding(rule=hit.rule, location=hit.location, flow=None, validation=PASSED, poc="curl …")
    return replace(finding, **changes)


def verifier(task: AgentTask, verdict: HitVerdict = HitVerdict.REJECTED) -> AgentFinished:
    confirmed = verdict is HitVerdict.CONFIRMED
    found = tuple(from_hit(hit) for hit in task.hits) if confirmed else ()
    words = tuple(
        HitJudgement(hit.id, verdict, "the query is a literal", found[n] if confirmed else None)
        for n, hit in enumerate(task.hits)
    )
    answer = reply(task, hit_judgements=words, findings=found)
    return AgentFinished(task.id, NOW, answer, reading(task), good(found))


def failing(task: AgentTask) -> AgentFailed:
    return AgentFailed(task.id, NOW, "it broke")


def hunter(*findings: Finding) -> Part:
    """Covers its dimensions and hands in the findings of them, in every round the same."""

    def part(task: AgentTask) -> AgentFinished:
        own = tuple(each for each in findings if each.dimension in task.dimensions)
        event = finished(task, *own)
        paths = {"app.py", *(each.location.path for each in own)}
        return replace(event, ledger=replace(event.ledger, reads=(Read(tuple(sorted(paths)), task.dimensions),)))

    return part


def empty_handed(task: AgentTask) -> AgentFinished:
    """Whole, but never searched anything."""
    return finished(task, ledger=Ledger(reads=(Read(("app.py",), task.dimensions),)))


def covering(*dimensions: Dimension) -> Part:
    """Searches only these dimensions, whatever it was asked."""
    return lambda task: finished(task, ledger=earned(tuple(d for d in task.dimensions if d in dimensions)))


CAST: dict[Role, Part] = {
    Role.HUNTER: hunter(),
    Role.CHAIN_CHECKER: hunter(),
    Role.DEEP_DIVER: diver,
    Role.VALIDATOR: validator,
    Role.HIT_VERIFIER: verifier,
}


def waiting(play: Play) -> tuple[AgentTask, ...]:
    """Unanswered tasks, in the order in which they were issued."""
    return tuple(task for task in play.state.tasks if task.id in play.state.outstanding)


def play_on(play: Play, until: Stage = Stage.REPORTING, **parts: Part) -> Play:
    """Let every agent hand in until the machine reaches a stage; `parts` replace roles by name (hunter, deep_diver, …)."""
    cast = {**CAST, **{Role[name.upper()]: part for name, part in parts.items()}}
    for _ in range(200):
        if play.stage is until:
            return play
        task = waiting(play)[0]
        play.feed(cast[task.role](task))
    raise AssertionError("the run does not end")


def next_round(play: Play, **parts: Part) -> Play:
    """Let everyone of this round hand in, and stop when the next round, or phase 3, begins."""
    here = play.state.round
    cast = {**CAST, **{Role[name.upper()]: part for name, part in parts.items()}}
    while play.stage is Stage.HUNT and play.state.round == here:
        task = waiting(play)[0]
        play.feed(cast[task.role](task))
    return play


def report_of(play: Play) -> Report:
    return next(command.report for command in reversed(play.issued) if isinstance(command, WriteReport))


def told(play: Play) -> list[str]:
    """The markers of phases and halts as they are printed."""
    return [text(marker) for marker in play.state.markers if marker.kind in ("phase", "halt")]


def roomy(*more: str) -> Survey:
    """A project with files that phase 2 may leave unread."""
    return a_survey(a_file("app.py"), *(a_file(path, 100) for path in more))


def rows(**statuses: str) -> tuple[DimensionCoverage, ...]:
    """A coverage matrix: all covered except those given as D4="❌"."""
    return tuple(
        DimensionCoverage(each, Status(statuses.get(each.value, "✅")), "because", complete_traces=1) for each in ALL_DIMENSIONS
    )


def grave(number: int, dimension: Dimension = Dimension.D1, **changes: object) -> Finding:
    """A distinct High finding, each of a type and in a function of its own."""
    own = {"rule": f"py.rule-{number}", "function": f"view_{number}", "title": f"Problem {number}"}
    return a_finding(**{"line": 20 + 10 * number, "dimension": dimension, **own, **changes})


def medium(number: int, **changes: object) -> Finding:
    return grave(number, **{"severity": Severity.MEDIUM, "rating": MILD, **changes})


def low(number: int, **changes: object) -> Finding:
    return grave(number, **{"severity": Severity.LOW, "rating": HARMLESS, **changes})
