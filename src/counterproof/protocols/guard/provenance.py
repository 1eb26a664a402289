"""Whose output it is (R8, F12): a reply must carry the marker that its task was issued with, its agent and its round.

The marker is derived from the opening of the conversation, so the reviewed code cannot know it in advance and a reply to
another question carries another one. Approval is no matter of provenance: nothing that an agent or the reviewed code says
approves anything; only the user's own answer to a question of the engine does (X19).
"""

from counterproof.model.canonical import digest
from counterproof.model.contract import AgentTask

PREFIX = "cp-"


def marker_of(task: AgentTask, opening: str) -> str:
    """The marker of a task, from everything that its first question says."""
    return PREFIX + digest(f"{task.id}\n{task.attempt}\n{task.agent_id}\n{task.round}\n{opening}")[:32]


def mismatch(task: AgentTask, marker: str, said: tuple[str, str, int]) -> str:
    """Why a reply is not the one that was asked for; '' if it is. `said` are its marker, agent and round."""
    given, agent_id, number = said
    if given != marker:
        return "the reply carries a foreign marker: it answers another question" if given else "the reply carries no marker"
    if agent_id != task.agent_id:
        return f"the reply is signed by another agent than {task.agent_id}"
    if number != task.round:
        return f"the reply is for round {number}, not {task.round}"
    return ""
