"""Typed results: exact, validated, and keyed by everything that they depend on."""

from dataclasses import replace
from pathlib import Path

import pytest

from counterproof.analysis import families
from counterproof.analysis.cache import Results, Store, digest_of, results_in
from counterproof.analysis.examination import Examination
from counterproof.analysis.project import OutOfTime, Project
from counterproof.analysis.recon import reconnoitre
from counterproof.analysis.reuse import settle
from counterproof.analysis.secrets.outgoing_text import safe_text
from counterproof.analysis.source.survey import SurveyOptions, survey
from counterproof.model.dimension import Dimension
from counterproof.model.recon import Recon
from counterproof.model.survey import FileRole, Language

SHOP = Path(__file__).parents[3] / "examples" / "shop"


@pytest.fixture
def results(tmp_path: Path) -> Results:
    return Results(Store(tmp_path / "results"))


def _shop(results: Results | None = None) -> Project:
    project = Project(SHOP, survey(SHOP, SurveyOptions()))
    project.results = results
    return project


def test_a_warm_examination_is_the_cold_one(results: Results) -> None:
    entry_points = reconnoitre(_shop()).entry_points
    alone = families.examine(_shop(), entry_points, tuple(Dimension), Language.PYTHON)
    cold = families.examine(_shop(results), entry_points, tuple(Dimension), Language.PYTHON)
    warm_project = _shop(results)
    warm = families.examine(warm_project, entry_points, tuple(Dimension), Language.PYTHON)
    assert alone.examination.findings
    assert cold == alone
    assert warm == alone


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    found = tmp_path / "tree"
    found.mkdir()
    (found / "app.py").write_text("import os\n\nos.system(input())\nPASSWORD = 'Hq7!xk29sPw'\n")
    (found / "plain.py").write_text("one = 1\n")
    return found


def _examined(tree: Path, results: Results) -> families.Hunt:
    project = Project(tree, survey(tree))
    project.results = results
    return families.examine(project, reconnoitre(Project(tree, survey(tree))).entry_points, tuple(Dimension), Language.PYTHON)


def test_examination_of_a_tree_with_an_unread_file_is_reused_and_names_it_again(tree: Path, tmp_path: Path) -> None:
    used: list[dict[str, int]] = []
    for name in ("without", "with"):
        folder = tmp_path / name
        cold = _examined(tree, Results(Store(folder)))
        again = Results(Store(folder))
        assert _examined(tree, again) == cold
        used.append(again.store.used)
        unread = [each.path for each in cold.examination.unread]
        assert unread == ([] if name == "without" else ["deep.py"])
        (tree / "deep.py").write_text("x = " + "<".join("abcdefghij" * 9) + "\n")
    assert used[0]["Examination"] == used[1]["Examination"] > 3


def test_examination_with_an_internal_error_is_not_stored(tree: Path, results: Results) -> None:
    project = Project(tree, survey(tree))
    project.results = results
    project.left_unread("app.py", "internal error", internal=True)
    families.examine(project, (), tuple(Dimension), Language.PYTHON)
    assert "Examination" not in results.store.used
    _examined(tree, results)
    assert "Examination" not in results.store.used


def test_file_that_hides_nothing_is_not_searched_again_before_it_is_shown(tree: Path, results: Results) -> None:
    for run in range(2):
        project = Project(tree, survey(tree))
        project.results = results
        assert [safe_text(project, path) == project.text(path) for path in ("app.py", "plain.py")] == [False, True]
        settle(project)
        assert results.store.used.get("redaction by file", 0) == run


def test_recon_comes_back_exactly(results: Results) -> None:
    found = reconnoitre(_shop())
    results.keep("recon", found)
    assert results.find(Recon, "recon") == found


def test_an_entry_of_another_type_is_passed_over(results: Results) -> None:
    results.keep("key", Examination(limitations=("one",)))
    assert results.find(Examination, "key") is not None
    assert results.find(Recon, "key") is None


def test_what_ran_out_of_time_is_not_kept(results: Results) -> None:
    calls = 0

    def soon_over() -> None:
        nonlocal calls
        calls += 1
        if calls > 3:
            raise OutOfTime("the time limit was reached")

    project = Project(SHOP, survey(SHOP, SurveyOptions()), soon_over)
    project.results = results
    cut = families.examine(project, (), tuple(Dimension), Language.PYTHON).examination
    assert not cut.finished
    assert families.OUT_OF_TIME in cut.limitations
    whole = families.examine(_shop(), (), tuple(Dimension), Language.PYTHON)
    assert families.examine(_shop(results), (), tuple(Dimension), Language.PYTHON) == whole


def test_a_key_changes_with_everything_that_goes_in() -> None:
    files = survey(SHOP, SurveyOptions()).files
    first = files[0]
    keys = {
        digest_of("one", files),
        digest_of("two", files),
        digest_of("one", files, "more"),
        digest_of("one", files[1:]),
        digest_of("one", (replace(first, sha256="0" * 64), *files[1:])),
        digest_of("one", (replace(first, role=FileRole.TEST), *files[1:])),
        digest_of("one", (replace(first, path=f"{first.path}x"), *files[1:])),
    }
    assert len(keys) == 7


def test_the_user_can_do_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert results_in(tmp_path) is not None
    monkeypatch.setenv("COUNTERPROOF_CACHE", "off")
    assert results_in(tmp_path) is None
