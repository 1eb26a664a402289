"""Whose turn it is: the one gate through which an event gets into any of the three machines.

Invariant: a stage takes only the events that its row of the table names, an answer only to what was asked, and the handler
may lead only where the row says. What comes late from those who may be late is noted and changes nothing else; anything else out
of turn is a bug of the driver. A stage with an empty row takes nothing more. Not handled here: what an event does.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Protocol, TypeVar

from counterproof.model.errors import EngineBug


class Staged(Protocol):
    """The state of a machine, as far as turns go."""

    @property
    def stage(self) -> Any: ...

    @property
    def outstanding(self) -> Collection[str]: ...


class Spoken(Protocol):
    """An event; one with a field `answers` names the command that it answers."""

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
    """The next state and what it wants done; `note` keeps what came late."""
    row = table[state.stage]
    allowed = row.get(event.kind)
    answers = getattr(event, "answers", None)
    if allowed is None or (answers is not None and answers not in state.outstanding):
        if event.kind in may_be_late or not row:
            return note(state, f"{event.kind} for {answers or 'nobody'}"), ()
        raise EngineBug(f"{event.kind} (answering {answers}) came in stage {state.stage}, which does not take it")
    result, commands = handle(state, event)
    if result.stage not in allowed:
        raise EngineBug(f"{event.kind} led from {state.stage} to {result.stage}, which the table forbids")
    return result, commands


def passed(seconds: int, limit: str) -> str:
    """The limit of time, or whatever other, that ends a run, as a report says it."""
    return limit or f"the time limit of {seconds} s passed"
