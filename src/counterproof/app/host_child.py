"""The process of one run started by a coding agent: supervised like a command, so that limits apply at any point; it talks to
the server over a line, and to the host through a desk.

`python -P -m counterproof.app.host_child` reads an order, then calls, from standard input, and writes events to standard
output.

Invariant: every exception of a run is reported in words; if the server exits, the run pauses cleanly and can be resumed. A
host never confirms a plan or a scope and never answers a question for the user: the user does so on the command line, or the
run waits (X19).
"""

import os
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from counterproof.agents.host.desk import Desk, Said
from counterproof.app.beginning import interrupted
from counterproof.app.host_line import CALL, ORDER, REPORTED, Answered, Begun, Call, Hello, Left, Order, Over, Told
from counterproof.app.standing import Standing
from counterproof.model.errors import CounterproofError, JournalError
from counterproof.runtime.home import Home
from counterproof.supervision import progress
from counterproof.supervision.supervisor import supervise

GONE = "the coding agent disconnected"
CLAIM_SECONDS = 120
LAST_ANSWERS = 5.0
"""Seconds for running calls to finish after the run has ended."""
_OFTEN = 0.2
"""Seconds between two progress reports."""
_CHUNK = 1 << 16

Say = Callable[[Hello | Begun | Told | Answered | Over], None]


@dataclass(slots=True)
class LiveRun:
    """The run that this process drives, and the run's observer."""

    say: Say
    desk: Desk = field(default_factory=Desk)
    _said: float = 0.0

    def narrate(self, text: str) -> None:
        self.say(Told(text))

    def progress(self, who: str, text: str) -> None:
        now = time.monotonic()
        if now - self._said > _OFTEN:
            self._said = now
            self.say(Told(f"{who}: {text}", passing=True))

    def begin(self, run: str) -> None:
        self.say(Begun(run))

    def drive(self, order: Order) -> None:
        """Execute the order until it ends in any way."""
        try:
            over = _done(order, self)
        except CounterproofError as error:
            over = Over(error=f"{error} ({error.hint})" if error.hint else str(error))
        except Exception as error:
            over = Over(error=f"internal error: {type(error).__name__}: {error}"[:500])
        self.say(over)
        self.desk.close("the run has ended")


def _done(order: Order, live: LiveRun) -> Over:
    """Imports only what this order needs."""
    if order.claim:
        from counterproof.app.host_claim import assess

        progress.limit(CLAIM_SECONDS)
        return Over(assessed=assess(order.claim))
    human, home, earlier = Standing(order.yes), Home(), interrupted()
    if earlier or order.run:
        from counterproof.app.resuming import resume

        run = earlier or home.find(order.run)
        live.begin(run.id)
        ended = resume(run, human, live, desk=live.desk)
    elif order.audit:
        from counterproof.app import audit

        ended = audit.start(order.audit, human, live, home, live.desk, live.begin)
    elif order.review:
        from counterproof.app import review

        ended = review.start(order.review, human, live, home, told=live.begin, desk=live.desk)
    else:
        from counterproof.app import verify

        assert order.verification is not None
        ended = verify.start(order.verification, human, live, home, told=live.begin, desk=live.desk)
    return Over(Left(ended.outcome, ended.hint))


class _Calls:
    """Serves the server's calls to the desk, each in a thread of its own, because some block."""

    def __init__(self, desk: Desk, say: Say) -> None:
        self._desk, self._say = desk, say
        self._era = secrets.token_hex(8)
        self._under_way: set[threading.Thread] = set()
        say(Hello(self._era))

    def serve(self) -> None:
        for line in _lines():
            try:
                call = CALL.decode(line)
            except JournalError:
                continue  # the rest of a line that an earlier process began to read
            if call.era == self._era:
                thread = threading.Thread(target=self._answer, args=(call,), daemon=True)
                self._under_way.add(thread)
                thread.start()
        self._desk.close(GONE)

    def finish(self) -> None:
        until = time.monotonic() + LAST_ANSWERS
        for thread in tuple(self._under_way):
            thread.join(max(0.0, until - time.monotonic()))

    def _answer(self, call: Call) -> None:
        try:
            self._say(self._answered(call))
        except CounterproofError as error:
            self._say(Answered(call.number, error=str(error), hint=error.hint))
        finally:
            self._under_way.discard(threading.current_thread())

    def _answered(self, call: Call) -> Answered:
        match call.what:
            case "take":
                return Answered(call.number, self._desk.take(call.seconds, call.context))
            case "again":
                return Answered(call.number, self._desk.again(call.task, call.seconds))
            case "answer":
                return Answered(call.number, self._desk.answer(call.task, call.said or Said(), call.seconds))
            case "counts":
                return Answered(call.number, counts=self._desk.counts())


def _lines() -> Iterator[str]:
    """Lines of standard input, without a shared buffer: a following process must find its own lines."""
    rest = b""
    while chunk := os.read(0, _CHUNK):
        *whole, rest = (rest + chunk).split(b"\n")
        yield from (each.decode("utf-8", "replace") for each in whole)


def _order() -> Order:
    """Read exactly the first line."""
    line = bytearray()
    while (byte := os.read(0, 1)) not in (b"", b"\n"):
        line += byte
    return ORDER.decode(line.decode("ascii"))


def _line_out() -> Say:
    """Write each message to standard output as a whole; other prints cannot interleave."""
    line = os.dup(1)
    os.dup2(2, 1)
    turn = threading.Lock()
    os.write(line, b"\n")  # ends a line that an earlier process left unfinished

    def say(what: Hello | Begun | Told | Answered | Over) -> None:
        left = memoryview(REPORTED.encode(what).encode("ascii") + b"\n")
        with turn:
            try:
                while left:
                    left = left[os.write(line, left) :]
            except OSError:
                return  # the server has exited; standard input ends too

    return say


def main() -> None:
    """Read the order, start supervision, and execute the order."""
    order = _order()
    supervise()
    say = _line_out()
    live = LiveRun(say)
    calls = _Calls(live.desk, say)
    threading.Thread(target=calls.serve, daemon=True).start()
    live.drive(order)
    calls.finish()


if __name__ == "__main__":
    main()
