"""Agents of a review's seats on channels of one's own."""

from collections.abc import Mapping
from typing import Any

from counterproof.agents.models.agent import ModelAgent
from counterproof.agents.models.channel import Channel
from counterproof.agents.specialists.model.specialist import ReviewDialogue
from counterproof.app.workbench.review import with_advocate


def seated(channels: Mapping[str, Channel]) -> Mapping[str, ModelAgent[Any, Any, Any]]:
    return with_advocate({code: ModelAgent(channel, ReviewDialogue(channel.model)) for code, channel in channels.items()})
