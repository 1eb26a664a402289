"""Every rule of our pack against its annotated cases, with the real Semgrep: hits on exactly the expected lines, no others."""

import re
from pathlib import Path

import pytest

from counterproof.analysis.semgrep import scan
from counterproof.analysis.semgrep.rules import PACK, own_rules
from counterproof.analysis.source.survey import survey
from counterproof.model.baseline import Baseline, BaselineStatus
from counterproof.model.dimension import Dimension
from counterproof.model.survey import Language

FOLDERS = ("go", "java", "javascript", "php", "python", "ruby")
_NOTE = re.compile(r"\b(expect|ok): ([a-z0-9-]+)")
CASES = Path(__file__).parents[2] / "rules" / "semgrep"
_ID = re.compile(r"^ {2}- id: (\S+)$", re.MULTILINE)

Note = tuple[str, int, str]


def notes(folder: str) -> dict[str, set[Note]]:
    found: dict[str, set[Note]] = {"expect": set(), "ok": set()}
    for path in sorted((CASES / folder).iterdir()):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for kind, rule in _NOTE.findall(line):
                found[kind].add((path.relative_to(CASES).as_posix(), number, rule))
    return found


def ids(folder: str) -> list[str]:
    return [rule for path in sorted((PACK / folder).glob("*.yaml")) for rule in _ID.findall(path.read_text(encoding="utf-8"))]


@pytest.fixture(scope="module")
def baseline(semgrep: Path) -> Baseline:
    """One scan of all cases."""
    return scan(CASES, survey(CASES), semgrep)


def test_the_whole_pack_loads_and_every_case_is_scanned(baseline: Baseline) -> None:
    assert (baseline.status, baseline.reason) == (BaselineStatus.COMPLETED, "")
    assert baseline.rules == sum(len(ids(folder)) for folder in FOLDERS)


@pytest.mark.parametrize("folder", FOLDERS)
def test_hits_are_where_the_cases_expect_them_and_nowhere_else(baseline: Baseline, folder: str) -> None:
    hits = {(hit.path, hit.start, hit.rule) for hit in baseline.hits if hit.path.startswith(f"{folder}/")}
    assert hits == notes(folder)["expect"]


def test_every_hit_carries_what_later_phases_need(baseline: Baseline) -> None:
    assert baseline.hits
    for hit in baseline.hits:
        assert hit.cwe
        assert hit.dimension
        assert hit.message.endswith(".")


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_rule_has_a_case_that_it_hits_and_one_that_it_leaves_alone(folder: str) -> None:
    known = ids(folder)
    assert len(known) >= 8
    assert len(set(known)) == len(known)
    assert all(rule.startswith(f"{folder}-") for rule in known)
    found = notes(folder)
    for kind in ("expect", "ok"):
        assert {rule for _, _, rule in found[kind]} == set(known), kind
    assert not found["expect"] & found["ok"]


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_dimensions_that_a_baseline_is_for_are_all_there(folder: str) -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in (PACK / folder).glob("*.yaml"))
    wanted = {Dimension.D1, Dimension.D4, Dimension.D5, Dimension.D6, Dimension.D7, Dimension.D8}
    assert wanted <= {Dimension(each) for each in re.findall(r"dimension: (D\d+)", text)}


def test_rules_are_chosen_by_the_languages_present() -> None:
    assert {path.parent.name for path in own_rules((Language.TYPESCRIPT, Language.JAVASCRIPT, Language.GO))} == {
        "javascript",
        "go",
    }
    assert own_rules(()) == ()
    assert {path.parent.name for path in own_rules(Language)} == set(FOLDERS)
