"""Examples of a package are no part of what others install; examples that are the project are looked at (A10)."""

from pathlib import Path

import pytest

from counterproof.analysis.families import examine
from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import survey
from counterproof.model.dimension import Dimension
from counterproof.model.survey import Language

WEAK = """import os
from flask import Flask, request

app = Flask(__name__)


@app.route("/")
def run():
    os.system("ls " + request.args["folder"])
    return ""
"""


@pytest.mark.parametrize(
    ("manifest", "library", "told"),
    [
        ("pyproject.toml", WEAK * 3, ["library/core.py"]),
        ("requirements.txt", WEAK * 3, ["examples/app.py", "library/core.py"]),
        ("pyproject.toml", "x = 1\n", ["examples/app.py"]),
    ],
    ids=["of a package", "of an application", "that are the project"],
)
def test_examples(tmp_path: Path, manifest: str, library: str, told: list[str]) -> None:
    for name, text in {manifest: "", "library/core.py": library, "examples/app.py": WEAK}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    project = Project(tmp_path, survey(tmp_path))
    found = examine(project, (), (Dimension.D1,), Language.PYTHON).examination
    assert sorted({each.location.path for each in found.findings}) == told
    assert any("examples" in each for each in found.limitations) is ("examples/app.py" not in told)
