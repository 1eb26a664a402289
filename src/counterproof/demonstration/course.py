"""A finding's course: what is run for it, the sandbox that its tries share, and how much time is left.

Invariant: a sandbox is ended when the target in it falls silent, and with the course; starts and time are bounded. Does not
belong here: what is tried, and what an effect is.
"""

import contextlib
import time
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from counterproof.demonstration.actions import Action, Request, filled
from counterproof.demonstration.sandbox.running import Plan, Sandbox, Silent, started
from counterproof.demonstration.targets import Interpreter
from counterproof.demonstration.templates import Template
from counterproof.demonstration.visit import REFUSING, Visit, completed, visit

MAX_STARTS: Final = 16
ANSWER_SECONDS: Final = 10.0
_START_SECONDS = 45.0


@dataclass(frozen=True, slots=True)
class Subject:
    """What is run for a finding: `start` is asked of the harness first."""

    root: Path
    interpreter: Interpreter
    harness: tuple[str, ...]
    start: dict[str, Any]
    actions: tuple[Action, ...]
    templates: tuple[Template, ...]
    address_space: int = 2_048 << 20
    prepare: tuple[str, ...] = ()
    """Commands of the user that are run in the copy first."""
    peers: tuple[Request, ...] = ()
    """Requests to other entries that ask for a login: the control of an entry that asks for none."""
    discover: Callable[[dict[str, Any]], Iterable[Action]] | None = None
    """Further actions, from what the harness said when the target had started."""
    instead: tuple[tuple[str, str], ...] = ()
    """Paths of the target and the texts that they have in the copy."""


class NotStarted(Exception):
    """The target did not start."""


@dataclass(slots=True)
class Course:
    """One finding's tries: how much is left, and the sandbox that they share while the target answers in it."""

    subject: Subject
    until: float
    starts: int = 0
    answered: str = ""
    visits: dict[int, Visit] = field(default_factory=dict[int, Visit])
    """What the pages of each sandbox gave."""
    _open: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    _current: "tuple[Sandbox, dict[str, Any]] | None" = None

    @property
    def over(self) -> bool:
        return time.monotonic() > self.until or self.starts >= MAX_STARTS

    def sandbox(self) -> "tuple[Sandbox, dict[str, Any]]":
        """The one that is open, or a new one, and what the harness said when the target had started."""
        if self._current is None:
            self._current = self._open.enter_context(self.fresh())
        return self._current

    def fresh(self) -> "contextlib.AbstractContextManager[tuple[Sandbox, dict[str, Any]]]":
        """One of its own."""
        self.starts += 1
        return _running(self.subject)

    def close(self) -> None:
        """End the one that is open."""
        self._current = None
        self._open.close()


@contextlib.contextmanager
def _running(subject: Subject) -> Generator[tuple[Sandbox, dict[str, Any]]]:
    """A sandbox in which the target has started, and what the harness said of it."""
    with started(_plan(subject)) as sandbox:
        yield sandbox, _begun(sandbox, subject)


def _plan(subject: Subject) -> Plan:
    folder = files("counterproof.demonstration").joinpath("harness")
    texts = tuple((name, folder.joinpath(name).read_text(encoding="utf-8")) for name in subject.harness)
    return Plan(
        (str(subject.interpreter.program), f"/target/{subject.harness[0]}"),
        subject.interpreter.readable,
        subject.root,
        (*texts, *((f"code/{path}", text) for path, text in subject.instead)),
        subject.interpreter.environment,
        address_space=subject.address_space,
    )


def failed_check(subject: Subject, command: str, seconds: int) -> str:
    """Why the user's command does not pass in the copy; '' where it does."""
    plan = replace(_plan(subject), address_space=0, processor_seconds=seconds)
    with started(plan) as sandbox:
        try:
            answer, _ = sandbox.ask({"do": "prepare", "command": command, "seconds": seconds}, seconds + 5.0)
        except Silent as silent:
            return str(silent)
    return str(answer.get("error") or answer.get("failed") or "")[:600]


def _begun(sandbox: Sandbox, subject: Subject) -> dict[str, Any]:
    for command in subject.prepare:
        _must(sandbox, {"do": "prepare", "command": command}, f"`{command}` failed in the copy")
    return _must(sandbox, subject.start, "the target did not start")


def _must(sandbox: Sandbox, question: dict[str, Any], what: str) -> dict[str, Any]:
    try:
        answer, _ = sandbox.ask(question, _START_SECONDS)
    except Silent as silent:
        raise NotStarted(f"{what}: {silent}") from silent
    if why := answer.get("error") or answer.get("failed"):
        raise NotStarted(f"{what}: {str(why)[:600]}")
    return answer


def ask(course: Course, sandbox: Sandbox, action: Action, value: str) -> dict[str, Any]:
    given = filled(action, value)
    answer, _ = sandbox.ask(given.sent(), ANSWER_SECONDS)
    if isinstance(given, Request) and answer.get("status") in REFUSING:
        known = course.visits.get(sandbox.port) or visit(sandbox, given, ANSWER_SECONDS)
        course.visits[sandbox.port] = known
        answer, _ = sandbox.ask(known.applied(given).sent(), ANSWER_SECONDS)
    if "failed" in answer:
        raise NotStarted(f"the target did not start: {str(answer['failed'])[:600]}")
    status, error = answer.get("status"), str(answer.get("error", ""))
    course.answered = f" (its last answer: {f'status {status}' if status else error[:200] or 'a value'})"
    return answer


def complete(course: Course, action: Action) -> Action:
    """A form with its other fields, where its page names them."""
    if not isinstance(action, Request):
        return action
    sandbox, _ = course.sandbox()
    try:
        return completed(sandbox, action, ANSWER_SECONDS)
    except Silent:
        course.close()
        return action
