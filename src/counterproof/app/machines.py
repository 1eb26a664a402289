"""Adapts the three protocols for the driver: pure functions as `ports.Machine`, and a codec for their events."""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Generic, Protocol, TypeVar

from counterproof.runtime.codec import Codec

if TYPE_CHECKING:
    from counterproof.protocols.audit import commands, events
    from counterproof.protocols.audit.state import AuditState
    from counterproof.protocols.plan import events as plan_events
    from counterproof.protocols.plan.state import PlanState
    from counterproof.protocols.review import events as review_events
    from counterproof.protocols.review.state import ReviewState


class Course(Protocol):
    """The parts of a run's state common to all protocols."""

    @property
    def stage(self) -> Any: ...
    @property
    def outstanding(self) -> tuple[str, ...]: ...
    @property
    def markers(self) -> tuple[Any, ...]: ...


State = TypeVar("State", bound=Course)
Event = TypeVar("Event")
Command = TypeVar("Command")


class ProtocolMachine(Generic[State, Event, Command]):
    """Adapts pure functions. `ended` is the last stage; `events` the union of all events; `told` formats a marker."""

    def __init__(
        self,
        initial: Callable[[], State],
        step: Callable[[State, Event], tuple[State, tuple[Command, ...]]],
        ended: object,
        events: Any,
        told: Callable[[Any], str] = str,
    ) -> None:
        from pydantic import Field

        self._initial = initial
        self._step = step
        self._ended = ended
        self._told = told
        self._codec: Codec[Event] = Codec(Annotated[events, Field(discriminator="kind")])

    def initial(self) -> State:
        return self._initial()

    def step(self, state: State, event: Event) -> tuple[State, tuple[Command, ...]]:
        return self._step(state, event)

    def outstanding(self, state: State) -> tuple[str, ...]:
        return state.outstanding

    def narrated(self, state: State) -> tuple[str, ...]:
        return tuple(map(self._told, state.markers))

    def ended(self, state: State) -> bool:
        return state.stage is self._ended

    def encode(self, event: Event) -> str:
        return self._codec.encode(event)

    def decode(self, body: str) -> Event:
        return self._codec.decode(body)


@cache
def audit_machine() -> "ProtocolMachine[AuditState, events.Event, commands.Command]":
    from counterproof.protocols.audit import events, machine, markers
    from counterproof.protocols.audit.state import AuditState, Stage

    return ProtocolMachine(AuditState, machine.step, Stage.ENDED, events.Event, markers.text)


@cache
def review_machine() -> "ProtocolMachine[ReviewState, review_events.Event, review_events.Command]":
    from counterproof.protocols.review import events, machine
    from counterproof.protocols.review.state import ReviewState, Stage

    return ProtocolMachine(ReviewState, machine.step, Stage.ENDED, events.Event)


@cache
def verify_machine() -> "ProtocolMachine[PlanState, plan_events.Event, plan_events.Command]":
    from counterproof.protocols.plan import events, machine
    from counterproof.protocols.plan.state import PlanState, Stage

    return ProtocolMachine(PlanState, machine.step, Stage.ENDED, events.Event)
