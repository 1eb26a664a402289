"""Progress: a percentage that never falls, and the current file; a log gets a line from time to time."""

import io
import time

import pytest

from counterproof.cli.console import LineObserver
from counterproof.cli.how_far import HowFar
from counterproof.supervision import progress


@pytest.fixture(autouse=True)
def counted_anew() -> None:
    progress.look_anew()


def look_at(count: int) -> None:
    for number in range(count):
        progress.at(f"src/file_{number}.py")


def test_the_figure_rises_with_phases_and_files_and_never_falls() -> None:
    far = HowFar()
    seen = [far.percent()]
    far.hear("survey")
    look_at(10)
    far.hear("recon")
    seen.append(far.percent())
    look_at(5)
    seen.append(far.percent())
    far.hear("[PHASE] phase:1 status:completed next:2")
    seen.append(far.percent())
    look_at(8)
    seen.append(far.percent())
    far.hear("survey")  # of something else: nothing is taken back
    seen.append(far.percent())
    far.hear("report")
    seen.append(far.percent())
    assert seen == [0, 3, 16, 30, 66, 66, 99]


def test_it_names_the_file_that_is_read() -> None:
    far = HowFar()
    progress.at("src/a.py")
    progress.at("src/b.py")
    progress.at("src/a.py")
    assert far.line() == "  0 %  src/a.py"
    assert progress.files_looked_at() == 2


def test_a_log_gets_a_line_when_it_takes_long_and_none_after_the_end() -> None:
    stream = io.StringIO()
    observer = LineObserver(stream, patience=0.05)
    progress.at("src/slow.py\x1b[31m")
    deadline = time.monotonic() + 30
    while "…" not in stream.getvalue() and time.monotonic() < deadline:
        time.sleep(0.01)
    observer.stop()
    first = stream.getvalue().splitlines()[0]
    assert first.startswith("… 0 %  src/slow.py")
    assert "\x1b" not in stream.getvalue()
    time.sleep(0.1)
    ended = stream.getvalue()
    time.sleep(0.2)
    assert stream.getvalue() == ended
