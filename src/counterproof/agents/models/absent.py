"""A model that is asked no more: every question of its tasks fails with the reason, as with a model that is down."""

from counterproof.agents.models.channel import Answer, Question
from counterproof.agents.models.faults import ChannelFailed, FaultKind


class AbsentChannel:
    """The channel of a run that ends without its models."""

    def __init__(self, model: str, reason: str) -> None:
        self.model = model
        self._reason = reason

    async def ask(self, question: Question) -> Answer:
        raise ChannelFailed(FaultKind.NOT_ASKED, self._reason)
