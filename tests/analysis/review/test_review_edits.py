"""Claims from comparing both versions of a change."""

from pathlib import Path

import pytest

from analysis.review.changed_tree import changed, claims, project_of, write
from counterproof.analysis.project import Project
from counterproof.analysis.review import documents
from counterproof.analysis.review.claims import View
from counterproof.analysis.review.kinds import claims_of
from counterproof.analysis.review.scope import Wanted, resolve
from counterproof.analysis.source.survey import SurveyOptions, survey
from counterproof.knowledge.profiles import load_profile
from counterproof.model.severity import Severity
from counterproof.toolbox.review_bench import ReviewBench


def test_tests_and_new_files_have_no_older_version(tmp_path: Path) -> None:
    before = "import os\n\n\ndef f():\n    return os.sep\n"
    after = "def f():\n    return os.sep\n"
    found = claims(tmp_path / "a", {"tests/test_app.py": before}, {"tests/test_app.py": after, "fresh.py": after})
    assert [each for each in found if each.kind == "name is not defined"] == []


def test_failing_import_is_reported(tmp_path: Path) -> None:
    tree = {
        "shop/tax.py": "def rate(x):\n    return x\n\n\nK = 1\n",
        "shop/cart.py": "from shop.tax import rate\n\nprint(rate(1))\n",
    }
    found = claims(tmp_path / "a", tree, {"shop/tax.py": "K = 1\n"})
    assert [(each.kind, each.at.path, each.severity) for each in found] == [
        ("import of what is gone", "shop/tax.py", Severity.MEDIUM)
    ]


def test_an_import_of_a_file_that_nobody_reads_leads_there(tmp_path: Path) -> None:
    """One target is too large to be read, one lies in a folder of other people's code."""
    tree = {
        "web/big.js": f"export const x = '{'x' * 3_000_000}'\n",
        "web/vendor/left/pad.js": "export const y = 1\n",
        "web/a.js": "\n",
    }
    after = "import { x } from './big.js'\nimport { y } from './vendor/left/pad.js'\nimport { z } from './gone.js'\n"
    found = claims(tmp_path / "a", tree, {"web/a.js": after})
    assert [each.title for each in found] == ["`web/gone.js` is imported and no file is there"]


@pytest.mark.rule("R40")
def test_nobody_approves_a_template_that_was_not_filled_in(tmp_path: Path) -> None:
    text = "# T\n\n" + "".join(f"## Part {number}\n\n<!-- say something -->\n\n" for number in range(5))
    write(tmp_path, {"plan.md": text, "done.md": text.replace("<!-- say something -->", "All of it is written down here.")})
    project = Project(tmp_path, survey(tmp_path, SurveyOptions(documents=True)))
    done = resolve(project, Wanted(paths=("plan.md", "done.md"), diff=None, documents=True))
    bench = ReviewBench(View(project, done.scope, done.before), load_profile("strategy"))
    assert bench.unfilled == {"plan.md"}
    assert "template is not filled in" in [each.kind for each in documents.find_unfilled(bench.view)]


def test_a_claim_is_placed_at_the_change(tmp_path: Path) -> None:
    before = "import os\n\n\ndef f():\n    return os.sep\n"
    folder = changed(tmp_path / "a", {"app.py": before}, {"app.py": before.replace("import os\n\n\n", "")})
    project = project_of(folder)
    done = resolve(project, Wanted())
    view = View(project, done.scope, done.before)
    (found,) = claims_of(view, ("logic",), documents=False)
    assert found.kind == "name is not defined"
    assert view.touches("app.py", found.at.start, found.at.end)
    assert "return os.sep" in view.quoted(found.at)
