"""A model that hangs takes the models' share of the time and not the analysts' (A52, F19)."""

import asyncio
from pathlib import Path

import pytest

from agents.models_loop.modelling import VULNERABLE, Agreeing, Quiet, a_target
from counterproof.analysis.source.survey import SurveyOptions
from counterproof.app.executor import RunExecutor
from counterproof.app.jobs import AUDIT
from counterproof.app.team import Staff
from counterproof.app.workbench.audit import AuditWorkbench
from counterproof.model.baseline import Baseline, BaselineStatus
from counterproof.model.contract import AgentReply, AgentTask, Limits, Role
from counterproof.model.dimension import Dimension
from counterproof.model.ledger import Ledger
from counterproof.protocols.audit.commands import RunAgent
from counterproof.protocols.audit.events import AgentFailed, AgentFinished, AgentStarted
from counterproof.runtime.home import Home
from counterproof.toolbox.workspace import Workspace


class Hangs:
    """Never answers as a model; as an analyst it answers when every model has been given up."""

    def __init__(self) -> None:
        self.given_up = asyncio.Event()

    async def run(self, task: AgentTask, toolbox: object) -> AgentReply:
        await (asyncio.Event() if task.model else self.given_up).wait()
        return AgentReply(task.agent_id, task.round, task.dimensions, (), ())


class Tools:
    def citations(self, reply: AgentReply) -> tuple[()]:
        return ()

    def checks(self, reply: AgentReply) -> None:
        return None

    def ledger(self) -> Ledger:
        return Ledger()


class Bench(AuditWorkbench):
    def __init__(self, agent: Hangs, workspace: Workspace) -> None:
        super().__init__(workspace, {}, Agreeing(), lambda: Baseline(BaselineStatus.SKIPPED))
        self._hanging = agent

    def _agent(self, task: AgentTask, staff: Staff) -> Hangs:
        return self._hanging

    def _tools(self, task: AgentTask, staff: Staff) -> Tools:  # pyright: ignore
        return Tools()


def a_task(number: int, model: str) -> RunAgent:
    name = f"{'model' if model else 'agent'}-{number}"
    task = AgentTask(name, name, Role.HUNTER, 1, 1, (Dimension.D1,), (), Limits(5, 5), model=model)
    return RunAgent(name, task)


@pytest.mark.rule("A52", "F19")
def test_a_model_that_hangs_leaves_the_analysts_their_time(tmp_path: Path, home: Path) -> None:
    async def run() -> list[object]:
        agent = Hangs()
        workspace = Workspace(a_target(tmp_path, VULNERABLE), SurveyOptions())
        executor = RunExecutor(Home().create(), AUDIT, Bench(agent, workspace), Staff(), Quiet(), 1)
        events: list[object] = []

        async def emit(event: object) -> None:
            events.append(event)
            if sum(isinstance(each, AgentFailed) for each in events) == 6:
                agent.given_up.set()

        models = [a_task(number, "openai:x") for number in range(6)]  # more than run at once
        await asyncio.gather(*(executor.execute(each, emit) for each in (*models, a_task(0, ""))))
        return events

    events = asyncio.run(run())
    failed = [each for each in events if isinstance(each, AgentFailed)]
    assert len(failed) == 6
    assert {each.reason for each in failed} == {"the time for models was over; the rest belongs to the analysts"}
    finished = [each for each in events if isinstance(each, AgentFinished)]
    assert [each.reply.agent_id for each in finished] == ["agent-0"]
    started = [each.answers for each in events if isinstance(each, AgentStarted)]
    assert started.index("agent-0") < 5, "models that hang take no place of an analyst"
