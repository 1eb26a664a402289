"""The plan protocol as the driver sees it."""

from functools import cache
from typing import Annotated

from pydantic import Field

from counterproof.protocols.plan import machine
from counterproof.protocols.plan.events import Command, Event
from counterproof.protocols.plan.state import PlanState, Stage
from counterproof.runtime.codec import Codec


@cache
def _codec() -> Codec[Event]:
    return Codec(Annotated[Event, Field(discriminator="kind")])


class VerifyMachine:
    """Adapts pure functions to `ports.Machine`."""

    def initial(self) -> PlanState:
        return PlanState()

    def step(self, state: PlanState, event: Event) -> tuple[PlanState, tuple[Command, ...]]:
        return machine.step(state, event)

    def outstanding(self, state: PlanState) -> tuple[str, ...]:
        return state.outstanding

    def narrated(self, state: PlanState) -> tuple[str, ...]:
        return state.markers

    def ended(self, state: PlanState) -> bool:
        return state.stage is Stage.ENDED

    def encode(self, event: Event) -> str:
        return _codec().encode(event)

    def decode(self, body: str) -> Event:
        return _codec().decode(body)
