"""The image's recipe: linted, pinned and without rights; its steps run here as far as they need no container.

What is not run: pulling the base image, Debian's git, the user and the folder of the second stage. The hashes that are required
are those of the wheels here, which are packed anew and so have hashes of their own; the locked ones need an index.
"""

import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from install.tools import PATH, program
from install.wheels import ROOT, gathered

TEXT = (ROOT / "Dockerfile").read_text(encoding="utf-8")
STEPS = [tuple(step.split(None, 1)) for step in re.sub(r"\\\n", " ", re.sub(r"(?m)^#.*\n", "", TEXT)).splitlines() if step]
FINDINGS = 1


def steps(name: str) -> list[str]:
    return [text for each, text in STEPS if each == name]


def test_the_linter_has_nothing_to_say() -> None:
    ended = subprocess.run(
        [program("hadolint"), "--no-color", str(ROOT / "Dockerfile")], capture_output=True, text=True, timeout=60
    )
    assert (ended.returncode, ended.stdout) == (0, "")


def test_the_base_is_pinned_and_everything_installed_is_checked() -> None:
    (image,) = [text.partition("=")[2] for text in steps("ARG")]
    assert re.fullmatch(r"python:3\.\d+-slim@sha256:[0-9a-f]{64}", image)
    assert {text.split()[0] for text in steps("FROM")} == {"${PYTHON_IMAGE}"}
    installs = [each for text in steps("RUN") for each in re.findall(r"pip (?:install|wheel) [^&]*", text)]
    assert len(installs) == 4
    assert all("--require-hashes" in each or "--no-index" in each for each in installs)
    assert not re.search(r"curl|wget|ADD|:latest", TEXT)


def test_it_runs_as_a_user_without_rights() -> None:
    (user,) = steps("USER")
    assert int(user) >= 10_000
    assert STEPS.index(("USER", user)) > max(index for index, (name, _) in enumerate(STEPS) if name in ("RUN", "COPY"))
    assert steps("ENTRYPOINT") == ['["counterproof"]']


def lock(wheels: Path) -> str:
    """A lock file of the wheels that are here."""
    named = ((each, *each.name.split("-")[:2]) for each in sorted(wheels.glob("*.whl")))
    return "".join(
        f"{name}=={version} --hash=sha256:{hashlib.sha256(each.read_bytes()).hexdigest()}\n" for each, name, version in named
    )


class Laid:
    """The first stage with its folders in a place of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.wheels = {name: folder / "wheels" / name for name in ("run", "build")}
        for name, wanted in (("run", "counterproof"), ("build", "hatchling")):
            self.wheels[name].mkdir(parents=True)
            gathered(self.wheels[name], wanted)

    def copy(self, text: str) -> None:
        *sources, target = text.split()
        place = self.folder / "build" / target
        for source in (ROOT / each for each in sources):
            if source.is_dir():
                shutil.copytree(source, place, ignore=shutil.ignore_patterns("__pycache__"))
            elif source.suffix == ".lock":
                place.mkdir(exist_ok=True)
                (place / source.name).write_text(lock(self.wheels[source.stem]))
            else:
                shutil.copy(source, place)

    def run(self, text: str) -> subprocess.CompletedProcess[str]:
        script = re.sub(r"(?<![\w/])/(opt|build)\b", lambda match: f"{self.folder}/{match[1]}", text)
        found = " ".join(str(each) for each in self.wheels.values())
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))}
        alone = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": found, "PIP_CONFIG_FILE": os.devnull, "PIP_NO_COMPILE": "1", "PATH": PATH}
        return subprocess.run(
            ["sh", "-c", script], cwd=self.folder / "build", env=kept | alone, capture_output=True, text=True, timeout=300
        )


@pytest.fixture
def laid(tmp_path: Path) -> Laid:
    (tmp_path / "build").mkdir()
    return Laid(tmp_path)


def first_stage() -> list[tuple[str, str]]:
    stages = [index for index, (name, _) in enumerate(STEPS) if name == "FROM"]
    return [(name, text) for name, text in STEPS[stages[0] : stages[1]] if name in ("COPY", "RUN")]


@pytest.mark.nightly
def test_the_steps_give_a_program_that_audits(laid: Laid) -> None:
    for name, text in first_stage():
        if name == "COPY":
            laid.copy(text)
        else:
            ended = laid.run(text)
            assert ended.returncode == 0, ended.stdout + ended.stderr
    (setting,) = steps("ENV")
    assert "COUNTERPROOF_HOME=/data" in setting
    home = {"COUNTERPROOF_HOME": str(laid.folder / "data"), "PATH": f"{laid.folder}/opt/counterproof/bin:{os.environ['PATH']}"}
    shutil.copytree(ROOT / "examples" / "shop", laid.folder / "code")
    command = ["counterproof", "audit", ".", "--mode", "quick", "--quiet"]
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    audited = subprocess.run(command, cwd=laid.folder / "code", env=clean | home, capture_output=True, text=True, timeout=300)
    assert audited.returncode == FINDINGS, audited.stdout + audited.stderr


@pytest.mark.nightly
def test_a_wheel_with_another_hash_is_refused(laid: Laid) -> None:
    copies = [text for name, text in first_stage() if name == "COPY"]
    for text in copies[:2]:
        laid.copy(text)
    noted = laid.folder / "build" / "requirements" / "run.lock"
    noted.write_text(re.sub(r"sha256:[0-9a-f]{4}", "sha256:0000", noted.read_text(), count=1))
    ended = laid.run(next(text for name, text in first_stage() if name == "RUN"))
    assert ended.returncode != 0
    assert "DO NOT MATCH THE HASHES" in ended.stderr
