"""`config show`, `config init`, and settings that take effect in the commands they are for."""

import inspect
import json
from pathlib import Path
from typing import get_type_hints

import pytest

from cli.command import counterproof, small_app
from counterproof.cli.commands_audit import AuditOptions
from counterproof.cli.commands_review import ReviewOptions
from counterproof.cli.commands_verify import VerifyOptions
from counterproof.cli.configured import _as_option, _kinds  # pyright: ignore[reportPrivateUsage]
from counterproof.model.configuration import SETTINGS, Setting

COMMANDS = {"audit": AuditOptions, "review": ReviewOptions, "verify": VerifyOptions}


@pytest.mark.parametrize("each", SETTINGS, ids=lambda each: each.key)
def test_every_setting_is_an_option_and_every_choice_is_one_of_the_options(each: Setting) -> None:
    options = COMMANDS[each.command]
    hint = get_type_hints(options, include_extras=True)[each.parameter]
    option = _as_option(each, each.example, hint)
    kinds = tuple(kind for kind in _kinds(hint) if isinstance(kind, type))
    assert isinstance(option[0] if isinstance(option, list) else option, kinds)
    for choice in each.choices:
        assert _as_option(each, (choice,) if isinstance(each.example, tuple) else choice, hint)
    for name in (*each.instead_of, each.needs):
        assert not name or name in inspect.signature(options).parameters


def test_init_writes_a_file_once_and_show_tells_where_values_come_from(tmp_path: Path, home: Path) -> None:
    assert counterproof("config", "init").returncode == 0
    again = counterproof("config", "init")
    assert again.returncode == 2
    assert "exists already" in again.stderr
    file = home / "counterproof.toml"
    file.write_text(file.read_text().replace('# fail-on = "high"', 'fail-on = "low"'))
    (tmp_path / "app").mkdir()
    shown = counterproof("config", "show", str(tmp_path / "app"), COUNTERPROOF_AUDIT_MODE="quick")
    rows = {line.split()[0]: " ".join(line.split()[1:]) for line in shown.stdout.splitlines() if "." in line.split(" ")[0]}
    assert rows["audit.mode"] == '"quick" environment COUNTERPROOF_AUDIT_MODE'
    assert rows["audit.fail-on"] == f'"low" file {file}'
    assert rows["review.profile"] == '"code" default'
    listed = json.loads(counterproof("config", "show", str(tmp_path / "app"), "--format", "json").stdout)
    assert [each["setting"] for each in listed] == [each.key for each in SETTINGS]


def test_a_setting_takes_effect_and_the_command_line_wins(tmp_path: Path, home: Path) -> None:
    target = small_app(tmp_path / "app")
    home.mkdir()
    text = '[audit]\nmode = "quick"\nexclude = ["app.py"]\nformat = ["json"]\nbudget-tokens = 5\n'
    (home / "counterproof.toml").write_text(text)
    (target / "counterproof.toml").write_text('[audit]\nmode = "deep"\n')
    kept = counterproof("audit", str(target), "--yes")
    assert kept.returncode == 0, kept.stderr
    assert json.loads(kept.stdout)["mode"] == "quick"
    assert "counterproof.toml in the target is not read" in kept.stderr
    typed = counterproof("audit", str(target), "--exclude", "sums.py")
    assert typed.returncode == 1
    assert [each["path"] for each in json.loads(typed.stdout)["skipped"]] == ["sums.py"]


def test_a_choice_on_the_command_line_makes_its_opposite_moot(tmp_path: Path, home: Path) -> None:
    home.mkdir()
    (home / "counterproof.toml").write_text("[review]\nquick = true\n")
    target = small_app(tmp_path / "app")
    seen = counterproof("review", "app.py", "--repo", str(target), "--yes", "--thorough", cwd=target)
    assert seen.returncode in (0, 1), seen.stderr


def test_a_broken_file_ends_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "team.toml").write_text("[audit]\nspeed = 9\n")
    refused = counterproof("audit", str(small_app(tmp_path / "app")), "--config", str(tmp_path / "team.toml"))
    assert refused.returncode == 2
    assert "audit has no setting 'speed'" in refused.stderr
    assert "Traceback" not in refused.stderr
