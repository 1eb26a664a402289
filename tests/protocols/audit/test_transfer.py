"""What one round hands to the next: A46, field by field and limit by limit."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterproof.model.coverage import Status
from counterproof.model.dimension import ALL_DIMENSIONS, Dimension
from counterproof.model.errors import InvalidValue
from counterproof.model.ledger import Call, Ledger, Read, Search
from counterproof.model.severity import Severity
from counterproof.model.transfer import FalsePositive, FindingSummary, GrepDone, Hotspot, RoundContext, Transfer
from counterproof.protocols.audit import transfer
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.state import Work
from counterproof.protocols.audit.transfer import collect, shown
from effort import examples
from protocols.audit.cast import audit, covering, low, next_round, play_on, reply, report_of, rows, waiting
from protocols.audit.play import Play, a_finding, finished

COVERED = tuple((row.dimension, row.status) for row in rows(D4="⚠️", D5="❌", D6="N/A"))
VALID = Transfer(("app.py",), COVERED, (Dimension.D4, Dimension.D5))


PATHS = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=5).map("/".join)


def data(handed: Transfer) -> dict[str, object]:
    return shown(RoundContext(2, (1,), handed))["round_context"]["transfer_data"]


def work(*reads: Read, searches: tuple[Search, ...] = (), calls: tuple[Call, ...] = ()) -> Work:
    task = waiting(audit(Mode.STANDARD))[0]
    return Work(task, reply(task), Ledger(reads, searches, calls=calls))


@pytest.mark.rule("A46")
def test_the_shape_is_the_protocols_own_and_is_json() -> None:
    context = shown(RoundContext(3, (1, 2), VALID))
    assert set(context) == {"round_context"}
    assert {key: context["round_context"][key] for key in ("current_round", "previous_rounds")} == {
        "current_round": 3,
        "previous_rounds": [1, 2],
    }
    fields = ["FILES_READ", "COVERED", "GAPS", "CLEAN", "FALSE_POSITIVES", "HOTSPOTS", "GREP_DONE", "FINDINGS_SUMMARY"]
    assert list(context["round_context"]["transfer_data"]) == fields
    assert json.loads(json.dumps(context)) == context


@pytest.mark.rule("A46")
def test_the_entries_have_the_seeds_fields() -> None:
    full = replace(
        VALID,
        clean=("b.py",),
        false_positives=(FalsePositive("a.py", 3, "constant"),),
        hotspots=(Hotspot("app.py", "20,30", "2 findings"),),
        grep_done=(GrepDone("eval", "src/**"), GrepDone("exec", "")),
        findings=(FindingSummary("F001", Severity.HIGH, 89, "app.py", "open"),),
    )
    handed = data(full)
    assert handed["FILES_READ"] == ["app.py"]
    assert handed["COVERED"] == {dimension.value: status.value for dimension, status in COVERED}
    assert handed["GAPS"] == ["D4", "D5"]
    assert handed["CLEAN"] == ["b.py"]
    assert handed["FALSE_POSITIVES"] == [{"file": "a.py", "line": 3, "reason": "constant"}]
    assert handed["HOTSPOTS"] == [{"file": "app.py", "lines": "20,30", "reason": "2 findings"}]
    assert handed["GREP_DONE"] == [{"pattern": "eval", "scope": "src/**"}, {"pattern": "exec", "scope": "every file"}]
    assert handed["FINDINGS_SUMMARY"] == [
        {"id": "F001", "severity": "high", "cwe": 89, "file": "app.py", "status": "open"},
    ]


@pytest.mark.rule("A46")
@pytest.mark.parametrize(
    ("broken", "problem"),
    [
        ({"files_read": ()}, "FILES_READ is empty"),
        ({"covered": COVERED[1:]}, "COVERED lacks D1"),
        ({"gaps": (Dimension.D4,)}, "GAPS does not agree with COVERED"),
        ({"gaps": (Dimension.D4, Dimension.D5, Dimension.D6)}, "GAPS does not agree with COVERED"),
        ({"gaps": (Dimension.D4, Dimension.D5, Dimension.D5)}, "GAPS does not agree with COVERED"),
        ({"gaps": (Dimension.D4, Dimension.D1)}, "GAPS does not agree with COVERED"),
    ],
)
def test_invalid_state_is_refused(broken: dict[str, object], problem: str) -> None:
    assert VALID.problems() == ()
    assert replace(VALID, **broken).problems() == (problem,)


@pytest.mark.rule("A46")
def test_a_false_positive_cannot_point_out_of_the_project() -> None:
    with pytest.raises(InvalidValue):
        FalsePositive("../secret", 1, "no")


@pytest.mark.rule("A46")
def test_fifty_files_are_listed_and_more_are_counted_by_directory() -> None:
    files = tuple(f"a/b/f{n:03}.py" for n in range(50))
    assert data(replace(VALID, files_read=files))["FILES_READ"] == list(files)
    assert data(replace(VALID, files_read=(*files, "main.py")))["FILES_READ"] == [".:1", "a/b:50"]


@pytest.mark.rule("A46")
def test_many_directories_are_counted_by_their_parents() -> None:
    files = tuple(f"src/part{n % 10}/module{n}/main.py" for n in range(60))
    assert data(replace(VALID, files_read=files))["FILES_READ"] == [f"src/part{n}:6" for n in range(10)]


@pytest.mark.rule("A46")
@settings(max_examples=examples(30), deadline=None)
@given(st.lists(PATHS, min_size=1, max_size=120, unique=True))
def test_never_more_than_fifty_entries_and_no_file_goes_uncounted(paths: list[str]) -> None:
    listed = data(replace(VALID, files_read=tuple(paths)))["FILES_READ"]
    assert isinstance(listed, list)
    assert len(listed) <= transfer.MAX_FILES
    if len(paths) > transfer.MAX_FILES:
        assert sum(int(entry.rpartition(":")[2]) for entry in listed) == len(paths)


@pytest.mark.rule("A46")
def test_of_the_searches_the_oldest_go_first() -> None:
    done = tuple(GrepDone(f"p{n}", "") for n in range(31))
    handed = data(replace(VALID, grep_done=done))["GREP_DONE"]
    assert isinstance(handed, list)
    assert [entry["pattern"] for entry in handed] == [f"p{n}" for n in range(1, 31)]


@pytest.mark.rule("A46")
@pytest.mark.parametrize(("graves", "lows", "kept"), [(3, 30, 20), (25, 30, 25), (0, 5, 5), (20, 1, 20)])
def test_every_severe_finding_is_summarised_and_the_least_severe_are_dropped_first(graves: int, lows: int, kept: int) -> None:
    some = [FindingSummary(f"F{n:03}", Severity.LOW, 89, "a.py", "open") for n in range(lows)]
    some += [FindingSummary(f"G{n:03}", Severity.CRITICAL if n % 2 else Severity.HIGH, 89, "a.py", "open") for n in range(graves)]
    handed = data(replace(VALID, findings=tuple(some)))["FINDINGS_SUMMARY"]
    assert isinstance(handed, list)
    assert len(handed) == kept
    assert sum(entry["severity"] in ("critical", "high") for entry in handed) == graves
    ranks = [Severity(entry["severity"]).rank for entry in handed]
    assert ranks == sorted(ranks, reverse=True)


@pytest.mark.rule("A46")
def test_the_engine_keeps_the_full_lists() -> None:
    reads = Read(tuple(f"f{n}.py" for n in range(60)), (Dimension.D1,))
    calls = tuple(Call("grep", f"p{n}", "") for n in range(40))
    handed = collect(rows(), (work(reads, calls=calls),), (), ())
    assert len(handed.files_read) == 60
    assert len(handed.grep_done) == 40
    assert dict(handed.read_for)[Dimension.D1] == tuple(sorted(reads.paths))


@pytest.mark.rule("A46")
def test_files_read_for_no_dimension_are_still_files_read() -> None:
    assert collect(rows(), (work(Read(("readme.md",), ())),), (), ()).files_read == ("readme.md",)


@pytest.mark.rule("A46", "A47")
def test_searches_of_both_kinds_of_agents_are_handed_on_and_refused_ones_are_not() -> None:
    catalogue = Search(Dimension.D1, "sql", "execute(", 0, language="python")
    calls = (Call("grep", "eval", "src/**"), Call("grep", "exec", "", refused="too wide"), Call("read", "app.py"))
    handed = collect(rows(), (work(searches=(catalogue,)), work(searches=(catalogue,), calls=calls)), (), ())
    assert handed.grep_done == (GrepDone("execute(", "python"), GrepDone("eval", "src/**"))


@pytest.mark.rule("A46", "A47")
def test_a_file_is_clean_only_if_nothing_was_found_and_nothing_is_open() -> None:
    settled = Read(("clean.py", "app.py", "mixed.py"), (Dimension.D1,))
    open_ = Read(("open.py", "mixed.py"), (Dimension.D4,))
    handed = collect(rows(D4="⚠️"), (work(settled, open_),), (a_finding(),), ())
    assert handed.clean == ("clean.py",)


@pytest.mark.rule("A46")
def test_hotspots_are_files_with_several_findings_or_a_severe_one() -> None:
    one_low = low(1, location=replace(a_finding().location, path="quiet.py"))
    two_low = [low(n, location=replace(a_finding(n * 10).location, path="busy.py")) for n in (2, 3)]
    assert transfer.hotspots((a_finding(), one_low, *two_low)) == (
        Hotspot("app.py", "20", "1 findings"),
        Hotspot("busy.py", "20,30", "2 findings"),
    )


@pytest.mark.rule("A46")
def test_dimensions_that_were_not_asked_for_are_not_gaps() -> None:
    handed = collect(rows()[:2], (work(Read(("app.py",), (Dimension.D1,))),), (), ())
    assert dict(handed.covered)[Dimension.D9] is Status.NOT_APPLICABLE
    assert handed.problems() == ()


@pytest.mark.rule("A46")
def test_every_agent_of_the_next_round_gets_the_context() -> None:
    play = next_round(audit(Mode.STANDARD), hunter=covering(*ALL_DIMENSIONS[:5]))
    assert len(waiting(play)) == 3
    for task in waiting(play):
        assert task.context is not None
        assert (task.context.current_round, task.context.previous_rounds) == (2, (1,))
        assert task.context.transfer.gaps == ALL_DIMENSIONS[5:]
        assert task.context.transfer.problems() == ()


@pytest.mark.rule("A46")
def test_rounds_accumulate() -> None:
    play = next_round(next_round(audit(Mode.DEEP), hunter=covering(*ALL_DIMENSIONS[1:])), hunter=covering())
    context = waiting(play)[0].context
    assert context is not None
    assert context.previous_rounds == (1, 2)
    assert len(context.transfer.grep_done) > 0


@pytest.mark.rule("A46")
def test_state_that_is_invalid_is_not_handed_on_and_the_report_says_so() -> None:
    play = next_round(audit(Mode.STANDARD), hunter=lambda task: finished(task, ledger=Ledger()))
    assert all(task.context is None for task in waiting(play))
    assert "Nothing was passed to round 2: FILES_READ is empty." in report_of(play_on(play)).limitations


@pytest.mark.rule("A46")
def test_the_first_round_and_quick_hand_nothing_on() -> None:
    for play in (audit(Mode.STANDARD), audit(Mode.DEEP), Play().until_hunting()):
        assert all(task.context is None for task in waiting(play))
