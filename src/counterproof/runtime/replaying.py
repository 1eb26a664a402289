"""Rebuilds a run from its journal: the state, what it still wants, and what an earlier course of it can lend.

A journal is a course of events. A `rerun` row ends one course and begins another from a new start: the user chose to go on
after something that the run depends on had changed. Answers of the old course that do not depend on what changed may be used
again, but only for exactly the same command. What always holds: the same journal gives the same course, state and commands;
nothing is executed here.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from counterproof.model.canonical import canonical
from counterproof.model.errors import CounterproofError, EngineBug, JournalError
from counterproof.ports import Journal, Machine

RERUN = "rerun"


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event in its written form, with its row."""

    seq: int
    body: str


@dataclass(frozen=True, slots=True)
class Course:
    """The events that count now and their markers; before that, the course they replaced and what of it may be used again."""

    events: tuple[Recorded, ...] = ()
    narrated: tuple[str, ...] = ()
    earlier: tuple[Recorded, ...] = ()
    reusable: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Replayed:
    """A state rebuilt from the journal, every command that led to it by id, and those that no event has answered."""

    state: Any
    commands: dict[str, Any]
    pending: tuple[Any, ...]
    events: int


@dataclass(frozen=True, slots=True)
class Reuse:
    """The events that once came of a command; they stand for it if the same command is wanted again."""

    command: Any
    events: tuple[Any, ...]


def rerun_body(start: str, reusable: tuple[int, ...], because: tuple[str, ...]) -> str:
    """The row that begins a new course."""
    return canonical({"start": start, "reusable": list(reusable), "because": list(because)})


def course(journal: Journal) -> Course:
    """The course of events that counts now."""
    events: list[Recorded] = []
    narrated: list[str] = []
    earlier: tuple[Recorded, ...] = ()
    reusable: tuple[int, ...] = ()
    for entry in journal.entries():
        if entry.kind == "event":
            events.append(Recorded(entry.seq, entry.body))
        elif entry.kind == "marker":
            narrated.append(entry.body)
        elif entry.kind == RERUN:
            start, reusable = _rerun(entry.body)
            earlier, events, narrated = tuple(events), [Recorded(entry.seq, start)], []
    return Course(tuple(events), tuple(narrated), earlier, reusable)


def _rerun(body: str) -> tuple[str, tuple[int, ...]]:
    try:
        fields: Any = json.loads(body)
        return str(fields["start"]), tuple(int(seq) for seq in fields["reusable"])
    except (ValueError, KeyError, TypeError) as error:
        raise JournalError("a rerun is recorded in a form unknown to this version") from error


def replay(machine: Machine, journal: Journal) -> Replayed:
    """Re-decide everything from the journalled events; no agent is called. Differing decisions are refused."""
    now = course(journal)
    try:
        state, commands = _folded(machine, now.events)
    except EngineBug as error:  # an answer to what this version never asked
        raise _decided_otherwise() from error
    if now.narrated != machine.narrated(state)[: len(now.narrated)]:
        raise _decided_otherwise()
    return Replayed(state, commands, tuple(commands[each] for each in machine.outstanding(state)), len(now.events))


def _decided_otherwise() -> JournalError:
    return JournalError(
        "this version decides differently from the one that wrote the journal",
        "read the stored report with `counterproof show`, or run the audit again",
    )


def _folded(machine: Machine, events: tuple[Recorded, ...]) -> tuple[Any, dict[str, Any]]:
    state = machine.initial()
    commands: dict[str, Any] = {}
    for recorded in events:
        state, wanted = machine.step(state, machine.decode(recorded.body))
        commands.update({command.id: command for command in wanted})
    return state, commands


def reuse(machine: Machine, now: Course) -> Mapping[str, Reuse]:
    """What the earlier course lends, by command id. A course that this version cannot follow any more lends nothing."""
    try:
        _, commands = _folded(machine, now.earlier)
        found: dict[str, tuple[Any, ...]] = {}
        for recorded in now.earlier:
            if recorded.seq in now.reusable:
                event = machine.decode(recorded.body)
                found[event.answers] = (*found.get(event.answers, ()), event)
    except (CounterproofError, AttributeError):
        return {}
    return {name: Reuse(commands[name], events) for name, events in found.items() if name in commands}
