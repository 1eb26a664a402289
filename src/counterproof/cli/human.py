"""Asking the user: at the terminal, or not at all."""

import sys

from counterproof.cli.console import Watcher


class TerminalHuman:
    """Asks at the terminal; with nobody there, the run pauses and can be resumed."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher

    async def confirm(self, question: str) -> bool | None:
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            return None
        self._watcher.stop()
        sys.stderr.write(f"{question} [Y/n] ")
        sys.stderr.flush()
        answer = sys.stdin.readline()
        if not answer:
            return None
        return answer.strip().lower() in ("", "y", "yes")


class AgreeingHuman:
    """For --yes: the user agreed in advance."""

    async def confirm(self, question: str) -> bool | None:
        return True
