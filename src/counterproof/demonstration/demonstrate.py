"""Tries to demonstrate one finding's effect on a copy of its target; only the oracle decides.

Invariant: an effect counts only if it was observed twice, in two sandboxes, with new random words each time, and each control
had no effect; tries and time are bounded; the target itself is never written to and never runs outside the sandbox.
"""

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Final

from counterproof.demonstration import oracles, rows
from counterproof.demonstration.actions import Action, Call, filled
from counterproof.demonstration.course import ANSWER_SECONDS, Before, Course, NotStarted, Subject, ask, complete
from counterproof.demonstration.sandbox.running import Sandbox, Silent, TimedOut
from counterproof.demonstration.templates import SAID, Effect, Filling, Template, inputs_of, stretched

MAX_SECONDS: Final = 90.0
MAX_DISCOVERED: Final = 16
_SPARE_CANARIES = 4
_SETTLE_SECONDS = 1.5
"""How long after the answer an effect may occur: programs may be started without waiting for them."""
MOST_BLOCKED: Final = 3
"""The number of inputs without an answer after which an action is given up."""


@dataclass(frozen=True, slots=True)
class Shown:
    """An effect that the oracle observed twice. `action` has `INPUT` as the placeholder for `input`, a template's text;
    `control` had no effect."""

    effect: Effect
    action: Action
    input: str
    control: str
    filled: Action
    """The action as sent the second time."""
    session: str = ""
    """How the visitor got a session, if one was needed."""
    usual: str = ""
    """How the control was answered."""

    @property
    def seen(self) -> str:
        return SAID[self.effect]


@dataclass(frozen=True, slots=True)
class Unshown:
    """Why nothing was demonstrated; `started`: the target ran; `dead`: it could not be started; `broken`: a harmless input is
    no longer answered as before the change."""

    reason: str
    started: bool = False
    dead: bool = False
    broken: bool = False


def demonstrate(subject: Subject, seconds: float = MAX_SECONDS) -> Shown | Unshown:
    """Try every input of every template with every action, until an effect is observed twice."""
    if not subject.templates:
        return Unshown("no demonstrable effect is known for this kind of finding")
    course = Course(subject, time.monotonic() + seconds)
    try:
        with contextlib.closing(course):
            actions = _actions(course)
            if not actions:
                return Unshown("the finding does not say how input reaches it")
            actions = tuple(complete(course, each) for each in actions)
            shown = (_first_shown(course, template, actions) for template in subject.templates)
            return next(filter(None, shown), None) or _nothing(course)
    except NotStarted as failed:
        return Unshown(str(failed), dead=not course.answered)


def _actions(course: Course) -> tuple[Action, ...]:
    """The subject's actions, and those derived from the harness's answer."""
    subject = course.subject
    if subject.discover is None:
        return subject.actions
    _, answer = course.sandbox()
    found = (each for each in subject.discover(answer) if each not in subject.actions)
    return (*subject.actions, *islice(found, MAX_DISCOVERED))


def _nothing(course: Course) -> Unshown:
    how = "every input was tried" if course.answered else "a harmless input was not answered"
    how = "the limit of time or of starts was reached" if course.over else how
    reason = f"no effect was seen: {how}{course.answered}"
    if any(each.shows is Effect.OTHERS for each in course.subject.templates):
        reason += f"; {rows.LIMITS}"
    if course.subject.before and (changed := _changed(course, course.subject.before)):
        return Unshown(f"{reason}; {changed}, so the function may no longer work", started=True, broken=True)
    return Unshown(reason, started=True)


def _changed(course: Course, before: Before) -> str:
    """How the answer to a harmless input differs from the one before the change; '' if it does not."""
    with course.fresh() as (sandbox, _), contextlib.suppress(Silent):
        if before.effect is Effect.OPEN:
            is_refused = oracles.is_refused(ask(course, sandbox, before.action, "", session=False))
            return "" if is_refused else "a visitor without a session is not refused"
        if before.effect is Effect.OTHERS:
            return "" if rows.kept_for_owner(course, sandbox, before.action) else "the owner does not get the row either"
        value = Filling.new(sandbox).put(before.control)
        now = oracles.usual(ask(course, sandbox, before.action, value), value)
        return "" if now == before.usual else f"a harmless input is answered with {now}, before with {before.usual or 'nothing'}"
    return "a harmless input is not answered"


def _first_shown(course: Course, template: Template, actions: tuple[Action, ...]) -> Shown | None:
    """All inputs of one template with every action. Effects after the answer are waited for once, at the end."""
    course.late.clear()
    for action in actions:
        if course.over:
            break
        if shown := _tried(course, template, action) or _settled(course, template, 0.0):
            return shown
    return _settled(course, template, _SETTLE_SECONDS)


def _tried(course: Course, template: Template, action: Action) -> Shown | None:
    """All inputs of one template with one action."""
    if template.shows is Effect.SLOW:
        return _timed(course, template, action)
    if template.shows is Effect.OPEN:
        return _opened(course, action)
    if template.shows is Effect.OTHERS:
        shown = Shown(template.shows, action, "", rows.CONTROL, action, session="two visitors signed up and in first")
        return shown if rows.shown_to_others(course, action) else None
    sandbox, _ = course.sandbox()
    try:
        if not _quiet(course, sandbox, template, action, Filling.new(sandbox), 0.0):
            return None
    except Silent:  # no control can be compared
        return _ended(course, template)
    return _seen(course, template, action)


def _seen(course: Course, template: Template, action: Action) -> Shown | None:
    """The first input with an effect that happens again; in a new sandbox after an input ended or blocked the target."""
    blocked = 0
    for step in _steps(template):
        if course.over or blocked == MOST_BLOCKED:
            break
        sandbox, _ = course.sandbox()
        try:
            look = _look(course, sandbox, template, action, step, Filling.new(sandbox))
            shown = _again(course, template, action, step) if (seen := look()) else None
            if template.shows in LATE and not seen:
                course.late.append((action, step, look))
            ends = len(sandbox.canaries) <= _SPARE_CANARIES
        except Silent as silent:
            blocked, shown, ends = blocked + isinstance(silent, TimedOut), None, True
        if shown := shown or (_ended(course, template) if ends else None):
            return shown
    return None


def _settled(course: Course, template: Template, seconds: float) -> Shown | None:
    """Repeat the tries whose effect occurred after the answer."""
    if course.late:
        _within(lambda: any(look() for *_, look in course.late), seconds)
    for each in [each for each in course.late if each[2]()]:
        course.late.remove(each)
        shown = _again(course, template, *each[:2])
        if shown or course.over:
            return shown
    return None


def _ended(course: Course, template: Template) -> Shown | None:
    """End the sandbox after its late effects were waited for."""
    shown = _settled(course, template, _SETTLE_SECONDS)
    course.close()
    return shown


def _steps(template: Template) -> Iterator[tuple[str, ...]]:
    """Inputs that are tried together: pairs of a true and a false condition, otherwise one at a time."""
    values = inputs_of(template)
    if template.shows is Effect.TRUTH:
        yield from zip(values[::2], values[1::2], strict=True)
    else:
        yield from ((value,) for value in values)


def _quiet(course: Course, sandbox: Sandbox, template: Template, action: Action, filling: Filling, wait: float) -> bool:
    """True if no control has the effect within `wait` seconds after its answer."""
    if template.shows is Effect.TRUTH:
        first, second = (filling.put(each) for each in template.controls)
        given = [ask(course, sandbox, action, each) for each in (first, second)]
        course.control = (template.controls[0], oracles.usual(given[0], first))
        return oracles.bare(given[0], first, filling) == oracles.bare(given[1], second, filling)
    looks = oracles.look_for(template.shows, sandbox, filling)
    for control in template.controls:
        value = filling.put(control)
        answer = ask(course, sandbox, action, value)
        if _within(partial(looks, answer), wait):
            return False
        if not course.control[1] or course.control[1].startswith("an error"):
            course.control = (control, oracles.usual(answer, value))
    return not (isinstance(action, Call) and _takes_any_path(sandbox, template.shows, action, filling, wait))


def _takes_any_path(sandbox: Sandbox, effect: Effect, action: Call, filling: Filling, wait: float) -> bool:
    """True if the function does the same to a plain name in the current folder: then it has no folder that it could leave."""
    if effect not in (Effect.READ, Effect.MARK, Effect.GONE):
        return False
    if effect is Effect.GONE:
        sandbox.keep(filling.kept)
    bare = {Effect.READ: filling.canary, Effect.MARK: filling.mark, Effect.GONE: filling.kept}[effect]
    folder, _, name = (bare if effect is Effect.READ else f"/marks/{bare}").rpartition("/")
    answer, _ = sandbox.ask({**filled(action, name).sent(), "cwd": folder}, ANSWER_SECONDS)
    return _within(partial(oracles.look_for(effect, sandbox, filling), answer), wait)


LATE: Final = (Effect.MARK, Effect.GONE, Effect.HEARD)
"""Effects that may occur after the answer."""


def _look(
    course: Course, sandbox: Sandbox, template: Template, action: Action, step: tuple[str, ...], filling: Filling
) -> Callable[[], bool]:
    """Perform the action; returns the function that checks for the effect."""
    if template.shows is Effect.TRUTH:
        follows = _follows(course, sandbox, action, step, filling)
        return lambda: follows
    if template.shows is Effect.GONE:
        sandbox.keep(filling.kept)
    looks = oracles.look_for(template.shows, sandbox, filling)
    try:
        answer = ask(course, sandbox, action, filling.put(step[0]))
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


def _follows(course: Course, sandbox: Sandbox, action: Action, pair: tuple[str, ...], filling: Filling) -> bool:
    """True if true conditions are answered alike, false ones alike, and the two differ."""
    answers: list[list[str]] = [[], []]
    for words in (filling, Filling.new(sandbox)):
        for which, value in enumerate(pair):
            put = words.put(value)
            answers[which].append(oracles.bare(ask(course, sandbox, action, put), put, words))
    (first, second), (third, fourth) = answers
    return first == second and third == fourth and first != third and "error" not in (first, third)


def _again(course: Course, template: Template, action: Action, step: tuple[str, ...]) -> Shown | None:
    """Repeat the try in a separate sandbox with other words, the control first."""
    course.control = ("", "")
    with course.fresh() as (sandbox, _), contextlib.suppress(Silent):
        filling = Filling.new(sandbox)
        wait, settle = (0.3, _SETTLE_SECONDS) if template.shows in LATE else (0.0, 0.0)
        if not _quiet(course, sandbox, template, action, filling, wait):
            return None
        if _within(_look(course, sandbox, template, action, step, filling), settle):
            sent, user = filled(action, filling.put(step[0])), course.signed_in.get(sandbox.port)
            control, usual = course.control
            return Shown(template.shows, action, step[0], control or template.controls[0], sent, user.how if user else "", usual)
    return None


def _opened(course: Course, action: Action) -> Shown | None:
    """The entry point answers without a session, while another one rejects the same visitor; in two sandboxes."""
    for _ in range(2):
        with course.fresh() as (sandbox, _), contextlib.suppress(Silent):
            refused = any(oracles.is_refused(ask(course, sandbox, each, "", session=False)) for each in course.subject.peers)
            if refused and oracles.is_answered(ask(course, sandbox, action, "", session=False)):
                continue
        return None
    return Shown(Effect.OPEN, action, "", "another entry refuses the same visitor", action)


TIMES: Final = 3
FACTOR: Final = 20
_LEAST_SECONDS = 0.4


def _timed(course: Course, template: Template, action: Action) -> Shown | None:
    """Inputs that take at least `FACTOR` times as long as benign ones of the same length, `TIMES` times, in new sandboxes."""
    left = list(template.values)
    while left and not course.over:
        slow = _first_slow(course, action, left)
        if slow and all(_first_slow(course, action, [slow]) for _ in range(TIMES - 1)):
            return Shown(Effect.SLOW, action, slow, "benign", filled(action, ""), usual=course.control[1])
    return None


def _first_slow(course: Course, action: Action, left: list[str]) -> str:
    """The first slow one of these inputs in a new sandbox; '' if none is slow."""
    with course.fresh() as (sandbox, _), contextlib.suppress(Silent):
        while left and not course.over:
            value = left.pop(0)
            if _slow(course, sandbox, action, stretched(value)):
                return value
    return ""


def _slow(course: Course, sandbox: Sandbox, action: Action, value: str) -> bool:
    first, second = (oracles.benign(len(value)) for _ in range(2))
    course.control = ("benign", oracles.usual(ask(course, sandbox, action, first), first))
    begun = time.monotonic()
    ask(course, sandbox, action, second)
    usual = time.monotonic() - begun
    least = max(_LEAST_SECONDS, FACTOR * usual)
    course.patience = min(least, ANSWER_SECONDS)  # longer would say nothing more
    with contextlib.suppress(Silent):
        ask(course, sandbox, action, value)
    course.patience = ANSWER_SECONDS
    return time.monotonic() - begun - usual >= least
