"""The scan with the real Semgrep, over trees that try to hide."""

import os
from pathlib import Path

import pytest

from analysis.semgrep.targets import EVAL, tree
from counterproof.analysis.semgrep import scan
from counterproof.analysis.source.survey import survey
from counterproof.model.baseline import Baseline, BaselineStatus
from counterproof.model.dimension import Dimension
from counterproof.model.text import name_form

LATIN = os.fsdecode(b"latin-\xe9.py")
SILENCERS = {
    ".semgrepignore": "*\n",
    "deep/.semgrepignore": "*\n",
    ".semgrep.yml": "rules: []\n",
    ".semgrep/settings.yml": "nonsense: [\n",
    ".git/config": "[core]\n\tfsmonitor = touch /nowhere\n",
}


FILES = {
    "app.py": EVAL,
    "nosem.py": "def run(text):\n    eval(text)  # nosemgrep\n",
    "deep/inside.py": EVAL,
    "build/out.py": EVAL,
    "code.min.py": EVAL,
    "window.pyw": EVAL,
    "-rf.py": EVAL,
    "name with spaces.py": EVAL,
    "ünïcode.py": EVAL,
    "deploy": "#!/usr/bin/env python3\n" + EVAL,
}
IN_TESTS = "import requests\n" + EVAL + "DEBUG = True\nrequests.get('https://a.example', verify=False)\n"


@pytest.fixture(scope="module")
def hiding(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree that tries everything not to be scanned, with a test file and a broken one."""
    root = tmp_path_factory.mktemp("hiding")
    tree(root, {**SILENCERS, **FILES, "tests/test_app.py": IN_TESTS, "broken.py": "def f(:\n  x = = 3\neval(x)\n"})
    (root / LATIN).write_text(EVAL)
    return root


@pytest.fixture(scope="module")
def found(hiding: Path, semgrep: Path) -> Baseline:
    return scan(hiding, survey(hiding), semgrep)


@pytest.mark.rule("A31", "X15")
def test_nothing_in_the_target_silences_the_scan(found: Baseline) -> None:
    evaluations = [hit for hit in found.hits if hit.rule == "python-code-evaluation"]
    assert {hit.path for hit in evaluations} >= {*FILES, name_form(LATIN)}
    assert {(hit.cwe, hit.dimension) for hit in evaluations} == {(95, Dimension.D1)}


@pytest.mark.rule("A31")
def test_a_file_that_does_not_parse_makes_the_scan_partial_and_is_named(found: Baseline) -> None:
    assert found.status is BaselineStatus.PARTIAL
    assert [each.path for each in found.unparsed] == ["broken.py"]
    assert found.reason == "1 file was not scanned, or not all of it"


@pytest.mark.rule("A29")
def test_hits_in_tests_are_left_out_unless_they_are_certain(found: Baseline) -> None:
    assert [hit.rule for hit in found.hits if hit.path.startswith("tests/")] == ["python-certificate-check-off"]
    assert found.in_tests == 2


def test_two_scans_of_the_same_tree_are_equal(found: Baseline, hiding: Path, semgrep: Path) -> None:
    assert found == scan(hiding, survey(hiding), semgrep)
    assert [hit.id for hit in found.hits] == [f"S{number:03}" for number in range(1, len(found.hits) + 1)]


def test_the_rules_of_the_user_replace_ours_and_see_every_file(tmp_path: Path, semgrep: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text(
        "rules:\n"
        "  - {id: mine, languages: [generic], severity: WARNING, message: found $KEY, metadata: {cwe: [CWE-798]},\n"
        "     pattern: magic = $KEY, paths: {include: ['*.conf']}}\n"
    )
    root, surveyed = tree(tmp_path / "target", {"app.py": EVAL + "magic = 1\n", "etc/app.conf": "a\nmagic = 7\n"})
    found = scan(root, surveyed, semgrep, rules)
    assert [(hit.rule, hit.path, hit.start, hit.cwe, hit.dimension) for hit in found.hits] == [
        ("mine", "etc/app.conf", 2, 798, Dimension.D7)
    ]


@pytest.mark.rule("A31")
def test_rules_that_do_not_load_skip_the_scan_with_the_reason(tmp_path: Path, semgrep: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text("rules: [broken\n")
    root, surveyed = tree(tmp_path / "target", {"app.py": EVAL})
    found = scan(root, surveyed, semgrep, rules)
    assert found.status is BaselineStatus.SKIPPED
    assert "rules.yaml" in found.reason
    assert str(tmp_path) not in found.reason
