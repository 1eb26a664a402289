"""Asking the user: at the terminal, or not at all."""

import asyncio
import shutil
import sys
import textwrap

from counterproof.cli.console import Watcher
from counterproof.toolbox.threads import in_daemon_thread


class TerminalHuman:
    """Asks at the terminal; with nobody there, the run pauses and can be resumed."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher

    async def confirm(self, question: str) -> bool | None:
        self._watcher.stop()
        width = shutil.get_terminal_size().columns
        for each in self._watcher.asked():
            sys.stderr.write(textwrap.fill(each, width, subsequent_indent="  ", break_long_words=False) + "\n")
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            return None
        sys.stderr.write(f"{question} [Y/n] ")
        sys.stderr.flush()
        try:
            answer = await in_daemon_thread(sys.stdin.readline)
        except asyncio.CancelledError:  # Ctrl-C is heard while it waits; what follows begins on a line of its own
            sys.stderr.write("\n")
            raise
        if not answer:
            return None
        return answer.strip().lower() in ("", "y", "yes")


class AgreeingHuman:
    """For --yes: the user agreed in advance."""

    async def confirm(self, question: str) -> bool | None:
        return True
