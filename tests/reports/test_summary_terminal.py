"""The summary on a real terminal: what the reviewed code holds is shown there and does nothing (X11)."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from payload_grid import TERMINAL
from payloads import PAYLOADS
from sample_report import gallery, poisoned, sample

from counterproof.reports import render
from counterproof.reports.explanation import explain
from counterproof.reports.summary import summary_rows

ESCAPES = [payload for payload in PAYLOADS if any(sign in payload for sign in "\x1b\x9b\r\x07\u202e")]
TITLE = "untouched"
DONE = "printed to its end"


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[list[str]]:
    """A terminal of its own, 80 columns wide."""
    if not shutil.which("tmux"):
        pytest.skip("tmux is not installed: the summary was not printed to a terminal")
    command = ["tmux", "-S", str(tmp_path / "socket"), "-f", "/dev/null"]
    try:
        yield command
    finally:
        subprocess.run([*command, "kill-server"], capture_output=True)


def asked(tmux: list[str], *arguments: str) -> str:
    return subprocess.run([*tmux, *arguments], capture_output=True, text=True, check=True).stdout


def printed(tmux: list[str], folder: Path, text: str) -> str:
    """The terminal's content after printing the text, with the escape sequences for its style."""
    (folder / "summary.txt").write_text(text, encoding="utf-8")
    show = f"printf '\\033]2;{TITLE}\\033\\\\'; cat summary.txt; echo '{DONE}'; exec sleep 60"
    asked(tmux, "new-session", "-d", "-x", "80", "-y", "400", "-c", str(folder), "sh", "-c", show)
    for _ in range(200):
        screen = asked(tmux, "capture-pane", "-p", "-e")
        if DONE in screen:
            return screen
        time.sleep(0.05)
    pytest.fail("the terminal never got to the end of the text")


@pytest.mark.rule("X11")
@pytest.mark.parametrize("payload", ESCAPES)
def test_no_escape_sequence_reaches_the_terminal(tmux: list[str], tmp_path: Path, payload: str) -> None:
    text = render(poisoned(payload), "summary")
    screen = printed(tmux, tmp_path, text)
    assert "\x1b" not in screen
    assert [line.rstrip() for line in screen.split("\n")[: text.count("\n")]] == text.rstrip("\n").split("\n")
    assert asked(tmux, "display-message", "-p", "#{pane_title}").strip() == TITLE


@pytest.mark.rule("X11")
def test_no_constructed_sequence_reaches_the_terminal(tmux: list[str], tmp_path: Path) -> None:
    """Hundreds of sequences at once: in the summary of a very tall terminal, and in the explanations of findings."""
    report = gallery(TERMINAL[::5])
    rows = summary_rows(report, 350)
    text = "\n".join([*(row.text for row in rows), *explain(report, report.findings[3]).split("\n")][:395]) + "\n"
    screen = printed(tmux, tmp_path, text)
    assert "\x1b" not in screen
    assert asked(tmux, "display-message", "-p", "#{pane_title}").strip() == TITLE
    assert asked(tmux, "display-message", "-p", "#{alternate_on}").strip() == "0"


def test_the_check_would_notice(tmux: list[str], tmp_path: Path) -> None:
    screen = printed(tmux, tmp_path, render(sample(), "summary") + "\x1b[31mred\x1b]2;changed\x07\n")
    assert "\x1b" in screen
    assert asked(tmux, "display-message", "-p", "#{pane_title}").strip() == "changed"
