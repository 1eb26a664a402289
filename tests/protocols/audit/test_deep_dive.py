"""Phase 3 by substance: A34, A58."""

from dataclasses import replace

import pytest

from counterproof.model.contract import AgentTask, Role
from counterproof.model.dimension import ALL_DIMENSIONS, Dimension
from counterproof.model.flow import Flow
from counterproof.model.ledger import Ledger, Read, Trace
from counterproof.model.leftover import Left, Leftover
from counterproof.model.location import at
from counterproof.model.receipt import Exit
from counterproof.model.severity import Severity
from counterproof.protocols.audit import deep_dive
from counterproof.protocols.audit.events import AgentFailed, AgentFinished, TimeUp
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.request import AuditRequest
from counterproof.protocols.audit.state import Stage
from protocols.audit.cast import (
    a_flow,
    audit,
    diver,
    failing,
    grave,
    hunter,
    low,
    play_on,
    report_of,
    roomy,
    told,
    waiting,
)
from protocols.audit.play import NOW, Play, a_file, a_finding, a_recon, a_survey, finished

FIVE = roomy("a.py", "b.py", "c.py", "d.py")


DEEPER = (a_flow(6),)


def dive(read_now=("a.py", "b.py", "c.py"), p0=("app.py",), flows=DEEPER, survey=FIVE):
    """Phase 2 read app.py and found one flow of two steps."""
    return deep_dive.judge(survey, p0, frozenset({"app.py"}), frozenset(read_now), (a_finding(),), flows, 0)


@pytest.mark.rule("A34")
def test_three_new_files_all_p0_files_and_a_deeper_flow_complete_the_phase() -> None:
    assert dive().completed


@pytest.mark.rule("A34")
@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"read_now": ("a.py", "b.py")}, "2 new files were read, 3 are needed"),
        ({"read_now": ("app.py", "a.py", "b.py")}, "2 new files were read, 3 are needed"),
        ({"read_now": ("a.py", "b.py", "nowhere.py")}, "2 new files were read, 3 are needed"),
        ({"p0": ("app.py", "d.py")}, "P0 files were not covered: d.py"),
    ],
)
def test_anything_short_of_it_is_partial_and_says_so(change: dict[str, object], why: str) -> None:
    assert dive(**change).shortfalls == (why,)  # type: ignore[arg-type]


@pytest.mark.rule("A34", "A58")
@pytest.mark.parametrize("flows", [(), (a_flow(2),)])
def test_depth_alone_never_makes_the_phase_partial(flows: tuple[Flow, ...]) -> None:
    done = dive(flows=flows)
    assert (done.completed, done.exhausted) == (True, False)


@pytest.mark.rule("A34")
@pytest.mark.parametrize(("unread", "enough"), [((), ()), (("a.py",), ("a.py",)), (("a.py", "b.py"), ("a.py", "b.py"))])
def test_fewer_are_enough_where_fewer_are_left(unread: tuple[str, ...], enough: tuple[str, ...]) -> None:
    assert dive(read_now=enough, survey=roomy(*unread)).completed


@pytest.mark.rule("A34")
def test_tests_and_settings_are_not_counted_as_unread_source() -> None:
    survey = a_survey(a_file(), a_file("tests/t.py", test=True), a_file("conf.ini", 0, None))
    assert dive(read_now=(), survey=survey).unread_before == 0


@pytest.mark.rule("A34")
def test_without_flows_in_phase_two_none_is_asked_for() -> None:
    done = deep_dive.judge(FIVE, (), frozenset({"app.py"}), frozenset({"a.py", "b.py", "c.py"}), (a_finding(flow=None),), (), 0)
    assert done.completed


def traced(sink, complete=True, origin="request"):
    if complete:
        return Trace(Dimension.D1, "sql", sink, True, origin=origin)
    return Trace(Dimension.D1, "sql", sink, False, broken_by="callback")


SINK = a_finding().flow.sink.location  # type: ignore[union-attr]


@pytest.mark.rule("A34")
@pytest.mark.parametrize(
    ("traces", "survey", "nothing_deeper"),
    [
        ((traced(SINK),), roomy(), True),
        ((traced(SINK),), FIVE, False),
        ((), roomy(), False),
        ((traced(SINK, complete=False),), roomy(), False),
        ((traced(SINK), traced(SINK, complete=False)), roomy(), False),
        ((traced(SINK, origin="literal"),), roomy(), False),
        ((traced(at("app.py", SINK.start + 1)),), roomy(), False),
    ],
)
def test_nothing_deeper_counts_when_the_record_shows_every_flow_to_its_end(traces, survey, nothing_deeper: bool) -> None:
    read = frozenset({"app.py"})
    done = deep_dive.judge(survey, (), read, read, (a_finding(),), (), 0, traces=traces)
    assert done.exhausted == nothing_deeper


@pytest.mark.rule("A34", "A29")
@pytest.mark.parametrize(
    ("flow", "believed"),
    [
        (a_flow(6), True),
        (a_flow(6, "unread.py"), False),
        (a_flow(6, "app.py"), True),
        (a_flow(5000), False),
    ],
)
def test_a_claimed_flow_counts_only_on_lines_that_exist_in_files_that_were_read(flow, believed: bool) -> None:
    assert deep_dive.credible(flow, a_survey(), frozenset({"app.py"})) is believed


@pytest.mark.rule("A34")
def test_a_flow_that_the_diver_invents_counts_for_no_depth() -> None:
    play = audit(Mode.STANDARD)
    play_on(play, hunter=hunter(grave(1)), deep_diver=lambda task: diver(task, flows=(a_flow(9, "nowhere.py"),)))
    dive = report_of(play).dive
    assert dive is not None
    assert dive.deepest == 0


@pytest.mark.rule("A34")
def test_the_diver_gets_unread_files_p0_first_and_the_most_severe_findings_first() -> None:
    request = AuditRequest("/shop", mode=Mode.STANDARD, yes=True)
    play = Play(request).until_hunting(roomy("a.py", "z_auth.py"), a_recon(p0_files=("app.py", "z_auth.py")))
    play_on(play, Stage.DEEP_DIVE, hunter=hunter(low(1), grave(2)))
    (task,) = waiting(play)
    assert (task.role, task.files) == (Role.DEEP_DIVER, ("z_auth.py", "a.py"))
    assert [finding.severity for finding in task.findings] == [Severity.HIGH, Severity.LOW]


@pytest.mark.rule("A34", "A59")
@pytest.mark.parametrize("models", [(), (Role.HUNTER,)])
def test_what_a_model_read_need_not_be_read_by_the_diver(models: tuple[Role, ...]) -> None:
    def reads(task: AgentTask) -> AgentFinished:
        return replace(
            finished(task), ledger=Ledger(reads=(Read(("app.py", "z_auth.py")[: 1 + bool(task.model)], ALL_DIMENSIONS),))
        )

    request = AuditRequest("/shop", mode=Mode.STANDARD, yes=True, models=models)
    play = Play(request).until_hunting(roomy("z_auth.py"), a_recon(p0_files=("app.py", "z_auth.py")))
    play_on(play, hunter=reads, deep_diver=lambda task: replace(diver(task), ledger=Ledger()))
    assert play.state.dive is not None
    assert any("P0 files were not covered: z_auth.py" in each for each in play.state.dive.shortfalls) is not bool(models)


@pytest.mark.rule("A34", "A49")
def test_a_partial_dive_is_recorded_announced_and_does_not_stop_validation() -> None:
    play = play_on(audit(Mode.STANDARD, FIVE), deep_diver=lambda task: replace(diver(task), ledger=Ledger()))
    assert play.state.marked[-2:] == ("3", "4")
    assert "[PHASE] phase:3 status:partial next:4 evidence:deep_files=0,new_findings=0" in told(play)
    assert "[HALT] trigger:phase 3 partial recovery:recorded as a gap; the report is marked incomplete" in told(play)
    report = report_of(play)
    assert report.banners == ("The deep dive did not finish: 0 new files were read, 3 are needed.",)
    assert report.outcome.exit is Exit.INCOMPLETE


@pytest.mark.rule("A34", "A26")
@pytest.mark.parametrize(
    ("part", "why"),
    [
        (failing, "the diver failed: it broke"),
        (lambda task: replace(diver(task), reply=replace(diver(task).reply, ended=False)), "the diver was cut off"),
    ],
)
def test_nobody_dived_to_the_end_is_partial_even_with_nothing_left_to_read(part, why: str) -> None:
    play = play_on(audit(Mode.STANDARD), deep_diver=part)
    assert play.state.dive is not None
    assert play.state.dive.shortfalls == (why,)
    assert play.state.resolved is not None


@pytest.mark.rule("A34", "A26")
def test_a_failing_diver_is_retried_once() -> None:
    play = play_on(audit(Mode.STANDARD), Stage.DEEP_DIVE)
    play.feed(AgentFailed("agent-p3-01/attempt-1", NOW, "broke"))
    assert [task.id for task in waiting(play)] == ["agent-p3-01/attempt-2"]
    assert play_on(play).state.dive.completed  # type: ignore[union-attr]


@pytest.mark.rule("A34")
def test_when_the_time_is_up_nobody_dives_and_the_phase_says_so() -> None:
    play = play_on(audit(Mode.STANDARD).feed(TimeUp(3)))
    assert not [task for task in play.state.tasks if task.role is Role.DEEP_DIVER]
    assert play.state.dive is not None
    assert play.state.dive.shortfalls == ("no deep dive: the time limit was reached",)


@pytest.mark.rule("A34")
def test_what_the_diver_finds_joins_the_findings_and_keeps_their_numbers() -> None:
    play = audit(Mode.STANDARD)
    new = grave(5, poc="curl")
    play_on(play, hunter=hunter(grave(1)), deep_diver=lambda task: diver(task, grave(1), new))
    assert [(f.id, f.title, f.found_by) for f in play.state.merged] == [
        ("F001", "Problem 1", ("agent-p3-01", "agent-r1-01")),
        ("F002", "Problem 5", ("agent-p3-01",)),
    ]
    assert "[PHASE] phase:3 status:completed next:4 evidence:deep_files=0,new_findings=1" in told(play)
    counts = {count.source: (count.raw, count.kept, count.repeats) for count in report_of(play).sources}
    assert counts["agent-r1-01"] == (1, 1, 0)
    assert counts["agent-p3-01"] == (2, 1, 1)


@pytest.mark.rule("A34")
def test_reads_of_phase_two_by_anyone_count_as_read() -> None:
    play = audit(Mode.STANDARD, FIVE)
    everything = tuple(file.path for file in FIVE.files)

    def thorough(task):
        event = hunter()(task)
        return replace(event, ledger=replace(event.ledger, reads=(Read(everything, task.dimensions),)))

    play_on(play, Stage.DEEP_DIVE, hunter=thorough)
    assert waiting(play)[0].files == ()
    assert waiting(play)[0].dimensions == ALL_DIMENSIONS
    assert play_on(play).state.dive.completed  # type: ignore[union-attr]


@pytest.mark.rule("A34", "A50")
def test_the_report_says_what_the_dive_did() -> None:
    report = report_of(play_on(audit(Mode.STANDARD, FIVE), hunter=hunter(grave(1), grave(2, Dimension.D7))))
    assert report.dive is not None
    assert (report.dive.unread, report.dive.read, report.dive.p0_missing) == (4, 4, ())
    assert (report.dive.mean_depth, report.dive.deepest, report.dive.pairs) == ("2.0", 6, 1)
    assert report_of(play_on(audit(Mode.QUICK))).dive is None


LEFT = (Leftover(Left.STORES, 4, 1), Leftover(Left.REVISIONS, 0, why="there is no history to read"))


@pytest.mark.rule("A58")
@pytest.mark.parametrize(
    ("leftovers", "survey", "nothing_left"),
    [(LEFT, roomy(), True), ((), roomy(), False), (LEFT, FIVE, False)],
)
def test_a_depth_that_the_project_does_not_have_makes_no_run_incomplete(leftovers, survey, nothing_left: bool) -> None:
    """The flow was not followed to its end, and no other is deeper; but all that is left was followed, and all is read."""
    read = frozenset({"app.py"})
    done = deep_dive.judge(survey, (), read, read, (a_finding(),), (), 0, leftovers=leftovers)
    assert done.exhausted == nothing_left
    assert "deeper" not in str(done.shortfalls)


@pytest.mark.rule("A58")
@pytest.mark.parametrize(("mode", "asked"), [(Mode.DEEP, True), (Mode.STANDARD, False)])
def test_only_a_deep_audit_asks_for_what_is_left_and_the_report_says_what_came_of_it(mode: Mode, asked: bool) -> None:
    play = play_on(audit(mode), Stage.DEEP_DIVE)
    (task,) = waiting(play)
    assert task.beyond is asked

    def dived(task):
        event = diver(task)
        return replace(event, reply=replace(event.reply, leftovers=LEFT if task.beyond else ()))

    report = report_of(play_on(play, deep_diver=dived))
    assert report.dive is not None
    assert report.dive.leftovers == (LEFT if asked else ())
