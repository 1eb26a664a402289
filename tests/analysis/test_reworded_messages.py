"""Rewords every message for people: findings and severities must not change.

The words are changed where a message comes into being, in the constructor of what carries it, so that whoever reads a message
back gets the other words. Equal messages stay equal, and no word of the first wording is left.
"""

import hashlib
from pathlib import Path

import pytest

from analysis.test_rule_cases import RULES, annotated, examine
from counterproof.analysis import families
from counterproof.analysis.project import Project
from counterproof.analysis.recon import entry_points_of
from counterproof.analysis.ruleset import LoadedRule
from counterproof.analysis.source.survey import survey
from counterproof.model.dimension import Dimension
from counterproof.model.finding import Finding, ValidationStep
from counterproof.model.flow import FlowStep
from counterproof.model.ledger import Item, Search, Trace
from counterproof.model.recon import EntryPoint, GuardEvidence, Permission

EXAMPLES = Path(__file__).parents[2] / "examples"
MESSAGES: dict[type, tuple[str, ...]] = {
    Finding: ("title", "impact", "remedy", "no_poc_reason"),
    FlowStep: ("note",),
    ValidationStep: ("reason",),
    GuardEvidence: ("note",),
    EntryPoint: ("guard_evidence",),
    Permission: ("evidence",),
    Search: ("query",),
    Trace: ("origin", "broken_by"),
    Item: ("verdict",),
}


def other_words(text: str) -> str:
    """Something else for every text, the same for the same one; a second time changes nothing."""
    if not text.strip() or text.startswith("⟨"):
        return text
    return f"⟨{hashlib.sha256(text.encode()).hexdigest()[:16]}⟩"


@pytest.fixture
def reworded(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind, fields in MESSAGES.items():
        made = kind.__init__

        def make(self: object, *given: object, _made=made, _fields=fields, **named: object) -> None:
            _made(self, *given, **named)
            for field in _fields:
                object.__setattr__(self, field, other_words(getattr(self, field)))

        monkeypatch.setattr(kind, "__init__", make)


def graveness(each: Finding) -> tuple[object, ...]:
    """What a reader acts on."""
    assumed = tuple(sorted(point.guess for point in each.proof.assumptions)) if each.proof else ()
    facts = tuple(str(link.fact) for link in each.proof.links) if each.proof else ()
    return each.rule, str(each.location), each.cwe, each.severity, each.confidence, each.rating, each.posture, assumed, facts


def hunted(root: Path) -> list[tuple[object, ...]]:
    project = Project(root, survey(root))
    entries = entry_points_of(project)
    languages = {file.language for file in project.survey.files if file.language is not None}
    hunts = [families.examine(project, entries, tuple(Dimension), each) for each in sorted(languages)]
    return sorted((graveness(each) for hunt in hunts for each in hunt.examination.findings), key=str)


@pytest.mark.parametrize("loaded", RULES, ids=lambda loaded: loaded.rule.id)
def test_a_rule_finds_the_same_lines_in_other_words(loaded: LoadedRule, tmp_path: Path, reworded: None) -> None:
    rule = loaded.rule.id
    found = [finding for finding in examine(loaded, tmp_path).findings if finding.rule == rule]
    assert all(each.title.startswith("⟨") for each in found), "the words were changed"
    assert {(each.location.path, each.location.start) for each in found} == annotated(loaded, "expect")


@pytest.mark.rule("A55")
@pytest.mark.parametrize("name", ["shop", "shop-api"])
def test_severity_does_not_depend_on_the_wording_of_an_example(name: str, request: pytest.FixtureRequest) -> None:
    plain = hunted(EXAMPLES / name)
    request.getfixturevalue("reworded")
    assert plain
    assert hunted(EXAMPLES / name) == plain
