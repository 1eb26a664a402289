"""A real, small model plays every role of the three protocols itself, over HTTP and in the least window: each task ends in a
result that fits its contract or in a failure with a name.

They are marked `nightly`, since they take minutes. No rule marks: quicker tests hold the same rules.
"""

import asyncio
from collections.abc import Awaitable, Callable, Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.golden.test_golden_prompts import APP, TASKS
from agents.golden.test_golden_roles import FOUND, review_bench
from agents.models_loop.modelling import a_target, model_agent, tools_for
from agents.small_model.serving import served
from analysis.plans.planned_shop import FLAWED, shop
from analysis.plans.planned_shop import bench as planned
from counterproof.agents.models.agent import Manner, ModelAgent
from counterproof.agents.models.faults import ChannelFailed, ModelFailed
from counterproof.agents.models.live import LiveChannel
from counterproof.agents.models.opening import open_channel
from counterproof.agents.models.providers import parse_model
from counterproof.agents.models.tuning import MIN_WINDOW, Tuning
from counterproof.agents.planning.modelled import PlanDialogue
from counterproof.agents.specialists.model.specialist import ReviewDialogue
from counterproof.knowledge.profiles import load_profile
from counterproof.model.contract import AgentReply, Limits, Role
from counterproof.model.plan.challenge import Challenge, Confidence, Raiser, Weight
from counterproof.model.plan.contract import PlanReply, PlanRole, PlanTask
from counterproof.model.plan.research import ResearchMode
from counterproof.model.review.contract import ReviewReply, ReviewTask, Work
from counterproof.model.review.position import Position, Stance
from counterproof.protocols.plan import budgets
from counterproof.toolbox.plan_tools import PlanTools
from faults.rig import terms

SMALL = Tuning(300, 300, window=MIN_WINDOW)
RAISED = Challenge(
    "C1",
    Raiser.CHALLENGER,
    "`old_total` has a caller",
    "It is removed",
    "The report fails",
    "",
    Weight.BLOCKING,
    Confidence.HIGH,
    1,
)
PLANS = {
    **{role.value: PlanTask("t", "t", role, 1, 1) for role in PlanRole if role is not PlanRole.RESEARCHER},
    **{
        f"researcher {mode.value}": PlanTask(
            "t", "t", PlanRole.RESEARCHER, 1, 1, mode, (RAISED,), allowances=budgets.allowances(mode, {})
        )
        for mode in ResearchMode
    },
    "score": PlanTask("t", "t", PlanRole.SYNTHESIZER, 1, 1, scoring=True),
}  # fmt: skip


@pytest.fixture(scope="module")
def model() -> Generator[str]:
    with served(8_192) as address:
        yield address


def ended(model: str, work: Callable[[LiveChannel], Awaitable[Any]]) -> tuple[Any, str]:
    """The reply, or the name of the failure."""

    async def run() -> tuple[Any, str]:
        channel = open_channel(parse_model(f"openai-compatible:small@{model}/v1"), {}, terms())
        try:
            return await work(channel), ""
        except (ModelFailed, ChannelFailed) as failure:
            return None, str(failure)
        finally:
            await channel.close()

    return asyncio.run(run())


@pytest.mark.nightly
@pytest.mark.parametrize("role", Role)
def test_a_real_model_ends_a_task_of_an_audit(role: Role, model: str, tmp_path: Path, home: Path) -> None:
    task = replace(TASKS[role], limits=Limits(4, 10))
    root = a_target(tmp_path, APP)
    reply, failure = ended(model, lambda channel: model_agent(channel, Manner(lambda _: SMALL)).run(task, tools_for(root, task)))
    assert bool(failure) is (reply is None)
    assert reply is None or (isinstance(reply, AgentReply) and reply.agent_id == task.agent_id)


@pytest.mark.nightly
@pytest.mark.parametrize("work", Work)
def test_a_real_model_ends_a_task_of_a_review(work: Work, model: str, tmp_path: Path, home: Path) -> None:
    sec = next(each for each in load_profile("code").specialists if each.code == "SEC")
    task = ReviewTask("SEC-try1", "SEC", work, sec, 1, 1)
    if work is Work.DEFEND:
        own = replace(FOUND, id="SEC-001", specialist="SEC")
        task = replace(task, own=(own,), against=(Position("CORR", own.id, Stance.CHALLENGE, evidence="It is checked."),))
    elif work is not Work.REFINE:
        task = replace(task, shown=(FOUND,), lines=("CORR-001 [high] null-safety shop/checkout.py:5",))
    bench = review_bench(tmp_path)
    agent = lambda channel: ModelAgent(channel, ReviewDialogue("small"), Manner(lambda _: SMALL))  # noqa: E731
    reply, failure = ended(model, lambda channel: agent(channel).run(task, bench, asyncio.Lock()))
    assert bool(failure) is (reply is None)
    assert reply is None or (isinstance(reply, ReviewReply) and reply.agent_id == "SEC")


@pytest.mark.nightly
@pytest.mark.parametrize("name", PLANS)
def test_a_real_model_ends_a_task_of_a_plan_verification(name: str, model: str, tmp_path: Path, home: Path) -> None:
    task = PLANS[name]
    tools = PlanTools(planned(shop(tmp_path), FLAWED), task)
    agent = lambda channel: ModelAgent(channel, PlanDialogue(), Manner(lambda _: SMALL))  # noqa: E731
    reply, failure = ended(model, lambda channel: agent(channel).run(task, tools, asyncio.Lock()))
    assert bool(failure) is (reply is None)
    assert reply is None or (isinstance(reply, PlanReply) and reply.agent_id == "t")
