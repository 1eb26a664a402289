"""An interrupt pauses the run, and no helper stays behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

PAUSED = 6


def _parent(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


def _helper_of(process: "subprocess.Popen[bytes]") -> int | None:
    """The helper that an audit started, as soon as there is one. It is the child of the audit's own child, which is watched."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        for entry in Path("/proc").iterdir():
            try:
                parent = _parent(int(entry.name)) if entry.name.isdigit() else 0
                words = (entry / "cmdline").read_bytes()
            except (OSError, ValueError, IndexError):
                continue
            if b"counterproof.analysis.workers.serve" in words and process.pid in (parent, _parent(parent)):
                return int(entry.name)
        time.sleep(0.02)
    return None


def test_an_interrupted_audit_leaves_no_helper_behind(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    for number in range(60):
        (tree / f"table{number}.py").write_text("".join(f"def row_{line}(x):\n    return x + {line}\n" for line in range(400)))
    command = [sys.executable, "-P", "-m", "counterproof", "audit", str(tree), "--mode", "quick", "--yes", "-q"]
    environment = {**os.environ, "COUNTERPROOF_WORKERS": "2", "COUNTERPROOF_CACHE": "off"}
    audit = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with audit:
        helper = _helper_of(audit)
        assert helper is not None
        audit.send_signal(signal.SIGINT)
        code = audit.wait(timeout=120)
    assert code == PAUSED
    assert not Path(f"/proc/{helper}").exists()
