"""Standard and deep audits with agents that do anything at any moment: what holds whatever they do.

Every run ends; no phase is skipped; nothing is covered without evidence; rounds, attempts and tasks are bounded; the report
gate is never passed falsely; replay gives the same state; the order of arrival changes nothing; totals add up.
"""

import random
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from counterproof.model.agents import AgentStatus
from counterproof.model.contract import Role
from counterproof.model.coverage import Status
from counterproof.model.dimension import Dimension
from counterproof.model.ledger import Ledger
from counterproof.model.receipt import Exit
from counterproof.model.recon import RootFacts
from counterproof.model.report import Report
from counterproof.model.severity import Severity
from counterproof.protocols.audit import gates
from counterproof.protocols.audit.events import AgentFailed, BaselineFinished, Event, PhaseRequested, TimeUp
from counterproof.protocols.audit.machine import step
from counterproof.protocols.audit.modes import PHASE_MOVES, ROUND_LIMIT, Mode
from counterproof.protocols.audit.request import AuditRequest
from counterproof.protocols.audit.resolution import NEEDS_MANUAL
from counterproof.protocols.audit.state import AuditState, Stage, known
from effort import examples
from protocols.audit.cast import report_of, waiting
from protocols.audit.chaos import SURVEY, Chaos
from protocols.audit.play import NOW, Play, a_recon, an_entry, finished

MAX_TASKS = 90
RECON = a_recon(entry_points=(an_entry(), an_entry("lib.py", 3)), p0_files=("app.py", "a/deep.py"))


MONOREPO = replace(RECON, roots=(".", "a"), by_root=(RootFacts(".", 1, False), RootFacts("a", 1, False)))
TEAMS = ((), (Role.HUNTER,), tuple(Role))


class Recorded(Play):
    """A play that remembers its events, so that it can be replayed. The seed chooses the tree and who is a model."""

    def __init__(self, mode: Mode, seed: int = 0) -> None:
        self.log: list[Event] = []
        super().__init__(AuditRequest("/shop", mode=mode, yes=True, models=TEAMS[seed % 3]))
        self.until_planned(SURVEY, MONOREPO if seed % 2 else RECON)

    def feed(self, event: Event) -> "Recorded":
        self.log.append(event)
        super().feed(event)
        return self


def hold_at_every_step(state: AuditState) -> None:
    """What is true of every state an audit can be in."""
    busy = {row.task_id for row in state.registry if row.status in (AgentStatus.PENDING, AgentStatus.RUNNING)}
    assert busy == {task.id for task in state.tasks if task.id in state.outstanding}
    assert len({task.id for task in state.tasks}) == len(state.tasks) <= MAX_TASKS
    assert all(task.attempt <= 2 for task in state.tasks)
    assert state.round <= ROUND_LIMIT[known(state.mode)] + 1
    assert sum(each.emergency for each in state.rounds) <= 1
    assert state.stage is not Stage.HUNT or state.phase == "2"
    hold_phases(state)
    hold_coverage(state)


def hold_phases(state: AuditState) -> None:
    marks = [marker["phase"] for marker in state.markers if marker.kind == "phase"]
    moves = PHASE_MOVES[known(state.mode)]
    for one, two in pairwise(marks):
        assert two in moves[one] or (state.all_failed and (one, two) == ("2", "5"))


def hold_coverage(state: AuditState) -> None:
    """No dimension is covered or N/A unless whole agents' ledgers, of analysts or of models, in a round that was evaluated,
    earned it."""
    judged = [work for work in state.work if work.hunting and work.task.round <= len(state.rounds)]
    kinds = [[work.ledger for work in judged if work.whole and work.modelled is modelled] for modelled in (False, True)]
    for row in state.coverage:
        if row.status in (Status.COVERED, Status.NOT_APPLICABLE):
            assert any(earned_by(ledgers, row.dimension) for ledgers in kinds)
    for root in state.roots:
        for row, whole in zip(root.coverage, state.coverage, strict=True):
            if root.decides and row.status is not Status.NOT_APPLICABLE:
                assert whole.status.rank <= row.status.rank


def earned_by(ledgers: list[Ledger], dimension: Dimension) -> bool:
    traced = any(each.complete and each.dimension is dimension for led in ledgers for each in led.traces)
    read = any(each.judged and each.dimension is dimension for led in ledgers for each in led.items)
    searched = [s for led in ledgers for s in led.searches if s.dimension is dimension]
    return traced or read or (len(searched) >= 3 and all(search.hits == 0 for search in searched))


def hold_at_the_end(play: Play) -> None:
    state, report = play.state, report_of(play)
    assert play.stage is Stage.REPORTING
    assert not waiting(play)
    assert all(check.passed or check.waivable for check in gates.can_report(state))
    hold_severities(state, report)
    hold_totals(state, report)
    hold_outcome(state, report)


def hold_severities(state: AuditState, report: Report) -> None:
    for row in report.findings:
        if state.resolved is None or row.severity.rank < Severity.HIGH.rank:
            continue
        assert row.confidence.confirmed or NEEDS_MANUAL in row.labels
        assert row.finding.poc or (row.finding.no_poc_reason and NEEDS_MANUAL in row.labels)


def hold_totals(state: AuditState, report: Report) -> None:
    duplicates = report.validation.duplicates if report.validation else 0
    assert sum(each.kept for each in report.sources) == len(report.findings) + len(report.rejected) + duplicates
    assert all(each.raw == each.kept + each.refused + each.repeats for each in report.sources)
    scan = report.baseline
    assert scan is not None
    assert scan.confirmed + scan.rejected + scan.needs_manual == scan.total
    if report.validation:
        each = report.validation
        assert each.full + each.spot_checked + each.batch + each.accepted == len(state.merged)


def hold_outcome(state: AuditState, report: Report) -> None:
    """Green only if nothing at all came up short."""
    short = [
        state.all_failed,
        bool(state.waivers),
        not gates.score(state).met,
        state.time_up,
        state.dive is None or not state.dive.completed,
        state.resolved is None or state.resolved.unvalidated > 0,
        any(not work.whole for work in state.work if work.hunting),
    ]
    incomplete = Exit.INCOMPLETE in {reason.code for reason in report.outcome.reasons}
    assert incomplete or not any(short)
    if state.all_failed:
        assert state.resolved is None
    else:
        assert {"3", "4"} <= set(state.marked)


def replayed(log: list[Event]) -> AuditState:
    state = AuditState()
    for event in log:
        state, _ = step(state, event)
    return state


class AnyAgents(RuleBasedStateMachine):
    """Hypothesis chooses which agent replies, how, and when time runs out."""

    def __init__(self) -> None:
        super().__init__()
        self.play = Recorded(Mode.STANDARD)
        self.spoken = 0

    @precondition(lambda self: self.spoken == 0)
    @rule(seed=st.integers(0, 999), mode=st.sampled_from([Mode.STANDARD, Mode.DEEP]))
    def begin(self, seed: int, mode: Mode) -> None:
        self.play = Recorded(mode, seed)
        self.play.feed(BaselineFinished("semgrep", Chaos(seed).baseline()))
        self.spoken = 1

    @precondition(lambda self: bool(waiting(self.play)))
    @rule(seed=st.integers(0, 9999), place=st.integers(0, 20))
    def somebody_hands_in(self, seed: int, place: int) -> None:
        tasks = waiting(self.play)
        self.speak(*Chaos(seed).behave(tasks[place % len(tasks)]))

    @precondition(lambda self: len(waiting(self.play)) > 1)
    @rule(seed=st.integers(0, 9999))
    def everybody_hands_in(self, seed: int) -> None:
        for task in waiting(self.play):
            self.speak(*Chaos(seed).behave(task))

    @precondition(lambda self: self.play.stage not in (Stage.BASELINE, Stage.ENDED))
    @rule(wanted=st.sampled_from(["1", "2", "2.5", "3", "4", "5", "\n[PHASE]"]))
    def somebody_asks_for_a_phase(self, wanted: str) -> None:
        stage, phase = self.play.stage, self.play.state.phase
        self.speak(PhaseRequested(wanted))
        assert (self.play.stage, self.play.state.phase) == (stage, phase)

    @precondition(lambda self: self.spoken > 3 and not self.play.state.time_up)
    @rule(sure=st.integers(0, 9))
    def time_runs_out(self, sure: int) -> None:
        if sure == 0 and self.play.stage is not Stage.BASELINE:
            self.speak(TimeUp(60))

    @precondition(lambda self: bool(self.play.state.work))
    @rule(place=st.integers(0, 40))
    def somebody_is_late(self, place: int) -> None:
        done = self.play.state.work
        before = replace(self.play.state, ignored=())
        self.speak(finished(done[place % len(done)].task))
        assert replace(self.play.state, ignored=()) == before

    def speak(self, *events: Event) -> None:
        for event in events:
            self.play.feed(event)
            self.spoken += 1

    @invariant()
    def holds(self) -> None:
        hold_at_every_step(self.play.state)

    def teardown(self) -> None:
        """However far it got: if all who are left fail, the run ends, and the report is honest."""
        if self.play.stage is Stage.BASELINE:
            self.play.scanned()
        for _ in range(MAX_TASKS):
            if self.play.stage is Stage.REPORTING:
                break
            self.speak(AgentFailed(waiting(self.play)[0].id, NOW, "gone"))
            hold_at_every_step(self.play.state)
        hold_at_the_end(self.play)
        assert replayed(self.play.log) == self.play.state
        assert self.play.written().stage is Stage.ENDED


AnyAgents.TestCase.settings = settings(
    max_examples=examples(40), stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)


@pytest.mark.rule("A16", "A26", "A27", "A28", "A30", "A48")
def test_the_run_ends_and_the_report_is_honest_whatever_agents_do() -> None:
    AnyAgents.TestCase("runTest").runTest()


def played(mode: Mode, seed: int, order: int, rings: int = 0) -> Recorded:
    """A whole audit of one seed; `order` decides who is heard first, `rings` after how many events the time is up."""
    chaos, play, shuffle = Chaos(seed), Recorded(mode, seed), random.Random(order)
    scan = BaselineFinished("semgrep", chaos.baseline())
    if mode is Mode.STANDARD:
        play.feed(scan)
    heard = 0
    while play.stage is not Stage.REPORTING:
        late = mode is Mode.DEEP and "semgrep" in play.state.outstanding
        tasks = waiting(play)
        choice = shuffle.randrange(len(tasks) + late)
        for event in [scan] if choice == len(tasks) else chaos.behave(tasks[choice]):
            play.feed(event)
            hold_at_every_step(play.state)
            heard += 1
            if heard == rings:
                play.feed(TimeUp(60))
    return play


MODES = st.sampled_from([Mode.STANDARD, Mode.DEEP])


@pytest.mark.rule("A20", "A28", "A32", "A36", "A39")
@settings(max_examples=examples(40), deadline=None)
@given(MODES, st.integers(0, 100_000), st.integers(1, 100))
def test_the_order_of_replies_does_not_change_the_report(mode: Mode, seed: int, order: int) -> None:
    one, other = played(mode, seed, 0), played(mode, seed, order)
    hold_at_the_end(one)
    assert report_of(one) == report_of(other)


@pytest.mark.rule("A33", "A34", "A36", "A42")
@settings(max_examples=examples(40), deadline=None)
@given(MODES, st.integers(0, 100_000), st.integers(1, 25))
def test_the_time_may_run_out_at_any_moment(mode: Mode, seed: int, rings: int) -> None:
    play = played(mode, seed, seed, rings)
    hold_at_the_end(play)
    assert replayed(play.log) == play.state
