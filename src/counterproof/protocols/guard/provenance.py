"""Checks the origin of output (R8, F12): a reply must carry its task's marker, agent and round.

The marker is derived from the opening of the conversation, so the reviewed code cannot know it in advance and replies to other
questions have other markers. Provenance is not approval: nothing from an agent or the reviewed code approves anything; only
the user's own answer to a question of the engine does (X19).
"""

from counterproof.model.canonical import digest

PREFIX = "cp-"


def marker_of(*question: object) -> str:
    """The marker of a question, derived from its identity and its full content."""
    return PREFIX + digest("\n".join(map(str, question)))[:32]


def mismatch(expected: tuple[str, str, int], said: tuple[object, object, object]) -> str:
    """Why a reply does not match its task; '' if it does. Both arguments are a marker, an agent and a round."""
    marker, agent_id, number = expected
    if said[0] != marker:
        return f"the reply carries {'a foreign' if said[0] else 'no'} marker: it answers another question"
    if said[1] != agent_id:
        return f"the reply is signed by another agent than {agent_id}"
    return f"the reply is for round {said[2]}, not {number}" if said[2] != number else ""
