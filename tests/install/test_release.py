"""A release: the same bytes from any folder and at any time, with a bill of materials, and a workflow with least rights."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from install.wheels import ROOT

PINNED = re.compile(r"[\w.-]+/[\w.-]+@[0-9a-f]{40}")
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def source_copy(folder: Path, old: bool = False) -> Path:
    """What a release is built from, in another place and with other times."""
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("scripts", "requirements", "tests/install"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md"):
        shutil.copy(ROOT / name, folder / name)
    if old:
        for each in folder.rglob("*"):
            os.utime(each, (1_000_000_000, 1_000_000_000))
    return folder


def released(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    script = [sys.executable, str(folder / "scripts" / "release.py"), *arguments]
    return subprocess.run(
        script, capture_output=True, text=True, env={**os.environ, "SOURCE_DATE_EPOCH": "1790000000"}, timeout=300
    )


def test_two_builds_are_the_same_bytes_and_name_what_is_inside(tmp_path: Path) -> None:
    for name, old in (("one", False), ("two", True)):
        (tmp_path / name).mkdir()
        ended = released(source_copy(tmp_path / name, old), "build", str(tmp_path / f"dist-{name}"))
        assert ended.returncode == 0, ended.stderr
    first, second = tmp_path / "dist-one", tmp_path / "dist-two"
    names = sorted(each.name for each in first.iterdir())
    assert sorted(Path(name).suffix for name in names) == ["", ".gz", ".json", ".whl"]
    for name in names:
        assert (first / name).read_bytes() == (second / name).read_bytes(), name
    sums = dict(reversed(line.split("  ")) for line in (first / "SHA256SUMS").read_text().splitlines())
    assert sums == {name: hashlib.sha256((first / name).read_bytes()).hexdigest() for name in names if name != "SHA256SUMS"}
    (bill,) = first.glob("*.cdx.json")
    parts = {each["name"]: each for each in json.loads(bill.read_text())["components"]}
    assert {"pydantic", "rich", "typer", "tree-sitter"} <= set(parts)
    assert all(each["hashes"] and each["version"] for each in parts.values())


def test_a_tag_that_fits_neither_version_nor_changelog_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    folder = source_copy(tmp_path / "tree")
    ended = released(folder, "check", "v9.9.9")
    assert ended.returncode == 1
    assert "the tag is v9.9.9" in ended.stderr
    version = re.findall(r'^version = "(.+)"$', (folder / "pyproject.toml").read_text(), re.M)[0]
    (folder / "CHANGELOG.md").write_text(f"# Changelog\n\n## {version} (2026-11-16)\n")
    assert released(folder, "check", f"v{version}").returncode == 0


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_are_pinned_and_may_only_read_by_default(path: Path) -> None:
    workflow: dict[Any, Any] = yaml.safe_load(path.read_text())
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        for step in job["steps"]:
            assert "uses" not in step or PINNED.fullmatch(step["uses"]), step
            assert "${{" not in step.get("run", ""), "what a workflow is given comes by the environment"
            if "checkout@" in step.get("uses", ""):
                assert step["with"]["persist-credentials"] is False
