"""Shares progress between the watched process and its watcher, through a page of shared memory.

Invariant: reporting takes about a microsecond and never fails. A name read while being written may be torn; it then names no
file of the tree, and no file is blamed. The process itself also knows its progress, for display to the user.
"""

import mmap
import struct
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

_HEAD = struct.Struct("=QddHHB")
"""The number of reports, the time limit in seconds and its start, the lengths of the run's id and of the path, whether the
survey is running."""
_MAX_NAME = 1_000
_SIZE = 4_096
_RUN = _HEAD.size
_PATH = _RUN + 64


@dataclass(frozen=True, slots=True)
class Spared:
    """A file that an earlier child did not get past, why, and how often: at first only its syntax is skipped, then the whole
    file. `surveying`: not even the survey gets past it."""

    why: str
    times: int = 1
    surveying: bool = False


class Page:
    """The shared page. Only the watched process writes to it while running."""

    def __init__(self) -> None:
        self._bytes = mmap.mmap(-1, _SIZE)
        _HEAD.pack_into(self._bytes, 0, 0, 0.0, time.monotonic(), 0, 0, 0)
        self.spared: dict[str, Spared] = {}
        self.over = ""
        """The reason why analysis must stop; "" while there is time."""

    def _head(self) -> tuple[int, float, float, int, int, int]:
        return _HEAD.unpack_from(self._bytes)

    @property
    def beats(self) -> int:
        return self._head()[0]

    @property
    def seconds(self) -> float:
        return self._head()[1]

    @property
    def began(self) -> float:
        """The start of the time limit."""
        return self._head()[2]

    @property
    def run(self) -> str:
        return self._bytes[_RUN : _RUN + self._head()[3]].decode("ascii", "replace")

    @property
    def path(self) -> str:
        return self._bytes[_PATH : _PATH + self._head()[4]].decode("utf-8", "replace")

    @property
    def surveying(self) -> bool:
        return bool(self._head()[5])

    def beat(self) -> None:
        beats, *rest = self._head()
        _HEAD.pack_into(self._bytes, 0, beats + 1, *rest)

    def at(self, path: str, surveying: bool) -> None:
        beats, seconds, since, run, *_ = self._head()
        name = path.encode("utf-8", "replace")[:_MAX_NAME]
        self._bytes[_PATH : _PATH + len(name)] = name
        _HEAD.pack_into(self._bytes, 0, beats + 1, seconds, since, run, len(name), surveying)

    def limit(self, seconds: float) -> None:
        beats, _, since, *rest = self._head()
        again = self.spared or self.over  # then it counts from the first child's start
        _HEAD.pack_into(self._bytes, 0, beats, seconds, since if again else time.monotonic(), *rest)

    def began_run(self, run: str) -> None:
        beats, seconds, since, _, *rest = self._head()
        name = run.encode("ascii", "replace")[: _PATH - _RUN]
        self._bytes[_RUN : _RUN + len(name)] = name
        _HEAD.pack_into(self._bytes, 0, beats, seconds, since, len(name), *rest)


_page: Page | None = None


def watched_by(page: Page) -> None:
    """Report this process's progress from now on."""
    global _page  # one watcher per process
    _page = page


def beat() -> None:
    """Report that the work continues."""
    if _page:
        _page.beat()


_looked_at: dict[str, None] = {}
"""Files processed since counting began, the latest last."""


def looked_at() -> str:
    """The current file; '' if there is none."""
    return next(reversed(_looked_at), "")


def files_looked_at() -> int:
    """The number of files processed since `look_anew`."""
    return len(_looked_at)


def look_anew() -> None:
    """Restart the count."""
    _looked_at.clear()


_threads: dict[int, tuple[str, bool]] = {}
"""The current file of each thread inside `working`, and whether it is being surveyed; the thread that reported last comes
last."""


@contextmanager
def working() -> Generator[None]:
    """Mark this thread as processing files. Afterwards, a file to blame is the one of another thread."""
    thread = threading.get_ident()
    _threads[thread] = ("", False)
    try:
        yield
    finally:
        del _threads[thread]
        if _page:
            _page.at(*next(reversed(tuple(_threads.values())), ("", False)))


def at(path: str, surveying: bool = False) -> None:
    """Report the current file."""
    _looked_at.pop(path, None)
    _looked_at[path] = None
    if _page:
        thread = threading.get_ident()
        if _threads.pop(thread, None):
            _threads[thread] = (path, surveying)
        _page.at(path, surveying)


def limit(seconds: float) -> None:
    """Report the time limit of the work that starts now."""
    if _page:
        _page.limit(seconds)


def left(seconds: float) -> float:
    """The remaining time, at least zero."""
    if not _page:
        return seconds
    if not _page.seconds:
        _page.limit(seconds)  # a resumed run
    return 0.0 if _page.over else max(0.0, seconds - (time.monotonic() - _page.began))


def began(run: str) -> None:
    """Report the run's id, so that another process can continue it."""
    if _page and not _page.run:
        _page.began_run(run)


def interrupted() -> str:
    """The id of the run that an earlier child started; "" in the first child."""
    return _page.run if _page and (_page.spared or _page.over) else ""


def spared(path: str) -> Spared | None:
    """The record of a file that an earlier child did not get past."""
    return _page.spared.get(path) if _page else None


def is_closed(path: str) -> bool:
    """True if a file must not even be read, because skipping its syntax was not enough."""
    known = spared(path)
    return known is not None and known.times > 1


def every_spared() -> dict[str, Spared]:
    return dict(_page.spared) if _page else {}


def over() -> str:
    """The reason why analysis must stop; "" while there is time."""
    return _page.over if _page else ""
