"""Small projects, written as texts, examined with the real rules."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from counterproof.analysis import flow
from counterproof.analysis.endpoints.find import entry_points
from counterproof.analysis.examination import Examination
from counterproof.analysis.polyglot.find import other_entry_points
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import FlowRule, load_rules
from counterproof.analysis.source.survey import survey

FLOW_RULES = tuple(loaded.rule for loaded in load_rules() if isinstance(loaded.rule, FlowRule))
Examine = Callable[..., Examination]


@pytest.fixture
def examine(tmp_path: Path) -> Examine:
    """`examine(app="…")` looks at `app.py`; a key with `__` is a path (`pkg__mod` is `pkg/mod.py`)."""

    def run(**files: str) -> Examination:
        for name, text in files.items():
            path = tmp_path / (name.replace("__", "/") + ".py")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text), "utf-8")
        project = Project(tmp_path, survey(tmp_path))
        return flow.examine(project, FLOW_RULES, entry_points(project))

    return run


@pytest.fixture
def look_at(tmp_path: Path) -> Callable[[dict[str, str]], Examination]:
    """Examines files given by path."""

    def run(files: dict[str, str]) -> Examination:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text), "utf-8")
        project = Project(tmp_path, survey(tmp_path))
        return flow.examine(project, FLOW_RULES, (*entry_points(project), *other_entry_points(project)))

    return run


HEAD = """
import os
from flask import Flask, request
app = Flask(__name__)
"""


@pytest.fixture
def reaches(examine: Examine) -> Callable[[str], bool]:
    """True if the body of a handler lets request data `x` reach `os.system`."""

    def run(body: str) -> bool:
        lines = "".join(f"    {line}\n" for line in dedent(body).strip().splitlines())
        text = dedent(HEAD) + "\n@app.route('/')\ndef handler():\n    x = request.args['x']\n" + lines + "    return {}\n"
        found = examine(app=text).findings
        assert all(finding.rule == "command-injection" for finding in found)
        return bool(found)

    return run
