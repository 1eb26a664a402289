"""What a flow's proof bears in a program that asks nobody who he is (A55): everybody may be meant to get what it yields."""

from collections.abc import Callable
from pathlib import Path

import pytest

from counterproof.analysis.checked_proofs import proved
from counterproof.analysis.examination import Examination
from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import survey
from counterproof.model.proof import ceiling
from counterproof.model.severity import Severity

LookAt = Callable[[dict[str, str]], Examination]
FETCHES = """
from flask import Flask, request
import requests, subprocess
app = Flask(__name__)

@app.get("/fetch")
def fetch():
    return requests.get(request.args["url"]).text, 200, {"Content-Type": "text/plain"}

@app.get("/run")
def run():
    subprocess.run(request.args["command"], shell=True)
    return "done"
"""
LOGINS = """
from flask import session
def who():
    return session["user"]
"""


@pytest.mark.rule("A55")
@pytest.mark.parametrize(
    ("more", "fetching"), [({}, Severity.MEDIUM), ({"who.py": LOGINS}, Severity.CRITICAL)], ids=["nobody", "users"]
)
def test_less_than_everything_is_medium_where_nobody_has_an_account(
    tmp_path: Path, look_at: LookAt, more: dict[str, str], fetching: Severity
) -> None:
    whole = look_at({"app.py": FETCHES, **more})
    found = proved(Project(tmp_path, survey(tmp_path)), whole).findings
    assert {each.rule: ceiling(each.proof) for each in found} == {"ssrf": fetching, "command-injection": Severity.CRITICAL}


LEADS = """
from flask import Flask, redirect, request
app = Flask(__name__)

@app.get("/next")
def lead():
    return redirect(request.args["next"])
"""


@pytest.mark.rule("A55")
@pytest.mark.parametrize(
    ("more", "leading"), [({}, Severity.LOW), ({"who.py": LOGINS}, Severity.CRITICAL)], ids=["nobody", "users"]
)
def test_a_link_takes_nothing_from_visitors_without_accounts(
    tmp_path: Path, look_at: LookAt, more: dict[str, str], leading: Severity
) -> None:
    whole = look_at({"app.py": LEADS, **more})
    found = proved(Project(tmp_path, survey(tmp_path)), whole).findings
    assert {each.rule: ceiling(each.proof) for each in found} == {"open-redirect": leading}
