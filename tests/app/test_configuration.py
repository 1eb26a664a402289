"""Settings: read from where the user says, checked, and never from the code under review."""

import json
import tomllib
from pathlib import Path

import jsonschema
import pytest

from cli.test_comparing import git
from counterproof.app.configuration import Layers, layers, user_file
from counterproof.model.configuration import SETTINGS, ConfigLayer, Kind, setting
from counterproof.model.configuration_pages import schema, template, toml
from counterproof.model.errors import UserError


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """A repository that sets one thing in its base revision and another in the change under review."""
    folder = tmp_path / "app"
    folder.mkdir()
    git(folder, "init")
    (folder / "counterproof.toml").write_text('[audit]\nfail-on = "medium"\nexceptions = "ok.toml"\n')
    git(folder, "add", ".")
    git(folder, "commit", "-m", "base")
    git(folder, "branch", "base")
    (folder / "counterproof.toml").write_text('[audit]\nfail-on = "critical"\nexclude = ["**"]\n')
    git(folder, "commit", "-am", "look away")
    return folder


def value(found: Layers, key: str) -> tuple[object, ConfigLayer] | None:
    each = setting(*key.split(".", 1))
    assert each
    seen = found.find(each)
    return (seen[0], seen[1].origin) if seen else None


@pytest.mark.rule("X15")
def test_settings_in_the_target_are_not_read_and_a_note_says_so(target: Path) -> None:
    found = layers(target, None, "", {})
    assert found.found == ()
    assert "counterproof.toml in the target is not read" in found.notes[0]
    with pytest.raises(UserError, match="is in the reviewed code"):
        layers(target, target / "counterproof.toml", "", {})


@pytest.mark.rule("X15")
def test_the_users_own_file_is_not_read_from_within_the_target(tmp_path: Path) -> None:
    user_file().parent.mkdir(parents=True)
    user_file().write_text('[audit]\nfail-on = "low"\n')
    found = layers(tmp_path, None, "", {})
    assert found.found == ()
    assert "is in the target and is not read" in found.notes[0]


@pytest.mark.rule("X15")
def test_a_trusted_revision_is_read_and_not_the_change_under_review(target: Path) -> None:
    found = layers(target, None, "base", {})
    assert value(found, "audit.fail-on") == ("medium", ConfigLayer.TRUSTED)
    assert value(found, "audit.exclude") is None
    assert value(found, "audit.exceptions") == (str(target / "ok.toml"), ConfigLayer.TRUSTED)
    assert "counterproof.toml as of base (" in found.found[0].place
    with pytest.raises(UserError, match="very change under review"):
        layers(target, None, "HEAD", {})


@pytest.mark.rule("X15")
@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('agents = "openai:x"', "cannot be set by a repository"),
        ('out = "../../elsewhere"', "cannot be set by a repository"),
        ("budget-tokens = 1", "cannot be set by a repository"),
        ('exceptions = "/etc/passwd"', "points outside the repository"),
        ('exceptions = "a/../../b.toml"', "points outside the repository"),
    ],
)
def test_a_repository_does_not_say_where_code_goes_what_is_spent_or_what_is_written(target: Path, line: str, why: str) -> None:
    (target / "counterproof.toml").write_text(f"[audit]\n{line}\n")
    git(target, "commit", "-am", "more")
    git(target, "branch", "more")
    with pytest.raises(UserError, match=why):
        layers(target, None, "more", {})


def test_a_pyproject_table_serves_where_there_is_no_file_of_ours(target: Path, tmp_path: Path) -> None:
    git(target, "rm", "-q", "counterproof.toml")
    (target / "pyproject.toml").write_text('[project]\nname = "x"\n[tool.counterproof.review]\nquick = true\n')
    git(target, "add", ".")
    git(target, "commit", "-m", "moved")
    git(target, "branch", "moved")
    assert value(layers(target, None, "moved", {}), "review.quick") == (True, ConfigLayer.TRUSTED)
    (tmp_path / "pyproject.toml").write_text("[tool.counterproof.audit]\nmax-time = 5\n")
    assert value(layers(target, tmp_path / "pyproject.toml", "", {}), "audit.max-time") == (5, ConfigLayer.FILE)


def test_the_environment_wins_over_files_and_the_users_file_over_the_repository(target: Path) -> None:
    user_file().parent.mkdir(parents=True)
    user_file().write_text('[audit]\nfail-on = "low"\nmode = "deep"\nosv = "osv.zip"\n')
    found = layers(target, None, "base", {"COUNTERPROOF_AUDIT_MODE": "quick", "COUNTERPROOF_AUDIT_ONLY": "D1, D2"})
    assert value(found, "audit.mode") == ("quick", ConfigLayer.ENVIRONMENT)
    assert value(found, "audit.only") == (("D1", "D2"), ConfigLayer.ENVIRONMENT)
    assert value(found, "audit.fail-on") == ("low", ConfigLayer.FILE)
    assert value(found, "audit.osv") == (str(user_file().parent / "osv.zip"), ConfigLayer.FILE)
    assert value(found, "audit.exceptions") == (str(target / "ok.toml"), ConfigLayer.TRUSTED)


def test_a_named_file_is_read_instead_of_the_users(target: Path, tmp_path: Path) -> None:
    user_file().parent.mkdir(parents=True)
    user_file().write_text('[audit]\nmode = "deep"\n')
    named = tmp_path / "team.toml"
    named.write_text('[audit]\nfail-on = "low"\nbaseline = "latest"\n')
    found = layers(target, named, "", {})
    assert value(found, "audit.mode") is None
    assert value(found, "audit.fail-on") == ("low", ConfigLayer.FILE)
    assert value(found, "audit.baseline") == ("latest", ConfigLayer.FILE)


@pytest.mark.parametrize(
    "text",
    [
        "[audit",
        "[audits]\nmode = 'quick'\n",
        "mode = 'quick'\n",
        "[audit]\nmod = 'quick'\n",
        "[audit]\nmode = 'slow'\n",
        "[audit]\nmax-time = -1\n",
        "[audit]\nmax-time = true\n",
        "[audit]\ninclude = 'src'\n",
        "[audit]\ninclude = [1]\n",
        "[review]\nquick = 'yes'\n",
        "[review]\nbudget = 0\n",
        "[audit]\nyes = true\n",
        "x = " + "[" * 5_000,
        "# " + "x" * 300_000,
    ],
)
def test_a_file_that_says_something_else_is_an_error_with_its_name(target: Path, tmp_path: Path, text: str) -> None:
    named = tmp_path / "team.toml"
    named.write_text(text)
    with pytest.raises(UserError, match=r"team\.toml") as caught:
        layers(target, named, "", {})
    assert caught.value.hint


@pytest.mark.parametrize(
    ("name", "text"),
    [("COUNTERPROOF_AUDIT_MOD", "quick"), ("COUNTERPROOF_AUDIT_MAX_TIME", "soon"), ("COUNTERPROOF_REVIEW_QUICK", "maybe")],
)
def test_a_variable_that_says_something_else_is_an_error_with_its_name(target: Path, name: str, text: str) -> None:
    with pytest.raises(UserError, match=name):
        layers(target, None, "", {name: text})


def test_schema_and_template_hold_every_setting() -> None:
    rules = schema()
    jsonschema.Draft202012Validator.check_schema(rules)
    everything = "\n".join(line.removeprefix("# ") if " = " in line else line for line in template().splitlines())
    document = tomllib.loads(everything)
    jsonschema.validate(document, rules)
    assert [f"{command}.{name}" for command in document for name in document[command]] == [each.key for each in SETTINGS]
    assert tomllib.loads(template()) == {"audit": {}, "review": {}, "verify": {}}
    for each in SETTINGS:
        wrong = {each.command: {each.name: "x" if each.kind in (Kind.LIST, Kind.NUMBER, Kind.SWITCH) else 1}}
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, rules)
        assert json.loads(json.dumps(each.checked(each.example))) == tomllib.loads(f"x = {toml(each.example)}")["x"]
