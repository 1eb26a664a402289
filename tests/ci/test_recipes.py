"""The recipes for CI in the documentation, the pre-commit hook and the image: read from where they stand, and run."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from cli.command import small_app
from cli.test_comparing import git

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs" / "how-to" / "ci.md").read_text(encoding="utf-8")
ADDED = '\n\n@app.route("/run")\ndef run():\n    return str(eval(request.args["code"]))\n'


def block(language: str, heading: str) -> str:
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    return re.findall(rf"^```{language}\n(.*?)^```", section, re.M | re.S)[0]


@pytest.fixture
def change(tmp_path: Path) -> Path:
    """A repository with `origin/main`, and a change in the working tree that adds a vulnerability."""
    folder = small_app(tmp_path / "project" / "app")
    git(folder, "init")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "base")
    git(folder, "update-ref", "refs/remotes/origin/main", "HEAD")
    with (folder / "app.py").open("a") as stream:
        stream.write(ADDED)
    return folder


def in_bash(script: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """The script with a `counterproof` on PATH that is the one under test."""
    programs = folder.parent / "bin"
    programs.mkdir(exist_ok=True)
    (programs / "counterproof").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m counterproof "$@"\n')
    (programs / "counterproof").chmod(0o755)
    return subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_the_github_workflow_has_least_rights_and_is_pinned() -> None:
    workflow: dict[Any, Any] = yaml.safe_load(block("yaml", "GitHub"))
    assert workflow[True] == "pull_request", "`on`, which YAML reads as true"
    assert workflow["permissions"] == {"contents": "read", "security-events": "write"}
    checkout, own = workflow["jobs"]["audit"]["steps"]
    assert re.fullmatch(r"actions/checkout@[0-9a-f]{40}", checkout["uses"])
    assert checkout["with"] == {"fetch-depth": 0, "persist-credentials": False}
    inputs = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    assert set(own["with"]) <= set(inputs)


def test_the_plain_recipe_tells_codes_apart(change: Path, tmp_path: Path) -> None:
    script = block("bash", "Any other service")
    ended = in_bash(script, change, REPORTS=str(tmp_path / "reports"))
    assert ended.returncode == 1, ended.stderr
    assert "new findings, see" in ended.stdout
    ended = in_bash(script, change, REPORTS=str(tmp_path / "reports"), BASE="nowhere")
    assert ended.returncode == 2
    assert "did not do what it was asked" in ended.stdout


def test_the_hook_fails_on_what_a_commit_adds(change: Path) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert hook["pass_filenames"] is False
    git(change, "add", ".")
    ended = in_bash(shlex.join(shlex.split(hook["entry"])), change)
    assert ended.returncode == 1, ended.stderr
    assert "1 new, 2 persisting, 0 fixed" in ended.stdout


def test_the_image_is_built_from_files_that_exist_and_runs_without_rights() -> None:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    steps = [line.split(None, 1) for line in lines if line and not line.startswith("#")]
    for name, rest in steps:
        if name == "COPY" and "--from" not in rest:
            assert all((ROOT / source).exists() for source in rest.split()[:-1]), rest
        assert "pip install" not in rest or "--require-hashes" in rest or "--no-deps" in rest
    last = max(number for number, (name, _) in enumerate(steps) if name == "FROM")
    assert ["USER", "10001"] in steps[last:]
    assert steps[-1] == ["ENTRYPOINT", '["counterproof"]']
