"""Every rule against the annotated code that stands beside it: findings on exactly the expected lines and on no other."""

import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest

from counterproof.analysis import config, flow
from counterproof.analysis.endpoints.find import entry_points
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import SECTIONS, FlowRule, LoadedRule, load_rules
from counterproof.analysis.source.survey import survey
from counterproof.model.finding import Finding

RULES = load_rules()
NOTE = re.compile(r"\b(expect|ok): ([a-z0-9-]+)\s*$")
Lines = set[tuple[str, int]]


def cases_of(loaded: LoadedRule) -> list[Path]:
    return sorted(Path(inspect.getfile(import_module(loaded.module))).parent.glob("cases*"))


def annotated(files: list[Path], rule: str, kind: str) -> Lines:
    found: Lines = set()
    for file in files:
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            note = NOTE.search(line)
            if note and note.groups() == (kind, rule):
                found.add((file.name, number))
    return found


def examined(loaded: LoadedRule, folder: Path) -> tuple[Finding, ...]:
    for file in cases_of(loaded):
        (folder / file.name).write_bytes(file.read_bytes())
    project = Project(folder, survey(folder))
    if isinstance(loaded.rule, FlowRule):
        return flow.examine(project, (loaded.rule,), entry_points(project)).findings
    return config.examine(project, (loaded.rule,)).findings


@pytest.mark.parametrize("loaded", RULES, ids=lambda loaded: loaded.rule.info.id)
def test_rule_finds_the_annotated_lines_and_no_others(loaded: LoadedRule, tmp_path: Path) -> None:
    rule = loaded.rule.info.id
    expected = annotated(cases_of(loaded), rule, "expect")
    found = {(finding.location.path, finding.location.start) for finding in examined(loaded, tmp_path) if finding.rule == rule}
    assert found == expected


@pytest.mark.parametrize("loaded", RULES, ids=lambda loaded: loaded.rule.info.id)
def test_rule_has_cases_of_both_kinds(loaded: LoadedRule) -> None:
    rule, files = loaded.rule.info.id, cases_of(loaded)
    least = 4 if isinstance(loaded.rule, FlowRule) else 1
    assert len(annotated(files, rule, "expect")) >= least
    assert len(annotated(files, rule, "ok")) >= least


@pytest.mark.parametrize("loaded", RULES, ids=lambda loaded: loaded.rule.info.id)
def test_rule_documents_itself_in_the_fixed_sections(loaded: LoadedRule) -> None:
    headings = [line[3:] for line in loaded.documentation.splitlines() if line.startswith("## ")]
    assert tuple(headings) == SECTIONS


def test_rule_ids_are_unique() -> None:
    ids = [loaded.rule.info.id for loaded in RULES]
    assert len(ids) == len(set(ids))
