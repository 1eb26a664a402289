"""A key gives everything away where somebody outside is let in by it, in code that was read (A55)."""

import pytest

from counterproof.analysis.checked_proofs import proved
from counterproof.analysis.recon import entry_points_of
from counterproof.analysis.secrets import examine
from counterproof.model.severity import Impact

SIGNS = "import jwt\nsigning_key = 'pantaloon'\ndef token(claims):\n    return jwt.encode(claims, signing_key)\n"
SERVES = """
from flask import Flask, request
from tokens import token
app = Flask(__name__)

@app.post("/login")
def login():
    return token({"user": request.form["user"]})
"""
STARTED = "import sys\nfrom tokens import token\nprint(token({'user': sys.argv[1]}))\n"


@pytest.mark.rule("A55")
@pytest.mark.parametrize(("main", "borne"), [(SERVES, True), (STARTED, False)], ids=["served", "started by hand"])
def test_key_is_proved_if_a_server_uses_it(project_of, main: str, borne: bool) -> None:
    project = project_of({"tokens.py": SIGNS, "app.py": main})
    assert [each.proof.whole for each in proved(project, examine(project).findings, entry_points_of(project))] == [borne]


@pytest.mark.rule("A55")
def test_a_route_of_a_script_leads_in_too(project_of) -> None:
    route = "const app = require('express')();\napp.get('/me', login, (req, res) => res.json(req.user));\napp.listen(80);\n"
    signs = (
        "const jwt = require('jsonwebtoken');\nconst signingKey = 'pantaloon9';\nexports.t = (c) => jwt.sign(c, signingKey);\n"
    )
    project = project_of({"tokens.js": signs, "server.js": route})
    assert [each.proof.whole for each in proved(project, examine(project).findings, entry_points_of(project))] == [True]


@pytest.mark.rule("A55")
@pytest.mark.parametrize(
    ("asked", "impact"), [("password", Impact.FULL), ("field", Impact.PARTIAL)], ids=["a password", "a choice"]
)
def test_secret_compared_with_a_password_has_full_impact(project_of, asked: str, impact: Impact) -> None:
    login = f"const WORD_PASSWORD = 'admin111x';\nexports.f = ({asked}) => {asked} === WORD_PASSWORD;\n"
    project = project_of({"login.js": login})
    assert [each.rating.impact for each in examine(project).findings] == [impact]


@pytest.mark.rule("A55")
def test_what_no_analyst_read_shows_no_use(project_of) -> None:
    signs = 'package main\n\nconst sessionSecret = "9f86d081884c7d659a2feaa0c55ad015"\n\nvar store = newStore(sessionSecret)\n'
    project = project_of({"main.go": signs, "tokens.py": SIGNS, "app.py": SERVES})
    borne = {
        each.location.path: each.proof.whole for each in proved(project, examine(project).findings, entry_points_of(project))
    }
    assert borne == {"tokens.py": True, "main.go": False}
