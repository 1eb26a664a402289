"""What the sandbox has on this machine, tried and not assumed."""

import sys
import tempfile
from functools import cache
from pathlib import Path

from counterproof.analysis.confinement.landlock import abi
from counterproof.demonstration.sandbox.running import NoSandbox, Plan, Silent, started

_ANSWERS = "import os; os.write(3, b'{}\\n'); os.read(0, 1)"


@cache
def level() -> str:
    """The layers in force. Raises `NoSandbox` where a target cannot be run apart from this machine."""
    if not sys.platform.startswith("linux"):
        raise NoSandbox("targets are run only on Linux, in kernel namespaces")
    with tempfile.TemporaryDirectory() as empty:
        base = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
        plan = Plan((str(base), "-I", "-S", "-c", _ANSWERS), (base, Path(sys.base_prefix)), Path(empty))
        try:
            with started(plan) as sandbox:
                answer, _ = sandbox.ask({}, 20.0)
        except Silent as silent:
            raise NoSandbox(f"no program can be started in the sandbox: {silent}") from silent
    if answer:
        raise NoSandbox(str(answer.get("failed", "a program in the sandbox failed")))
    landlock = ", Landlock" if abi() else ""
    return (
        "user, mount, PID, network, IPC and UTS namespaces, a loopback of its own, no capability"
        f"{landlock}, limits on time, memory, files and processes, empty environment"
    )
