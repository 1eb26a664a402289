"""The severity of a flow's proof in a program without logins (A55): its output may be public on purpose."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from counterproof.analysis.checked_proofs import proved
from counterproof.analysis.examination import Examination
from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import survey
from counterproof.model.severity import Reach

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
@pytest.mark.parametrize(("more", "presumed"), [({}, 1), ({"who.py": LOGINS}, 0)], ids=["nobody", "users"])
def test_less_than_everything_may_be_meant_where_nobody_has_an_account(
    tmp_path: Path, look_at: LookAt, more: dict[str, str], presumed: int
) -> None:
    whole = look_at({"app.py": FETCHES, **more})
    found = proved(Project(tmp_path, survey(tmp_path)), whole.findings, ())
    assert {each.rule: each.proof.whole for each in found} == {
        "ssrf": not more,  # with accounts: what stands behind the program in its network is not in the code
        "path-traversal": True,
        "command-injection": True,
    }
    assert {each.rule: len(each.proof.presumed) for each in found if each.rule != "ssrf"} == {
        "path-traversal": presumed,
        "command-injection": 0,
    }


LEADS = """
from flask import Flask, redirect, request
app = Flask(__name__)

@app.get("/next")
def lead():
    return redirect(request.args["next"])
"""


@pytest.mark.rule("A55")
@pytest.mark.parametrize(("more", "leading"), [({}, False), ({"who.py": LOGINS}, True)], ids=["nobody", "users"])
def test_a_link_takes_nothing_from_visitors_without_accounts(
    tmp_path: Path, look_at: LookAt, more: dict[str, str], leading: bool
) -> None:
    whole = look_at({"app.py": LEADS, **more})
    found = proved(Project(tmp_path, survey(tmp_path)), whole.findings, ())
    assert {each.rule: each.proof.whole for each in found} == {"open-redirect": leading}


@pytest.mark.rule("A55")
@pytest.mark.parametrize(("reach", "borne"), [(Reach.ADMIN, False), (Reach.LOW_PRIVILEGE, True)], ids=["administrators", "users"])
def test_administrators_may_be_meant_to_get_less_than_everything(
    tmp_path: Path, look_at: LookAt, reach: Reach, borne: bool
) -> None:
    whole = look_at({"app.py": FETCHES})
    reached = tuple(replace(each, rating=replace(each.rating, reach=reach)) for each in whole.findings)
    found = proved(Project(tmp_path, survey(tmp_path)), reached, ())
    borne_by = {each.rule: each.proof.whole for each in found}
    assert (borne_by["path-traversal"], borne_by["command-injection"]) == (borne, True)
