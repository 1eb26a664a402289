"""What quiets the rule about passwords that nobody looks at: a measure anywhere in the project, in whatever words."""

from pathlib import Path

import pytest

from counterproof.analysis.project import Project
from counterproof.analysis.rules.authentication.unchecked_password.rule import RULE
from counterproof.analysis.source.survey import survey

HANDLER = """
from flask import Flask, request
from werkzeug.security import generate_password_hash
app = Flask(__name__)
@app.post("/register")
def register():
    keep(request.form["name"], generate_password_hash(request.form["password"]))
    return "welcome"
"""


def _findings(folder: Path, other: str) -> int:
    (folder / "app.py").write_text(HANDLER, "utf-8")
    (folder / "other.py").write_text(other, "utf-8")
    project = Project(folder, survey(folder))
    return sum(match.finding for match in RULE.check(project, "app.py"))


@pytest.mark.parametrize(
    "measure",
    [
        "if len(password1) < 8: raise ValueError()",
        "class New(BaseModel):\n    password: str = Field(min_length=8)",
        "class New(BaseModel):\n    password: constr(min_length=8)",
        "class New(BaseModel):\n    @field_validator('password')\n    def long_enough(cls, value): return value",
        "class New(Form):\n    password = PasswordField('Password', [DataRequired(), Length(min=8)])",
        "class New(Form):\n    password = PasswordField(validators=[strong_enough])",
        "strong = any(letter.isdigit() for letter in password)",
        "if not PATTERN.fullmatch(password): raise ValueError()",
        "def is_valid_password(text): return len(text) > 8",
        "from zxcvbn import zxcvbn",
        "schema = {'password': {'type': 'string', 'minLength': 8}}",
    ],
)
def test_a_measure_anywhere_quiets_the_rule(measure: str, tmp_path: Path) -> None:
    assert _findings(tmp_path, f"{measure}\n") == 0


@pytest.mark.parametrize(
    "other",
    [
        "complete = all([name, password])",
        "class New(Form):\n    password = PasswordField('Password', validators=[DataRequired(), EqualTo('again')])",
        "class User:\n    def validate_password(self, given): return verify(self.password_hash, given)",
        "if password != confirm_password: raise ValueError()",
    ],
)
def test_what_only_asks_for_some_password_does_not(other: str, tmp_path: Path) -> None:
    assert _findings(tmp_path, f"{other}\n") == 1
