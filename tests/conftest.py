"""Options and fixtures for every test. No test may reach the network beyond this machine."""

import gc
import os
import signal
import socket
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

_connect = socket.socket.connect
_BEGUN = time.monotonic()

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a shell's background jobs, whose children would be deaf to it too
    signal.signal(signal.SIGINT, signal.default_int_handler)


settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")
"""No test fails because the machine is busy."""

settings.register_profile("push", max_examples=settings.get_profile("default").max_examples // 3)
"""On every push a third of the examples; the others at night."""

settings.register_profile("first failure", phases=(Phase.explicit, Phase.generate))
"""For those who only ask whether a test fails: the failing example is not made smaller."""


gc.set_threshold(100_000, 50, 50)
"""A seventh of the time went into walks of the collector through ten thousand collected tests."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rule", default="", help="run only the tests that are marked with this rule id")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The seconds of every step of `scripts/check.py`, before the closing line."""
    if steps := os.environ.get("CHECK_SECONDS"):
        terminalreporter.write_line(f"{steps}\n{time.monotonic() - _BEGUN:8.1f} s  tests")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted = config.getoption("--rule")
    if not wanted:
        return
    kept = [item for item in items if any(wanted in mark.args for mark in item.iter_markers("rule"))]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


@pytest.fixture(autouse=True)
def _loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(self: socket.socket, address: object) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            host = str(address[0]) if isinstance(address, tuple) else ""
            if not (host.startswith("127.") or host in ("::1", "localhost")):
                raise AssertionError(f"a test tried to reach {host}")
        _connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory of its own for every test."""
    folder = tmp_path / "home"
    monkeypatch.setenv("COUNTERPROOF_HOME", str(folder))
    if os.environ.get("CI"):
        monkeypatch.setenv("COUNTERPROOF_CACHE_KEY", "a key for the tests alone")  # else nothing would be kept between runs
    return folder
