"""Whole verifications in real run folders: verdicts, pauses, resuming, reports."""

import json
from pathlib import Path

import pytest

from analysis.plans.planned_shop import CLEAN, FLAWED, shop
from counterproof.app import runs, stored_runs, transcript, verify
from counterproof.app.delivery import Ended
from counterproof.app.recovery import Choices
from counterproof.cli.console import SilentObserver
from counterproof.model.errors import JournalError, UserError
from counterproof.model.plan.challenge import Question, Response, Standing
from counterproof.model.plan.iteration import Team, Verdict
from counterproof.model.receipt import Exit
from counterproof.protocols.plan.request import VerifyRequest
from counterproof.reports import plan as plan_reports
from counterproof.runtime.export import ExportedJournal
from counterproof.runtime.home import Home
from counterproof.toolbox.memory import Memory, Note


class User:
    """Answers by id; None means that no user is present."""

    def __init__(self, words: dict[str, str] | None = None) -> None:
        self.words = words
        self.asked: list[Question] = []

    def answers(self, iteration: int, questions: tuple[Question, ...]) -> tuple[Response, ...] | None:
        self.asked += questions
        if self.words is None:
            return None
        return tuple(
            Response(each.challenge_id, self.words[each.challenge_id], iteration)
            for each in questions
            if each.challenge_id in self.words
        )


def started(folder: Path, text: str, user: User | None = None, team: Team | None = None) -> Ended:
    plan = folder / "PLAN.md"
    shop(folder)
    plan.write_text(text)
    return verify.start(VerifyRequest(str(plan), str(folder), team), user or User(), SilentObserver(), Home())


DECIDED = """# Tidy

1. Remove `old_total()` from `shop/prices.py`.
2. Change `shop/report.py` to `total_price()`, not `old_total()`.
"""
"""A plan against an earlier decision of the user, once `decided` stored it."""


def decided(folder: Path) -> Path:
    note = Note("Faster totals", "Step 1 (line 5) removes `old_total`", "keep old_total, customers import it")
    Memory(Home().root / verify.MEMORY, str(folder)).add([note])
    return folder


@pytest.mark.rule("P14")
def test_a_clean_plan_proceeds_and_leaves_report_and_receipt(tmp_path: Path) -> None:
    done = started(tmp_path / "shop", CLEAN)
    assert done.report
    assert (done.report.verdict, done.outcome.exit) == (Verdict.PROCEED, Exit.CLEAN)
    assert done.report.challenges == ()
    for name in plan_reports.FILE_NAMES.values():
        assert (done.run.path / name).is_file()
    receipt = json.loads((done.run.path / "receipt.json").read_text())
    assert (receipt["verdict"], receipt["exit_code"]) == ("PROCEED", 0)


@pytest.mark.rule("P20")
def test_a_repository_in_a_language_that_no_analyser_reads_is_held_against_its_plan_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/seat.rs").write_text("pub fn load_seat(id: u32) -> u32 { id }\n")
    plan = tmp_path / "PLAN.md"
    plan.write_text("# Seats\n\nGoal: seats.\n\n1. Change `src/seats.rs`.\n2. Change `src/seat.rs`.\n")
    done = verify.start(VerifyRequest(str(plan), str(tmp_path)), User(), SilentObserver(), Home())
    assert done.report
    assert ["`src/seat.rs` comes closest" in each.concern for each in done.report.challenges] == [True]


@pytest.mark.rule("P2")
def test_a_trivial_plan_proceeds_without_an_iteration(tmp_path: Path) -> None:
    done = started(tmp_path / "shop", "Fix the typo in `shop/cart.py`.\n")
    assert done.report
    assert (done.report.verdict, done.report.iterations) == (Verdict.PROCEED_TRIVIAL, ())
    assert plan_reports.render(done.report, "yaml") == "--- {}\n"


@pytest.mark.rule("P13")
def test_a_blocked_plan_pauses_and_goes_on_with_the_answer(tmp_path: Path) -> None:
    paused = started(decided(tmp_path / "shop"), DECIDED)
    assert paused.outcome.exit is Exit.PAUSED
    assert "--answer C1=accept" in paused.hint
    assert paused.report
    assert paused.report.sentence == "Provisional: A question that blocks the plan is not answered."
    assert [each.challenge_id for each in paused.report.questions] == ["C1"]
    draft = (paused.run.path / "provisional" / "plan-report.md").read_text()
    assert "customers import it" in draft
    again = verify.resume(paused.run, User(), SilentObserver())
    assert again.outcome.exit is Exit.PAUSED
    done = verify.resume(paused.run, User({"C1": "change: report.py changes too"}), SilentObserver())
    assert done.report
    assert (done.report.verdict, done.outcome.exit) == (Verdict.PROCEED, Exit.CLEAN)
    assert [(each.id, each.status) for each in done.report.challenges] == [("C1", Standing.RESOLVED)]
    assert not (done.run.path / "provisional").exists()
    assert verify.resume(paused.run, User(), SilentObserver()) == done


@pytest.mark.rule("F17")
def test_a_changed_plan_is_verified_anew_in_the_same_run_if_the_user_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    paused = started(decided(folder), DECIDED)
    (folder / "PLAN.md").write_text(CLEAN)
    (folder / "shop" / "new.py").write_text("x = 1\n")
    done = verify.resume(paused.run, User({}), SilentObserver(), Choices(rerun_changed=True))
    assert done.report
    assert (done.report.verdict, done.report.challenges) == (Verdict.PROCEED, ())
    assert stored_runs.replayed(done.run).differing == ()
    assert any("rerun" in each for each in transcript.lines(done.run))
    assert verify.resume(done.run, User({}), SilentObserver()).outcome.exit is Exit.CLEAN


@pytest.mark.rule("P6", "P13")
def test_a_proved_error_revises_the_plan_without_a_question(tmp_path: Path) -> None:
    user = User()
    done = started(decided(tmp_path / "shop"), FLAWED, user)
    assert done.report
    assert (done.report.verdict, len(done.report.iterations), done.outcome.exit) == (Verdict.REVISE, 1, Exit.FINDINGS)
    assert (user.asked, [each.challenge_id for each in done.report.questions]) == ([], ["C3"])


@pytest.mark.rule("P13")
def test_without_answers_nothing_is_put_again(tmp_path: Path) -> None:
    done = started(decided(tmp_path / "shop"), DECIDED, User({}))
    assert done.report
    assert (done.report.verdict, len(done.report.iterations), done.outcome.exit) == (Verdict.REVISE, 1, Exit.FINDINGS)
    assert [each.challenge_id for each in done.report.questions] == ["C1"]


def test_a_run_does_not_go_on_with_another_plan_or_tree(tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    paused = started(decided(folder), DECIDED)
    (folder / "PLAN.md").write_text(DECIDED + "\n4. More.\n")
    with pytest.raises(JournalError, match="changed since"):
        verify.resume(paused.run, User({"C1": "x"}), SilentObserver())
    (folder / "PLAN.md").write_text(DECIDED)
    (folder / "shop" / "report.py").write_text("print()\n")
    with pytest.raises(JournalError, match="repository changed"):
        verify.resume(paused.run, User({"C1": "x"}), SilentObserver())


def test_lost_files_of_an_ended_run_are_written_again(tmp_path: Path) -> None:
    done = started(tmp_path / "shop", CLEAN)
    names = [*plan_reports.FILE_NAMES.values(), "receipt.json"]
    before = {name: (done.run.path / name).read_bytes() for name in names}
    for name in names:
        (done.run.path / name).unlink()
    verify.resume(done.run, User(), SilentObserver())
    assert {name: (done.run.path / name).read_bytes() for name in names} == before


def test_the_same_plan_gives_the_same_bytes(tmp_path: Path) -> None:
    runs = [started(tmp_path / "shop", FLAWED, User({}), Team.SCALED) for _ in range(2)]
    texts = [{name: plan_reports.render(run.report, name) for name in plan_reports.FORMATS} for run in runs if run.report]
    assert len(texts) == 2
    assert texts[0] == texts[1]


@pytest.mark.rule("P16")
def test_a_licence_is_no_plan(tmp_path: Path) -> None:
    folder = shop(tmp_path / "shop")
    (folder / "LICENSE").write_text(
        "MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy\n"
    )
    request = VerifyRequest(str(folder / "LICENSE"), str(folder))
    done = verify.start(request, User(), SilentObserver(), Home())
    assert (done.report, done.outcome.exit) == (None, Exit.REFUSED)
    assert "licence" in done.outcome.reasons[0].text


@pytest.mark.rule("P1")
def test_bad_input_leaves_no_run(tmp_path: Path) -> None:
    request = VerifyRequest(str(tmp_path / "none.md"), str(tmp_path))
    with pytest.raises(UserError, match="cannot be read"):
        verify.start(request, User(), SilentObserver(), Home())
    assert Home().runs() == []


def test_text_of_the_plan_cannot_become_structure_in_a_report(tmp_path: Path) -> None:
    evil = (
        "# <script>alert(1)</script> | x\n\n1. Change `shop/price.py`. [a](javascript:b)\n2. ---\nquality_score: 10\n\x1b[31m\n"
    )
    done = started(tmp_path / "shop", evil)
    assert done.report
    page = plan_reports.render(done.report, "markdown")
    prose = "".join(page.split("```")[::2])  # what stands between the fences of code is shown as it is
    assert "<script>" not in prose
    assert "<script>alert" not in plan_reports.render(done.report, "html")
    assert "\x1b" not in plan_reports.render(done.report, "yaml") + page
    assert json.loads(plan_reports.render(done.report, "json"))["schema_version"] == 1


@pytest.mark.rule("P4")
def test_iteration_states_have_the_fields_of_the_schema(tmp_path: Path) -> None:
    done = started(tmp_path / "shop", FLAWED, User({}))
    assert done.report
    text = plan_reports.render(done.report, "yaml")
    first = text.split("---\n")[1]
    keys = [line.strip().partition(":")[0] for line in first.splitlines() if line.startswith("  ") and line[2] not in " -"]
    assert keys == [
        "iteration",
        "plan_path",
        "plan_quality",
        "team_mode",
        "challenges",
        "unknowns",
        "surfaced_contexts",
        "probed_risks",
        "convergence",
        "user_responses",
        "synthesizer_directives",
        "quality_score",
    ]
    assert '    - id: "C1"\n      status: "UNRESOLVED"\n      severity: "BLOCKING"\n' in first


def test_a_stored_report_is_shown_only_as_it_was_written(tmp_path: Path) -> None:
    done = started(tmp_path / "shop", CLEAN)
    assert done.report
    assert stored_runs.text(done.run, "yaml") == plan_reports.render(done.report, "yaml")
    assert [path.name for path in stored_runs.delivered(done.run, tmp_path / "out")][-1] == "receipt.json"
    with pytest.raises(UserError, match="no sarif report"):
        stored_runs.text(done.run, "sarif")
    with pytest.raises(UserError, match="C9 fits no challenge"):
        stored_runs.explained(done.run, "C9")
    (done.run.path / plan_reports.FILE_NAMES["json"]).write_text("{}")
    with pytest.raises(JournalError, match="was changed"):
        stored_runs.text(done.run, "json")


def test_an_exported_verification_is_decided_again_anywhere(tmp_path: Path) -> None:
    done = started(tmp_path / "shop", FLAWED, User({}))
    assert done.report
    runs.export(done.run, tmp_path / "x.jsonl")
    journal = ExportedJournal(tmp_path / "x.jsonl")
    again = stored_runs.replayed(journal)
    assert (again.name, again.differing, again.text("json")) == (done.run.id, (), plan_reports.render(done.report, "json"))
    with pytest.raises(UserError, match="has no sarif report"):
        again.text("sarif")
    paused = started(decided(tmp_path / "other"), DECIDED)
    with pytest.raises(UserError, match="has no report"):
        stored_runs.replayed(paused.run)
