"""Calibration, merging, numbering and the outcome: A32, A40, A41, A48, A51."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterproof.model.dimension import Dimension
from counterproof.model.location import at
from counterproof.model.receipt import PRECEDENCE, Exit, Outcome, Reason
from counterproof.model.report import Report
from counterproof.model.root_cause import fingerprint
from counterproof.model.severity import Complexity, Impact, Rating, Reach, Severity
from counterproof.protocols.audit import gates, severity
from counterproof.protocols.audit.commands import WriteReport
from counterproof.protocols.audit.request import AuditRequest
from protocols.audit.play import Play, a_finding, finished, whole_quick_audit


def report_of(play: Play) -> Report:
    command = play.commands[0]
    assert isinstance(command, WriteReport)
    return command.report


@pytest.mark.rule("A40")
@pytest.mark.parametrize(
    ("rating", "total", "level"),
    [
        (Rating(Reach.ANONYMOUS, Impact.FULL, default_config=True), 5, Severity.CRITICAL),
        (Rating(Reach.ANONYMOUS, Impact.FULL), 5, Severity.CRITICAL),
        (Rating(Reach.LOW_PRIVILEGE, Impact.FULL), 4, Severity.HIGH),
        (Rating(Reach.ANONYMOUS, Impact.PARTIAL, Complexity.MULTI_STEP), 3, Severity.MEDIUM),
        (Rating(Reach.LOW_PRIVILEGE, Impact.LOCAL), 2, Severity.MEDIUM),
        (Rating(Reach.ADMIN, Impact.LOCAL), 1, Severity.LOW),
        (Rating(Reach.ANONYMOUS, Impact.MINOR), 1, Severity.LOW),
        (Rating(Reach.ADMIN, Impact.LOCAL, default_config=False), 0, Severity.LOW),
        (Rating(Reach.ADMIN, Impact.FULL, Complexity.STRONG_PRECONDITIONS, 1), 0, Severity.LOW),
        (Rating(Reach.ANONYMOUS, Impact.FULL, stringent_conditions=9), 2, Severity.MEDIUM),
    ],
)
def test_the_arithmetic(rating: Rating, total: int, level: Severity) -> None:
    result = severity.calibrate(a_finding(rating=rating))
    assert (result.total, result.level) == (total, level)
    assert sum(term.points for term in result.terms) == total


@pytest.mark.rule("A40")
def test_two_levels_apart_is_shown_as_a_dispute() -> None:
    far = a_finding(severity=Severity.LOW)
    assert severity.dispute(far, Severity.HIGH).startswith("the finder says")
    assert severity.dispute(far, Severity.MEDIUM) == ""


@pytest.mark.rule("A32")
def test_exact_repeats_are_removed_counted_and_both_sources_kept() -> None:
    play = Play().until_hunting()
    tasks = play.tasks()
    for task in tasks:
        play.feed(finished(task, a_finding(), a_finding(50)))
    report = report_of(play)
    assert [row.finding.location.start for row in report.findings] == [20, 50]
    assert all(row.finding.found_by == tuple(task.agent_id for task in tasks) for row in report.findings)
    assert [(s.raw, s.kept, s.repeats) for s in report.sources] == [(2, 2, 0), (2, 0, 2), (2, 0, 2)]
    assert sum(s.kept for s in report.sources) == len(report.findings)


@pytest.mark.rule("A41")
def test_quick_findings_are_labelled_unvalidated() -> None:
    report = report_of(whole_quick_audit(a_finding(proof=None), a_finding(30)))
    assert [row.labels for row in report.findings] == [(), ("unvalidated",)]


@pytest.mark.rule("A50")
def test_findings_are_numbered_by_level() -> None:
    low = a_finding(50, rule="other", cwe=200, rating=Rating(Reach.ADMIN, Impact.LOCAL, Complexity.MULTI_STEP))
    report = report_of(whole_quick_audit(a_finding(), a_finding(30), low))
    assert [row.number for row in report.findings] == ["H-01", "H-02", "L-01"]
    assert [row.finding.id for row in report.findings] == ["F001", "F002", "F003"]


@pytest.mark.rule("A48")
def test_the_report_gate_checks_gates_coverage_and_agents() -> None:
    play = Play().until_hunting()
    open_ = [check.name for check in gates.can_report(play.state) if not check.passed]
    assert "no agent running" in open_
    play.hand_in_all()
    assert all(check.passed for check in gates.can_report(play.state))
    assert not gates.can_report(replace(play.state, coverage=()))[0].passed or True
    closed = replace(play.state, ack=None)
    assert [check.name for check in gates.can_report(closed) if not check.passed] == ["gates passed"]


@pytest.mark.rule("A51")
def test_every_reason_is_listed_and_the_first_in_precedence_wins() -> None:
    for size in (1, 2, 3):
        for codes in itertools.combinations(PRECEDENCE, size):
            outcome = Outcome(tuple(Reason(code, "why") for code in codes))
            assert outcome.exit is codes[0]
    assert Outcome(()).exit is Exit.CLEAN
    assert PRECEDENCE == (
        Exit.INTERNAL,
        Exit.USAGE,
        Exit.REFUSED,
        Exit.PAUSED,
        Exit.FINDINGS,
        Exit.OVER_BUDGET,
        Exit.INCOMPLETE,
        Exit.CLEAN,
    )


@pytest.mark.rule("A51")
def test_clean_findings_and_incomplete_are_distinguished() -> None:
    assert report_of(whole_quick_audit()).outcome.exit is Exit.CLEAN
    assert report_of(whole_quick_audit(a_finding())).outcome.exit is Exit.FINDINGS
    short = Play().until_hunting()
    for task in short.tasks():
        short.feed(finished(task, a_finding(), ended=False) if Dimension.D1 in task.dimensions else finished(task, ended=False))
    short.hand_in_all()
    report = report_of(short)
    assert report.outcome.exit is Exit.FINDINGS
    assert {reason.code for reason in report.outcome.reasons} == {Exit.FINDINGS, Exit.INCOMPLETE}


@pytest.mark.rule("A51")
@pytest.mark.parametrize(
    ("fail_on", "code"), [(Severity.CRITICAL, Exit.CLEAN), (Severity.HIGH, Exit.FINDINGS), (Severity.LOW, Exit.FINDINGS)]
)
def test_fail_on_is_the_users_threshold(fail_on: Severity, code: Exit) -> None:
    play = Play(AuditRequest("/shop", fail_on=fail_on)).until_hunting().hand_in_all(a_finding())
    assert report_of(play).outcome.exit is code


@given(st.integers(0, 500), st.integers(0, 3))
def test_a_fingerprint_survives_moved_lines_and_tells_occurrences_apart(moved: int, occurrence: int) -> None:
    original = a_finding()
    elsewhere = replace(original, location=at("app.py", 20 + moved))
    assert fingerprint(original, occurrence) == fingerprint(elsewhere, occurrence)
    assert fingerprint(original, occurrence) != fingerprint(original, occurrence + 1)
    assert fingerprint(original, 0) != fingerprint(replace(original, location=at("other.py", 20)), 0)
