"""Lowered modules of an earlier run: the same as lowering again, and used for nothing but the same file."""

import os
import pickle
import time
from pathlib import Path

import pytest

from counterproof.analysis import hunting
from counterproof.analysis.cache import Results, Store
from counterproof.analysis.cache.lowered import Lowered
from counterproof.analysis.project import Project, never_out_of_time
from counterproof.analysis.recon import entry_points_of
from counterproof.analysis.source.survey import SurveyOptions, survey
from counterproof.analysis.syntax.ir import Module
from counterproof.analysis.workers import Helper
from counterproof.model.dimension import ALL_DIMENSIONS
from counterproof.model.survey import Language

SHOP = Path(__file__).parents[3] / "examples" / "shop"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "results")


def _project(root: Path = SHOP) -> Project:
    return Project(root, survey(root, SurveyOptions()))


def _kept(store: Store, project: Project) -> Lowered:
    Lowered(store, project.survey.name).keep(project)
    return Lowered(store, project.survey.name)


def _everything(project: Project) -> object:
    entries = entry_points_of(project)
    return entries, hunting.examine(project, entries, ALL_DIMENSIONS, Language.PYTHON)


def test_a_kept_module_is_what_lowering_gives_and_serves_the_same_file_alone(store: Store) -> None:
    project = _project()
    lowered = _kept(store, project)
    for file in project.of_language(Language.PYTHON):
        found = lowered.module(file.path, file.sha256)
        assert found is not None
        assert pickle.dumps(found) == pickle.dumps(pickle.loads(pickle.dumps(project.module(file.path))))
        assert lowered.module(file.path, "0" * 64) is None
        assert lowered.module(f"other/{file.path}", file.sha256) is None
    assert Lowered(store, "another tree").module(file.path, file.sha256) is None


def test_code_nested_as_deep_as_lowering_goes_is_kept_too(store: Store, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    blocks = "".join(f"{' ' * depth}if a:\n" for depth in range(90)) + " " * 90 + "f(" * 90 + ")" * 90 + "\n"
    (tree / "deep.py").write_text(blocks + "x = " + "[" * 90 + "]" * 90 + "\n" + "y = z" + ".a()" * 90 + "\n")
    file = _project(tree).files["deep.py"]
    assert _kept(store, _project(tree)).module("deep.py", file.sha256) is not None


def test_a_helper_keeps_modules_and_findings_are_the_same_with_them(store: Store) -> None:
    project = _project()
    project.results = Results(store)
    helper = Helper(project, ("secrets",))
    assert helper.result("secrets", never_out_of_time) is not None
    deadline = time.monotonic() + 120.0
    first = project.of_language(Language.PYTHON)[0]
    while not Lowered(store, project.survey.name).holds(first.path, first.sha256) and time.monotonic() < deadline:
        time.sleep(0.05)
    helper.stop()
    again = _project()
    again.lowered = Lowered(store, again.survey.name)
    with again.noting() as read:
        assert all(isinstance(again.module(file.path), Module) for file in again.of_language(Language.PYTHON))
    assert not read
    assert _everything(again) == _everything(_project())


def test_an_entry_that_holds_anything_else_is_passed_over(store: Store) -> None:
    project = _project()
    file = project.of_language(Language.PYTHON)[0]
    key = Lowered(store, project.survey.name)._key  # the place of the entry is nobody's business but this test's
    bodies = (b"", b"no pickle", pickle.dumps(os.getcwd), pickle.dumps([1]), pickle.dumps({1: 2}), pickle.dumps({"a": ("b",)}))
    inner = (pickle.dumps(os.getcwd), pickle.dumps(file.path), b"\x80\x05", pickle.dumps(project.module(file.path))[:-40])
    hostile = [pickle.dumps({file.path: (file.sha256, body)}) for body in inner]
    for body in (*bodies, *hostile):
        store.keep(key, body)
        assert Lowered(store, project.survey.name).module(file.path, file.sha256) is None
