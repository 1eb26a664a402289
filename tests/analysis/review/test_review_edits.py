"""What the old side of a change shows, as claims of a review."""

from pathlib import Path

import pytest

from analysis.review.changed_tree import changed, claims, project_of, write
from counterproof.analysis.project import Project
from counterproof.analysis.review import sections
from counterproof.analysis.review.claims import View
from counterproof.analysis.review.kinds import claims_of
from counterproof.analysis.review.scope import Wanted, resolve
from counterproof.analysis.source.survey import SurveyOptions, survey
from counterproof.knowledge.profiles import load_profile
from counterproof.model.severity import Severity
from counterproof.toolbox.review_bench import ReviewBench

PLAIN = "def f(x):\n    y = x.one\n    if y is None:\n        return 0\n    return y.two\n"
DECLARED = PLAIN.replace("x.one", "x.get('one')")


@pytest.mark.rule("R35")
@pytest.mark.parametrize(("before", "severity"), [(PLAIN, Severity.LOW), (DECLARED, Severity.MEDIUM)])
def test_what_rests_on_a_belief_is_minor_and_what_is_declared_is_important(
    tmp_path: Path, before: str, severity: Severity
) -> None:
    after = before.replace("    if y is None:\n        return 0\n", "")
    found = [each for each in claims(tmp_path / "a", {"app.py": before}, {"app.py": after}) if each.kind == "guard removed"]
    assert [(each.severity, each.at.start) for each in found] == [(severity, 3)]


def test_tests_and_new_files_have_no_old_side(tmp_path: Path) -> None:
    after = PLAIN.replace("    if y is None:\n        return 0\n", "")
    found = claims(tmp_path / "a", {"tests/test_app.py": PLAIN}, {"tests/test_app.py": after, "fresh.py": after})
    assert [each for each in found if each.kind == "guard removed"] == []


def test_an_import_that_fails_now_is_told(tmp_path: Path) -> None:
    tree = {
        "shop/tax.py": "def rate(x):\n    return x\n\n\nK = 1\n",
        "shop/cart.py": "from shop.tax import rate\n\nprint(rate(1))\n",
    }
    found = claims(tmp_path / "a", tree, {"shop/tax.py": "K = 1\n"})
    assert [(each.kind, each.at.path, each.severity) for each in found] == [
        ("import of what is gone", "shop/tax.py", Severity.MEDIUM)
    ]


@pytest.mark.rule("R40")
def test_nobody_approves_a_template_that_was_not_filled_in(tmp_path: Path) -> None:
    text = "# T\n\n" + "".join(f"## Part {number}\n\n<!-- say something -->\n\n" for number in range(5))
    write(tmp_path, {"plan.md": text, "done.md": text.replace("<!-- say something -->", "All of it is written down here.")})
    project = Project(tmp_path, survey(tmp_path, SurveyOptions(documents=True)))
    done = resolve(project, Wanted(paths=("plan.md", "done.md"), diff=None, documents=True))
    bench = ReviewBench(View(project, done.scope, done.before), load_profile("strategy"))
    assert bench.unfilled == {"plan.md"}
    assert "template is not filled in" in [each.kind for each in sections.unfilled(bench.view)]


def test_a_word_that_only_the_change_knew_is_retired(tmp_path: Path) -> None:
    before = "LEGACY = True\n\n\ndef f(x):\n    if LEGACY:\n        x.old()\n    return x\n"
    folder = changed(tmp_path / "a", {"app.py": before}, {"app.py": "def f(x):\n    x.old()\n    return x\n"})
    project = project_of(folder)
    done = resolve(project, Wanted())
    assert done.before["app.py"] == before
    assert claims(tmp_path / "b", {"app.py": before}, {"app.py": "def f(x):\n    x.old()\n    return x\n"}) == ()


def test_a_claim_stands_where_the_change_is(tmp_path: Path) -> None:
    before = "def f(x):\n    y = x.one\n\n    if not y.ok:\n        raise ValueError(y)\n\n    # why\n    return y.two\n"
    after = "def f(x):\n    y = x.one\n\n    # why\n    return y.two\n"
    folder = changed(tmp_path / "a", {"app.py": before}, {"app.py": after})
    project = project_of(folder)
    done = resolve(project, Wanted())
    view = View(project, done.scope, done.before)
    found = [each for each in claims_of(view, ("edge-cases",), documents=False) if each.kind == "case no longer handled"]
    assert len(found) == 1
    assert view.touches("app.py", found[0].at.start, found[0].at.end)
    assert "return y.two" in view.quoted(found[0].at)
