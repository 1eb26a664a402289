"""A pytest plugin that writes down how each test ended: `passed`, `skipped`, `assertion` or `error`.

An assertion is a failed `assert` in the call of the test, `pytest.fail`, an exception that was expected and did not come, a list
that the test unpacks into another number of names, or an error that the package itself reports where the test expects none.
Everything else is an error: an exception of Python's own, or a fixture that failed.

As a plugin of a process of its own (`-p failure_kinds`) it writes to the file that the variable `FAILURE_KINDS` names.
"""

import json
import os
from collections.abc import Generator
from pathlib import Path
from typing import cast

import pytest

from counterproof.model.errors import CounterproofError

VARIABLE = "FAILURE_KINDS"
TESTS = Path(__file__).resolve().parent.parent / "tests"
UNPACKED = ("too many values to unpack", "not enough values to unpack")


class Recorder:
    """Writes one JSON line for each test that ended."""

    def __init__(self, file: Path | None = None) -> None:
        self.file = file

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if self.file and (report.outcome != "passed" or call.when == "call"):
            kind = report.outcome if report.outcome != "failed" else kind_of(call)
            text = call.excinfo.exconly(tryshort=True)[:300] if call.excinfo else ""
            with self.file.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps({"test": item.nodeid, "kind": kind, "text": text}) + "\n")
        return report


def kind_of(call: pytest.CallInfo[None]) -> str:
    return "assertion" if call.when == "call" and call.excinfo and _asserts(call.excinfo.value) else "error"


def _asserts(error: BaseException) -> bool:
    if isinstance(error, BaseExceptionGroup):
        return all(_asserts(each) for each in cast("BaseExceptionGroup[BaseException]", error).exceptions)
    unpacked = isinstance(error, ValueError) and str(error).startswith(UNPACKED) and _raised_in(error).is_relative_to(TESTS)
    return unpacked or isinstance(error, AssertionError | pytest.fail.Exception | CounterproofError)


def _raised_in(error: BaseException) -> Path:
    place = error.__traceback__
    while place and place.tb_next:
        place = place.tb_next
    return Path(place.tb_frame.f_code.co_filename) if place else Path()


def read(file: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def pytest_configure(config: pytest.Config) -> None:
    if os.environ.get(VARIABLE):
        config.pluginmanager.register(Recorder(Path(os.environ[VARIABLE])))
