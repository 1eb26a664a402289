"""The program, imported once: every command is a fork of it. What a command does from its first line on is the program's own.

Started as a script with one end of a socket as its standard input. Each message there is a command with its folder and
environment, and brings the three files that it speaks through; the answer is its exit code. Ends when the other end is closed.
"""

import importlib
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

from counterproof.analysis.ruleset import load_rules
from counterproof.installation import data_home

IMPORTED = (
    *("counterproof.app.audit", "counterproof.app.review", "counterproof.app.verify", "counterproof.reports", "typer.testing"),
    *("rich.console", "rich.markdown", "rich.progress"),
)
"""All but `counterproof.cli`, which looks at the terminal and the environment when it is imported."""

_LENGTH = 4


class WarmProgram:
    """The side of the tests."""

    def __init__(self) -> None:
        self._line, theirs = socket.socketpair()
        self._process = subprocess.Popen([sys.executable, __file__], stdin=theirs, stdout=subprocess.DEVNULL)
        theirs.close()

    def run(self, arguments: tuple[str, ...], cwd: Path, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        with tempfile.TemporaryFile("w+b") as out, tempfile.TemporaryFile("w+b") as err, Path(os.devnull).open("rb") as nothing:
            said = json.dumps({"arguments": arguments, "cwd": str(cwd), "environment": dict(environment)}).encode()
            socket.send_fds(self._line, [len(said).to_bytes(_LENGTH)], [nothing.fileno(), out.fileno(), err.fileno()])
            self._line.sendall(said)
            self._line.settimeout(300)
            code = int(self._line.recv(64))
            shown = [_text(each.seek(0) or each.read()) for each in (out, err)]
        return subprocess.CompletedProcess(["counterproof", *arguments], code, *shown)


def _text(shown: bytes) -> str:
    return shown.decode().replace("\r\n", "\n").replace("\r", "\n")  # as `subprocess` does


def _serve(line: socket.socket) -> None:
    for name in IMPORTED:
        importlib.import_module(name)
    load_rules()
    while True:
        length, files, _, _ = socket.recv_fds(line, _LENGTH, 3)
        if not length:
            return
        said = line.recv(int.from_bytes(length), socket.MSG_WAITALL)
        child = os.fork()
        if not child:
            line.close()
            _become(json.loads(said), files)
        for each in files:
            os.close(each)
        line.send(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())


def _become(command: dict[str, object], files: list[int]) -> NoReturn:
    for number, each in enumerate(files):
        os.dup2(each, number)
        os.close(each)
    os.chdir(str(command["cwd"]))
    os.environ.clear()
    os.environ.update(command["environment"])
    sys.argv[1:] = command["arguments"]
    if (data_home() / "libraries").exists():  # read when modules are imported
        os.execv(sys.executable, [sys.executable, "-m", "counterproof", *sys.argv[1:]])
    code = 70
    try:
        importlib.import_module("counterproof.cli.main").main()
        code = 0
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int) else int(ending.code is not None)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    del sys.path[0]
    _serve(socket.socket(fileno=os.dup(0)))
