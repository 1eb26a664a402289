"""R32: patches change the flaw's lines alone, and only those that settle their finding without making another are kept."""

import re
from pathlib import Path

import pytest

from counterproof.analysis.project import Project
from counterproof.analysis.remediation import patches
from counterproof.analysis.remediation.patches import Flaw, patched, remedied, rules
from counterproof.analysis.ruleset import load_rules
from counterproof.analysis.source.survey import survey
from counterproof.model.location import at

pytestmark = pytest.mark.rule("R32")


def project(tmp_path: Path, **files: str) -> Project:
    for name, text in files.items():
        (tmp_path / f"{name}.py").write_text(text)
    return Project(tmp_path, survey(tmp_path))


def test_every_patch_is_for_a_rule_that_exists() -> None:
    assert set(rules()) <= {loaded.rule.id for loaded in load_rules()}


@pytest.mark.parametrize(
    ("rule", "before", "after"),
    [
        ("unsafe-yaml", "x = yaml.load(text, Loader=yaml.Loader)", "x = yaml.safe_load(text)"),
        ("unsafe-yaml", "x = yaml.load(open(name))", "x = yaml.safe_load(open(name))"),
        ("tls-verification", "requests.get(url, verify=False)", "requests.get(url, verify=True)"),
        ("javascript-tls-verification", "{ rejectUnauthorized: false }", "{ rejectUnauthorized: true }"),
        ("debug-mode", "app.run(debug=True)", "app.run(debug=False)"),
        ("cookie-secure", "r.set_cookie('id', v)", "r.set_cookie('id', v, secure=True)"),
    ],
)
def test_what_a_patch_writes(rule: str, before: str, after: str) -> None:
    done = patched(f"# above\n{before}\n# verify=False debug=True yaml.load(x)\n", Flaw(at("a.py", 2), rule))
    assert done is not None
    assert done.text == f"# above\n{after}\n# verify=False debug=True yaml.load(x)\n"


def test_an_import_that_the_patch_needs_comes_with_it_once() -> None:
    text = "from __future__ import annotations\nimport random\n\n\ndef token():\n    return random.choice(LETTERS)\n"
    done = patched(text, Flaw(at("a.py", 6), "weak-random"))
    assert done is not None
    assert done.text.startswith("from __future__ import annotations\nimport secrets\nimport random\n")
    assert (done.line, done.added) == (7, 1)
    again = patched(done.text, Flaw(at("a.py", 6), "weak-random"), 1)
    assert again is None


def test_an_import_is_put_among_the_imports_and_not_into_a_text() -> None:
    text = '"""Codes\nfrom the old shop.\n"""\n\nimport random\n\nCODE = random.choice(LETTERS)\n'
    done = patched(text, Flaw(at("a.py", 7), "weak-random"))
    assert done is not None
    assert done.text.startswith('"""Codes\nfrom the old shop.\n"""\n\nimport secrets\nimport random\n')


def test_valid_patch_is_kept_and_others_get_a_reason(tmp_path: Path) -> None:
    source = "import requests\n\n\ndef fetch(url):\n    return requests.get(url, verify=False)\n"
    tree = project(tmp_path, app=source)
    flaws = [Flaw(at("app.py", 5), "tls-verification", "M-01"), Flaw(at("app.py", 1), "tls-verification", "M-02")]
    done = remedied(tree, flaws)
    assert [each.number for each in done.settled] == ["M-01"]
    assert done.unsettled == ((flaws[1], patches.CHANGED),)
    assert done.texts == {"app.py": source.replace("verify=False", "verify=True")}
    assert (tmp_path / "app.py").read_text() == source


VIEW = """import requests
from flask import Flask, request

app = Flask(__name__)


@app.route("/")
def fetch():
    url = request.args["u"]
    return requests.get(url, verify=False).text
"""


@pytest.mark.parametrize(
    ("put", "why"),
    [("verify = False", patches.PERSISTS), ("verify=(", patches.UNREADABLE), ("verify=eval(url)", patches.WORSE)],
)
def test_a_patch_that_does_not_hold_is_withdrawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, put: str, why: str) -> None:
    """Each of the three ways in which a patch can be wrong, by a patch that is."""
    wrong = patches.Substitution(re.compile("verify=False"), put, "", "")
    monkeypatch.setattr(patches, "_table", lambda: {"tls-verification": (wrong,)})
    done = remedied(project(tmp_path, app=VIEW), [Flaw(at("app.py", 10), "tls-verification", "M-01")])
    assert done.texts == {}
    assert [reason for _, reason in done.unsettled] == [why]
