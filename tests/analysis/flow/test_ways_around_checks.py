"""A value that is checked on one way to a sink: that the way around the check can be taken is an open point (A55)."""

from collections.abc import Callable

import pytest

from counterproof.analysis.examination import Examination
from counterproof.model.proof import Guess

LookAt = Callable[[dict[str, str]], Examination]
HEAD = """
import re
from flask import Flask, request
app = Flask(__name__)
"""
SAME = """
@app.get("/part")
def part():
    sent = request.args.get("part")
    name = sent if sent is not None else "whole"
    if sent is not None and not re.fullmatch("[a-z]+", name):
        return "no"
    return open("/data/" + name).read()
"""
OTHERS = """
def shown(name):
    return open("/data/" + name).read()

@app.get("/checked")
def checked():
    name = request.args["name"]
    return shown(name) if re.fullmatch("[a-z]+", name) else "no"

@app.get("/open")
def unchecked():
    return shown(request.args["other"])
"""


def _guesses(found: Examination) -> list[set[Guess]]:
    proofs = [each.proof for each in found.findings if each.rule == "path-traversal"]
    return [{each.guess for each in proof.assumptions} if proof else set() for proof in proofs]


@pytest.mark.rule("A55")
@pytest.mark.parametrize(("code", "doubted"), [(SAME, True), (OTHERS, False)], ids=["the-same-value", "another-value"])
def test_a_check_of_the_same_value_leaves_the_way_around_it_open(look_at: LookAt, code: str, doubted: bool) -> None:
    assert [Guess.UNSEEN_GUARD in each for each in _guesses(look_at({"app.py": HEAD + code}))] == [doubted]


@pytest.mark.parametrize(
    ("pattern", "told"),
    [(r"[^\w.-]", False), ("[^a-zA-Z0-9._ -]+", False), ("[^a-z/.]", True), (r"[^ -~]", True), (r"\s", True)],
)
def test_a_name_without_separators_stays_in_its_folder(look_at: LookAt, pattern: str, told: bool) -> None:
    code = f'@app.get("/x")\ndef x():\n    return open("/data/" + re.sub(r"{pattern}", "_", request.args["n"])).read()\n'
    script = f"""
    const app = require('express')();
    app.get('/x', (req, res) => {{
      const name = req.query.n.replace(/{pattern.replace("/", chr(92) + "/")}/g, '_');
      res.json(require('fs').readFileSync(require('path').join('/data', name), 'utf8'));
    }});
    """
    found = look_at({"app.py": HEAD + code, "app.js": script})
    assert sorted(each.rule for each in found.findings) == (["javascript-path-traversal", "path-traversal"] if told else [])
