"""Every way to install that the documentation names and that needs no network beyond this machine: from nothing to a report.

The index that pip, pipx and uv ask is served on the loopback address; its wheels are those of this environment, packed again, and
the package's own, built. `scripts/install_paths.py` alone tries the rest, where there is an index.
"""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from install.tools import PATH
from install.wheels import ROOT, wheelhouse


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheels")
    wheelhouse(folder)
    return folder


RARELY = [pytest.param(each, marks=pytest.mark.nightly) for each in ("pip-index", "pipx", "pipx-run", "uv-tool", "uvx")]


@pytest.mark.parametrize("way", ["pip-offline", *RARELY])
def test_the_package_installs_and_audits(wheels: Path, way: str) -> None:
    script = ROOT / "scripts" / "install_paths.py"
    command = [sys.executable, str(script), "--wheelhouse", str(wheels), "--only", way]
    ended = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PATH": PATH}, timeout=600)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert f"{way:<14} counterproof " in ended.stdout
    assert ended.stdout.rstrip().endswith("audits")


def test_the_wheel_holds_what_the_program_reads_and_no_test_cases(wheels: Path) -> None:
    names = zipfile.ZipFile(next(wheels.glob("counterproof-*.whl"))).namelist()
    for needed in ("app/semgrep.lock", "agents/roles/hunter.md", "reports/html/page/start.js", "knowledge/profiles/code.toml"):
        assert f"counterproof/{needed}" in names
    assert not [name for name in names if "cases" in Path(name).name or name.startswith("tests")]
