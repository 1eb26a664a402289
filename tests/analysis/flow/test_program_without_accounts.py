"""What a flow's proof bears in a program that asks nobody who he is (A55): everybody may be meant to get what it yields."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from counterproof.analysis.checked_proofs import proved
from counterproof.analysis.examination import Examination
from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import survey
from counterproof.model.proof import ceiling
from counterproof.model.severity import Reach, Severity

LookAt = Callable[[dict[str, str]], Examination]
FETCHES = """
from flask import Flask, request
import requests, subprocess
app = Flask(__name__)

@app.get("/fetch")
def fetch():
    return requests.get(request.args["url"]).text, 200, {"Content-Type": "text/plain"}

@app.get("/read")
def read():
    return open(request.args["path"]).read(), 200, {"Content-Type": "text/plain"}

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
    ("more", "reading"), [({}, Severity.MEDIUM), ({"who.py": LOGINS}, Severity.CRITICAL)], ids=["nobody", "users"]
)
def test_less_than_everything_is_medium_where_nobody_has_an_account(
    tmp_path: Path, look_at: LookAt, more: dict[str, str], reading: Severity
) -> None:
    whole = look_at({"app.py": FETCHES, **more})
    found = proved(Project(tmp_path, survey(tmp_path)), whole).findings
    assert {each.rule: ceiling(each.proof) for each in found} == {
        "ssrf": Severity.MEDIUM,  # what stands behind the program in its network is not in the code
        "path-traversal": reading,
        "command-injection": Severity.CRITICAL,
    }


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


@pytest.mark.rule("A55")
@pytest.mark.parametrize(
    ("reach", "borne"), [(Reach.ADMIN, Severity.LOW), (Reach.LOW_PRIVILEGE, Severity.CRITICAL)], ids=["administrators", "users"]
)
def test_administrators_may_be_meant_to_get_less_than_everything(
    tmp_path: Path, look_at: LookAt, reach: Reach, borne: Severity
) -> None:
    whole = look_at({"app.py": FETCHES})
    reached = tuple(replace(each, rating=replace(each.rating, reach=reach)) for each in whole.findings)
    found = proved(Project(tmp_path, survey(tmp_path)), replace(whole, findings=reached)).findings
    borne_by = {each.rule: ceiling(each.proof) for each in found}
    assert (borne_by["path-traversal"], borne_by["command-injection"]) == (borne, Severity.CRITICAL)
