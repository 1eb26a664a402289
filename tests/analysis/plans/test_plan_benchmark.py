"""The benchmark: plans whose work was done before they were committed are left out, and the judged record decides what stands."""

import importlib.util
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

import pytest

from counterproof.analysis.plans.evidence import GRADES, Grade


def _loaded(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parents[3] / "benchmarks" / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


finding = _loaded("plan_finding")
judged = _loaded("plan_record")

Change = Mapping[str, str | None]
"""Files that a commit writes, or takes away."""
FILLER = "\nWords that say why.\n" * 15
LABELS = "- Create: `shop/llm.py`\n- Create: `tests/test_llm.py`\n- Modify: `shop/cart.py`\n"


def _git(folder: Path, *arguments: str) -> str:
    known = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *known, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def _commit(folder: Path, files: Change) -> str:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text) if text is not None else (folder / path).unlink()
    _git(folder, "add", "-A")
    _git(folder, "commit", "-q", "-m", "a step")
    return _git(folder, "rev-parse", "HEAD")


def _is_done(folder: Path, before: list[Change], plan: str) -> bool:
    _git(folder, "init", "-q")
    _commit(folder, {f"shop/part{number}.py": "x = 1\n" for number in range(9)} | {"shop/cart.py": "y = 1\n"})
    for files in before:
        _commit(folder, files)
    commit = _commit(folder, {"docs/plans/one.md": plan + FILLER})
    drawn = finding.Drawn(str(folder / ".git"), commit, "docs/plans/one.md")
    assert finding.plans_in(str(folder / ".git")) == [drawn]
    return finding.is_done(drawn)


MADE: Change = {"shop/llm.py": "a = 1\n", "tests/test_llm.py": "b = 1\n"}
DONE: list[tuple[list[Change], str]] = [
    ([MADE], f"# Plan\n\n{LABELS}"),
    ([MADE, {"shop/llm.py": None, "shop/chat.py": "a = 1\n"}], f"# Plan\n\n{LABELS}"),
    ([{"shop/part1.py": None}], "# Plan\n\n- Delete: `shop/part1.py`\n"),
    ([], "# Plan\n\n**Status:** Completed\n\n" + LABELS),
    ([], "# Plan\n\n" + LABELS + "- [x] one\n- [x] two\n- [X] three\n- [ ] four\n"),
]
OPEN: list[tuple[list[Change], str]] = [
    ([], f"# Plan\n\n{LABELS}- [ ] one\n- [ ] two\n- [ ] three\n- [ ] four\n"),
    ([{"tests/test_llm.py": "b = 1\n"}], f"# Plan\n\n{LABELS}- Create: `shop/other.py`\n"),
    ([], "# Plan\n\n- Delete: `shop/part1.py`\n"),
    ([], "# Plan\n\n- Create: `../../other/llm.py`\n- Create: `shop/llm.py`\n"),
    ([], "# Plan\n\n- Modify: `shop/cart.py`\n- Modify: `shop/part1.py`\n"),
    ([], "# Plan\n\n" + LABELS + FILLER + "\nThe dashboard shows\nStatus: done\n"),
]


@pytest.mark.parametrize(("before", "plan"), DONE)
def test_a_plan_whose_work_was_done_before_is_left_out(tmp_path: Path, before: list[Change], plan: str) -> None:
    assert _is_done(tmp_path, before, plan)


@pytest.mark.parametrize(("before", "plan"), OPEN)
def test_a_plan_that_somebody_has_to_carry_out_is_kept(tmp_path: Path, before: list[Change], plan: str) -> None:
    assert not _is_done(tmp_path, before, plan)


@pytest.mark.rule("P20")
def test_only_evidence_that_was_right_on_first_runs_stops_a_plan() -> None:
    worth = judged.record()
    assert sum(each.right + each.wrong for each in worth.values()) > 40
    stands = [each for each, grade in GRADES.items() if grade is Grade.STANDS and each not in judged.LOSSES]
    assert [each.name for each in stands if not worth[each].earned] == []
