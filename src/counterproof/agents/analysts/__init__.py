"""Embedded analysts: deterministic, part of the package, without a key or network."""

from collections.abc import Callable
from dataclasses import dataclass

from counterproof.agents.analysts.diver import dive
from counterproof.agents.analysts.hunter import hunt
from counterproof.agents.analysts.judge import judge
from counterproof.model.contract import AgentReply, AgentTask, Role
from counterproof.toolbox.recording import RecordingToolbox
from counterproof.toolbox.threads import in_daemon_thread


@dataclass(frozen=True, slots=True)
class Analyst:
    """An agent that does a task in a thread. Stateless: one instance serves any number of tasks."""

    work: Callable[[AgentTask, RecordingToolbox], AgentReply]

    async def run(self, task: AgentTask, toolbox: RecordingToolbox) -> AgentReply:
        return await in_daemon_thread(lambda: self.work(task, toolbox))


ANALYSTS = {
    Role.HUNTER: Analyst(hunt),
    Role.CHAIN_CHECKER: Analyst(dive),
    Role.DEEP_DIVER: Analyst(dive),
    Role.VALIDATOR: Analyst(judge),
    Role.HIT_VERIFIER: Analyst(judge),
}
"""The analyst of each role."""
