"""The question before an audit, on a terminal: the user sees the plan, and Ctrl-C works at once."""

import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cli.command import small_app
from counterproof.cli.spoken import spoken

QUESTION = b"Go on with this plan? [Y/n]"


def asked(home: Path, *arguments: str) -> tuple[str, int]:
    """The terminal's content at the question and after Ctrl-C, and the exit code."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COUNTERPROOF_HOME": str(home), "TERM": "xterm-256color", "COLUMNS": "80"}
    process = subprocess.Popen(
        [sys.executable, "-m", "counterproof", *arguments], env=environment, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    shown = b""
    try:
        while part := _read(ours):
            shown += part
            if QUESTION in shown and process.returncode is None:
                process.send_signal(signal.SIGINT)
                process.wait(60)
    finally:
        process.kill()
        os.close(ours)
    return shown.decode().replace("\r\n", "\n"), process.wait()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # Linux says so at the end
        return b""


def test_the_plan_stands_above_the_question_and_ctrl_c_pauses(tmp_path: Path) -> None:
    target = small_app(tmp_path / "app")
    for command in (("audit", str(target)), ("resume", "latest")):
        shown, code = asked(tmp_path / "home", *command)
        plan = shown.partition(QUESTION.decode())[0]
        assert code == 6, shown
        assert "Scan dimensions: D1, D2" in plan
        assert "agent-r1-01 python" in plan
        assert "2 entry points" in " ".join(re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", plan).split())
        assert not {"Tech stack", "Entry points", "Project scale"} & set(re.findall(r"\w+ \w+", plan))
        assert "max_turns" not in plan
        assert "continues where it stopped" in shown


@pytest.mark.parametrize(
    ("marker", "words"),
    [
        (
            "[PHASE] phase:2 status:completed next:2.5 evidence:agents=5,findings=1,coverage=9/9",
            "Hunt done: 5 agents, 1 finding",
        ),
        ("[PHASE] phase:5 status:completed next:report evidence:formats=markdown+html", "Report done"),
        ("[PHASE] phase:3 status:partial next:4 evidence:other=a b", "Deep dive partial: other=a b"),
        (
            "[HALT] trigger:spot check failed recovery:all are validated",
            "A finding of the sample did not hold; all are validated",
        ),
        ("[PHASE] 3 Full Consensus: 0 findings", "Settled: Full Consensus: 0 findings"),
        ("[PHASE] 1 specialists=5 findings=42", "Findings submitted: 42 by 5 specialists"),
        ("[SCOPE] paths files=11 tokens=970 left_out=0", "Scope (paths): 11 files, about 970 tokens, 0 left out"),
        ("[SCOPE] diff files=1 tokens=21 left_out=0", "Scope (diff): 1 file, about 21 tokens, 0 left out"),
        ("[RECON]\nProject scale: 1 file\nEntry points: 2\nphase0_checklist: all_passed", "Project: 1 file, 2 entry points"),
        ("[PLAN]\nMode: quick\nScan dimensions: D1, D2", "Plan: quick audit of D1 D2"),
        ("[PLAN] quality=normal complexity=3 team=small steps=4", "Plan read: 4 steps, normal, complexity 3; team: small"),
        ("[PLAN_ACK] confirmed", ""),
        ("[NEWS] of a later version", "[NEWS] of a later version"),
    ],
)
def test_markers_become_words_and_none_is_lost(marker: str, words: str) -> None:
    assert spoken(marker) == words
