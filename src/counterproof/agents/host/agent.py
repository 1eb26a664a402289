"""An agent that a coding agent plays: the loop of the models, and the desk told what became of each task.

Always holds: everything that binds a model binds a host (A22 to A29): turns, tools, the contract, the witness beside it. What is
told back is about the host's own result and names no other agent.
"""

from collections.abc import Callable
from dataclasses import replace

from counterproof.agents.host.channel import HostChannel
from counterproof.agents.host.desk import Desk
from counterproof.agents.models.agent import ModelAgent
from counterproof.agents.models.tuning import USUAL, Tuning
from counterproof.model.contract import AgentReply, AgentTask, Ask, Role
from counterproof.model.errors import CounterproofError, ProviderPause
from counterproof.protocols.guard.citations import refusal
from counterproof.toolbox.threads import in_daemon_thread
from counterproof.toolbox.witnessed import WitnessedTools

MAX_TOLD = 10
NOT_KNOWN = "Agents were played by a coding agent over MCP; whether it kept their contexts apart cannot be known."
"""What the engine cannot enforce on a host, said in every report that one took part in (R34)."""


class HostAgent(ModelAgent):
    """One instance serves any number of tasks."""

    def __init__(self, channel: HostChannel, desk: Desk | None, tuning: Callable[[Role], Tuning] = lambda _: USUAL) -> None:
        super().__init__(channel, tuning)
        self._host = channel
        self._desk = desk or Desk()

    async def run(self, task: AgentTask, toolbox: WitnessedTools) -> AgentReply:
        if task.role is Role.VALIDATOR and task.ask is not Ask.QUESTIONS:
            self._desk.keep_apart(task.id)
        elif task.hunt:
            self._desk.keep_apart(task.id, task.hunt)
        try:
            return await super().run(task, toolbox)
        except ProviderPause as pause:
            self._desk.end(task.id, f"the run paused: {pause}")
            raise
        except CounterproofError as error:
            self._desk.end(task.id, f"the result was refused: {error}. If an attempt is left it comes as a task of its own")
            raise
        finally:
            self._desk.end(task.id, "the run went on without it")

    async def _handed_in(self, task: AgentTask, toolbox: WitnessedTools, reply: AgentReply) -> AgentReply:
        self._desk.end(task.id, await in_daemon_thread(lambda: taken(toolbox, reply)))
        own = replace(reply, notes=(*reply.notes, NOT_KNOWN), context=self._host.context_of(task.id))
        return await super()._handed_in(task, toolbox, own)


def taken(toolbox: WitnessedTools, reply: AgentReply) -> str:
    """What the engine made of a result: taken or cut off, and which of its findings do not stand (A29)."""
    reads = toolbox.own_reads()
    checked = zip(reply.findings, toolbox.citations(reply), strict=True)
    refused = [(number, why) for number, (each, citation) in enumerate(checked) if (why := refusal(each, citation, reads))]
    kept = len(reply.findings) - len(refused)
    judged = len(reply.judgements) + len(reply.hit_judgements)
    lines = [f"{kept} findings were taken" if not judged else f"{judged} judgements were taken"]
    lines += [f"findings[{number}] was refused: {why}" for number, why in refused[:MAX_TOLD]]
    if len(refused) > MAX_TOLD:
        lines.append(f"{len(refused) - MAX_TOLD} more were refused")
    if not reply.ended:
        lines.append("the work counts as cut off" + "".join(f": {note}" for note in reply.notes[:1]))
    return "; ".join(lines)
