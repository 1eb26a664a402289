"""Baseline hits are leads: confirmed with a finding, rejected with a reason, or left to a person."""

from pathlib import Path

import pytest
from backward_claims import HEAD, marked, written

from counterproof.analysis import backward
from counterproof.analysis.endpoints import entry_points
from counterproof.model.baseline import Hit
from counterproof.model.dimension import Dimension
from counterproof.model.judgement import HitJudgement, HitVerdict
from counterproof.model.severity import Severity


def verified(root: Path, text: str, cwe: int | None, name: str = "app.py") -> HitJudgement:
    project = written(root / "target", {name: text})
    place = marked(project)
    hit = Hit("h1", "some.rule", place.path, place.start, place.end, "message", cwe, Severity.HIGH, Dimension.D1)
    return backward.verify(project, entry_points(project), hit).judgement


@pytest.mark.rule("A35")
def test_a_hit_that_the_walk_confirms_brings_its_finding(tmp_path: Path) -> None:
    text = HEAD + "\n@app.route('/')\ndef handler():\n    os.system(request.args['x'])  # HERE\n    return {}\n"
    judgement = verified(tmp_path, text, 78)
    assert judgement.verdict is HitVerdict.CONFIRMED
    assert judgement.finding is not None
    assert judgement.finding.cwe == 78
    assert judgement.finding.flow is not None
    assert judgement.finding.flow.complete
    assert judgement.finding.poc


@pytest.mark.rule("A35")
@pytest.mark.parametrize(
    ("body", "cwe", "verdict"),
    [
        ("os.system('ls')", 78, HitVerdict.REJECTED),
        ("os.system(undefined_library.call(request.args['x']))", 78, HitVerdict.NEEDS_MANUAL),
        ("print(request.args['x'])", 1111, HitVerdict.NEEDS_MANUAL),
        ("print(request.args['x'])", None, HitVerdict.NEEDS_MANUAL),
    ],
)
def test_other_hits_end_with_a_reason(tmp_path: Path, body: str, cwe: int | None, verdict: HitVerdict) -> None:
    text = HEAD + f"import undefined_library\n\n@app.route('/')\ndef handler():\n    {body}  # HERE\n    return {{}}\n"
    judgement = verified(tmp_path, text, cwe)
    assert judgement.verdict is verdict
    assert judgement.reason
    assert judgement.finding is None


def test_a_hit_on_a_value_is_read_by_the_rule_of_its_kind(tmp_path: Path) -> None:
    bad = verified(tmp_path, "import requests\n\nrequests.get('https://a.example', verify=False)  # HERE\n", 295)
    assert bad.verdict is HitVerdict.CONFIRMED
    assert bad.finding is not None
    good = verified(tmp_path, "import requests\n\nrequests.get('https://a.example', verify=True)  # HERE\n", 295)
    assert good.verdict is not HitVerdict.CONFIRMED


def test_a_hit_outside_the_reviewed_code_is_rejected(tmp_path: Path) -> None:
    project = written(tmp_path / "target", {"app.py": "x = 1\n"})
    hit = Hit("h1", "some.rule", "other.py", 1, 1, "message", 78, Severity.HIGH, Dimension.D1)
    assert backward.verify(project, (), hit).judgement.verdict is HitVerdict.REJECTED


def test_a_hit_in_test_code_is_rejected(tmp_path: Path) -> None:
    judgement = verified(tmp_path, "import os\nimport sys\nos.system(sys.argv[1])  # HERE\n", 78, name="tests/test_app.py")
    assert judgement.verdict is HitVerdict.REJECTED
