"""Every rule against its annotated code in `tests/rules/<family>/<rule>/`: findings on exactly the expected lines.

A `cases.txt` holds several files: a line `# file: PATH` begins one, a line `# advisories` begins vulnerability data.
Where a file's format has no comment at the end of a line, the line below it says `# expect-above: ID` or `# ok-above: ID`.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from counterproof.analysis import config, control, dependencies, facts, flow, secrets
from counterproof.analysis.dependencies.osv import digest_of
from counterproof.analysis.endpoints.find import entry_points
from counterproof.analysis.polyglot.find import other_entry_points
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import (
    SECTIONS,
    CallRule,
    CheckRule,
    ControlRule,
    FlowRule,
    LoadedRule,
    SecretRule,
    SupplyRule,
    load_rules,
)
from counterproof.analysis.source.survey import survey
from counterproof.analysis.validation import judge_finding
from counterproof.model.finding import Finding
from counterproof.model.judgement import Verdict
from counterproof.model.recon import EntryPoint
from counterproof.model.vulnerabilities import VulnerabilityData

RULES = load_rules()
CASES = Path(__file__).parents[1] / "rules"
"""The folders of cases. Those of the Semgrep pack, in `semgrep`, belong to `semgrep/test_pack.py`."""
NOTE = re.compile(r"\b(expect|ok)(-above)?: ([a-z0-9-]+)\s*$")
Lines = set[tuple[str, int]]


def folder_of(loaded: LoadedRule) -> Path:
    """The folder of a rule's cases: named like the folder of its `rule.py`."""
    family, rule = loaded.module.split(".")[-3:-1]
    return CASES / family / rule


def cases_of(loaded: LoadedRule) -> dict[str, str]:
    """The files of a rule's cases, by path."""
    found: dict[str, str] = {}
    for file in sorted(folder_of(loaded).glob("cases*")):
        text = file.read_text("utf-8")
        found |= _parts(text) if file.name == "cases.txt" else {file.name: text}
    return found


def _parts(text: str) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith("# file: ") or line == "# advisories":
            lines = found.setdefault(line.removeprefix("# file: "), [])
        else:
            lines.append(line)
    return {path: "\n".join(rows) + "\n" for path, rows in found.items()}


def annotated(loaded: LoadedRule, kind: str) -> Lines:
    found: Lines = set()
    for path, text in cases_of(loaded).items():
        for number, line in enumerate(text.splitlines(), 1):
            note = NOTE.search(line)
            if note and (note[1], note[3]) == (kind, loaded.rule.id):
                found.add((path, number - 1 if note[2] else number))
    return found


@dataclass(frozen=True)
class Examined:
    """A rule's cases as a project, and what the rule's engine finds in it."""

    project: Project
    entries: tuple[EntryPoint, ...]
    findings: tuple[Finding, ...]


@pytest.fixture(scope="module", params=RULES, ids=lambda loaded: loaded.rule.id)
def loaded(request: pytest.FixtureRequest) -> LoadedRule:
    return request.param


@pytest.fixture(scope="module")
def examined(loaded: LoadedRule, tmp_path_factory: pytest.TempPathFactory) -> Examined:
    """Done once for all tests of a rule, which only read it."""
    return examine(loaded, tmp_path_factory.mktemp(loaded.rule.id))


def planted(loaded: LoadedRule, folder: Path) -> Project:
    """The cases as a project, with their vulnerability data where they bring any."""
    root = folder / "target"
    root.mkdir()
    (root / "module.py").write_text("x = 1\n", "utf-8")
    data: VulnerabilityData | None = None
    for path, text in cases_of(loaded).items():
        if path == "# advisories":
            place = folder / "advisories.jsonl"
            place.write_text(text, "utf-8")
            data = VulnerabilityData(str(place), digest_of(place), "2026-11-15")
        else:
            place = root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, "utf-8")
    project = Project(root, survey(root))
    project.vulnerability_data = data
    return project


def examine(loaded: LoadedRule, folder: Path) -> Examined:
    project = planted(loaded, folder)
    entries = (*entry_points(project), *other_entry_points(project))
    return Examined(project, entries, findings_of(loaded, project, entries))


def findings_of(loaded: LoadedRule, project: Project, entries: tuple[EntryPoint, ...]) -> tuple[Finding, ...]:
    match loaded.rule:
        case FlowRule() | CallRule():
            return flow.examine(project, (loaded.rule,), entries).findings
        case CheckRule():
            return config.examine(project, (loaded.rule,)).findings
        case ControlRule():
            return control.examine(project, entries, (loaded.rule.dimension,)).findings
        case SupplyRule():
            return dependencies.examine(project).findings
        case SecretRule():
            return secrets.examine(project).findings


def test_rule_finds_the_annotated_lines_and_no_others(loaded: LoadedRule, examined: Examined) -> None:
    rule = loaded.rule.id
    found = [finding for finding in examined.findings if finding.rule == rule]
    assert {(each.location.path, each.location.start) for each in found} == annotated(loaded, "expect")


def test_rule_has_cases_of_both_kinds(loaded: LoadedRule) -> None:
    least = 4 if isinstance(loaded.rule, FlowRule) else 1
    assert len(annotated(loaded, "expect")) >= least
    assert len(annotated(loaded, "ok")) >= least


def test_findings_say_what_their_rule_says(loaded: LoadedRule, examined: Examined) -> None:
    """A finding and its rule agree on dimension and CWE."""
    info = loaded.rule
    said = {(each.dimension, each.cwe) for each in examined.findings if each.rule == info.id}
    assert said == {(info.dimension, info.cwe)}


@pytest.mark.rule("A55")
def test_what_findings_state_stands_in_the_text(examined: Examined) -> None:
    """The checker reads the source by itself: a fact under a name of the engine's own is refuted, and the finding lowered."""
    proofs = [each.proof for each in examined.findings if each.proof is not None]
    assert [str(fact) for proof in proofs for fact in facts.checked(examined.project, proof).refuted] == []


@pytest.mark.rule("A53")
def test_no_annotated_line_is_rejected_by_the_checker_or_the_record_of_flows(examined: Examined) -> None:
    judged = [judge_finding(examined.project, examined.entries, each).judgement for each in examined.findings]
    assert [each.validation.flow.reason for each in judged if each.verdict is Verdict.REJECTED] == []


def test_rule_documents_itself_in_the_fixed_sections(loaded: LoadedRule) -> None:
    headings = [line[3:] for line in loaded.documentation.splitlines() if line.startswith("## ")]
    assert tuple(headings) == SECTIONS


def test_every_folder_of_cases_belongs_to_a_rule() -> None:
    folders = {each for each in CASES.glob("*/*") if each.is_dir() and each.parent.name != "semgrep"}
    assert folders == {folder_of(each) for each in RULES}


def test_rule_ids_are_unique() -> None:
    ids = [loaded.rule.id for loaded in RULES]
    assert len(ids) == len(set(ids))
