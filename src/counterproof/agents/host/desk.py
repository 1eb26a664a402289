"""The desk of one run: tasks wait here for a coding agent, which submits its answers here.

Invariant: a task is answered only by the host that took it, only while it waits for an answer, one thing at a time, and never
after it ended; a host sees the contents of its own task only. The desk judges nothing: answers go through the same loop and
protocol as for every model. Thread-safe.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from counterproof.agents.host.contexts import Seen
from counterproof.agents.models.channel import Message, Question, ToolCall
from counterproof.agents.models.talk import PART
from counterproof.model.errors import UserError

Deliver = Callable[["Said"], None]

POSTING = 2.0
"""Seconds in which the engine may still offer other tasks of the same stage."""


@dataclass(frozen=True, slots=True)
class Said:
    """A host's answer: tool calls, or its result as unparsed text. The desk assigns the ids of calls, and records the context
    that took the task and how many characters it was shown since its last answer."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    context: str = ""
    shown: int = 0


@dataclass(frozen=True, slots=True)
class Shown:
    """The view of a task for its host: new content, or everything if the host takes the task up again.

    `tools` is False if only the result is still accepted. `ended` is the task's outcome, once it has one; `busy`: the engine
    is still processing the last answer; `elsewhere`: all waiting tasks are worth more from a context that has not played yet;
    asking again returns them anyway; `held`: no task is free, and this one waits for the answer of another context.
    """

    task: str
    system: str = ""
    messages: tuple[Message, ...] = ()
    tools: bool = False
    turn: int = 0
    ended: str = ""
    busy: bool = False
    elsewhere: bool = False
    held: bool = False

    @property
    def opens(self) -> bool:
        """True if these messages start another conversation of the task."""
        return self.turn > PART and self.turn % PART == 1


@dataclass(slots=True)
class _Place:
    """One task. `question` waits for an answer; None while the engine works. `seen` are the messages already shown."""

    question: Question | None = None
    deliver: Deliver | None = None
    held: bool = False
    context: str = ""
    seen: tuple[Message, ...] = ()
    shown: int = 0
    ended: str = ""
    turn: threading.Lock = field(default_factory=threading.Lock)


class Desk:
    """One per run with a host."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._places: dict[str, _Place] = {}
        self._seen: dict[str, Seen] = {}
        self._apart: dict[str, int] = {}
        self._hunts: dict[str, set[int]] = {}
        """The hunts in which each context took part; 0 stands for work without a number."""
        self._pointed: set[tuple[str, str]] = set()
        self.closed = ""
        """Why the desk is closed; the run then pauses instead of waiting."""

    # The engine's side.

    def keep_apart(self, task: str, hunt: int = 0) -> None:
        """Mark a task as worth more from a context of its own (A53): a hunt's task from a context that played no other hunt."""
        with self._changed:
            self._apart[task] = hunt

    def post(self, question: Question, deliver: Deliver) -> None:
        """Offer a question to the host. `deliver` is called once, from any thread."""
        with self._changed:
            place = self._places.setdefault(question.task, _Place())
            place.question, place.deliver = question, deliver
            self._changed.notify_all()

    def withdraw(self, task: str) -> None:
        """Stop waiting for an answer."""
        with self._changed:
            place = self._places.get(task)
            if place:
                place.question = place.deliver = None

    def end(self, task: str, word: str) -> None:
        """Reject further answers to the task. The first outcome is kept."""
        with self._changed:
            place = self._places.setdefault(task, _Place())
            place.ended = place.ended or word
            self._changed.notify_all()

    def close(self, reason: str) -> None:
        """Pause the run: the host has disconnected, or the run has ended."""
        with self._changed:
            self.closed = self.closed or reason
            self._changed.notify_all()

    # The host's side.

    def take(self, seconds: float, context: str = "") -> Shown | None:
        """Assign the next free task to this context. If all tasks wait for answers, the one that this context holds is shown
        again, or another context's is named at once. None if there is no task in this time."""
        with self._changed:
            until = time.monotonic() + seconds
            self._changed.wait_for(lambda: bool(self.closed or self._free()), min(seconds, POSTING))
            ready = lambda: bool(self.closed or self._free() or self._awaited(context))  # noqa: E731
            self._changed.wait_for(ready, until - time.monotonic())
            free = None if self.closed else self._free()
            if free is None:
                awaited = None if self.closed else self._awaited(context)
                own = awaited is not None and self._places[awaited].context == context
                return (
                    None if awaited is None else self._shown(awaited, anew=True, again=True) if own else Shown(awaited, held=True)
                )
            if self._is_apart(free, context) and (free, context) not in self._pointed:
                self._pointed.add((free, context))
                return Shown(free, elsewhere=True)
            if (hunt := self._apart.get(free)) or free not in self._apart:
                self._hunts.setdefault(context, set()).add(hunt or 0)
            self._places[free].held, self._places[free].context = True, context
            return self._shown(free, anew=True)

    def again(self, task: str, seconds: float) -> Shown:
        """A task assigned to this host: its new content, or all of it. Raises `UserError` if it is not assigned."""
        with self._changed:
            place = self._held(task)
            self._changed.wait_for(lambda: bool(place.question or place.ended or self.closed), seconds)
            known = not place.question or place.seen == place.question.messages
            return self._shown(task, anew=known, again=known)

    def answer(self, task: str, said: Said, seconds: float) -> Shown:
        """Submit an answer and wait for the reaction. Raises `UserError` if no answer is accepted."""
        until = time.monotonic() + seconds
        with self._changed:
            place = self._held(task)
        if not place.turn.acquire(timeout=max(0.0, seconds)):
            return Shown(task, busy=True)
        try:
            with self._changed:
                self._changed.wait_for(lambda: bool(place.question or place.ended or self.closed), until - time.monotonic())
                if place.ended or self.closed:
                    raise UserError(f"task {task} accepts no more results: {place.ended or self.closed}", "take another task")
                if place.question is None or place.deliver is None:
                    raise UserError(f"the engine still works on the last answer to {task}; this one was not taken", "try again")
                if said.calls and not place.question.may_call:
                    raise UserError(f"task {task} has no tools left", "hand in the result with submit_result")
                calls = tuple(replace(each, id=f"call-{place.question.step}-{n}") for n, each in enumerate(said.calls, 1))
                deliver, place.question, place.deliver = place.deliver, None, None
                shown, place.shown = place.shown, 0
                deliver(Said(said.text, calls, place.context, shown))
                self._changed.wait_for(lambda: bool(place.question or place.ended or self.closed), until - time.monotonic())
                return self._shown(task, anew=False)
        finally:
            place.turn.release()

    def counts(self) -> tuple[int, int, int]:
        """The number of waiting, assigned and ended tasks."""
        with self._changed:
            open_ = [place for place in self._places.values() if not place.ended]
            held = sum(place.held for place in open_)
            return len(open_) - held, held, len(self._places) - len(open_)

    def _free(self) -> str | None:
        """Sorted by id, so that the order of arrival has no effect."""
        free = (task for task, place in self._places.items() if place.question and not place.held and not place.ended)
        return min(free, default=None)

    def _awaited(self, context: str) -> str | None:
        """The task whose answer the engine waits for, this context's first; None while the engine works on any task."""
        open_ = {task: place for task, place in self._places.items() if place.held and not place.ended}
        waiting = min(open_, key=lambda task: (open_[task].context != context, task), default=None)
        return waiting if all(place.question for place in open_.values()) else None

    def _is_apart(self, task: str, context: str) -> bool:
        return task in self._apart and bool(self._hunts.get(context, set()) - {self._apart[task] or -1})

    def _held(self, task: str) -> _Place:
        place = self._places.get(task)
        if place is None:
            raise UserError(f"there is no task {task[:120]!r} in this run", "next_task returns tasks with their ids")
        if not place.held:
            raise UserError(f"nobody took task {task}", "take it with next_task first")
        return place

    def _shown(self, task: str, anew: bool, again: bool = False) -> Shown:
        """`again`: the task is re-read page by page, which is counted once."""
        place = self._places[task]
        question = place.question
        if place.ended or question is None:
            ended = place.ended or (f"the run paused: {self.closed}" if self.closed else "")
            return Shown(task, ended=ended, busy=not ended)
        known = len(place.seen)
        first = known if not anew and question.messages[:known] == place.seen else 0  # a task may have several conversations
        place.seen = question.messages
        seen = self._seen.setdefault(place.context, Seen())
        messages = tuple(seen.message(each, task) for each in question.messages[first:])
        system = seen.system(question.system, task)
        if question.messages[first:] and not again:
            place.shown += len(system) * (first == 0) + sum(len(each.text) for each in messages if each.role != "assistant")
        return Shown(task, system, messages, question.may_call, question.step)
