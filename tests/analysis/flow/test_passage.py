"""How much code an injection of eight lines passes through: the page about the analysis says a number, and it only shrinks."""

import re
import sys
from pathlib import Path
from types import FrameType
from typing import Any

from counterproof import analysis
from counterproof.analysis import flow
from counterproof.analysis.endpoints.find import entry_points
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import FlowRule, load_rules
from counterproof.analysis.source.survey import survey

PAGE = Path(__file__).parents[3] / "docs" / "explanation" / "how-the-analysis-works.md"
ROOT = str(Path(analysis.__file__).parent)
APP = """from flask import Flask, request
import os

app = Flask(__name__)

@app.route("/ping")
def ping():
    os.system("ping " + request.args["host"])
"""


def test_the_page_says_how_many_files_an_injection_passes_through(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(APP)
    project = Project(tmp_path, survey(tmp_path))
    rules = tuple(each.rule for each in load_rules() if isinstance(each.rule, FlowRule))
    entries = entry_points(project)
    files: set[str] = set()

    def entered(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(ROOT):
            files.add(frame.f_code.co_filename)

    before = sys.getprofile()
    sys.setprofile(entered)
    try:
        found = flow.examine(project, rules, entries).findings
    finally:
        sys.setprofile(before)
    assert [(each.rule, each.location.start) for each in found] == [("command-injection", 8)]
    said = re.search(r"passes\s+through at most (\d+) files", PAGE.read_text("utf-8"))
    assert said is not None
    assert len(files) <= int(said[1])
