"""Crash points: places where a run can be killed or stopped, for testing its recovery. For debugging, not a feature.

    COUNTERPROOF_CRASH_AT=NAME[:N]   the process kills itself with SIGKILL when it reaches the point for the Nth time (default 1)
    COUNTERPROOF_STOP_AT=NAME[:N]    the same with SIGINT, as if the user had pressed Ctrl-C exactly there

`POINTS` lists the points of every run. In addition there is one for each kind of event, `after-KIND` (`after-surveyed`,
`after-recon_reported`, `after-agent_finished`, …): that event is on disk and the machine has not seen it yet.

Invariant: both variables are read once, from the user's environment, never from the target; if neither is set, reaching a
point costs one comparison. An unknown name is an error, so that a typo cannot make a test pass.
"""

import os
import signal
from dataclasses import dataclass

from counterproof.model.errors import UserError

CRASH_VARIABLE = "COUNTERPROOF_CRASH_AT"
STOP_VARIABLE = "COUNTERPROOF_STOP_AT"
AFTER = "after-"

POINTS = {
    "run-created": "the run's folder exists without a journal",
    "before-journal": "an event happened and is not on disk yet",
    "mid-journal": "rows are inserted and not yet committed",
    "before-head": "rows are committed, but the separate head file still lists them as pending",
    "before-send": "no stored reply matches the request, which is about to be sent",
    "after-send": "the request was sent and no reply has arrived",
    "reply-received": "the whole raw reply is in memory and not on disk",
    "reply-landed": "the whole raw reply is in the inbox and not yet in the journal",
    "reply-stored": "the raw reply is on disk and not parsed yet",
    "mid-report": "one format of the report is written, the next one is not",
    "before-receipt": "the run has ended and its receipt is not written",
    "mid-repair": "a truncated copy of the journal is ready but has not replaced the damaged one yet",
    "recovering": "the journal was replayed and no command has been issued yet",
}
"""Name and meaning of every point that does not belong to a kind of event."""


@dataclass(slots=True)
class _Trigger:
    """One armed point, and how often it may still be passed."""

    name: str
    passes: int
    signal: int


def _armed() -> list[_Trigger]:
    found: list[_Trigger] = []
    for variable, number in ((CRASH_VARIABLE, signal.SIGKILL), (STOP_VARIABLE, signal.SIGINT)):
        text = os.environ.get(variable, "")
        if text:
            found.append(_parsed(variable, text, number))
    return found


def _parsed(variable: str, text: str, number: int) -> _Trigger:
    name, _, count = text.partition(":")
    known = name in POINTS or name.startswith(AFTER)
    if not known or (count and not (count.isascii() and count.isdigit() and int(count) > 0)):
        raise UserError(f"{variable}={text} is not a crash point", f"the points are {', '.join(POINTS)} and {AFTER}KIND, with :N")
    return _Trigger(name, int(count or 1), number)


_triggers: list[_Trigger] | None = None


def rearm() -> None:
    """Read the environment again: for a test harness that forks children with different points."""
    global _triggers
    _triggers = _armed()


def reached(name: str, kind: str = "") -> None:
    """Report that a point was reached; `kind` completes the name of points that belong to a kind of event."""
    global _triggers
    if _triggers is None:
        _triggers = _armed()
    if _triggers:
        _pass(name + kind)


def notice(text: str) -> None:
    """Called by channels to models, which report their points as text; the reply store reports its own."""
    if text in ("before send", "after send"):
        reached(text.replace(" ", "-"))


def _pass(name: str) -> None:
    assert _triggers is not None
    for trigger in _triggers:
        if trigger.name == name:
            trigger.passes -= 1
            if trigger.passes == 0:
                os.kill(os.getpid(), trigger.signal)
