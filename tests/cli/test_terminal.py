"""The closing summary on a terminal, as a user sees it: one screen, colour only where it is wanted and understood."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from cli.command import counterproof, small_app

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of a finished audit; `resume` shows its closing summary again."""
    folder = tmp_path_factory.mktemp("finished")
    target = small_app(folder / "app")
    made = counterproof("audit", "--mode", "quick", str(target), "--quiet", COUNTERPROOF_HOME=str(folder / "home"))
    assert made.returncode == 1, made.stderr
    return folder / "home"


def on_terminal(home: Path, rows: int = 24, command: tuple[str, ...] = ("resume", "latest"), **environment: str) -> str:
    """What the command writes to a terminal of so many rows and 80 columns: its results, and its progress where it audits."""
    ours, theirs = pty.openpty()
    try:
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, 80, 0, 0))
        kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "LINES", "COLUMNS")}
        process = subprocess.Popen(
            [sys.executable, "-m", "counterproof", *command],
            env={**kept, "COUNTERPROOF_HOME": str(home), "TERM": "xterm-256color", **environment},
            stdin=subprocess.DEVNULL,
            stdout=theirs,
            stderr=theirs if command[0] == "audit" else subprocess.DEVNULL,
        )
        os.close(theirs)
        theirs = -1
        shown = _everything(ours)  # while it writes: a terminal that nobody reads is full soon
        assert process.wait(timeout=300) == 1, shown
        return shown
    finally:
        os.close(ours)
        if theirs >= 0:
            os.close(theirs)


def _everything(terminal: int) -> str:
    data = b""
    while True:
        try:
            part = os.read(terminal, 65_536)
        except OSError:  # Linux says so at the end
            part = b""
        if not part:
            return data.decode().replace("\r\n", "\n")
        data += part


def test_it_is_one_screen_in_colour(finished: Path) -> None:
    shown = on_terminal(finished)
    plain = ESCAPE.sub("", shown)
    assert shown != plain
    assert "\x1b" not in plain
    lines = plain.rstrip("\n").split("\n")
    assert len(lines) <= 23
    assert max(map(len, lines)) <= 80
    for word in ("RESULT", "FINDINGS", "COVERAGE", "LIMITS", "EXIT", "COST", "RUN", "REPORT"):
        assert any(line.startswith(word) for line in lines), word
    assert any(line.startswith("  C-01 ") and re.search(r" app\.py:\d+$", line) for line in lines)


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_it_is_plain_where_colour_is_unwanted_or_unknown(finished: Path, environment: dict[str, str]) -> None:
    shown = on_terminal(finished, **environment)
    assert "\x1b" not in shown
    assert shown == ESCAPE.sub("", on_terminal(finished))


def test_a_log_gets_the_same_words(finished: Path) -> None:
    logged = counterproof("resume", "latest", COUNTERPROOF_HOME=str(finished), FORCE_COLOR="")
    assert "\x1b" not in logged.stdout + logged.stderr
    assert logged.stdout == on_terminal(finished, NO_COLOR="1")


def test_progress_is_in_percent_with_what_is_read_and_severities_have_colours(tmp_path: Path) -> None:
    target = small_app(tmp_path / "app")
    for number in range(40):  # so that reading takes longer than a line stands on the screen
        (target / f"part_{number}.py").write_text((target / "sums.py").read_text())
    shown = on_terminal(tmp_path / "home", command=("audit", "--mode", "quick", "--no-cache", str(target)))
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)
    figures = [int(each) for each in re.findall(r"[\u2800-\u28ff] +(\d+) %", plain)]
    assert figures
    assert figures == sorted(figures)
    assert re.search(r"\d+ %  \w+\.py", plain)
    assert "[PHASE]" not in plain
    assert "\x1b[1;31m  C-01" in shown
