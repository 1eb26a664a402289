"""Frameworks that one library file describes: each has a file of cases, annotated on exact lines.

`# route: METHOD PATH [guarded]` stands on the line of the handler, `# expect: RULE` where a rule must find something,
`# ok: RULE` where it must not.
"""

import re
import shutil
from pathlib import Path

import pytest

from counterproof.analysis import flow
from counterproof.analysis.endpoints.find import entry_points
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import FlowRule, load_rules
from counterproof.analysis.source.survey import survey
from counterproof.model.recon import EntryKind, Guard

CASES = sorted((Path(__file__).parent / "cases").glob("*.py"))
RULES = tuple(each.rule for each in load_rules() if isinstance(each.rule, FlowRule))
_MARK = re.compile(r"# (route|expect|ok): (.+)$")


def marks(path: Path, wanted: str) -> set[tuple[int, str]]:
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    return {(line, found[2].strip()) for line, text in lines if (found := _MARK.search(text)) and found[1] == wanted}


@pytest.fixture
def project(path: Path, tmp_path: Path) -> Project:
    shutil.copy(path, tmp_path / "app.py")
    return Project(tmp_path, survey(tmp_path))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_routes_are_read_with_their_guards(path: Path, project: Project) -> None:
    entries = [each for each in entry_points(project) if each.kind in (EntryKind.HTTP, EntryKind.RPC)]
    read = {(e.handler.start, f"{e.method} {e.path}" + " guarded" * (e.guard is Guard.PRESENT)) for e in entries}
    assert read == marks(path, "route")


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_data_of_their_requests_is_followed_to_their_sinks(path: Path, project: Project) -> None:
    found = {(each.location.start, each.rule) for each in flow.examine(project, RULES, entry_points(project)).findings}
    assert marks(path, "expect") <= found
    assert not marks(path, "ok") & found
    assert {rule for _, rule in found} <= {rule for _, rule in marks(path, "expect")}
