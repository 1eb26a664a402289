"""Phase 4c: who validates what, and what happens when validators misbehave (A36, A37)."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterproof.model.contract import AgentTask, Role
from counterproof.model.dimension import Dimension
from counterproof.model.finding import Finding
from counterproof.model.judgement import Judgement, Verdict
from counterproof.model.ledger import Ledger, Read
from counterproof.model.location import at
from counterproof.model.receipt import Exit
from counterproof.model.severity import Impact, Rating, Reach, Severity
from counterproof.protocols.audit import merge, phase_four, validation
from counterproof.protocols.audit.events import TimeUp
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.resolution import ACCEPTED, PRE_VALIDATED, UNVALIDATED, VALIDATED
from counterproof.protocols.audit.state import Stage, known
from counterproof.protocols.audit.validation import MAIN_THREAD, Routing, route
from effort import examples
from protocols.audit.cast import (
    FITTING,
    PASSED,
    audit,
    failing,
    grave,
    hunter,
    judged,
    low,
    medium,
    play_on,
    reading,
    report_of,
    roomy,
    told,
    validator,
    waiting,
)


def numbered(findings: list[Finding]) -> tuple[Finding, ...]:
    return tuple(replace(each, id=f"F{n:03}", found_by=("agent-r1-01",)) for n, each in enumerate(findings, 1))


def routed(*findings: Finding) -> Routing:
    known = numbered(list(findings))
    return route(known, merge.expected(known))


def graves(count: int, **changes: object) -> list[Finding]:
    return [grave(n, **{"poc": "curl", **changes}) for n in range(1, count + 1)]


def to_validation(*findings: Finding, **parts) -> object:
    return play_on(audit(Mode.STANDARD), Stage.VALIDATION, hunter=hunter(*findings), **parts)


def given_to(play) -> dict[str, int]:
    """Validator -> how many findings it was given."""
    counts: dict[str, int] = {}
    for task in play.state.tasks:
        if task.role is Role.VALIDATOR:
            counts[task.agent_id] = counts.get(task.agent_id, 0) + len(task.findings)
    return counts


@pytest.mark.rule("A36")
@pytest.mark.parametrize(
    ("finding", "route_"),
    [
        (grave(1), "full"),
        (grave(1, severity=Severity.CRITICAL), "full"),
        (grave(1, validation=FITTING[Verdict.DOWNGRADED]), "full"),
        (grave(1, validation=PASSED), "full"),
        (medium(1), "batch"),
        (medium(1, validation=PASSED), "spot"),
        (low(1), "accepted"),
        (low(1, validation=PASSED), "accepted"),
    ],
)
def test_each_finding_takes_its_route(finding: Finding, route_: str) -> None:
    found = routed(finding)
    assert [name for name in ("full", "spot", "passed_unchecked", "batch", "accepted") if getattr(found, name)] == [route_]


@pytest.mark.rule("A36")
@pytest.mark.parametrize("word", [Severity.LOW, Severity.MEDIUM])
def test_no_finder_escapes_validation_by_underrating_a_severe_finding(word: Severity) -> None:
    assert len(routed(grave(1, severity=word)).full) == 1
    assert len(routed(grave(1, severity=word, validation=PASSED)).full) == 1


@pytest.mark.rule("A36")
def test_the_finders_own_severity_is_enough_for_full_validation() -> None:
    assert len(routed(grave(1, rule="same"), medium(2, rule="same")).full) == 1
    admin = Rating(Reach.ADMIN, Impact.FULL)
    giver = grave(1, poc="x", cwe=798, dimension=Dimension.D7, flow=None)
    mild = grave(2, rating=admin, severity=Severity.HIGH)
    play = to_validation(giver, mild)
    assert given_to(play) == {"validator-01": 2}


@pytest.mark.rule("A36")
@pytest.mark.parametrize(("passed", "checked"), [(0, 0), (1, 1), (3, 3), (4, 3), (10, 3), (11, 4), (20, 6), (100, 30)])
def test_the_size_of_the_spot_check(passed: int, checked: int) -> None:
    assert validation.spot_checks(passed) == checked
    found = routed(*(medium(n, validation=PASSED) for n in range(1, passed + 1)))
    assert (len(found.spot), len(found.passed_unchecked)) == (checked, passed - checked)


@pytest.mark.rule("A36")
@pytest.mark.parametrize(
    ("full", "batch", "expected"),
    [
        (0, 0, {}),
        (0, 3, {MAIN_THREAD: 3}),
        (0, 11, {"validator-01": 11}),
        (1, 0, {"validator-01": 1}),
        (5, 0, {"validator-01": 5}),
        (5, 10, {"validator-01": 15}),
        (5, 11, {"validator-01": 5, "validator-02": 11}),
    ],
)
def test_how_many_validators(full: int, batch: int, expected: dict[str, int]) -> None:
    mediums = [medium(n) for n in range(50, 50 + batch)]
    counts: dict[str, int] = {}
    for each in validation.assignments(routed(*graves(full), *mediums)):
        counts[each.agent_id] = counts.get(each.agent_id, 0) + len(each.findings)
    assert counts == expected


@pytest.mark.rule("A36")
@pytest.mark.parametrize(("full", "count"), [(0, 0), (1, 1), (5, 1), (6, 2), (12, 2), (13, 3), (99, 3)])
def test_the_table_of_validators(full: int, count: int) -> None:
    assert validation.validator_count(full) == count
    spread_out = [grave(n, location=at(f"f{n}.py", 1)) for n in range(full)]
    names = {each.agent_id for each in validation.assignments(routed(*spread_out))}
    assert len(names) == count


@pytest.mark.rule("A36")
def test_spot_checks_are_the_main_threads_and_batches_take_three_steps() -> None:
    given_ = validation.assignments(routed(medium(1, validation=PASSED), medium(2), grave(3)))
    assert [(each.agent_id, each.steps) for each in given_] == [("validator-01", 4), (MAIN_THREAD, 4), ("validator-01", 3)]


@pytest.mark.rule("A37")
@settings(max_examples=examples(40), deadline=None)
@given(st.lists(st.tuples(st.integers(0, 6), st.sampled_from(["v1", "v2", "h1"])), max_size=20))
def test_whole_files_go_to_one_validator_and_never_to_a_finder(spots: list[tuple[int, str]]) -> None:
    found = tuple(
        grave(n, id=f"F{n:03}", location=at(f"f{file}.py", n + 1), found_by=(finder,)) for n, (file, finder) in enumerate(spots)
    )
    given_ = validation.spread(found, ("v1", "v2"))
    assert sorted(f.id for each in given_ for f in each.findings) == [f.id for f in found]
    owner: dict[str, str] = {}
    for each in given_:
        for finding in each.findings:
            assert each.agent_id not in finding.found_by
            assert owner.setdefault(finding.location.path, each.agent_id) == each.agent_id


@pytest.mark.rule("A37")
def test_no_hunter_or_diver_is_ever_asked_to_validate() -> None:
    play = play_on(audit(Mode.DEEP), hunter=hunter(*graves(14), medium(30)))
    finders = {task.agent_id for task in play.state.tasks if task.role is not Role.VALIDATOR}
    assert finders.isdisjoint(given_to(play))


@pytest.mark.rule("A37", "A38")
@pytest.mark.parametrize(
    "spoil",
    [
        lambda word: replace(word, at=None),
        lambda word: replace(word, at=at("never_read.py", 1)),
        lambda word: replace(word, at=at("app.py", 99_999)),
        lambda word: replace(word, finding_id="F999"),
        lambda word: replace(word, validation=Finding.__dataclass_fields__["validation"].default),
        lambda word: replace(word, validation=FITTING[Verdict.REJECTED]),
        lambda word: replace(word, verdict=Verdict.REJECTED),
    ],
)
def test_a_verdict_without_reasons_lines_or_reads_goes_to_the_main_thread_and_then_counts_as_none(spoil) -> None:
    def bare(task: AgentTask):
        event = validator(task)
        return replace(event, reply=replace(event.reply, judgements=tuple(map(spoil, event.reply.judgements))))

    play = play_on(audit(Mode.STANDARD, roomy("never_read.py")), hunter=hunter(*graves(1)), validator=bare)
    assert given_to(play) == {"validator-01": 1, MAIN_THREAD: 1}
    assert play.state.resolved
    assert [UNVALIDATED in each.labels for each in play.state.resolved.ruled] == [True]
    assert "Validation did not finish: 1 finding not validated." in report_of(play).banners


@pytest.mark.rule("A37", "A29")
def test_a_validator_that_did_not_read_the_findings_file_is_not_believed() -> None:
    def elsewhere(task: AgentTask):
        words = tuple(judged(each, path="other.py") for each in task.findings)
        event = validator(task)
        ledger = Ledger(reads=(Read(("other.py",), ()),))
        return replace(event, reply=replace(event.reply, judgements=words), ledger=ledger)

    play = play_on(audit(Mode.STANDARD, roomy("other.py")), hunter=hunter(*graves(1)), validator=elsewhere)
    assert [each.judgement for each in phase_four.rulings(play.state).values()] == [None]


@pytest.mark.rule("A37")
def test_a_judgement_of_an_unassigned_finding_does_not_count() -> None:
    def meddling(task: AgentTask):
        event = validator(task)
        if task.steps == 3:
            return event
        stray = Judgement("F002", Verdict.REJECTED, FITTING[Verdict.REJECTED], at("app.py", 20))
        return replace(event, reply=replace(event.reply, judgements=(*event.reply.judgements, stray)))

    play = play_on(audit(Mode.STANDARD), hunter=hunter(grave(1, poc="x"), medium(2)), validator=meddling)
    assert report_of(play).rejected == ()
    assert len(report_of(play).findings) == 2


@pytest.mark.rule("A37")
def test_a_finders_verdict_on_its_own_finding_does_not_count() -> None:
    play = to_validation(*graves(1))
    (task,) = waiting(play)
    own = replace(task, findings=tuple(replace(each, found_by=(task.agent_id,)) for each in task.findings))
    event = validator(task)
    work = play.feed(event).state.work[-1]
    assert len(phase_four.opinion_of(play.state, work).judgements) == 1
    assert phase_four.opinion_of(play.state, replace(work, task=own)).judgements == ()


@pytest.mark.rule("A37")
@pytest.mark.parametrize(
    ("part", "left"),
    [
        (failing, 3),
        (lambda task: replace(validator(task), reply=replace(validator(task).reply, agent_id="mallory")), 3),
        (
            lambda task: replace(
                validator(task),
                reply=replace(validator(task).reply, ended=False, judgements=validator(task).reply.judgements[:1]),
            ),
            2,
        ),
    ],
)
def test_findings_that_a_validator_leaves_open_go_to_the_main_thread(part, left: int) -> None:
    def flaky(task: AgentTask):
        return validator(task) if task.agent_id == MAIN_THREAD else part(task)

    play = play_on(audit(Mode.STANDARD), hunter=hunter(*graves(3)), validator=flaky)
    assert given_to(play) == {"validator-01": 3, MAIN_THREAD: left}
    report = report_of(play)
    assert play.state.resolved
    assert all(VALIDATED in each.labels for each in play.state.resolved.ruled)
    assert any(line.startswith("[HALT] trigger:agent failure recovery:validator-01") for line in told(play))
    assert (report.banners, report.outcome.exit) == ((), Exit.FINDINGS)


@pytest.mark.rule("A37", "A49")
def test_when_the_main_thread_fails_too_the_run_goes_on_and_says_so() -> None:
    play = play_on(audit(Mode.STANDARD), hunter=hunter(*graves(3)), validator=failing)
    assert given_to(play) == {"validator-01": 3, MAIN_THREAD: 3}
    report = report_of(play)
    assert [row.severity for row in report.findings] == [Severity.HIGH] * 3
    assert "[HALT] trigger:phase 4 partial recovery:recorded as a gap; the report is marked incomplete" in told(play)


@pytest.mark.rule("A37", "A28")
def test_one_validator_with_two_tasks_fails_at_both_and_every_row_stays_in_the_registry() -> None:
    play = play_on(audit(Mode.STANDARD), hunter=hunter(grave(1), medium(2)), validator=failing)
    assert [row.task_id for row in play.state.registry if row.agent_id in ("validator-01", MAIN_THREAD)] == [
        "main-thread/instead-of-validator-01-validate-1",
        "main-thread/instead-of-validator-01-validate-2",
        "validator-01/validate-1",
        "validator-01/validate-2",
    ]


@pytest.mark.rule("A36")
def test_a_pass_that_no_spot_check_refutes_counts_as_pre_validated() -> None:
    play = play_on(audit(Mode.STANDARD), hunter=hunter(*(medium(n, validation=PASSED) for n in range(1, 11))))
    assert play.state.resolved
    labels = [each.labels[0] for each in play.state.resolved.ruled]
    assert (labels.count(VALIDATED), labels.count(PRE_VALIDATED)) == (3, 7)
    assert all(row.severity is Severity.MEDIUM for row in report_of(play).findings)


@pytest.mark.rule("A36")
def test_a_failed_spot_check_sends_all_findings_of_that_agent_to_full_validation() -> None:
    def strict(task: AgentTask):
        event = validator(task)
        words = tuple(
            judged(
                each, Verdict.REJECTED if task.agent_id == MAIN_THREAD and each.dimension is Dimension.D1 else Verdict.CONFIRMED
            )
            for each in task.findings
        )
        return replace(event, reply=replace(event.reply, judgements=words))

    mine = (*(medium(n, validation=PASSED) for n in range(1, 11)), low(21))
    others = [medium(n, dimension=Dimension.D7, validation=PASSED, flow=None) for n in (30, 31)]
    play = play_on(audit(Mode.STANDARD), hunter=hunter(*mine, *others), validator=strict)
    assert play.state.escalated == ("agent-r1-01",)
    assert "[HALT] trigger:spot check failed recovery:all findings of agent-r1-01 are validated in full" in told(play)
    again = {f.id for task in play.state.tasks if task.agent_id.startswith("validator-e") for f in task.findings}
    spot = {f.id for f in known(play.state.routing).spot}
    assert again == {f.id for f in play.state.merged if f.found_by == ("agent-r1-01",)} - spot
    assert all(task.steps == 4 for task in play.state.tasks if task.agent_id.startswith("validator-e"))
    assert play.state.resolved
    assert all(each.labels[0] == VALIDATED for each in play.state.resolved.ruled if each.finding.dimension is Dimension.D1)


@pytest.mark.rule("A36")
def test_a_batch_verdict_of_three_steps_is_not_enough_after_a_failed_spot_check() -> None:
    short = FITTING[Verdict.CONFIRMED]
    three = replace(short, impact=Finding.__dataclass_fields__["validation"].default.impact)

    def lazy(task: AgentTask):
        if task.agent_id == MAIN_THREAD and task.findings[0].validation.passed:
            return validator(task, Verdict.REJECTED)
        words = tuple(Judgement(each.id, Verdict.CONFIRMED, three, at("app.py", 20)) for each in task.findings)
        event = validator(task)
        return replace(event, reply=replace(event.reply, judgements=words))

    play = play_on(audit(Mode.STANDARD), hunter=hunter(medium(1, validation=PASSED), medium(2)), validator=lazy)
    assert play.state.resolved
    (ruled,) = play.state.resolved.ruled
    assert UNVALIDATED in ruled.labels


@pytest.mark.rule("A36")
def test_escalations_end_and_never_reuse_a_task_id() -> None:
    def always_no(task: AgentTask):
        return validator(task, Verdict.DOWNGRADED)

    both = [grave(n, d, validation=PASSED, poc="x") for n in range(8) for d in (Dimension.D1, Dimension.D3)]
    play = play_on(audit(Mode.DEEP), hunter=hunter(*both), validator=always_no)
    ids = [task.id for task in play.state.tasks]
    assert len(set(ids)) == len(ids)


@pytest.mark.rule("A36")
def test_low_findings_are_accepted_and_say_so() -> None:
    play = play_on(audit(Mode.STANDARD), hunter=hunter(low(1)))
    assert given_to(play) == {}
    assert play.state.resolved
    assert [each.labels for each in play.state.resolved.ruled] == [(ACCEPTED,)]
    assert report_of(play).outcome.exit is Exit.CLEAN


@pytest.mark.rule("A36", "A38")
def test_when_the_time_is_up_nobody_validates_and_the_report_says_so() -> None:
    play = audit(Mode.STANDARD).feed(TimeUp(1))
    play_on(play, hunter=hunter(*graves(2)))
    report = report_of(play)
    assert given_to(play) == {}
    assert [row.severity for row in report.findings] == [Severity.HIGH] * 2
    assert "Validation did not finish: 2 findings not validated." in report.banners


@pytest.mark.rule("A36", "A35")
def test_hits_and_findings_are_validated_side_by_side() -> None:
    play = to_validation(*graves(1))
    assert {task.role for task in waiting(play)} == {Role.VALIDATOR}
    assert reading(waiting(play)[0]).files_read() == {"app.py"}
