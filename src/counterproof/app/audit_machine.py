"""The audit protocol as the driver sees it."""

from functools import cache
from typing import Annotated

from pydantic import Field

from counterproof.protocols.audit import machine, markers
from counterproof.protocols.audit.commands import Command
from counterproof.protocols.audit.events import Event
from counterproof.protocols.audit.state import AuditState, Stage
from counterproof.runtime.codec import Codec


@cache
def _codec() -> Codec[Event]:
    return Codec(Annotated[Event, Field(discriminator="kind")])


class AuditMachine:
    """Adapts pure functions to `ports.Machine`."""

    def initial(self) -> AuditState:
        return AuditState()

    def step(self, state: AuditState, event: Event) -> tuple[AuditState, tuple[Command, ...]]:
        return machine.step(state, event)

    def outstanding(self, state: AuditState) -> tuple[str, ...]:
        return state.outstanding

    def narrated(self, state: AuditState) -> tuple[str, ...]:
        return tuple(markers.text(marker) for marker in state.markers)

    def ended(self, state: AuditState) -> bool:
        return state.stage is Stage.ENDED

    def encode(self, event: Event) -> str:
        return _codec().encode(event)

    def decode(self, body: str) -> Event:
        return _codec().decode(body)
