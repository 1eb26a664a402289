"""What a browser encodes in an address is no markup before somebody decodes it (A55)."""

from pathlib import Path

import pytest

from counterproof.analysis import flow
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import FlowRule, load_rules
from counterproof.analysis.source.survey import survey
from counterproof.model.proof import Guess

RULE = next(each.rule for each in load_rules() if each.rule.id == "javascript-dom-xss")


@pytest.mark.rule("A55")
@pytest.mark.parametrize(
    ("value", "encoded"),
    [
        ("location.search.split('=')[1]", True),
        ("location.hash.slice(1)", True),
        ("document.referrer", True),
        ("decodeURIComponent(location.hash.slice(1))", False),
        ("new URLSearchParams(location.search).get('name')", False),
        ("window.name", False),
    ],
)
def test_an_address_that_nobody_decodes_leaves_the_flow_open(tmp_path: Path, value: str, encoded: bool) -> None:
    (tmp_path / "page.js").write_text(f"document.body.innerHTML = '<b>' + {value} + '</b>';\n", "utf-8")
    assert isinstance(RULE, FlowRule)
    [found] = flow.examine(Project(tmp_path, survey(tmp_path)), (RULE,), ()).findings
    assert found.proof is not None
    assert (Guess.BROKEN_FLOW in {each.guess for each in found.proof.assumptions}) is encoded
