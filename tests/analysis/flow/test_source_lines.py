"""Where a flow begins: the line that reads the part of the request, whatever read it before (A55)."""

from pathlib import Path

import pytest

from counterproof.analysis import flow
from counterproof.analysis.polyglot.find import other_entry_points
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import FlowRule, load_rules
from counterproof.analysis.source.survey import survey
from counterproof.model.proof import Part

RULE = next(each.rule for each in load_rules() if each.rule.id == "javascript-command-injection")
TEXT = """\
const app = require("express")();
const { exec } = require("child_process");
app.post("/a", (req, res) => {
  const id = Number(req.body.id);
  exec("ls " + req.body.name);
});
"""


@pytest.mark.rule("A55")
def test_a_flow_begins_where_its_own_part_of_the_request_is_read(tmp_path: Path) -> None:
    (tmp_path / "app.js").write_text(TEXT, "utf-8")
    project = Project(tmp_path, survey(tmp_path))
    assert isinstance(RULE, FlowRule)
    [found] = flow.examine(project, (RULE,), other_entry_points(project)).findings
    assert found.flow is not None
    assert found.proof is not None
    assert found.flow.steps[0].location.start == 5
    assert [link.fact.at.start for link in found.proof.links if link.part is Part.ENTRY] == [5]
