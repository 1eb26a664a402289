"""Runs blocking work in a thread that the process need not wait for at exit.

A thread of the usual pool keeps the process alive until it ends; an interrupted audit should stop at once, because its journal
already contains everything worth keeping.
"""

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

from counterproof.supervision import progress

T = TypeVar("T")


async def in_daemon_thread(work: Callable[[], T]) -> T:
    """The result of `work`, or its exception."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def deliver(setter: Callable[[], None]) -> None:
        if not future.done():
            setter()

    def body() -> None:
        try:
            with progress.working():  # ends before the result is delivered: later work has its own file
                result = work()
        except BaseException as error:
            failure = error
            _call(loop, lambda: deliver(lambda: future.set_exception(failure)))
        else:
            _call(loop, lambda: deliver(lambda: future.set_result(result)))

    threading.Thread(target=body, daemon=True, name="counterproof-work").start()
    return await future


def _call(loop: asyncio.AbstractEventLoop, callback: Callable[[], None]) -> None:
    try:
        loop.call_soon_threadsafe(callback)
    except RuntimeError:
        return  # the loop is closed: the run was interrupted, and the result is not needed
