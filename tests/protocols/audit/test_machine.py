"""The machine as a whole: the table is the law, every run ends, order does not matter, replay gives the same state."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterproof.model.baseline import Baseline, BaselineStatus
from counterproof.model.contract import AgentTask, Claim
from counterproof.model.coverage import Status
from counterproof.model.dimension import Dimension
from counterproof.model.errors import EngineBug
from counterproof.model.ledger import Ledger
from counterproof.protocols.audit import hunt, machine, markers, phase_five
from counterproof.protocols.audit.commands import RunAgent, WriteReport
from counterproof.protocols.audit.events import (
    Ack,
    AgentFailed,
    AgentFinished,
    AgentStarted,
    BaselineFinished,
    DocumentsLoaded,
    Event,
    PhaseRequested,
    PlanAnswered,
    ReconReported,
    ReportWritten,
    Started,
    Surveyed,
    TimeUp,
)
from counterproof.protocols.audit.machine import AGENT_EVENTS, TRANSITIONS, step
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.request import AuditRequest
from counterproof.protocols.audit.state import AuditState, Stage
from effort import examples
from protocols.audit.play import NOW, Play, a_finding, a_recon, a_reply, a_survey, earned, finished, good, whole_quick_audit


def states() -> dict[Stage, AuditState]:
    """One real state per stage."""
    play = Play()
    found = {Stage.NEW: AuditState(), Stage.SURVEY: play.state}
    found[Stage.LOADING] = play.feed(Surveyed("survey", a_survey())).state
    found[Stage.RECON] = Play().until_loaded().state
    found[Stage.HUNT] = Play().until_hunting().state
    found[Stage.CONFIRMATION] = Play(AuditRequest("/shop", mode=Mode.STANDARD)).until_planned().state
    standard = AuditRequest("/shop", mode=Mode.STANDARD, yes=True)
    found[Stage.BASELINE] = Play(standard).until_planned().state
    found[Stage.DEEP_DIVE] = Play(standard).until_hunting().hand_in_all(a_finding()).state
    found[Stage.VALIDATION] = Play(standard).until_hunting().hand_in_all(a_finding()).hand_in_all().state
    found[Stage.REPORTING] = whole_quick_audit().state
    found[Stage.ENDED] = whole_quick_audit().written().state
    return found


def one_of_each(state: AuditState | None = None) -> tuple[Event, ...]:
    waiting = [task for task in state.tasks if task.id in state.outstanding] if state else []
    task = waiting[0] if waiting else Play().until_hunting().tasks()[0]
    return (
        Started(AuditRequest("/shop"), "1.0"),
        Surveyed("survey", a_survey()),
        DocumentsLoaded("load/1", ()),
        ReconReported("recon/1", a_recon()),
        PlanAnswered("plan", Ack.CONFIRMED),
        AgentStarted(task.id, NOW),
        finished(task),
        AgentFailed(task.id, NOW, "broke"),
        BaselineFinished("semgrep", Baseline(BaselineStatus.SKIPPED, "not installed")),
        PhaseRequested("5"),
        TimeUp(9),
        ReportWritten("report", ()),
    )


@pytest.mark.rule("A30")
@pytest.mark.parametrize("stage", list(Stage))
def test_every_pair_of_stage_and_event_is_accepted_or_refused_explicitly(stage: Stage) -> None:
    state = states()[stage]
    for event in one_of_each(state):
        allowed = TRANSITIONS[stage].get(event.kind)
        answers = getattr(event, "answers", None)
        if allowed is not None and (answers is None or answers in state.outstanding):
            assert step(state, event)[0].stage in allowed
        elif event.kind in AGENT_EVENTS or stage is Stage.ENDED:
            after, commands = step(state, event)
            assert commands == ()
            assert replace(after, ignored=state.ignored) == state
            assert len(after.ignored) == len(state.ignored) + 1
        else:
            with pytest.raises(EngineBug):
                step(state, event)


@pytest.mark.rule("A30")
def test_the_table_and_the_handlers_cover_the_same_events() -> None:
    in_table = {kind for row in TRANSITIONS.values() for kind in row}
    handled = set(machine._HANDLERS) | {kind for _, kind in machine._AGENT_HANDLERS}
    assert in_table == handled == {event.kind for event in one_of_each()}
    assert set(TRANSITIONS) == set(Stage)


@pytest.mark.rule("A30")
def test_a_handler_that_leaves_the_table_is_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(machine._HANDLERS, "started", lambda state, event: (replace(state, stage=Stage.REPORTING), ()))
    with pytest.raises(EngineBug, match="table forbids"):
        step(AuditState(), Started(AuditRequest("/shop"), "1.0"))


@pytest.mark.rule("A30")
def test_quick_runs_phases_1_2_5_in_order() -> None:
    play = whole_quick_audit().written()
    assert [marker["phase"] for marker in play.state.markers if marker.kind == "phase"] == ["1", "2", "5"]


class Chaos:
    """Agents that answer in every way there is, by chance."""

    def __init__(self, seed: str) -> None:
        self.chance = random.Random(seed)

    def behave(self, task: AgentTask) -> list[Event]:
        chance = self.chance
        kind = chance.choice(["good", "lying", "truncated", "failing", "nameless", "foreign", "twice", "silent"])
        findings = tuple(a_finding(chance.randint(2, 90)) for _ in range(chance.randint(0, 3)))
        event = AgentFinished(task.id, NOW, a_reply(task, *findings), earned(task.dimensions), good(findings))
        match kind:
            case "good":
                return [event]
            case "lying":
                boast = tuple(Claim(d, Status.COVERED, "sure") for d in task.dimensions)
                return [replace(event, reply=replace(event.reply, claims=boast), ledger=Ledger(), citations=())]
            case "truncated":
                return [replace(event, reply=replace(event.reply, ended=False))]
            case "failing" | "silent":
                return [AgentFailed(task.id, NOW, "timed out" if kind == "silent" else "broke")]
            case "nameless":
                return [AgentFailed(task.id, NOW, "cut off", unidentified=True)]
            case "foreign":
                return [replace(event, reply=replace(event.reply, agent_id="mallory"))]
            case _:
                return [event, event]


def played(seed: int, order: int) -> tuple[Play, list[Event]]:
    """A whole audit with misbehaving agents; `order` decides who is heard first, `seed` what each says."""
    play, log = Play().until_hunting(), list[Event]()
    shuffle = random.Random(order)
    heard: dict[str, list[Event]] = {}
    waiting = list(play.tasks())
    for _ in range(50):
        if play.stage is not Stage.HUNT:
            break
        task = waiting.pop(shuffle.randrange(len(waiting)))
        for event in heard.setdefault(task.id, Chaos(f"{seed} {task.id}").behave(task)):
            play.feed(event)
            log.append(event)
            waiting.extend(play.tasks())
    return play, log


@pytest.mark.rule("A26", "A27", "A30", "A48")
@settings(max_examples=examples(150), deadline=None)
@given(st.integers(0, 10_000))
def test_every_run_ends_and_nothing_is_covered_without_evidence(seed: int) -> None:
    play, _ = played(seed, 0)
    assert play.stage is Stage.REPORTING
    assert not hunt.running(play.state)
    assert max(task.attempt for task in play.state.tasks) <= 2
    assert len(play.state.tasks) <= 2 * 3 + 2
    traced = {t.dimension for work in play.state.work for t in work.ledger.traces if t.complete}
    judged = {i.dimension for work in play.state.work for i in work.ledger.items if i.judged}
    for row in play.state.coverage:
        if row.status is Status.COVERED:
            assert row.dimension in traced | judged
    report = next(command.report for command in play.issued if isinstance(command, WriteReport))
    clean = all(work.whole for work in play.state.work)
    assert clean or report.outcome.exit != 0


@pytest.mark.rule("A20", "A32")
@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 50))
def test_the_order_of_arrival_changes_nothing(seed: int, order: int) -> None:
    reports = [
        next(command.report for command in played(seed, each)[0].issued if isinstance(command, WriteReport))
        for each in (0, order)
    ]
    assert reports[0] == reports[1]


@pytest.mark.rule("A48")
def test_the_report_cannot_be_asked_for_while_an_agent_runs() -> None:
    play = Play().until_hunting()
    with pytest.raises(EngineBug, match="report gate"):
        phase_five.write_report(play.state)


def test_terminal_states_absorb() -> None:
    ended = whole_quick_audit().written().state
    for event in one_of_each():
        after, commands = step(ended, event)
        assert commands == ()
        assert after.stage is Stage.ENDED
        assert after.outcome == ended.outcome


def test_only_dimensions_that_were_asked_for_are_planned_and_shown() -> None:
    play = Play(AuditRequest("/shop", only=(Dimension.D1, Dimension.D7))).until_hunting()
    assert {d for task in play.tasks() for d in task.dimensions} == {Dimension.D1, Dimension.D7}
    play.hand_in_all()
    report = play.commands[0].report  # type: ignore[union-attr]
    assert [row.dimension for row in report.coverage] == [Dimension.D1, Dimension.D7]
    assert "Audited as requested: D1, D7 only." in report.banners


def test_commands_have_unique_deterministic_ids() -> None:
    first, second = whole_quick_audit(), whole_quick_audit()
    assert [command.id for command in first.issued] == [command.id for command in second.issued]
    assert len({command.id for command in first.issued}) == len(first.issued)
    assert [c.id for c in first.issued if isinstance(c, RunAgent)] == [f"agent-r1-0{n}/attempt-1" for n in (1, 2, 3)]
    assert all(markers.text(marker) for marker in first.state.markers)
