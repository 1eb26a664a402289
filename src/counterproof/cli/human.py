"""Asks the user at the terminal, if there is one.

Invariant: without a terminal no question is asked, and the run pauses and can be resumed. Everything shown has passed `inert`.
"""

import asyncio
import shutil
import sys
import textwrap
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from counterproof.cli.console import Watcher
from counterproof.model.counting import counted
from counterproof.reports.inert import terminal_text
from counterproof.toolbox.threads import in_daemon_thread

if TYPE_CHECKING:
    from counterproof.model.plan.challenge import Question, Response
    from counterproof.model.review.scope import Scope

MAX_SHOWN = 20
MAX_LEFT_OUT = 10
MAX_ANSWER = 1_500
_YES = ("", "y", "yes")
_LOOK = 0.5
"""Seconds after which a waiting question looks for Ctrl-C again."""


class TerminalUser:
    """The user at the terminal: confirms an audit's plan and a review's scope, answers a verification's questions. `yes`:
    confirmed in advance; `cost` says where a review's files are sent and the possible cost; `given` are answers from the
    command line."""

    def __init__(self, watcher: Watcher, yes: bool = False, cost: str = "", given: Mapping[str, str] | None = None) -> None:
        self._watcher = watcher
        self._yes = yes
        self._cost = cost or "embedded specialists cost nothing"
        self._given = given or {}

    async def confirm(self, question: str) -> bool | None:
        if self._yes:
            return True
        self._watcher.stop()
        width = shutil.get_terminal_size().columns
        *lines, question = question.splitlines()
        for each in (*self._watcher.asked(), *lines):
            sys.stderr.write(textwrap.fill(each, width, subsequent_indent="  ", break_long_words=False) + "\n")
        if not _is_there():
            return None
        asking = asyncio.ensure_future(in_daemon_thread(lambda: _asked((), f"{question} [Y/n] ")))
        try:
            while (
                not asking.done()
            ):  # a signal that arrives just before the loop begins to wait would go unseen until its next turn
                await asyncio.wait({asking}, timeout=_LOOK)
            answer = asking.result()
        except asyncio.CancelledError:  # Ctrl-C works while waiting; later output starts on a new line
            sys.stderr.write("\n")
            raise
        return answer.strip().lower() in _YES if answer else None

    def confirms(self, scope: "Scope", warnings: tuple[str, ...]) -> bool | None:
        if self._yes:
            return True
        if not _is_there():
            return None
        self._watcher.stop()
        lines = [f"{counted(len(scope.files), 'file')}, about {scope.tokens:,} tokens; {self._cost}."]
        lines += [f"  {path}" for path in scope.paths[:MAX_SHOWN]]
        lines += [f"  … {len(scope.files) - MAX_SHOWN} more"] if len(scope.files) > MAX_SHOWN else []
        lines += [f"left out: {path}: {why}" for path, why in scope.left_out[:MAX_LEFT_OUT]]
        return _asked((*lines, *warnings), "Review these? [Y/n] ").strip().lower() in _YES

    def answers(self, iteration: int, questions: "tuple[Question, ...]") -> "tuple[Response, ...] | None":
        from counterproof.model.plan.challenge import Response

        known = {each.challenge_id: self._given[each.challenge_id] for each in questions if each.challenge_id in self._given}
        if not known and not self._yes:
            if not _is_there():
                return None
            self._watcher.stop()
            for each in questions:
                line = f"{each.challenge_id} ({each.why}): {each.text}"
                known[each.challenge_id] = _asked((line,), "(accept, or change: …) > ").strip()[:MAX_ANSWER]
            if not any(known.values()):
                return None
        return tuple(Response(name, words, iteration) for name, words in known.items() if words)


def _is_there() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _asked(lines: Iterable[str], question: str) -> str:
    """The typed line, '' at the end of the input."""
    sys.stderr.write("\n".join((*map(terminal_text, lines), question)))
    sys.stderr.flush()
    return sys.stdin.readline()
