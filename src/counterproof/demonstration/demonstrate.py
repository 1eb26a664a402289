"""Tries to show the effect of one finding on a copy of its target, and lets the oracle alone decide.

Always holds: an effect counts only if it was seen twice, in two sandboxes, with new random words each time, and the control of
each stayed quiet; tries and time are bounded; the target itself is never written and never runs outside the sandbox.
"""

import contextlib
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any, Final

from counterproof.demonstration import oracles
from counterproof.demonstration.actions import Action, Request, filled
from counterproof.demonstration.sandbox.running import Plan, Sandbox, Silent, started
from counterproof.demonstration.targets import Interpreter
from counterproof.demonstration.templates import SAID, Effect, Filling, Template, inputs_of, stretched
from counterproof.demonstration.visit import REFUSING, Visit, visit

MAX_SECONDS: Final = 90.0
MAX_STARTS: Final = 16
MAX_DISCOVERED: Final = 16
_SPARE_CANARIES = 4
_START_SECONDS = 45.0
_ANSWER_SECONDS = 10.0
_SETTLE_SECONDS = 1.5
"""How long an effect may come after the answer: programs are started and not waited for."""


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
    discover: Callable[[dict[str, Any]], Iterable[Action]] | None = None
    """Further actions, from what the harness said when the target had started."""


@dataclass(frozen=True, slots=True)
class Shown:
    """An effect that the oracle saw twice. `action` has `INPUT` where `input` goes, a template's text; `control` stayed quiet."""

    effect: Effect
    action: Action
    input: str
    control: str
    filled: Action
    """The action as it was sent the second time."""

    @property
    def seen(self) -> str:
        return SAID[self.effect]


@dataclass(frozen=True, slots=True)
class Unshown:
    """Why nothing was shown; `started` says whether the target ran."""

    reason: str
    started: bool = False


@dataclass(slots=True)
class _Course:
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


def demonstrate(subject: Subject, seconds: float = MAX_SECONDS) -> Shown | Unshown:
    """Try every input of every template at every action, until an effect is seen and seen again."""
    if not subject.templates:
        return Unshown("no effect is known that could be looked for")
    course = _Course(subject, time.monotonic() + seconds)
    try:
        with contextlib.closing(course):
            actions = _actions(course)
            if not actions:
                return Unshown("the finding does not say how its input gets in")
            for template in subject.templates:
                for action in actions:
                    shown = _tried(course, template, action)
                    if shown is not None or course.over:
                        return shown or _nothing(course)
    except _Failed as failed:
        return Unshown(str(failed))
    return _nothing(course)


def _actions(course: _Course) -> tuple[Action, ...]:
    """Those of the subject, and those that follow from what the harness found."""
    subject = course.subject
    if subject.discover is None:
        return subject.actions
    _, answer = course.sandbox()
    found = (each for each in subject.discover(answer) if each not in subject.actions)
    return (*subject.actions, *islice(found, MAX_DISCOVERED))


def _nothing(course: _Course) -> Unshown:
    how = "the time or the number of starts was used up" if course.over else "every input was tried"
    return Unshown(f"no effect was seen: {how}{course.answered}", started=True)


class _Failed(Exception):
    """The target did not start."""


@contextlib.contextmanager
def _running(subject: Subject) -> Generator[tuple[Sandbox, dict[str, Any]]]:
    """A sandbox in which the target has started, and what the harness said of it."""
    folder = files("counterproof.demonstration.harness")
    texts = tuple((name, folder.joinpath(name).read_text(encoding="utf-8")) for name in subject.harness)
    plan = Plan(
        (str(subject.interpreter.program), f"/target/{subject.harness[0]}"),
        subject.interpreter.readable,
        subject.root,
        texts,
        subject.interpreter.environment,
        address_space=subject.address_space,
    )
    with started(plan) as sandbox:
        yield sandbox, _begun(sandbox, subject)


def _begun(sandbox: Sandbox, subject: Subject) -> dict[str, Any]:
    for command in subject.prepare:
        _must(sandbox, {"do": "prepare", "command": command}, f"`{command}` failed in the copy")
    return _must(sandbox, subject.start, "the target did not start")


def _must(sandbox: Sandbox, question: dict[str, Any], what: str) -> dict[str, Any]:
    try:
        answer, _ = sandbox.ask(question, _START_SECONDS)
    except Silent as silent:
        raise _Failed(f"{what}: {silent}") from silent
    if why := answer.get("error") or answer.get("failed"):
        raise _Failed(f"{what}: {str(why)[:600]}")
    return answer


def _tried(course: _Course, template: Template, action: Action) -> Shown | None:
    """All inputs of one template, in one sandbox or in another where the target ended over one."""
    if template.shows is Effect.SLOW:
        return _timed(course, template, action)
    left = list(_steps(template))
    while left and not course.over:
        sandbox, _ = course.sandbox()
        try:
            if not _quiet(course, sandbox, template, action, Filling.new(sandbox)):
                return None
        except Silent:
            course.close()
            return None
        for step in _seen_steps(course, sandbox, template, action, left):
            if again := _again(course, template, action, step):
                return again
    return None


def _seen_steps(
    course: _Course, sandbox: Sandbox, template: Template, action: Action, left: list[tuple[str, ...]]
) -> Iterator[tuple[str, ...]]:
    """Inputs whose effect was seen. Those that may still come are waited for once, after all were tried."""
    pending: list[tuple[tuple[str, ...], Callable[[], bool]]] = []
    try:
        while left and not course.over and len(sandbox.canaries) > _SPARE_CANARIES:
            step = left.pop(0)
            look = _look(course, sandbox, template, action, step, Filling.new(sandbox))
            if look():
                yield step
                return
            pending.append((step, look))
    except Silent:
        course.close()
        return
    if template.shows in LATE and pending:
        _within(lambda: any(look() for _, look in pending), _SETTLE_SECONDS)
        yield from (step for step, look in pending if look())
    if len(sandbox.canaries) <= _SPARE_CANARIES:
        course.close()


def _steps(template: Template) -> Iterator[tuple[str, ...]]:
    """Inputs that are tried together: pairs of a true and a false condition, else one at a time."""
    values = inputs_of(template)
    if template.shows is Effect.TRUTH:
        yield from zip(values[::2], values[1::2], strict=True)
    else:
        yield from ((value,) for value in values)


def _ask(course: _Course, sandbox: Sandbox, action: Action, value: str) -> dict[str, Any]:
    given = filled(action, value)
    answer, _ = sandbox.ask(given.sent(), _ANSWER_SECONDS)
    if isinstance(given, Request) and answer.get("status") in REFUSING:
        known = course.visits.get(sandbox.port) or visit(sandbox, given, _ANSWER_SECONDS)
        course.visits[sandbox.port] = known
        answer, _ = sandbox.ask(known.applied(given).sent(), _ANSWER_SECONDS)
    if "failed" in answer:
        raise _Failed(f"the target did not start: {str(answer['failed'])[:600]}")
    status, error = answer.get("status"), str(answer.get("error", ""))
    course.answered = f" (its last answer: {f'status {status}' if status else error[:200] or 'a value'})"
    return answer


def _quiet(course: _Course, sandbox: Sandbox, template: Template, action: Action, filling: Filling) -> bool:
    """Whether no control shows the effect."""
    if template.shows is Effect.TRUTH:
        first, second = (filling.put(each) for each in template.controls)
        answers = [oracles.bare(_ask(course, sandbox, action, each), each, filling) for each in (first, second)]
        return answers[0] == answers[1]
    looks = oracles.look_for(template.shows, sandbox, filling)
    for control in template.controls:
        try:
            answer = _ask(course, sandbox, action, filling.put(control))
        except Silent:
            continue
        if _within(partial(looks, answer), 0.3):
            return False
    return True


LATE: Final = (Effect.MARK, Effect.GONE, Effect.HEARD)
"""Effects that may come after the answer."""


def _look(
    course: _Course, sandbox: Sandbox, template: Template, action: Action, step: tuple[str, ...], filling: Filling
) -> Callable[[], bool]:
    """Do it, and how to see what came of it."""
    if template.shows is Effect.TRUTH:
        follows = _follows(course, sandbox, action, step, filling)
        return lambda: follows
    if template.shows is Effect.GONE:
        sandbox.keep(filling.kept)
    looks = oracles.look_for(template.shows, sandbox, filling)
    try:
        answer = _ask(course, sandbox, action, filling.put(step[0]))
    except Silent:
        if template.shows in LATE and looks({}):
            return lambda: True
        raise
    return lambda: looks(answer)


def _within(look: Callable[[], bool], seconds: float) -> bool:
    until = time.monotonic() + seconds
    while not look():
        if time.monotonic() >= until:
            return False
        time.sleep(0.03)
    return True


def _follows(course: _Course, sandbox: Sandbox, action: Action, pair: tuple[str, ...], filling: Filling) -> bool:
    """True conditions are answered alike, false ones alike, and the two differ."""
    answers: list[list[str]] = [[], []]
    for words in (filling, Filling.new(sandbox)):
        for which, value in enumerate(pair):
            put = words.put(value)
            answers[which].append(oracles.bare(_ask(course, sandbox, action, put), put, words))
    (first, second), (third, fourth) = answers
    return first == second and third == fourth and first != third and "error" not in (first, third)


def _again(course: _Course, template: Template, action: Action, step: tuple[str, ...]) -> Shown | None:
    """The same in a sandbox of its own, with other words, the control first."""
    with course.fresh() as (sandbox, _), contextlib.suppress(Silent):
        filling = Filling.new(sandbox)
        if not _quiet(course, sandbox, template, action, filling):
            return None
        look = _look(course, sandbox, template, action, step, filling)
        if _within(look, _SETTLE_SECONDS if template.shows in LATE else 0.0):
            return Shown(template.shows, action, step[0], template.controls[0], filled(action, filling.put(step[0])))
    return None


TIMES: Final = 3
FACTOR: Final = 20
_LEAST_SECONDS = 0.4


def _timed(course: _Course, template: Template, action: Action) -> Shown | None:
    """Inputs that take at least `FACTOR` times as long as benign ones of the same length, `TIMES` times, each in a sandbox of its
    own."""
    left = list(template.values)
    while left and not course.over:
        with course.fresh() as (sandbox, _):
            slow = _first_slow(course, sandbox, action, left)
        if slow and all(_slow_again(course, action, slow) for _ in range(TIMES - 1)):
            return Shown(Effect.SLOW, action, slow, template.controls[0], filled(action, ""))
    return None


def _first_slow(course: _Course, sandbox: Sandbox, action: Action, left: list[str]) -> str:
    with contextlib.suppress(Silent):
        while left and not course.over:
            value = left.pop(0)
            if _slow(sandbox, action, stretched(value)):
                return value
    return ""


def _slow_again(course: _Course, action: Action, value: str) -> bool:
    with course.fresh() as (sandbox, _), contextlib.suppress(Silent):
        return _slow(sandbox, action, stretched(value))
    return False


def _slow(sandbox: Sandbox, action: Action, value: str) -> bool:
    benign = oracles.benign(len(value))
    sandbox.ask(filled(action, benign).sent(), _ANSWER_SECONDS)
    _, usual = sandbox.ask(filled(action, oracles.benign(len(value))).sent(), _ANSWER_SECONDS)
    begun = time.monotonic()
    with contextlib.suppress(Silent):
        sandbox.ask(filled(action, value).sent(), _ANSWER_SECONDS)
    taken = time.monotonic() - begun
    return taken >= max(_LEAST_SECONDS, FACTOR * usual)
