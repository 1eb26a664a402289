"""The order of phases, requests to leave it, deep mode's names, the merge of phase 2.5, and HALT (A30, A32, A49)."""

from dataclasses import replace

import pytest

from counterproof.model.agents import AgentStatus, OutputStatus, Registered
from counterproof.model.contract import AgentTask
from counterproof.model.dimension import ALL_DIMENSIONS, Dimension
from counterproof.model.errors import EngineBug
from counterproof.model.receipt import Exit
from counterproof.protocols.audit import markers
from counterproof.protocols.audit.events import AgentFailed, PhaseRequested, ReconReported, Surveyed, TimeUp
from counterproof.protocols.audit.machine import TRANSITIONS
from counterproof.protocols.audit.markers import text
from counterproof.protocols.audit.modes import PHASE_MOVES, Mode, skipped_phase
from counterproof.protocols.audit.moves import enter
from counterproof.protocols.audit.request import AuditRequest
from counterproof.protocols.audit.state import Stage
from protocols.audit.cast import (
    PASSED,
    audit,
    covering,
    diver,
    empty_handed,
    failing,
    grave,
    hunter,
    medium,
    next_round,
    play_on,
    report_of,
    roomy,
    told,
    waiting,
)
from protocols.audit.play import NOW, Play, a_file, a_short_recon, a_survey, finished

PHASES = ("1", "2", "2.5", "3", "4", "5")


def phases(play: Play) -> list[str]:
    return [marker["phase"] for marker in play.state.markers if marker.kind == "phase"]


def halts(play: Play) -> list[tuple[str, str]]:
    return [(marker["trigger"], marker["recovery"]) for marker in play.state.markers if marker.kind == "halt"]


# A30


@pytest.mark.rule("A30")
@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        (Mode.QUICK, ["1", "2", "5"]),
        (Mode.STANDARD, ["1", "2", "2.5", "3", "4", "5"]),
        (Mode.DEEP, ["1", "2", "2.5", "2", "2.5", "3", "4", "5"]),
    ],
)
def test_each_mode_has_its_sequence(mode: Mode, expected: list[str]) -> None:
    assert phases(play_on(audit(mode)).written()) == expected


@pytest.mark.rule("A30")
def test_the_announced_next_phase_is_the_next_phase() -> None:
    play = play_on(audit(Mode.DEEP), hunter=covering(*ALL_DIMENSIONS[1:]), chain_checker=empty_handed).written()
    marks = [marker for marker in play.state.markers if marker.kind == "phase"]
    assert [mark["next"] for mark in marks[:-1]] == [mark["phase"] for mark in marks[1:]]
    assert marks[-1]["next"] == "report"
    assert phases(play).count("2") == 4


ALLOWED = {
    Mode.QUICK: {("1", "2"), ("2", "5")},
    Mode.STANDARD: {("1", "2"), ("2", "2.5"), ("2.5", "2"), ("2.5", "3"), ("3", "4"), ("4", "5")},
}
ALLOWED[Mode.DEEP] = ALLOWED[Mode.STANDARD]


@pytest.mark.rule("A30")
@pytest.mark.parametrize("mode", list(Mode))
def test_every_other_jump_is_a_violation(mode: Mode) -> None:
    for current in PHASE_MOVES[mode]:
        for wanted in (*PHASES, "0", "6", "report"):
            skipped = skipped_phase(mode, current, wanted)
            if wanted == current or (current, wanted) in ALLOWED[mode]:
                assert skipped == ""
            else:
                assert skipped in PHASE_MOVES[mode]


@pytest.mark.rule("A30", "A49")
@pytest.mark.parametrize(
    ("current", "wanted", "back"),
    [("1", "5", "2"), ("2", "5", "2.5"), ("2", "3", "2.5"), ("2.5", "4", "3"), ("3", "5", "4"), ("4", "2", "4"), ("5", "1", "5")],
)
def test_a_jump_is_sent_back_to_the_phase_it_skips(current: str, wanted: str, back: str) -> None:
    assert skipped_phase(Mode.STANDARD, current, wanted) == back


@pytest.mark.rule("A30")
def test_the_engine_itself_cannot_jump() -> None:
    state = audit(Mode.STANDARD).state
    for phase in ("3", "4", "5"):
        with pytest.raises(EngineBug, match="phase_skip_violation"):
            enter(state, phase)
    with pytest.raises(EngineBug, match="phase_skip_violation"):
        enter(replace(state, phase="4"), "2")


@pytest.mark.rule("A27", "A30")
def test_only_when_every_agent_failed_may_two_lead_to_five() -> None:
    play = audit(Mode.STANDARD)
    for task in waiting(play)[1:]:
        play.feed(AgentFailed(task.id, NOW, "broke"))
    play.feed(finished(waiting(play)[0]))
    for task in waiting(play):
        play.feed(AgentFailed(task.id, NOW, "broke again"))
    with pytest.raises(EngineBug, match="phase_skip_violation"):
        enter(replace(play.state, phase="2"), "5")
    failed = play_on(audit(Mode.STANDARD), hunter=failing)
    assert phases(failed) == ["1", "2"]
    assert report_of(failed).outcome.exit is Exit.INCOMPLETE
    assert any(banner.startswith("Audit incomplete") for banner in report_of(failed).banners)


PHASE_OF = {Stage.SURVEY: "1", Stage.HUNT: "2", Stage.DEEP_DIVE: "3", Stage.VALIDATION: "4", Stage.REPORTING: "5"}


def stopped(stage: Stage) -> Play:
    if stage is Stage.SURVEY:
        return Play(AuditRequest("/shop", mode=Mode.STANDARD, yes=True))
    return play_on(audit(Mode.STANDARD), stage, hunter=hunter(grave(1)))


@pytest.mark.rule("A30", "A49")
@pytest.mark.parametrize("stage", list(PHASE_OF))
@pytest.mark.parametrize("wanted", PHASES)
def test_nobody_can_move_the_machine_by_asking(stage: Stage, wanted: str) -> None:
    play = stopped(stage)
    before = play.state
    play.feed(PhaseRequested(wanted))
    assert play.commands == ()
    assert replace(play.state, markers=before.markers) == before
    violated = (PHASE_OF[stage], wanted) not in ALLOWED[Mode.STANDARD] and wanted != PHASE_OF[stage]
    assert [trigger for trigger, _ in halts(play)] == (["phase_skip_violation"] if violated else [])


@pytest.mark.rule("A30", "A49")
def test_a_violation_names_the_phase_it_is_sent_back_to() -> None:
    play = stopped(Stage.HUNT).feed(PhaseRequested("5"))
    assert halts(play) == [("phase_skip_violation", "2 to 5 refused, back to phase 2.5")]
    assert phases(play_on(play).written()) == ["1", "2", "2.5", "3", "4", "5"]


@pytest.mark.rule("A30", "X3")
def test_a_requested_phase_cannot_forge_a_marker() -> None:
    play = stopped(Stage.HUNT).feed(PhaseRequested("\n[PHASE]\nx"))
    assert "\n" not in text(play.state.markers[-1])
    assert not text(markers.phase("2", "completed\n[PHASE]", "3", ())).count("\n")


@pytest.mark.rule("A30")
def test_deep_carries_the_state_names_of_its_state_machine() -> None:
    play = play_on(audit(Mode.DEEP), hunter=covering(*ALL_DIMENSIONS[1:]), chain_checker=empty_handed)
    assert play.state.trail == (
        "PHASE_1_RECON",
        *("ROUND_1_RUNNING", "ROUND_1_EVALUATION", "NEXT_ROUND"),
        *("ROUND_2_RUNNING", "ROUND_2_EVALUATION", "NEXT_ROUND"),
        *("ROUND_3_RUNNING", "ROUND_3_EVALUATION", "NEXT_ROUND"),
        *("ROUND_4_RUNNING", "ROUND_4_EVALUATION"),
        *("DEEP_DIVE", "VALIDATION", "REPORT"),
    )
    assert play_on(audit(Mode.STANDARD)).state.trail == ()


@pytest.mark.rule("A30")
def test_no_stage_after_validation_leads_back() -> None:
    order = list(Stage)
    for stage in (Stage.DEEP_DIVE, Stage.VALIDATION, Stage.REPORTING):
        for targets in TRANSITIONS[stage].values():
            assert all(order.index(target) >= order.index(stage) for target in targets)


@pytest.mark.rule("A51")
def test_a_project_without_a_language_that_is_known_ends_with_the_reason() -> None:
    play = Play().feed(Surveyed("survey", a_survey(a_file("Dockerfile", 0, None))))
    assert play.stage is Stage.ENDED
    assert play.state.outcome is not None
    assert [reason.text for reason in play.state.outcome.reasons] == ["no source in a recognised language was found"]
    assert play.state.outcome.exit is Exit.INCOMPLETE


@pytest.mark.rule("A30")
def test_when_the_time_is_up_before_the_agents_nobody_is_sent_out() -> None:
    play = Play(AuditRequest("/shop", mode=Mode.STANDARD, yes=True)).until_planned()
    assert play.stage is Stage.BASELINE
    play.feed(TimeUp(7))
    assert (play.stage, play.commands) == (Stage.ENDED, ())
    assert play.state.outcome is not None
    assert play.state.outcome.exit is Exit.INCOMPLETE


@pytest.mark.rule("A30")
@pytest.mark.parametrize("stage", [Stage.HUNT, Stage.DEEP_DIVE, Stage.VALIDATION])
@pytest.mark.parametrize("mode", [Mode.STANDARD, Mode.DEEP])
def test_when_the_time_is_up_every_phase_is_still_marked(mode: Mode, stage: Stage) -> None:
    play = play_on(audit(mode), stage, hunter=hunter(grave(1))).feed(TimeUp(7))
    play_on(play, hunter=hunter(grave(1))).written()
    assert phases(play)[-3:] == ["3", "4", "5"]
    assert "The time limit was reached." in report_of(play).banners


# A32


@pytest.mark.rule("A32")
def test_phase_two_point_five_merges_numbers_and_counts() -> None:
    first, second = grave(1, validation=PASSED), grave(2, Dimension.D7, flow=None)
    play = audit(Mode.STANDARD)
    next_round(play, hunter=lambda task: finished(task, *(f for f in (first, first, second) if f.dimension in task.dimensions)))
    assert [(each.id, each.title) for each in play.state.merged] == [("F001", "Problem 1"), ("F002", "Problem 2")]
    assert (
        "[PHASE] phase:2.5 status:completed next:3 evidence:merged_findings=2,dedup_removed=1,pre_validated=1,needs_validation=1"
        in told(play)
    )


@pytest.mark.rule("A32")
def test_a_finding_keeps_its_number_when_later_rounds_add_more() -> None:
    early, late = grave(5), medium(1)
    play = next_round(audit(Mode.DEEP), hunter=hunter(early))
    assert [each.id for each in play.state.merged] == ["F001"]
    next_round(play, hunter=hunter(late, early))
    assert [(each.id, each.title) for each in play.state.merged] == [("F001", "Problem 5"), ("F002", "Problem 1")]
    assert play.state.merged[0].found_by == ("agent-r1-01", "agent-r2-01")


@pytest.mark.rule("A25", "A32")
def test_findings_past_a_reduced_agents_limit_are_refused_in_the_open() -> None:
    play = audit(Mode.STANDARD)
    first = waiting(play)[0]
    play.feed(AgentFailed(first.id, NOW, "cut off", unidentified=True))
    retry = waiting(play)[-1]
    play.feed(finished(retry, *(grave(n) for n in range(8))))
    report = report_of(play_on(play))
    assert sum("beyond the limit of 5 findings" in refused.reason for refused in report.refused) == 3
    count = next(each for each in report.sources if each.source == first.agent_id)
    assert (count.raw, count.kept, count.refused) == (8, 5, 3)


@pytest.mark.rule("A25", "A27")
def test_the_restart_covers_what_halved_retries_had_dropped() -> None:
    play = audit(Mode.STANDARD)
    for _ in range(2):
        for task in waiting(play):
            play.feed(AgentFailed(task.id, NOW, "cut off", unidentified=True))
    reduced = waiting(play)
    assert 1 <= len(reduced) <= 2
    assert {dimension for task in reduced for dimension in task.dimensions} == set(ALL_DIMENSIONS)
    assert {task.limits.turns for task in reduced} == {12}


# A28


@pytest.mark.rule("A28")
def test_the_registry_has_the_seeds_fields_and_a_row_for_every_agent_of_every_phase() -> None:
    fields = set(Registered.__dataclass_fields__)
    assert fields == {
        *("agent_id", "task_id", "status", "round", "dimensions", "output", "findings", "started_at", "completed_at"),
        "model",
    }
    assert [each.value for each in AgentStatus] == ["PENDING", "RUNNING", "COMPLETED", "FAILED", "TRUNCATED"]
    assert [each.value for each in OutputStatus] == ["COMPLETE", "TRUNCATED", "MISSING"]
    play = play_on(audit(Mode.DEEP), hunter=hunter(grave(1)))
    assert {row.task_id for row in play.state.registry} == {task.id for task in play.state.tasks}
    assert all(row.status is AgentStatus.COMPLETED for row in play.state.registry)


@pytest.mark.rule("A28", "A26")
def test_a_retry_takes_the_row_of_the_attempt_before_it() -> None:
    play = audit(Mode.DEEP)
    first = waiting(play)[0]
    play.feed(AgentFailed(first.id, NOW, "broke"))
    assert [row.task_id for row in play.state.registry if row.agent_id == first.agent_id] == [f"{first.agent_id}/attempt-2"]


# A49: the table of recoveries, row by row


@pytest.mark.rule("A49", "A8")
def test_an_incomplete_phase_zero_is_supplemented_up_to_three_attempts() -> None:
    play = Play(AuditRequest("/shop", mode=Mode.STANDARD, yes=True)).until_loaded()
    for number in (1, 2, 3):
        play.feed(ReconReported(f"recon/{number}", a_short_recon(number, modules=())))
    assert halts(play) == [
        ("phase 0 incomplete", "attempt 2 targets modules: way 2"),
        ("phase 0 incomplete", "attempt 3 targets modules: way 3"),
        ("phase 0 incomplete", "no further attempt: all 3 attempts are used"),
    ]
    assert play.stage is Stage.BASELINE


@pytest.mark.rule("A49", "A33", "A43")
def test_an_uncovered_core_gets_targeted_agents() -> None:
    play = play_on(audit(Mode.STANDARD), hunter=covering(*ALL_DIMENSIONS[1:]))
    assert halts(play) == [
        ("coverage or depth too low", "next round: D1 uncovered"),
        ("D1-D3 uncovered", "emergency round: D1 uncovered at the round limit"),
    ]


@pytest.mark.rule("A49", "A26")
def test_a_failed_agent_is_retried_then_capped_and_the_audit_goes_on() -> None:
    def flaky(task: AgentTask):
        return failing(task) if task.agent_id == "agent-r1-03" else hunter()(task)

    play = play_on(audit(Mode.STANDARD), hunter=flaky)
    dimensions = "+".join(play.state.plan.tasks[2].dimensions)  # type: ignore[union-attr]
    assert ("agent failure", f"agent-r1-03 counts as timed out; {dimensions} at most ⚠️") in halts(play)
    assert play.stage is Stage.REPORTING
    assert "4" in play.state.marked


@pytest.mark.rule("A49", "A34")
def test_partial_phases_are_recorded_and_the_run_goes_on() -> None:
    play = play_on(
        audit(Mode.STANDARD, roomy("a.py")),
        hunter=hunter(grave(1)),
        deep_diver=lambda task: replace(diver(task), ledger=replace(diver(task).ledger, reads=())),
        validator=failing,
    )
    assert [trigger for trigger, _ in halts(play)] == ["phase 3 partial", "agent failure", "phase 4 partial"]
    assert Exit.INCOMPLETE in {reason.code for reason in report_of(play).outcome.reasons}
    assert len([banner for banner in report_of(play).banners if "did not finish" in banner]) == 2
