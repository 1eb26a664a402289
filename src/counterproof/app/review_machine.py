"""The review protocol as the driver sees it."""

from functools import cache
from typing import Annotated

from pydantic import Field

from counterproof.protocols.review import machine
from counterproof.protocols.review.events import Command, Event
from counterproof.protocols.review.state import ReviewState, Stage
from counterproof.runtime.codec import Codec


@cache
def _codec() -> Codec[Event]:
    return Codec(Annotated[Event, Field(discriminator="kind")])


class ReviewMachine:
    """Adapts pure functions to `ports.Machine`."""

    def initial(self) -> ReviewState:
        return ReviewState()

    def step(self, state: ReviewState, event: Event) -> tuple[ReviewState, tuple[Command, ...]]:
        return machine.step(state, event)

    def outstanding(self, state: ReviewState) -> tuple[str, ...]:
        return state.outstanding

    def narrated(self, state: ReviewState) -> tuple[str, ...]:
        return state.markers

    def ended(self, state: ReviewState) -> bool:
        return state.stage is Stage.ENDED

    def encode(self, event: Event) -> str:
        return _codec().encode(event)

    def decode(self, body: str) -> Event:
        return _codec().decode(body)
