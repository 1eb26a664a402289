"""X22: literals in the position of a credential are hidden, with their kind and length; what only looks like one is shown."""

from pathlib import Path

import pytest

from counterproof.analysis.secrets.outgoing_text import safe_quote, safe_text
from counterproof.analysis.secrets.redaction import redact
from hostile.credential_positions import LOOK_ALIKES, POSITIONS
from toolbox.tooling import a_project, a_tree


@pytest.mark.rule("X22")
@pytest.mark.parametrize(("path", "text", "secret"), POSITIONS.values(), ids=POSITIONS)
def test_literal_in_a_credential_position_is_hidden(path: str, text: str, secret: str) -> None:
    shown = redact(text.replace("§", secret), path=path)
    assert secret not in shown
    assert f" {len(secret)}›" in shown


@pytest.mark.rule("X22")
@pytest.mark.parametrize(("path", "text"), LOOK_ALIKES.values(), ids=LOOK_ALIKES)
def test_text_that_only_looks_like_a_credential_is_shown(path: str, text: str) -> None:
    assert redact(text, path=path) == text


@pytest.mark.rule("X22")
@pytest.mark.parametrize(("path", "text"), LOOK_ALIKES.values(), ids=LOOK_ALIKES)
def test_quote_of_a_line_that_the_file_shows_is_shown(tmp_path: Path, path: str, text: str) -> None:
    """Otherwise a quote of what an agent read would not be found in the file."""
    project = a_project(a_tree(tmp_path, {path: text, "main.py": "x = 1\n"}))
    for line in text.splitlines() if path in project.files else ():
        assert safe_quote(project, path, line) == line


@pytest.mark.rule("X22")
def test_mark_shows_kind_and_length() -> None:
    shown = redact("conf = {'password': 'walnut', 'api_key': 'k-9931-zz'}\n", path="a.py")
    assert " password 6›" in shown
    assert " key 9›" in shown


@pytest.mark.rule("X22")
def test_other_literals_of_a_line_with_an_escaped_secret_are_shown(tmp_path: Path) -> None:
    text = "app.config.update(NAME='garden shop', SECRET_KEY='b\\x61rnacle-\\u0031')\n"
    shown = safe_text(a_project(a_tree(tmp_path, {"a.py": text})), "a.py")
    assert "garden shop" in shown
    assert "rnacle" not in shown
