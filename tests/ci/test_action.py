"""The GitHub Action: its steps run on a repository with a branch that adds a vulnerability, and nothing in it can be steered."""

import json
import re
from pathlib import Path

import pytest

from ci.runner import EXPRESSION, Runner, action
from cli.command import small_app
from cli.test_comparing import git

ADDED = """

@app.route("/run")
def run():
    return str(eval(request.args["code"]))
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What actions/checkout leaves on a pull request: a clone with the base branch's ref, and the change checked out."""
    upstream = small_app(tmp_path / "upstream")
    git(upstream, "init")
    (upstream / "counterproof.toml").write_text('[audit]\nmode = "quick"\n')
    git(upstream, "add", ".")
    git(upstream, "commit", "-m", "base")
    folder = tmp_path / "checkout"
    git(tmp_path, "clone", "-q", str(upstream), str(folder))
    git(folder, "checkout", "-q", "-b", "feature")
    return folder


def commit(folder: Path, text: str) -> None:
    with (folder / "app.py").open("a") as stream:
        stream.write(text)
    git(folder, "add", ".")
    git(folder, "commit", "-m", "change")


def test_a_vulnerability_that_a_branch_adds_is_annotated_and_fails_the_job(checkout: Path, tmp_path: Path) -> None:
    commit(checkout, ADDED)
    runner = Runner(checkout, tmp_path / "runner")
    runner.prepare(base="main")
    assert runner.job() == 1
    annotations = [line for line in runner.log.splitlines() if line.startswith("::")]
    lines = (checkout / "app.py").read_text().splitlines()
    place = next(number for number, line in enumerate(lines, 1) if "eval(" in line)
    assert [each.split("title=")[0] for each in annotations] == [f"::error file=app.py,line={place},endLine={place},"]
    summary = runner.summary.read_text()
    assert "### New findings" in summary
    assert f"app.py:{place}" in summary
    assert "1 new, 2 persisting, 0 fixed" in summary
    report = Path(runner.values["steps.audit.outputs.report"])
    results = json.loads((report / "report.sarif").read_text())["runs"][0]["results"]
    assert sorted(each["baselineState"] for each in results) == ["new", "unchanged", "unchanged"]
    assert json.loads((report / "report.json").read_text())["mode"] == "quick", "the setting of the base revision holds"


def test_a_branch_that_adds_nothing_passes_whatever_was_there_before(checkout: Path, tmp_path: Path) -> None:
    commit(checkout, "\n\ndef nothing():\n    return 1\n")
    runner = Runner(checkout, tmp_path / "runner")
    runner.prepare(base="main")
    assert runner.job() == 0, runner.log
    assert not [line for line in runner.log.splitlines() if line.startswith("::")]
    assert "Nothing is new." in runner.summary.read_text()


def test_a_branch_cannot_set_its_own_terms(checkout: Path, tmp_path: Path) -> None:
    (checkout / "counterproof.toml").write_text('[audit]\nexclude = ["**"]\nfail-on = "critical"\n')
    (checkout / "counterproof.py").write_text("raise SystemExit(0)\n")
    (checkout / "sitecustomize.py").write_text("raise SystemExit(0)\n")
    commit(checkout, ADDED)
    runner = Runner(checkout, tmp_path / "runner")
    runner.prepare(base="main")
    assert runner.job() == 1, runner.log


def test_inputs_are_words_and_never_script(checkout: Path, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    hostile = f'$(touch {mark}) `touch {mark}` "; touch {mark}; "'
    runner = Runner(checkout, tmp_path / "runner")
    runner.prepare(base=hostile, path=hostile, mode=hostile, fail_on="--yes")
    assert runner.job() == 2
    assert not mark.exists()


def test_an_incomplete_audit_fails_unless_the_user_says_otherwise(checkout: Path, tmp_path: Path) -> None:
    verdict = action()["runs"]["steps"][-1]
    runner = Runner(checkout, tmp_path / "runner")
    runner.prepare(base="")
    for code, lenient, expected in (("3", "true", 3), ("3", "false", 0), ("1", "false", 1), ("", "true", 70), ("0", "true", 0)):
        runner.values |= {"steps.audit.outputs.exit-code": code, "inputs.fail-on-incomplete": lenient}
        assert runner.run(verdict) == expected


def test_external_actions_are_pinned_and_scripts_contain_no_expressions() -> None:
    steps = action()["runs"]["steps"]
    for step in steps:
        assert not EXPRESSION.search(step.get("run", "")), step["name"]
        assert "${{" not in step.get("run", ""), step["name"]
        if "uses" in step:
            assert re.fullmatch(r"[\w-]+/[\w/-]+@[0-9a-f]{40}", step["uses"]), step["uses"]
    upload = next(step for step in steps if "upload-sarif" in step.get("uses", ""))
    assert "github.event.pull_request.head.repo.full_name == github.repository" in upload["if"]
    assert "--require-hashes" in next(step["run"] for step in steps if step["name"] == "Install")
