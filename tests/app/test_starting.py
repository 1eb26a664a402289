"""`counterproof init`: settings that a repository may hold, and CI jobs whose commands run."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from cli.command import counterproof
from counterproof.app.starting import PLACEHOLDER, SERVICES, begin, found_services
from counterproof.extras import requirement
from counterproof.model.configuration import SETTINGS
from effort import every_other


def repository(folder: Path) -> Path:
    """A repository of two commits, the second of which adds a flaw."""
    folder.mkdir(exist_ok=True)

    def git(*words: str) -> None:
        name = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        subprocess.run(["git", "-C", str(folder), *name, *words], check=True, capture_output=True)

    git("init", "-q")
    (folder / "app.py").write_text("from flask import Flask, request\n\napp = Flask(__name__)\n")
    git("add", ".")
    git("commit", "-qm", "first")
    git("branch", "base")
    with (folder / "app.py").open("a") as stream:
        stream.write("\n\n@app.route('/run')\ndef run():\n    return str(eval(request.args['code']))\n")
    git("commit", "-qam", "second")
    return folder


def test_the_settings_are_those_that_a_repository_may_hold(tmp_path: Path) -> None:
    begin(tmp_path)
    lines = (tmp_path / "counterproof.toml").read_text().splitlines()[2:]
    uncommented = tomllib.loads("\n".join(line.removeprefix("# ") for line in lines if " = " in line or line.startswith("[")))
    names = {f"{command}.{name}" for command, values in uncommented.items() for name in values}
    assert names == {each.key for each in SETTINGS if not each.own}
    assert counterproof("config", "show", str(tmp_path)).returncode == 0


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_is_found_by_its_file(name: str, tmp_path: Path) -> None:
    assert found_services(tmp_path) == ()
    (tmp_path / SERVICES[name].shown_by[0]).touch()
    assert found_services(tmp_path) == (name,)


def test_a_service_is_found_by_the_remote(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text('[remote "origin"]\n\turl = git@gitlab.example.org:team/app.git\n')
    assert found_services(tmp_path) == ("gitlab",)


def test_existing_files_are_left_unchanged_and_additions_are_listed(tmp_path: Path) -> None:
    for name in ("counterproof.toml", ".gitlab-ci.yml", ".pre-commit-config.yaml"):
        (tmp_path / name).write_text("# mine\n")
    result = counterproof("init", str(tmp_path))
    assert result.returncode == 0
    assert f"Kept {tmp_path}/counterproof.toml: it already exists" in result.stdout
    assert f"Add to {tmp_path}/.gitlab-ci.yml:\ninclude: .gitlab/counterproof.yml\n" in result.stdout
    assert "      - id: counterproof\n" in result.stdout
    assert {(tmp_path / name).read_text() for name in ("counterproof.toml", ".gitlab-ci.yml")} == {"# mine\n"}
    assert (tmp_path / ".gitlab" / "counterproof.yml").is_file()


def test_no_file_leaves_the_project(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / ".github").symlink_to(tmp_path)
    result = counterproof("init", str(tmp_path / "project"))
    assert result.returncode == 2
    assert "leads out of" in result.stderr
    assert not (tmp_path / "workflows").exists()


def script(name: str, text: str) -> str:
    """The command that a service would run."""
    written: dict[str, Any] = yaml.safe_load(text)
    match name:
        case "github":
            steps = written["jobs"]["audit"]["steps"]
            assert steps[2]["run"] == 'pip install --quiet "$COUNTERPROOF"'
            assert steps[2]["env"] == {"COUNTERPROOF": requirement() or PLACEHOLDER}
            return steps[3]["run"]
        case "gitlab":
            assert written["counterproof"]["before_script"] == ['pip install --quiet "$COUNTERPROOF"']
            assert written["counterproof"]["variables"]["COUNTERPROOF"] == (requirement() or PLACEHOLDER)
            return "\n".join(written["counterproof"]["script"])
        case _:
            return written["repos"][0]["hooks"][0]["entry"]


def test_job_names_a_place_to_fill_in_if_the_program_came_from_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    noted = tmp_path / "site" / "counterproof-9.dist-info"
    noted.mkdir(parents=True)
    (noted / "METADATA").write_text("Metadata-Version: 2.1\nName: counterproof\nVersion: 9\n")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    for source, filled in ((f"file://{tmp_path}", False), ("https://pages.example/counterproof-9-py3-none-any.whl", True)):
        (noted / "direct_url.json").write_text(json.dumps({"url": source, "dir_info": {}}))
        folder = tmp_path / str(filled)
        folder.mkdir()
        begun = begin(folder, ["github", "gitlab"])
        text = (folder / ".github/workflows/counterproof.yml").read_text()
        assert (PLACEHOLDER in text, len(begun.to_fill)) == ((False, 0) if filled else (True, 2))
        assert not filled or f'COUNTERPROOF: "counterproof @ {source}"' in text


@pytest.mark.parametrize("name", every_other(SERVICES))
def test_the_job_fails_for_what_a_change_adds(name: str, tmp_path: Path) -> None:
    folder = repository(tmp_path / "app")
    result = counterproof("init", str(folder), "--ci", name)
    assert result.returncode == 0, result.stderr
    file = next(path for path in folder.rglob("*") if path.suffix in (".yml", ".yaml"))
    command = script(name, file.read_text())
    file.unlink()
    if name == "pre-commit":
        subprocess.run(["git", "-C", str(folder), "reset", "-q", "--soft", "HEAD~1"], check=True)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "BASE": "base", "COUNTERPROOF_HOME": str(tmp_path / "home")}
    done = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "app.py" in done.stdout
