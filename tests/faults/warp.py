"""Runs a coroutine in an event loop whose time jumps: sleeps take no time, but sockets, timeouts and order are real.

When no socket is ready and the next timer is due later, the clock is put forward to it. Server and client have to live in the
same loop, and on this machine: bytes over loopback are there as soon as they are written.
"""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
_GRACE = 0.001


class _Warp(selectors.DefaultSelector):
    """Reports ready sockets; turns waiting into a jump of the clock."""

    def __init__(self) -> None:
        super().__init__()
        self.jumped = 0.0
        self.threads = 0
        """Running jobs in threads. The clock does not jump meanwhile, because their end is unknown."""

    def select(self, timeout: float | None = None) -> Any:
        if timeout is None:
            return super().select(None)
        ready = super().select(0)
        if ready or timeout <= 0:
            return ready
        ready = super().select(min(timeout, _GRACE))
        if not ready and not self.threads:
            self.jumped += timeout
        return ready


class WarpLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._warp = _Warp()
        super().__init__(self._warp)

    def run_in_executor(self, executor: Any, func: Callable[..., T], *args: Any) -> asyncio.Future[T]:
        self._warp.threads += 1
        done = super().run_in_executor(executor, func, *args)
        done.add_done_callback(self._thread_done)
        return done

    def _thread_done(self, _: object) -> None:
        self._warp.threads -= 1

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:
        """Without the limit of newer versions: a jump of the clock would be beyond it at once."""
        await super().shutdown_default_executor()

    def time(self) -> float:
        return super().time() + self._warp.jumped


def run_warped(work: Coroutine[Any, Any, T]) -> T:
    """Like `asyncio.run`, in no time."""
    with asyncio.Runner(loop_factory=WarpLoop) as runner:
        return runner.run(work)
