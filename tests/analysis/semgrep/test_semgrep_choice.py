"""Which program and which rules a scan uses."""

from pathlib import Path

import pytest

from analysis.semgrep.targets import program
from counterproof.analysis.semgrep import find_semgrep, local_rules
from counterproof.model.errors import UserError


def test_our_own_environment_comes_before_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own, other = program(tmp_path / "own", "pass"), program(tmp_path / "other", "pass")
    monkeypatch.setenv("PATH", str(other.parent))
    assert find_semgrep(tmp_path / "own", tmp_path / "target") == own
    assert find_semgrep(tmp_path / "nothing", tmp_path / "target") == other
    assert find_semgrep(None, tmp_path / "target") == other


@pytest.mark.rule("X15")
def test_a_program_inside_the_target_is_never_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "target"
    planted = program(target, "pass")
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "semgrep").symlink_to(planted)
    monkeypatch.chdir(target / "bin")
    monkeypatch.setenv("PATH", f"{planted.parent}:.::bin:{tmp_path / 'links'}")
    found = find_semgrep(target, target)
    assert found is None or not found.is_relative_to(target)
    assert find_semgrep(target, tmp_path / "elsewhere") == planted


@pytest.mark.rule("A31")
@pytest.mark.parametrize(
    "name",
    [
        "auto",
        "p/python",
        "p/default",
        "r/generic.secrets",
        "s/someone:rule",
        "https://semgrep.dev/p/ci",
        "policy",
        "",
        "AUTO",
        "git::x",
    ],
)
def test_registry_names_and_addresses_are_refused(name: str) -> None:
    with pytest.raises(UserError, match="not a local Semgrep configuration") as caught:
        local_rules(name)
    assert "never goes online" in caught.value.hint


def test_local_rules_must_be_there_and_be_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match="no readable"):
        local_rules("missing.yaml")
    (tmp_path / "notes.txt").write_text("x")
    with pytest.raises(UserError, match="not a Semgrep configuration"):
        local_rules("notes.txt")
    (tmp_path / "rules.yaml").write_text("rules: []\n")
    assert local_rules("rules.yaml") == tmp_path.resolve() / "rules.yaml"
    assert local_rules(".") == tmp_path.resolve()
