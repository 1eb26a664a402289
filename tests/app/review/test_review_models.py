"""Whole reviews with scripted models as specialists: votes, withdrawals, failures, and the same report again from the journal."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from analysis.review.changed_tree import changed, project_of
from app.review.seats import seated
from counterproof.agents.models.channel import Answer, Finish, Question
from counterproof.agents.models.faults import BudgetExhausted
from counterproof.agents.models.scripted import ScriptedChannel, says
from counterproof.agents.specialists import defend
from counterproof.analysis.review.claims import View
from counterproof.analysis.review.scope import Wanted, resolve
from counterproof.app import review, stored_runs, transcript
from counterproof.app.delivery import Ended
from counterproof.app.team import purse_of, review_seats, spent
from counterproof.cli.console import SilentObserver
from counterproof.knowledge.profiles import load_profile
from counterproof.model.budget import Price, Tariff, Usage
from counterproof.model.location import at
from counterproof.model.receipt import Exit
from counterproof.model.review.contract import ReviewReply, ReviewTask, Work
from counterproof.model.review.position import Resolution, Stance
from counterproof.model.review.scope import Scope
from counterproof.model.severity import Confidence
from counterproof.protocols.guard.budget import Cost
from counterproof.protocols.review.events import ReplyTaken
from counterproof.protocols.review.presets import Preset, team
from counterproof.protocols.review.request import ReviewRequest
from counterproof.runtime.home import Home
from counterproof.toolbox.review_bench import ReviewBench, read_safely
from protocols.review.reviews import SEC, finding, position

CODE = "def total(rows):\n    return sum(rows) / len(rows)\n"
WORDS = (
    "An empty list of rows makes the divisor zero, so that a customer without orders gets a ZeroDivisionError instead of a total "
    "of nothing at all."
)
FOUND = {
    "kind": "division by zero", "title": "no rows", "domain": "edge-cases", "severity": "high", "confidence": "high",
    "failure": "error",
    "trust": "N/A", "file": "shop.py", "start": 2, "end": 2, "quote": "sum(rows) / len(rows)", "evidence": WORDS,
}  # fmt: skip
PLACE = {"file": "shop.py", "line": 2, "quote": "return sum(rows) / len(rows)", "operation": "call", "symbol": "len"}
Script = Callable[[Question], dict[str, Any]]


class Agreeing:
    def confirms(self, scope: Scope, warnings: tuple[str, ...]) -> bool | None:
        return True


def playing(**parts: list[dict[str, Any]]) -> Callable[[Question], Answer]:
    """A model that hands in these lists where its task asks for them."""

    def script(question: Question) -> Answer:
        opening = question.opening
        marker = re.findall(r"The marker of this task is (cp-[0-9a-f]+)", opening)[-1]
        named = re.search(r"You are ([\w-]+),.*?Iteration (\d+)", opening, re.DOTALL)
        assert named
        mine = {
            "find problems": "findings",
            "criticise your own": "findings",
            "take positions": "positions",
            "answer challenges": "defences",
        }
        name = next(each for words, each in mine.items() if words in opening)
        given = {name: parts.get(name, []), "no_findings": not parts.get("findings")}
        return says(json.dumps({"marker": marker, "agent_id": named[1], "iteration": int(named[2]), **given}))

    return script


def reviewed(
    tmp_path: Path, code: str = CODE, file: str = "shop.py", **scripts: Callable[[Question], Answer]
) -> tuple[Ended, dict[str, ScriptedChannel]]:
    folder = changed(tmp_path / "a", {}, {file: code})
    document = file.endswith(".md")
    codes = tuple(scripts) if document else tuple(dict.fromkeys(("SEC", "CORR", *scripts)))
    profile = load_profile("strategy" if document else "code")
    request = ReviewRequest(str(folder), team(profile, Preset.DEFAULT, codes), yes=True)
    channels = {code: ScriptedChannel(script, f"{code.lower()}:scripted") for code, script in scripts.items()}
    return review.start(request, Agreeing(), SilentObserver(), Home(), seated(channels)), channels


@pytest.mark.rule("R33")
def test_models_vote_and_the_journal_gives_the_same_report_again(tmp_path: Path) -> None:
    agreed = {"finding": "CORR-001", "stance": "agree", "severity": "medium", **PLACE}
    done, _ = reviewed(tmp_path, CORR=playing(findings=[FOUND]), SEC=playing(positions=[agreed]))
    assert done.report
    assert [(each.finding.id, each.label, each.severity.value) for each in done.report.resolved] == [
        ("CORR-001", "Consensus", "high")
    ]
    again = stored_runs.replayed(done.run)
    assert (again.report, again.differing) == (done.report, ())
    assert stored_runs.stored(done.run, "html").startswith("<!doctype html>")


@pytest.mark.rule("R15")
def test_a_challenge_reaches_the_author_who_withdraws(tmp_path: Path) -> None:
    against = {"finding": "CORR-001", "stance": "challenge", "evidence": "callers never pass an empty list", **PLACE}
    gone = {"finding": "CORR-001", "stands": False, "text": "right, the caller looks first", **PLACE}
    done, asked = reviewed(tmp_path, CORR=playing(findings=[FOUND], defences=[gone]), SEC=playing(positions=[against]))
    assert done.report
    assert [(each.withdrawn, each.label) for each in done.report.resolved] == [(True, "Dismissed")]
    assert any("callers never pass" in question.opening for question in asked["CORR"].asked)


@pytest.mark.rule("R37")
def test_a_position_without_grounds_is_returned_with_valid_facts_and_then_abstains(tmp_path: Path) -> None:
    bare = {"finding": "CORR-001", "stance": "challenge", "evidence": "No. It is fine.", "file": "shop.py", "line": 1}
    false = {**bare, "quote": "def total(rows):", "operation": "call", "symbol": "execute"}
    for said, told in ((bare, "name the file, the line"), (false, "what it does: define")):
        done, asked = reviewed(tmp_path / told[:4], CORR=playing(findings=[FOUND]), SEC=playing(positions=[said]))
        assert done.report
        assert [each.label for each in done.report.resolved] == ["Single specialist (1/2)"]
        mended = [question.messages[-1].text for question in asked["SEC"].asked if len(question.messages) > 1]
        assert any(told in text for text in mended), mended


PLAN = "# Plan\n\n1. Serve each session from the new store.\n2. Drop the table.\n3. Fill the new store in the night.\n"
STEP = {
    **FOUND, "kind": "order of steps", "title": "store is empty", "domain": "phasing", "file": "plan.md", "start": 3, "end": 3,
    "quote": "1. Serve each session from the new store.", "evidence": f"Step 1 needs what step 3 makes. {WORDS}",
}  # fmt: skip


@pytest.mark.rule("R37", "R45")
@pytest.mark.parametrize(
    ("line", "quote", "symbol", "label", "why"),
    [
        (3, "1. Serve each session from the new store.", "session", "Single specialist (1/2)", "only repeats the finding"),
        (4, "2. Drop the table.", "table", "Single specialist (1/2)", "has nothing to do with the finding"),
        (5, "3. Fill the new store in the night.", "Fill the new store", "Consensus", ""),
    ],
    ids=["a word of its own line", "an unrelated line", "the line that it rests on"],
)
def test_an_agreement_on_a_document_says_more_than_its_line(
    tmp_path: Path, line: int, quote: str, symbol: str, label: str, why: str
) -> None:
    agreed = {
        "finding": "FEAS-001", "stance": "agree", "severity": "high", "evidence": "Quite right.", "file": "plan.md", "line": line,
        "quote": quote, "operation": "mention", "symbol": symbol,
    }  # fmt: skip
    scripts = {"FEAS": playing(findings=[STEP]), "ARCH": playing(positions=[agreed])}
    done, _ = reviewed(tmp_path, PLAN, "plan.md", **scripts)
    assert done.report
    assert [(each.label, each.validated) for each in done.report.resolved] == [(label, not why)]
    assert why in "".join(text for guardrail, _, text in done.report.trips if guardrail == "position")


@pytest.mark.rule("R38")
def test_the_second_iteration_is_a_critique_and_the_defence_comes_back_to_the_challenger(tmp_path: Path) -> None:
    against = {"finding": "CORR-001", "stance": "challenge", "evidence": "callers never pass an empty list", **PLACE}
    stands = {"finding": "CORR-001", "stands": True, "text": "the import job passes whatever it read", **PLACE}
    done, asked = reviewed(tmp_path, CORR=playing(findings=[FOUND], defences=[stands]), SEC=playing(positions=[against]))
    second = next(question for question in asked["CORR"].asked if question.task.startswith("CORR-refine-2"))
    assert "criticise your own findings" in second.opening
    assert "sum(rows) / len(rows)" in second.opening
    answered = next(question for question in asked["SEC"].asked if question.task.startswith("SEC-challenge-2"))
    assert "the import job passes whatever it read" in answered.opening
    assert "callers never pass an empty list" in answered.opening
    assert (
        len({(each.system, each.tools) for channel in asked.values() for each in channel.asked}) == 1
    )  # what a cache begins with
    assert done.report
    assert [each.label for each in done.report.resolved] == ["Escalated"]


@pytest.mark.rule("R38", "R39")
def test_analysts_findings_are_never_shown_to_a_model_as_its_own_and_outlive_it(tmp_path: Path) -> None:
    careless = "async def run(job):\n    return job\n\nrun(1)\n"
    done, asked = reviewed(tmp_path, careless, CORR=playing())
    assert done.report
    assert [each.finding.id for each in done.report.resolved] == ["CORR-001"]
    assert not any("Your own findings" in question.opening for question in asked["CORR"].asked)
    both, asked = reviewed(tmp_path / "both", f"{CODE}\n\n{careless}", CORR=playing(findings=[FOUND]))
    assert both.report
    assert {each.finding.title for each in both.report.resolved} == {"no rows", "run() is called but never awaited"}
    second = asked["CORR"].asked[1].opening
    assert "no rows" in second.split("Your own findings")[1]
    assert "never awaited" not in second
    cut, _ = reviewed(tmp_path / "cut", careless, CORR=lambda _: says('{"marker": ', Finish.LENGTH))
    assert cut.report
    assert [each.finding.id for each in cut.report.resolved] == ["CORR-001"]
    assert cut.report.unreviewed == ("CORR: the output was cut off",)


@pytest.mark.rule("R33")
def test_the_log_shows_positions_and_the_engines_decisions(tmp_path: Path) -> None:
    against = {"finding": "CORR-001", "stance": "challenge", "evidence": "callers never pass an empty list", **PLACE}
    stands = {"finding": "CORR-001", "stands": True, "text": "the import job passes whatever it read", **PLACE}
    done, _ = reviewed(tmp_path, CORR=playing(findings=[FOUND], defences=[stands]), SEC=playing(positions=[against]))
    told = "\n".join(transcript.lines(done.run))
    for words in (
        "CORR-001 Important shop.py:2: no rows (corr:scripted)",
        "SEC challenges CORR-001 because of call len at shop.py:2, quoting",
        "[counts]: callers never pass an empty list",
        "passed on: SEC's challenge of CORR-001: callers never pass an empty list",
        "stands by CORR-001 at shop.py:2: the import job passes whatever it read",
        "answered: the import job passes whatever it read",
        "the engine resolves: No Agreement",
        "CORR-001 Escalated, Important",
    ):
        assert words in told, told
    one = "\n".join(transcript.lines(done.run, "SEC-challenge-1"))
    assert "callers never pass" in one
    assert "stands by" not in one


@pytest.mark.rule("R36")
@pytest.mark.parametrize(("model", "stands"), [("alpha:one", True), ("", False)])
def test_a_doubtful_finding_of_an_analyst_is_not_given_up_to_a_model(tmp_path: Path, model: str, stands: bool) -> None:
    """Another analyst's reading is enough."""
    project = project_of(changed(tmp_path / "a", {}, {"shop.py": CODE}))
    done = resolve(project, Wanted())
    bench = ReviewBench(View(project, done.scope, done.before), load_profile("code"))
    place = at("shop.py", 2)
    own = replace(finding(place=place, confidence=Confidence.MEDIUM), quote=read_safely(bench, place))
    against = replace(position("CORR", Stance.CHALLENGE, model=model), at=place)
    task = ReviewTask("t", "SEC-defend-1", Work.DEFEND, SEC, 1, 1, own=(own,), against=(against,))
    assert [each.stands for each in defend(task, bench).defences] == [stands]


@pytest.mark.rule("R36")
def test_a_defence_that_the_engine_confirms_refutes_on_record(tmp_path: Path) -> None:
    code = (
        "import shlex\nimport subprocess\n\n\ndef ping(host):\n    host = shlex.quote(host)\n"
        "    return subprocess.check_output('ping -c 1 ' + host, shell=True)\n"
    )
    found = {
        **FOUND, "kind": "command injection", "cwe": 78, "domain": "edge-cases", "start": 7, "end": 7,
        "quote": "return subprocess.check_output('ping -c 1 ' + host, shell=True)",
    }  # fmt: skip
    against = {
        "finding": "CORR-001", "stance": "challenge", "evidence": "the value is quoted", "file": "shop.py", "line": 6,
        "quote": "host = shlex.quote(host)", "operation": "call", "symbol": "shlex.quote",
    }  # fmt: skip
    done, _ = reviewed(tmp_path, code, CORR=playing(findings=[found]), SEC=playing(positions=[against]))
    assert done.report
    (one,) = [each for each in done.report.resolved if each.finding.model]
    assert one.resolution is Resolution.DISMISSED
    assert one.notes[0].startswith("refuted: ")
    other = {**against, "line": 5, "quote": "def ping(host):", "operation": "parameter", "symbol": "host"}
    kept, _ = reviewed(tmp_path / "b", code, CORR=playing(findings=[found]), SEC=playing(positions=[other]))
    assert kept.report
    assert [each.label for each in kept.report.resolved if each.finding.model] == ["Escalated"]


@pytest.mark.rule("R25")
def test_a_specialists_share_is_one_over_all_its_tasks() -> None:
    request = ReviewRequest(".", team(load_profile("code"), Preset.DEFAULT, ("SEC", "CORR")), budget=1_000, agents="x")
    assert request.terms
    purse = purse_of(
        review_seats(("SEC", "CORR")), request.terms, [ReplyTaken("SEC-refine-1-try1", ReviewReply("SEC-refine-1"), 500)], 2
    )
    purse.reserve("SEC-refine-2-try1", 100, 100, None)
    with pytest.raises(BudgetExhausted, match="the share of SEC") as short:
        purse.reserve("SEC-challenge-1-try1", 50, 50, None)
    assert not short.value.everywhere
    hold = purse.reserve("CORR-refine-1-try1", 100, 100, None)
    purse.settle(hold, Usage(60, 40), None)
    assert (purse.spent_by("CORR-refine-1-try1"), purse.spent_by("SEC-refine-2-try1")) == (100, 500)


def test_a_limit_in_dollars_holds_over_all_processes_of_a_run() -> None:
    request = ReviewRequest(
        ".", team(load_profile("code"), Preset.DEFAULT, ("SEC", "CORR")), unlimited=True, budget_micros=1_000, agents="x"
    )
    paid = [ReplyTaken("SEC-refine-1-try1", ReviewReply("SEC-refine-1"), 500, micros=600)]
    tariff = Tariff(((0, Price(1_000_000, 1_000_000, 1_000_000, 1_000_000)),))
    assert request.terms
    purse = purse_of(review_seats(("SEC", "CORR")), request.terms, paid, 1)
    purse.settle(purse.reserve("CORR-refine-1-try1", 100, 100, tariff), Usage(100, 100), tariff)
    assert purse.paid_for("CORR-refine-1-try1") == Cost(200, 200)
    with pytest.raises(BudgetExhausted):
        purse.reserve("CORR-refine-2-try1", 100, 101, tariff)
    assert spent(paid) == Cost(500, 600)


@pytest.mark.rule("R40")
def test_the_snapshot_is_reviewed_and_later_edits_are_named(tmp_path: Path) -> None:
    careless = "async def run(job):\n    return job\n\nrun(1)\n"

    def touching(question: Question) -> Answer:
        (tmp_path / "a" / "shop.py").write_text("# built\n")
        return playing()(question)

    done, _ = reviewed(tmp_path, careless, CORR=touching)
    assert done.report
    assert [(each.finding.id, str(each.finding.location)) for each in done.report.resolved] == [("CORR-001", "shop.py:4")]
    assert any(note.startswith("shop.py was edited after the review began") for note in done.report.notes)


@pytest.mark.rule("R39")
def test_an_invalid_field_is_returned_with_the_allowed_values(tmp_path: Path) -> None:
    done, asked = reviewed(tmp_path, CORR=playing(findings=[{**FOUND, "domain": "sql-injection"}, FOUND]))
    assert done.report
    assert [each.finding.domain for each in done.report.resolved] == ["edge-cases"]
    assert re.search(r'domain: ("[a-z-]+" \| )*"edge-cases"', asked["CORR"].asked[0].task_text)
    mended = [question.messages[-1].text for question in asked["CORR"].asked if len(question.messages) > 1]
    assert any("'sql-injection' is not accepted; accepted: " in text and "edge-cases" in text for text in mended)


def test_a_model_that_refuses_leaves_its_part_unreviewed(tmp_path: Path) -> None:
    done, asked = reviewed(tmp_path, SEC=lambda _: says("no", Finish.REFUSED))
    assert done.report
    assert done.report.unreviewed == ("SEC: the model refused to answer",)
    assert done.outcome.exit is Exit.INCOMPLETE
    assert len(asked["SEC"].asked) == 3
