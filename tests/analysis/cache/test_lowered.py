"""Lowered modules of an earlier run: the same as lowering again, and used for nothing but the same file."""

import json
import os
import pickle
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterproof.analysis import families
from counterproof.analysis.cache import Results, Store
from counterproof.analysis.cache.modules import Lowered
from counterproof.analysis.cache.packed_modules import Misfit, packed, unpacked
from counterproof.analysis.project import Project, never_out_of_time
from counterproof.analysis.recon import entry_points_of
from counterproof.analysis.source.survey import SurveyOptions, survey
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.ir import Module
from counterproof.analysis.syntax.python import lower
from counterproof.analysis.syntax.walk import walk
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
    return entries, families.examine(project, entries, ALL_DIMENSIONS, Language.PYTHON)


def test_a_kept_module_is_what_lowering_gives_and_serves_the_same_file_alone(store: Store) -> None:
    project = _project()
    lowered = _kept(store, project)
    for file in project.of_language(Language.PYTHON):
        found = lowered.module(file.path, file.sha256)
        assert found is not None
        assert pickle.dumps(found) == pickle.dumps(unpacked(packed(found)))
        assert packed(found) == packed(project.module(file.path))
        assert _outline(found) == _outline(project.module(file.path))
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


@pytest.mark.rule("X18")
def test_an_entry_that_holds_anything_else_is_passed_over(store: Store) -> None:
    """With the right key: what an older version or a bug wrote."""
    project = _project()
    file = project.of_language(Language.PYTHON)[0]
    key = Lowered(store, project.survey.name)._key  # the place of the entry is nobody's business but this test's
    whole = packed(project.module(file.path))
    inner = (
        b"",
        b"\x80\x05",
        b"[]",
        b"{}",
        whole[:-40],
        whole.replace(b'"lines":', b'"lines":"x","a":', 1),
        pickle.dumps(os.getcwd),
    )
    for body in inner:
        index = json.dumps([[file.path, file.sha256, len(body)]]).encode()
        store.keep(key, len(index).to_bytes(8, "big") + index + body)
        assert Lowered(store, project.survey.name).module(file.path, file.sha256) is None
    for body in (
        b"",
        b"no list",
        (1 << 40).to_bytes(8, "big"),
        (2).to_bytes(8, "big") + b"[]rest",
        pickle.dumps({"a": ("b", b"c")}),
    ):
        store.keep(key, body)
        assert not Lowered(store, project.survey.name).holds(file.path, file.sha256)


_SOME = packed(
    lower(
        "a.py",
        "import os\n@app.route('/', x=[1, 2.5, b'c'])\nclass A(B, metaclass=C):\n    async def f(self, *, a: int = 1) -> None:\n"
        "        for b in {1: 2, **c}:\n            await (d := b[1:2])\n"
        "        return f'{a}!' if not a < b <= c else [x for x in y]\n",
    )
)


@pytest.mark.rule("X18")
@given(st.data())
def test_no_data_makes_anything_but_a_module(data: st.DataObject) -> None:
    """Any value of the data exchanged for any other: refused, or a module all of whose fields have their types."""
    whole = json.loads(_SOME)
    holder: Any = whole
    while True:
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        key = data.draw(st.sampled_from(keys))
        inner = holder[key]
        if not isinstance(inner, dict | list) or not inner or data.draw(st.integers(0, 3)) == 0:
            holder[key] = data.draw(
                st.sampled_from([None, True, -1, 7, 1e300, "x", "\ud800", [], {}, [1], [0, 1, 2], [[]], ["b", "!"]])
            )
            break
        holder = inner
    try:
        module = unpacked(json.dumps(whole).encode())
    except Misfit:
        return
    assert packed(module)
    assert all(isinstance(each, ir.Function) for each in module.functions)


def _outline(module: Module) -> object:
    """Definitions are the same objects in the body and in the lists."""
    found = [each for each in walk(*module.body) if isinstance(each, ir.Function | ir.Class)]
    here = {id(each) for each in found}
    assert all(id(each) in here for each in (*module.functions, *module.classes))
    return [each.qualified for each in (*module.functions, *module.classes)]
