"""What the watched process tells about itself, and what it is told: a page of memory that it shares with whoever watches.

Invariant: telling costs about a microsecond and never fails. A name that is torn because it was read while it was written
names no file of the tree, and then nobody is blamed. What was looked at is also known inside of the process, for the user who
waits.
"""

import mmap
import struct
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

_HEAD = struct.Struct("=QddHHB")
"""How often something was told, the time limit in seconds and the moment from which it counts, the lengths of the run's id and of
the path, whether it is the survey that looks."""
_MAX_NAME = 1_000
_SIZE = 4_096
_RUN = _HEAD.size
_PATH = _RUN + 64


@dataclass(frozen=True, slots=True)
class Spared:
    """A file that an earlier child could not be brought past, why, and how often: first its syntax is let be, then all of it.
    `surveying`: not even the survey gets past it."""

    why: str
    times: int = 1
    surveying: bool = False


class Page:
    """The shared page. Only the watched process writes to it while it runs."""

    def __init__(self) -> None:
        self._bytes = mmap.mmap(-1, _SIZE)
        _HEAD.pack_into(self._bytes, 0, 0, 0.0, time.monotonic(), 0, 0, 0)
        self.spared: dict[str, Spared] = {}
        self.over = ""
        """Why nothing more is to be analysed; "" while there is time."""

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
        """The moment from which the time limit counts."""
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
        again = self.spared or self.over  # then it counts from where the first child began
        _HEAD.pack_into(self._bytes, 0, beats, seconds, since if again else time.monotonic(), *rest)

    def began_run(self, run: str) -> None:
        beats, seconds, since, _, *rest = self._head()
        name = run.encode("ascii", "replace")[: _PATH - _RUN]
        self._bytes[_RUN : _RUN + len(name)] = name
        _HEAD.pack_into(self._bytes, 0, beats, seconds, since, len(name), *rest)


_page: Page | None = None


def watched_by(page: Page) -> None:
    """From here on this process tells what it does."""
    global _page  # one process, one watcher
    _page = page


def beat() -> None:
    """Tell that the work goes on."""
    if _page:
        _page.beat()


_looked_at: dict[str, None] = {}
"""Files that were looked at since somebody began to count, the latest of them last."""


def looked_at() -> str:
    """The file that is looked at; '' where none is."""
    return next(reversed(_looked_at), "")


def files_looked_at() -> int:
    """How many files were looked at since `look_anew`."""
    return len(_looked_at)


def look_anew() -> None:
    """Count from nothing."""
    _looked_at.clear()


_threads: dict[int, tuple[str, bool]] = {}
"""What each thread that said `working` looks at, and whether to survey it; the thread that told last is the last one."""


@contextmanager
def working() -> Generator[None]:
    """This thread looks at files meanwhile. After it, if a file is to blame, then the one that another thread looks at."""
    thread = threading.get_ident()
    _threads[thread] = ("", False)
    try:
        yield
    finally:
        del _threads[thread]
        if _page:
            _page.at(*next(reversed(tuple(_threads.values())), ("", False)))


def at(path: str, surveying: bool = False) -> None:
    """Tell which file is looked at from now on."""
    _looked_at.pop(path, None)
    _looked_at[path] = None
    if _page:
        thread = threading.get_ident()
        if _threads.pop(thread, None):
            _threads[thread] = (path, surveying)
        _page.at(path, surveying)


def limit(seconds: float) -> None:
    """Tell the time limit of what begins now."""
    if _page:
        _page.limit(seconds)


def left(seconds: float) -> float:
    """What is left of a time limit, and never less than nothing."""
    if not _page:
        return seconds
    if not _page.seconds:
        _page.limit(seconds)  # a run that is resumed
    return 0.0 if _page.over else max(0.0, seconds - (time.monotonic() - _page.began))


def began(run: str) -> None:
    """Tell the id of the run, so that another process can go on with it."""
    if _page and not _page.run:
        _page.began_run(run)


def interrupted() -> str:
    """The id of the run that an earlier child had begun; "" where this is the first."""
    return _page.run if _page and (_page.spared or _page.over) else ""


def spared(path: str) -> Spared | None:
    """What is known of a file that an earlier child could not be brought past."""
    return _page.spared.get(path) if _page else None


def is_closed(path: str) -> bool:
    """True if a file is not even to be read, because it was not enough to let its syntax be."""
    known = spared(path)
    return known is not None and known.times > 1


def every_spared() -> dict[str, Spared]:
    return dict(_page.spared) if _page else {}


def over() -> str:
    """Why nothing more is to be analysed; "" while there is time."""
    return _page.over if _page else ""
