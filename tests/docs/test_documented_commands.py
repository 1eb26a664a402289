"""Docs are true: every command in a fenced `sh` block is run, in order, on a copy of the repository, beside the files whose
contents the page shows under their path.

Commands that build an environment are what CI, the fresh-clone check and `scripts/install_paths.py` run; here `.venv/bin/` means
this environment.
"""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cli.command import counterproof
from cli.test_comparing import git

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = sorted(page.relative_to(ROOT) for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")))
INSTALLING = re.compile(
    r"python3 -m venv |pip (install|download|wheel) |^pipx |^uv tool |^docker |^python3 scripts/check\.py$|^pre-commit install$"
    r"|counterproof setup|--install-completion$"
)
EXPECTED = {"audit": (0, 1, 3), "batch": (0, 1, 3), "resume": (0, 1, 3), "review": (0, 1), "verify": (0, 1, 6), "doctor": (0, 3)}
"""What a working command may end with: findings and shortcomings are results, not failures."""


def commands(page: Path) -> list[str]:
    blocks = re.findall(r"^ *```sh\n(.*?)^ *```", (ROOT / page).read_text(encoding="utf-8"), re.M | re.S)
    lines = [line.strip() for block in blocks for line in block.splitlines() if line.strip() and not line.strip().startswith("#")]
    parts = [part.strip() for line in lines for part in line.split("&&")]
    return [part for part in parts if not INSTALLING.search(part)]


def shown_files(page: Path, folder: Path) -> dict[Path, str]:
    """Blocks that begin with a comment that is a path: files that the page tells its reader to write."""
    blocks = re.findall(
        r"^```(?:toml|python|text)\n# (\S+/\S+)\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.M | re.S
    )
    own = f"{os.environ['COUNTERPROOF_HOME']}/"
    return {folder / path.replace("~/.config/counterproof/", own): text for path, text in blocks}


def with_commands() -> list[Any]:
    """Every page with commands; on every push those that a new user reads first."""
    first = ("README.md", "docs/tutorial")
    return [
        pytest.param(page, id=str(page), marks=() if str(page).startswith(first) else pytest.mark.nightly)
        for page in PAGES
        if commands(page)
    ]


def repository(folder: Path) -> None:
    """The examples in a repository of their own, with one change since `origin/main`."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    git(folder, "init")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "base")
    git(folder, "update-ref", "refs/remotes/origin/main", "HEAD")
    with (folder / "examples" / "shop" / "wsgi.py").open("a") as stream:
        stream.write("\n# a change\n")


@pytest.mark.parametrize("page", with_commands())
def test_the_commands_of_a_page_work(page: Path, tmp_path: Path) -> None:
    repository(tmp_path)
    for file, text in shown_files(page, tmp_path).items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    for command in commands(page):
        words = shlex.split(command.replace(".venv/bin/counterproof", "counterproof"))
        assert words[0] in ("counterproof", "ssh-keygen"), f"{page}: this test cannot run `{command}`"
        if words[0] == "counterproof":
            result = counterproof(*words[1:], cwd=tmp_path)
        elif not shutil.which(words[0]):
            pytest.skip(f"{words[0]} is not installed")
        else:
            result = subprocess.run(words, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        assert result.returncode in EXPECTED.get(words[1], (0,)), f"{command}\n{result.stdout}{result.stderr}"


def test_pages_link_to_pages_that_exist() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)\)", (ROOT / page).read_text(encoding="utf-8")):
            if "://" not in target:
                assert (ROOT / page).parent.joinpath(target).exists(), f"{page} links to {target}"


def test_every_command_is_documented() -> None:
    page = (ROOT / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")
    shown = counterproof("--help").stdout
    listed = re.findall(r"^  ([a-z-]+) {2,}", shown.split("Commands:")[1], re.M)
    assert listed
    for name in listed:
        assert f"counterproof {name}" in page, f"`counterproof {name}` is not on the reference page"
