"""The course of one finding: what is run for it, the sandbox shared by its tries, and the remaining time.

Invariant: a sandbox is ended when its target stops answering, and with the course; starts and time are bounded.
"""

import contextlib
import time
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from counterproof.demonstration import oracles
from counterproof.demonstration.accounts import Account, Ways, account, lent_session
from counterproof.demonstration.actions import Action, Request, filled
from counterproof.demonstration.sandbox.running import Plan, Sandbox, Silent, TimedOut, started
from counterproof.demonstration.targets import Interpreter
from counterproof.demonstration.templates import Effect, Template
from counterproof.demonstration.visit import REFUSING, Visit, completed, has_page, visit

MAX_STARTS: Final = 16
ANSWER_SECONDS: Final = 10.0
_LEAST_SECONDS = 1.0
_START_SECONDS = 45.0


@dataclass(frozen=True, slots=True)
class Before:
    """An effect that was observed on an earlier tree: `usual` describes how that tree answered the harmless `control`."""

    effect: Effect
    action: Action
    control: str
    usual: str


@dataclass(frozen=True, slots=True)
class Subject:
    """The program to run for a finding: `start` is the first question to the harness."""

    root: Path
    interpreter: Interpreter
    harness: tuple[str, ...]
    start: dict[str, Any]
    actions: tuple[Action, ...]
    templates: tuple[Template, ...]
    address_space: int = 2_048 << 20
    prepare: tuple[str, ...] = ()
    """The user's commands to run in the copy first."""
    peers: tuple[Request, ...] = ()
    """Requests to other entry points that require a login, or ownership: the control for an entry point that does not."""
    ways: Ways = field(default_factory=Ways)
    """How a user signs up and in."""
    discover: Callable[[dict[str, Any]], Iterable[Action]] | None = None
    """Derives further actions from the harness's answer after the start."""
    instead: tuple[tuple[str, str], ...] = ()
    """Paths in the target, with the texts that replace the files in the copy."""
    before: Before | None = None


class NotStarted(Exception):
    """The target did not start."""


@dataclass(slots=True)
class Course:
    """The tries of one finding: the remaining budget, and the sandbox that they share while its target answers."""

    subject: Subject
    until: float
    starts: int = 0
    answered: str = ""
    control: tuple[str, str] = ("", "")
    """The harmless input last sent, and how it was answered."""
    visits: dict[int, Visit] = field(default_factory=dict[int, Visit])
    """The cookies and tokens found on the pages in each sandbox."""
    signed_in: dict[int, Account | None] = field(default_factory=dict[int, Account | None])
    """The signed-in user of each sandbox; None if nobody could sign in."""
    late: list[tuple[Action, tuple[str, ...], Callable[[], bool]]] = field(default_factory=list[Any])
    """Tries in the open sandbox whose effect may still occur: the action, its input, the check."""
    patience: float = ANSWER_SECONDS
    """How long an answer is waited for; half as long after each time without one."""
    _open: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    _current: "tuple[Sandbox, dict[str, Any]] | None" = None

    @property
    def over(self) -> bool:
        return time.monotonic() > self.until or self.starts >= MAX_STARTS

    def sandbox(self) -> "tuple[Sandbox, dict[str, Any]]":
        """The open sandbox, or a new one, with the harness's answer after the start."""
        if self._current is None:
            self._current = self._open.enter_context(self.fresh())
        return self._current

    def fresh(self) -> "contextlib.AbstractContextManager[tuple[Sandbox, dict[str, Any]]]":
        """A separate sandbox."""
        self.starts += 1
        return _running(self.subject)

    def close(self) -> None:
        """End the open sandbox."""
        self._current = None
        self.late.clear()
        self._open.close()


@contextlib.contextmanager
def _running(subject: Subject) -> Generator[tuple[Sandbox, dict[str, Any]]]:
    """A sandbox with the started target, and the harness's answer after the start."""
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
    """Why the user's command fails in the copy; '' if it passes."""
    plan = replace(_plan(subject), address_space=0, processor_seconds=seconds)
    with started(plan) as sandbox:
        for each in (*subject.prepare, command):
            try:
                answer, _ = sandbox.ask({"do": "prepare", "command": each, "seconds": seconds}, seconds + 5.0)
            except Silent as silent:
                return str(silent)
            if why := str(answer.get("error") or answer.get("failed") or ""):
                return why[:4_000]
    return ""


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
        raise NotStarted(f"{what}: {str(why)[-600:]}")
    return answer


def ask(course: Course, sandbox: Sandbox, action: Action, value: str, session: bool = True) -> dict[str, Any]:
    """The answer to the action with a value. A rejected visitor visits the pages first, and then signs up and in if the
    application allows it; without `session` it never does."""
    given = filled(action, value)
    answer = _sent(course, sandbox, given, session)
    if isinstance(given, Request) and session:
        if answer.get("status") in REFUSING and sandbox.port not in course.visits:
            course.visits[sandbox.port] = visit(sandbox, given, ANSWER_SECONDS)
            answer = _sent(course, sandbox, given)
        if oracles.is_refused(answer) and sandbox.port not in course.signed_in:
            made = account(sandbox, course.subject.ways, ANSWER_SECONDS) or lent_session(sandbox, ANSWER_SECONDS)
            course.signed_in[sandbox.port] = made
            if made:
                course.visits[sandbox.port] = visit(sandbox, given, ANSWER_SECONDS, made.visit)
                answer = _sent(course, sandbox, given)
    if "failed" in answer:
        raise NotStarted(f"the target did not start: {str(answer['failed'])[:600]}")
    status, error = answer.get("status"), str(answer.get("error", ""))
    course.answered = f" (its last answer: {f'status {status}' if status else error[:200] or 'a value'})"
    return answer


def _sent(course: Course, sandbox: Sandbox, given: Action, session: bool = True) -> dict[str, Any]:
    known = course.visits.get(sandbox.port) if session else None
    sent = known.applied(given) if known and isinstance(given, Request) else given
    try:
        return sandbox.ask(sent.sent(), course.patience)[0]
    except TimedOut:
        course.patience = max(_LEAST_SECONDS, course.patience / 2)
        raise


def complete(course: Course, action: Action) -> Action:
    """Add the other fields of a form, if its page names them."""
    if not isinstance(action, Request) or not has_page(action):
        return action
    sandbox, _ = course.sandbox()
    try:
        return completed(action, ask(course, sandbox, Request("GET", action.path), ""))
    except Silent:
        course.close()
        return action
