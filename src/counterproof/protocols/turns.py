"""The single entry point through which events reach the state machines.

Invariant: a stage accepts only the events in its row of the table and answers only to issued commands; the handler may go only
to stages in that row. A late event from a source that may be late is recorded and has no other effect; any other event out of
turn is a bug of the driver. A stage with an empty row accepts no events. Not handled here: the effect of an event.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Protocol, TypeVar

from counterproof.model.errors import EngineBug


class Staged(Protocol):
    """The parts of a machine's state that this module needs."""

    @property
    def stage(self) -> Any: ...

    @property
    def outstanding(self) -> Collection[str]: ...


class Spoken(Protocol):
    """An event; if it has a field `answers`, that names the command it answers."""

    @property
    def kind(self) -> str: ...


State = TypeVar("State", bound=Staged)
Commands = tuple[Any, ...]


def take(
    state: State,
    event: Spoken,
    table: Mapping[Any, Mapping[str, tuple[Any, ...]]],
    handle: Callable[[State, Any], tuple[State, Commands]],
    *,
    may_be_late: Collection[str],
    note: Callable[[State, str], State],
) -> tuple[State, Commands]:
    """Return the next state and the commands to issue; `note` records late events."""
    row = table[state.stage]
    allowed = row.get(event.kind)
    answers = getattr(event, "answers", None)
    if allowed is None or (answers is not None and answers not in state.outstanding):
        if event.kind in may_be_late or not row:
            return note(state, f"{event.kind} for {answers or 'nobody'}"), ()
        raise EngineBug(f"{event.kind} (answering {answers}) arrived in stage {state.stage}, which does not accept it")
    result, commands = handle(state, event)
    if result.stage not in allowed:
        raise EngineBug(f"{event.kind} led from {state.stage} to {result.stage}, which the transition table forbids")
    return result, commands


def passed(seconds: int, limit: str) -> str:
    """The sentence in a report that names the time limit, or another limit, that ended a run."""
    return limit or f"the time limit of {seconds} s passed"
