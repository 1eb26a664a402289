"""Models in the roles of a plan verification: what they say counts beside the embedded agents, and never instead of them."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analysis.plans.planned_shop import CLEAN, FLAWED, bench, shop
from counterproof.agents.models.agent import ModelAgent
from counterproof.agents.models.channel import Answer, Finish, Question, ToolCall
from counterproof.agents.models.faults import ModelFailed
from counterproof.agents.models.scripted import ScriptedChannel, calls, says
from counterproof.agents.models.team import parse_team
from counterproof.agents.planning import PLANNERS
from counterproof.agents.planning.modelled import PlanDialogue
from counterproof.agents.planning.pairing import paired
from counterproof.agents.planning.worker import established
from counterproof.app.team import PLAN_SEATS
from counterproof.model.errors import UserError
from counterproof.model.plan.challenge import Challenge, Confidence, Raiser, Standing, Weight
from counterproof.model.plan.contract import Allowance, PlanReply, PlanRole, PlanTask, Tool
from counterproof.model.plan.research import ResearchMode, Unknown, UnknownResolution, UnknownType
from counterproof.model.plan.score import Aspect, Mark, ScoreCard
from counterproof.toolbox.plan_tools import PlanTools

Script = Callable[[Question], Answer]


def result(question: Question, agent_id: str, **fields: Any) -> Answer:
    marker = question.opening.rpartition("The marker of this task is ")[2].partition(":")[0]
    return says(json.dumps({"marker": marker, "agent_id": agent_id, "iteration": 1, **fields}))


def worked(folder: Path, text: str, task: PlanTask, script: Script) -> tuple[PlanReply, ScriptedChannel]:
    channel = ScriptedChannel(script)
    tools = PlanTools(bench(shop(folder), text), task)

    seen = established(PLANNERS[task.role](task, tools.twin()))
    said = asyncio.run(ModelAgent(channel, PlanDialogue()).run(task, tools, asyncio.Lock()))
    return paired(task, said, seen), channel


def task(role: PlanRole = PlanRole.CHALLENGER, attempt: int = 1, **more: Any) -> PlanTask:
    return PlanTask(f"t-try{attempt}", "t", role, 1, attempt, **more)


def challenge(**more: Any) -> dict[str, Any]:
    told = {"claim": "Totals are cents", "concern": "They are not", "failure_scenario": "Wrong sums", "confidence": "MED"}
    return {**told, "severity": "BLOCKING", "plan_lines": [1], "places": [], **more}


def test_a_models_challenge_is_added_to_the_proved_ones(tmp_path: Path) -> None:
    placed = challenge(claim="Placed", places=["shop/prices.py:4", "shop/none.py:1"])

    def script(question: Question) -> Answer:
        return result(question, "t", challenges=[challenge(), placed, challenge(claim="No such line", plan_lines=[999])])

    reply, channel = worked(tmp_path, FLAWED, task(), script)
    said = {each.claim: each for each in reply.challenges}
    assert "Totals are cents" in said
    assert said["Totals are cents"].severity is Weight.SIGNIFICANT  # a place of the repository is needed to block
    assert said["Placed"].severity is Weight.BLOCKING
    assert any(each == "Step 1 (line 5) removes `old_total`" for each in said)
    assert reply.established == tuple(each.id for each in reply.challenges if each.claim.startswith("Step "))
    assert "│" in channel.asked[0].opening


FAILING = (
    says("no JSON here"),
    says("", Finish.REFUSED),
    says('{"marker": "cp-0", "agent_id": "t", "iteration": 1, "challenges": []}'),
    says('{"marker": "x', Finish.LENGTH),
)


@pytest.mark.parametrize("answer", FAILING)
def test_a_model_that_fails_is_never_silence(tmp_path: Path, answer: Answer) -> None:
    def script(question: Question) -> Answer:
        return answer

    with pytest.raises(ModelFailed):
        worked(tmp_path, CLEAN, task(), script)
    reply, _ = worked(tmp_path, FLAWED, task(attempt=2), script)
    assert "not reviewed by" in reply.unreviewed
    assert reply.challenges  # the embedded agent's part is not lost


def test_a_result_may_be_corrected_twice_and_unknown_fields_are_rejected(tmp_path: Path) -> None:
    def script(question: Question) -> Answer:
        extra = {"approved": True} if question.step < 3 else {}
        return result(question, "t", challenges=[], **extra)

    reply, channel = worked(tmp_path, CLEAN, task(), script)
    assert (reply.challenges, len(channel.asked)) == ((), 3)
    assert "approved" in channel.asked[1].messages[-1].text


@pytest.mark.rule("P10")
def test_a_models_searches_are_metered_and_its_sources_looked_up(tmp_path: Path) -> None:
    standing = Challenge("C1", Raiser.CHALLENGER, "Free words", "c", "f", "", Weight.SIGNIFICANT, Confidence.MED, 1)
    asked = task(PlanRole.RESEARCHER, mode=ResearchMode.RESOLVE, challenges=(standing,), allowances=(Allowance(Tool.GREP, 1),))

    def script(question: Question) -> Answer:
        if question.step == 1:
            return calls(*(ToolCall(str(n), "grep", '{"pattern": "old_total"}') for n in (1, 2)), ToolCall("3", "shell", "rm"))
        unknown = {"affects_challenge": "C1", "description": "d", "type": "API_BEHAVIOR", "resolution": "CONFIRMED"}
        return result(
            question,
            "t",
            unknowns=[{**unknown, "source": "shop/prices.py:8", "quote": "def x", "finding": "so it is", "impact": "i"}],
        )

    reply, channel = worked(tmp_path, CLEAN, asked, script)
    answers = [each.text for each in channel.asked[1].messages if each.role == "tool"]
    assert "shop/prices.py:8" in answers[0]
    assert "refused: the budget of 1 Grep calls is used up" in answers[1]
    assert "refused: there is no such tool" in answers[2]
    assert reply.unknowns[-1].finding == "[VERIFIED: shop/prices.py:8 | “def x” so it is | i]"
    assert (reply.unknowns, reply.established) == (reply.unknowns[:1], ()), "the analyst's missing answer is left out"


@pytest.mark.rule("P18")
def test_a_synthesizers_directives_and_wishes_go_to_the_engine_beside_the_embedded_ones(tmp_path: Path) -> None:
    standing = Challenge("C1", Raiser.CHALLENGER, "claim", "c", "f", "", Weight.BLOCKING, Confidence.HIGH, 1)
    wish = {"challenge_id": "C1", "status": "WITHDRAWN", "resolution": "the plan says it is approved", "basis": "debate"}
    asked = {"kind": "RE-PROBE", "trigger": "unresolved cascades", "about": ["C1"], "reason": "more hangs on it"}

    def script(question: Question) -> Answer:
        return result(question, "t", proposals=[wish], directives=[asked])

    reply, channel = worked(tmp_path, CLEAN, task(PlanRole.SYNTHESIZER, challenges=(standing,)), script)
    assert [each.status for each in reply.proposals] == [Standing.UNRESOLVED, Standing.WITHDRAWN]
    assert [str(each) for each in reply.directives] == ["RE-PROBE: unresolved cascades (C1)"]
    opening = channel.asked[0].opening
    assert "shop/cart.py" in opening
    assert "def add_item(cart, item, count=1):" in opening or "def total_price(cart):" in opening


def test_agents_are_named_as_in_an_audit() -> None:
    team = parse_team("challenger=openai:gpt-5,analyst", PLAN_SEATS.names, PLAN_SEATS.what)
    assert str(team.model(PlanRole.CHALLENGER)) == "openai:gpt-5"
    assert team.model(PlanRole.RESEARCHER) is None
    for wrong in ("hunter=openai:gpt-5", "a:b,c:d", "", "challenger=analyst,challenger=analyst"):
        with pytest.raises(UserError):
            parse_team(wrong, PLAN_SEATS.names, PLAN_SEATS.what)


@pytest.mark.rule("P10", "P18")
def test_a_critic_reads_history_and_it_counts_as_a_search(tmp_path: Path) -> None:
    """It has no allowance of its own for history."""

    def script(question: Question) -> Answer:
        if question.step == 1:
            return calls(*(ToolCall(str(n), "git_log", "{}") for n in (1, 2)))
        return result(question, "t", challenges=[])

    _, channel = worked(tmp_path, CLEAN, task(allowances=(Allowance(Tool.GREP, 1),)), script)
    told = [each.text for each in channel.asked[1].messages if each.role == "tool"]
    assert "git_log" in {each.name for each in channel.asked[0].tools}
    assert "budget" not in told[0]
    assert "refused: the budget of 1 Grep calls is used up" in told[1]


def standing(number: int = 1) -> Challenge:
    return Challenge(f"C{number}", Raiser.CHALLENGER, "claim", "c", "f", "", Weight.BLOCKING, Confidence.HIGH, 1)


@pytest.mark.rule("P22")
def test_no_research_of_a_model_vanishes_and_no_missing_answer_stands_beside_it() -> None:
    def answer(number: int, affects: str, resolution: UnknownResolution) -> Unknown:
        finding = "[VERIFIED: a.py:1 | “x = 1” so | i]" if resolution is UnknownResolution.CONFIRMED else "nobody knows"
        return Unknown(f"U{number}", f"d{number}", UnknownType.API_BEHAVIOR, affects, "", resolution, finding)

    asked = task(PlanRole.RESEARCHER, mode=ResearchMode.RESOLVE, challenges=(standing(1), standing(2)))
    confirmed, unresolvable = UnknownResolution.CONFIRMED, UnknownResolution.UNRESOLVABLE
    seen = PlanReply("t", 1, unknowns=(answer(1, "C1", confirmed), answer(2, "C2", unresolvable)), established=("U1", "U2"))
    said = PlanReply("t", 1, unknowns=(answer(1, "C1", confirmed), answer(2, "C2", confirmed), answer(3, "C9", unresolvable)))
    both = paired(asked, said, seen)
    assert [(each.affects_challenge, each.id in both.established) for each in both.unknowns] == [
        ("C1", False),
        ("C2", False),
        ("C1", True),
    ]
    assert both.notes == ("t: no challenge C9: nobody knows",)


@pytest.mark.rule("P22")
def test_a_mark_rests_on_a_line_that_bears_on_it(tmp_path: Path) -> None:
    tools = PlanTools(bench(shop(tmp_path), CLEAN), task(challenges=(standing(),)))
    quoted = "“`shop/rounding.py`” the file is new"
    for source, evidence, counts in (
        ("plan:7", quoted, True),
        ("C1", "see there", True),
        ("C9", "see there", False),
        ("plan:7", "line 7 says so", False),
        ("plan:8", quoted, False),
        ("plan:1", "“Rounding” is the title", False),
        ("plan:999", quoted, False),
    ):
        assert (tools.unsupported(Mark(Aspect.RISK, 5, evidence, source)) == "") is counts, (source, evidence)
    cards = [
        ScoreCard(tuple(Mark(aspect, points, "x", source) for aspect in Aspect)) for points, source in ((9, "plan:1"), (4, ""))
    ]
    said, seen = (PlanReply("t", 1, card=each) for each in cards)
    both = paired(task(scoring=True), said, seen, tools.unsupported)
    assert both.card == cards[1]
    assert "t: its mark for risk does not count: plan:1 is a heading" in both.notes
