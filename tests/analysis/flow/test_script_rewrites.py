"""The annotated JavaScript and TypeScript of all rules, rewritten in ways that change nothing: the findings stay as well.

What is known not to hold stands in `KNOWN`, with the reason: what is lost (-) or invented (+), in whose cases, by which rule. An
entry that is no longer needed makes its test fail.
"""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest
import script_rewrites
import script_route_rewrites
from script_rewriting import MOVING, REWRITES, TYPED, Text

from counterproof.analysis import config, control, flow
from counterproof.analysis.endpoints.find import entry_points
from counterproof.analysis.polyglot.find import other_entry_points
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CallRule, CheckRule, FlowRule, load_rules
from counterproof.analysis.source.survey import survey
from counterproof.model.dimension import Dimension
from effort import every_other

assert script_rewrites, script_route_rewrites  # they list themselves
RULES = [each.rule for each in load_rules() if each.rule.id.startswith("javascript-")]
FLOWS = tuple(each for each in RULES if isinstance(each, FlowRule | CallRule))
CHECKS = tuple(each for each in RULES if isinstance(each, CheckRule))
HOME = Path(__file__).parents[2] / "rules"


class Place(NamedTuple):
    folder: str
    line: int
    rule: str


KNOWN = {
    (
        "arguments_in_variables",
        "-injection/unescaped_markup javascript-unescaped-markup",
    ): "of what jQuery adds only a text that is put together in the call is surely no element",
    ("condition_in_variable", "+javascript/unsafe_merge javascript-unsafe-merge"): "the rule reads tests where they stand",
}


def cases() -> dict[str, str]:
    """The annotated files, by path; those that need others beside them are left out."""
    return {str(each.relative_to(HOME)): each.read_text("utf-8") for each in sorted(HOME.rglob("cases.[jt]s"))}


def found(files: dict[str, str], root: Path) -> set[Place]:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    project = Project(root, survey(root))
    entries = (*entry_points(project), *other_entry_points(project))
    parts = (
        flow.examine(project, FLOWS, entries),
        config.examine(project, CHECKS),
        control.examine(project, entries, tuple(Dimension)),
    )
    findings = [each for part in parts for each in part.findings]
    return {Place(each.location.path.rpartition("/")[0], each.location.start, each.rule) for each in findings}


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> set[Place]:
    return found(cases(), tmp_path_factory.mktemp("before"))


@pytest.mark.parametrize("name", every_other(REWRITES))
def test_findings_stay(name: str, before: set[Place], tmp_path: Path) -> None:
    rewritten: dict[str, str] = {}
    for path, text in cases().items():
        read = Text(text, typescript=path.endswith(".ts"))
        new = read.edited(REWRITES[name](read))
        kind = ".ts" if name in TYPED else path[-3:]
        if new != text and not Text(new, typescript=kind == ".ts").root.has_error:
            rewritten[path[:-3] + kind] = new
    assert rewritten
    folders = {path.rpartition("/")[0] for path in rewritten}
    old, new = {each for each in before if each.folder in folders}, found(rewritten, tmp_path)
    lost, made = (Counter((each.folder, each.rule) for each in some) for some in (old - new, new - old))
    if name in MOVING:  # what is said about a route moves with it
        lost, made = lost - made, made - lost
    said = {*(f"-{folder} {rule}" for folder, rule in lost), *(f"+{folder} {rule}" for folder, rule in made)}
    assert said == {what for rewrite, what in KNOWN if rewrite == name}
