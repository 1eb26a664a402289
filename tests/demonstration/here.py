"""Where namespaces cannot be had, tests that run a target are skipped visibly; under CI they fail."""

import os
from importlib.resources import files
from pathlib import Path

import pytest

from counterproof.demonstration.sandbox.level import level
from counterproof.demonstration.sandbox.running import NoSandbox, Plan
from counterproof.demonstration.subjects import PYTHON
from counterproof.demonstration.targets import python_for

HARNESS = files("counterproof.demonstration").joinpath("harness")


def needs_sandbox() -> None:
    try:
        level()
    except NoSandbox as refused:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"no sandbox here: {refused}")


def plan_for(target: Path, **changes: int) -> Plan:
    """The Python harness on a target, with the interpreter on PATH."""
    found = python_for(target, None)
    texts = tuple((name, HARNESS.joinpath(name).read_text(encoding="utf-8")) for name in PYTHON)
    return Plan((str(found.program), f"/target/{PYTHON[0]}"), found.readable, target, texts, **changes)


def call(function: str, *arguments: object, module: str = "target") -> dict[str, object]:
    return {"do": "call", "module": f":{module}", "function": function, "arguments": list(arguments), "make": {}}
