"""The command that adds an optional part fits the way the program was installed."""

import json
from pathlib import Path

import pytest

from counterproof import __version__
from counterproof.extras import command_for, requirement


@pytest.mark.parametrize(
    ("place", "file", "begins", "ends"),
    [
        ("share/uv/tools/counterproof", "uv-receipt.toml", "uv tool install --force ", "[models]'"),
        ("share/pipx/venvs/counterproof", "pipx_metadata.json", "pipx install --force ", "[models]'"),
        ("share/pipx/.cache/0123456789abcde", "pyvenv.cfg", "pipx run --spec ", "[models]' counterproof"),
        ("cache/uv/archive-v0/AbCdEf", "pyvenv.cfg", "uvx --from ", "[models]' counterproof"),
    ],
)
def test_it_fits_the_tool_that_made_the_environment(tmp_path: Path, place: str, file: str, begins: str, ends: str) -> None:
    (tmp_path / place).mkdir(parents=True)
    (tmp_path / place / file).touch()
    told = command_for("models", tmp_path / place)
    assert told.startswith(begins)
    assert told.endswith(ends)


def test_an_environment_of_ones_own_is_named_unless_it_is_active(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path))
    assert command_for("mcp", tmp_path).startswith("pip install ")
    monkeypatch.delenv("VIRTUAL_ENV")
    assert " -m pip install " in command_for("mcp", tmp_path)


@pytest.mark.parametrize(
    ("noted", "pip", "elsewhere"),
    [
        ({}, "'counterproof[mcp]'", f"counterproof=={__version__}"),
        ({"url": "https://a.example/c.whl", "archive_info": {}}, "'counterproof[mcp] @ https://a.example/c.whl'", ""),
        (
            {"url": "https://a.example/c", "vcs_info": {"vcs": "git", "commit_id": "12ab"}},
            "'counterproof[mcp] @ git+https://a.example/c@12ab'",
            "counterproof @ git+https://a.example/c@12ab",
        ),
        ({"url": "file:///nowhere/at%20all", "dir_info": {}}, "'counterproof[mcp]'", ""),
        ({"url": "file:///", "dir_info": {}}, "'/[mcp]'", ""),
    ],
)
def test_package_comes_from_where_it_was_installed_from(
    noted: dict[str, object], pip: str, elsewhere: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "counterproof-9.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: counterproof\nVersion: 9\n")
    if noted:
        (folder / "direct_url.json").write_text(json.dumps(noted))
    monkeypatch.syspath_prepend(str(tmp_path))
    assert command_for("mcp").endswith(f" install {pip}")
    assert requirement() == (elsewhere or ("counterproof @ https://a.example/c.whl" if "archive_info" in noted else ""))
