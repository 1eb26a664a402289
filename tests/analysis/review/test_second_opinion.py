"""A second reading of an analyst's comment by the checker (R15)."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.review.changed_tree import changed, project_of
from counterproof.analysis.review.checks.security import examined
from counterproof.analysis.review.claims import View
from counterproof.analysis.review.scope import Wanted, resolve
from counterproof.analysis.review.second import second_opinion
from counterproof.model.fact import Fact, Operation
from counterproof.model.finding import Finding
from counterproof.model.location import at
from counterproof.model.proof import Assumption, Guess, Link, Part
from counterproof.model.review.finding import ReviewFinding
from counterproof.model.severity import Severity

SAFE = """import os
from flask import Flask, request
app = Flask(__name__)


@app.route("/run")
def run():
    return {}
"""
UNSAFE = SAFE.replace("    return", '    os.system("ls " + request.args["name"])\n    return')


def as_stated(finding: Finding) -> Finding:
    return finding


def with_a_wrong_fact(finding: Finding) -> Finding:
    assert finding.proof is not None
    wrong = Link(Part.STEP, Fact(at("app.py", 8), Operation.CALL, "subprocess.run"))
    return replace(finding, proof=replace(finding.proof, links=(*finding.proof.links, wrong)))


def with_an_open_point(finding: Finding) -> Finding:
    assert finding.proof is not None
    return replace(finding, proof=replace(finding.proof, assumptions=(Assumption(Guess.UNKNOWN_REACH),)))


@pytest.mark.rule("R15")
@pytest.mark.parametrize(
    ("change", "agrees"),
    [(as_stated, True), (with_a_wrong_fact, False), (with_an_open_point, None)],
    ids=["as-stated", "wrong-fact", "open-point"],
)
def test_an_opinion_follows_what_the_source_bears_out(
    tmp_path: Path, change: Callable[[Finding], Finding], agrees: bool | None
) -> None:
    project = project_of(changed(tmp_path / "tree", {"app.py": SAFE}, {"app.py": UNSAFE}))
    done = resolve(project, Wanted())
    view = View(project, done.scope, done.before)
    claim = next(each for each in examined(view) if each.witness is not None and each.witness.rule == "command-injection")
    assert claim.witness is not None
    comment = ReviewFinding(
        "SEC-001", "SEC", claim.kind, claim.title, claim.domain, Severity.HIGH, claim.confidence, claim.trust, claim.at, "x"
    )
    opinion = second_opinion(view, comment, change(claim.witness))
    assert opinion.agrees is agrees
    assert opinion.why
    assert opinion.severity is Severity.HIGH
