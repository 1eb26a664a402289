"""The command that adds an optional part fits the way the program was installed."""

from pathlib import Path

import pytest

from counterproof.extras import command_for


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
