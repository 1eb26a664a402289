"""Agents at work: A24 to A29, and what happens when they misbehave."""

from dataclasses import replace

import pytest

from counterproof.model.agents import AgentStatus, OutputStatus
from counterproof.model.confidence import Confidence
from counterproof.model.coverage import Status
from counterproof.model.dimension import Dimension
from counterproof.model.errors import InvalidValue
from counterproof.model.flow import Break, Flow
from counterproof.model.ledger import Ledger, Read
from counterproof.model.receipt import Exit
from counterproof.protocols.audit.commands import WriteReport
from counterproof.protocols.audit.confidence import confidence_of
from counterproof.protocols.audit.events import AgentFailed, AgentFinished, AgentStarted, TimeUp
from counterproof.protocols.audit.state import Stage
from counterproof.protocols.guard.citations import Citation
from protocols.audit.play import NOW, Play, a_finding, a_reply, earned, finished, good


def report_of(play: Play):
    command = next(command for command in reversed(play.issued) if isinstance(command, WriteReport))
    return command.report


@pytest.mark.rule("A24")
def test_a_broken_flow_is_claimed_at_most() -> None:
    whole = a_finding().flow
    assert whole is not None
    assert confidence_of(a_finding()) is Confidence.PROVED
    assert confidence_of(a_finding(flow=Flow(whole.steps, Break.CALLBACK))) is Confidence.CLAIMED


@pytest.mark.rule("A24")
@pytest.mark.parametrize("change", [{"evidence": ""}, {"evidence": "a\nb\nc\nd"}, {"title": " "}, {"cwe": 0}])
def test_a_finding_outside_the_contract_cannot_be_made(change: dict[str, object]) -> None:
    with pytest.raises(InvalidValue):
        a_finding(**change)


@pytest.mark.rule("A25")
def test_a_truncated_reply_keeps_its_findings_and_caps_its_dimensions() -> None:
    play = Play().until_hunting()
    first, *others = play.tasks()
    assert Dimension.D1 in first.dimensions
    play.feed(finished(first, a_finding(), ended=False))
    for task in others:
        play.feed(finished(task))
    report = report_of(play)
    assert len(report.findings) == 1
    assert {row.dimension for row in report.coverage if row.status is Status.SHALLOW} >= set(first.dimensions)
    row = next(row for row in play.state.registry if row.agent_id == first.agent_id)
    assert (row.status, row.output) == (AgentStatus.TRUNCATED, OutputStatus.TRUNCATED)


@pytest.mark.rule("A25")
def test_output_that_names_nobody_is_dropped_and_retried_once_at_half_size() -> None:
    play = Play().until_hunting()
    first = play.tasks()[0]
    play.feed(AgentFailed(first.id, NOW, "cut off", unidentified=True))
    (retry,) = play.tasks()
    assert retry.id == "agent-r1-01/attempt-2"
    assert retry.dimensions == first.dimensions[: len(first.dimensions) // 2]
    assert retry.limits.turns == first.limits.turns // 2
    assert retry.limits.findings == 5
    many = tuple(a_finding(line) for line in range(20, 28))
    event = AgentFinished(retry.id, NOW, a_reply(retry, *many), earned(retry.dimensions), good(many))
    play.feed(event)
    assert len(play.state.work[0].kept) == 5


@pytest.mark.rule("A26")
def test_a_failure_is_retried_once_and_then_counts_as_timed_out() -> None:
    play = Play().until_hunting()
    first, *others = play.tasks()
    play.feed(AgentFailed(first.id, NOW, "broke"))
    (retry,) = play.tasks()
    assert retry.dimensions == first.dimensions
    play.feed(AgentFailed(retry.id, NOW, "broke again"))
    assert play.tasks() == ()
    for task in others:
        play.feed(finished(task))
    report = report_of(play)
    assert report.outcome.exit is Exit.INCOMPLETE
    assert any("agent-r1-01 failed: broke again" in banner for banner in report.banners)


@pytest.mark.rule("A26", "A28")
def test_words_from_nobody_or_too_late_are_recorded_and_ignored() -> None:
    play = Play().until_hunting()
    first = play.tasks()[0]
    stranger = replace(first, id="agent-r9-99/attempt-1", agent_id="agent-r9-99")
    before = play.state.work
    play.feed(finished(stranger))
    assert play.state.work == before
    play.feed(finished(first)).feed(finished(first, a_finding()))
    assert len(play.state.work) == 1
    assert len(play.state.ignored) == 2


@pytest.mark.rule("A26")
@pytest.mark.parametrize("change", [{"agent_id": "agent-r1-02"}, {"round": 2}])
def test_a_reply_that_is_not_the_asked_agents_is_a_failure(change: dict[str, object]) -> None:
    play = Play().until_hunting()
    first = play.tasks()[0]
    event = finished(first, a_finding())
    play.feed(replace(event, reply=replace(event.reply, **change)))
    assert not play.state.work
    assert [task.id for task in play.tasks()] == ["agent-r1-01/attempt-2"]


@pytest.mark.rule("A27")
def test_when_all_fail_reduced_agents_restart_once_and_then_the_audit_is_incomplete() -> None:
    play = Play().until_hunting()
    tasks = play.tasks()
    for task in tasks:
        play.feed(AgentFailed(task.id, NOW, "broke"))
    for task in tasks:
        play.feed(AgentFailed(f"{task.agent_id}/attempt-2", NOW, "broke"))
    reduced = play.tasks()
    assert 1 <= len(reduced) <= 2
    assert {d for task in reduced for d in task.dimensions} == set(Dimension)
    assert all(task.limits.turns == 12 and len(task.dimensions) == 5 for task in reduced)
    play.fail_all()
    assert play.stage is Stage.REPORTING
    report = report_of(play)
    assert any(banner.startswith("Audit incomplete") for banner in report.banners)
    assert report.outcome.exit is Exit.INCOMPLETE


@pytest.mark.rule("A28")
def test_the_registry_follows_every_agent() -> None:
    play = Play().until_hunting()
    first = play.tasks()[0]
    row = play.state.registry[0]
    assert (row.agent_id, row.task_id, row.status, row.output) == (
        "agent-r1-01",
        "agent-r1-01/attempt-1",
        AgentStatus.PENDING,
        OutputStatus.MISSING,
    )
    play.feed(AgentStarted(first.id, NOW))
    assert (play.state.registry[0].status, play.state.registry[0].started_at) == (AgentStatus.RUNNING, NOW)
    play.feed(finished(first, a_finding()))
    row = play.state.registry[0]
    assert (row.status, row.output, row.findings, row.completed_at) == (AgentStatus.COMPLETED, OutputStatus.COMPLETE, 1, NOW)


@pytest.mark.rule("A29", "X12")
@pytest.mark.parametrize(
    ("citation", "read", "reason"),
    [
        (None, True, "not checked"),
        (Citation(0, False, False, False), True, "not part of the reviewed code"),
        (Citation(0, True, True, True), False, "never read"),
        (Citation(0, True, False, False), True, "lines do not exist"),
        (Citation(0, True, True, False), True, "quoted evidence"),
        (Citation(0, True, True, True, in_tests=True), True, "test code"),
        (Citation(1, True, True, True), True, "not checked"),
    ],
)
def test_a_claim_that_does_not_check_out_is_refused_counted_and_shown(citation: Citation | None, read: bool, reason: str) -> None:
    play = Play().until_hunting()
    first, *others = play.tasks()
    ledger = replace(earned(first.dimensions), reads=(Read(("app.py",) if read else ("other.py",), first.dimensions),))
    citations = (citation,) if citation else ()
    play.feed(AgentFinished(first.id, NOW, a_reply(first, a_finding()), ledger, citations))
    for task in others:
        play.feed(finished(task))
    report = report_of(play)
    assert report.findings == ()
    assert [refused.agent_id for refused in report.refused] == [first.agent_id]
    assert reason in report.refused[0].reason
    assert report.sources[0].refused == 1


@pytest.mark.rule("A29")
def test_keys_and_settings_in_tests_are_still_reported() -> None:
    play = Play().until_hunting()
    task = next(task for task in play.tasks() if Dimension.D7 in task.dimensions)
    finding = a_finding(dimension=Dimension.D7, cwe=798)
    event = finished(task, finding)
    play.feed(replace(event, citations=(Citation(0, True, True, True, in_tests=True),)))
    assert len(play.state.work[0].kept) == 1


def test_time_up_stops_retries_and_makes_the_run_incomplete() -> None:
    play = Play().until_hunting()
    tasks = play.tasks()
    play.feed(TimeUp(5))
    assert play.stage is Stage.HUNT
    for task in tasks:
        play.feed(finished(task, ledger=Ledger(), ended=False))
    assert play.stage is Stage.REPORTING
    report = report_of(play)
    assert report.outcome.exit is Exit.INCOMPLETE
    assert "The time limit was reached." in report.banners


def test_time_up_before_hunting_ends_the_run_with_the_reason() -> None:
    play = Play().until_loaded().feed(TimeUp(5))
    assert play.stage is Stage.ENDED
    assert play.state.outcome is not None
    assert play.state.outcome.reasons[0].text == "the time limit of 5 s passed during recon"
