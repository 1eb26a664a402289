"""A47: a later round repeats nothing without new evidence, and the rule is in code."""

import pytest

from counterproof.model.contract import AgentTask, Role
from counterproof.model.coverage import Status
from counterproof.model.dimension import ALL_DIMENSIONS, Dimension
from counterproof.model.ledger import Call, Ledger
from counterproof.model.location import at
from counterproof.model.transfer import FalsePositive, GrepDone, Hotspot, RoundContext, Transfer
from counterproof.protocols.audit.repetition import (
    FIRST_ROUND,
    RoundRules,
    finding_refusal,
    read_refusal,
    rules_for,
    search_refusal,
    searches_of,
)
from toolbox.tooling import a_claim, a_task

D1, D4, D7 = Dimension.D1, Dimension.D4, Dimension.D7
RULES = RoundRules(
    read_for=((D1, ("app.py", "hot.py", "clean.py", "false.py")),),
    searches=(GrepDone("eval", ""), GrepDone("exec", "src/**")),
    clean=("clean.py", "never_read.py"),
    false_positives=(FalsePositive("false.py", 7, "the value is a constant"),),
    hotspots=("hot.py",),
)
SCOPES = {
    "": {"src/a.py", "src/b.py", "lib/c.py"},
    "src/**": {"src/a.py", "src/b.py"},
    "src/a.py": {"src/a.py"},
    "lib/**": {"lib/c.py"},
}


def files_of(scope: str) -> frozenset[str]:
    return frozenset(SCOPES[scope])


@pytest.mark.rule("A47")
def test_a_file_is_not_read_again_for_the_same_dimension() -> None:
    assert read_refusal(RULES, "app.py", (D1,)) == "an earlier agent read app.py for D1 already"
    assert read_refusal(RULES, "app.py", (D1, D7)) == ""
    assert read_refusal(RULES, "app.py", (D4,)) == ""
    assert read_refusal(RULES, "new.py", (D1,)) == ""
    assert read_refusal(FIRST_ROUND, "app.py", (D1,)) == ""


@pytest.mark.rule("A47")
def test_hotspots_and_the_unrestricted_may_read_again() -> None:
    assert read_refusal(RULES, "hot.py", (D1,)) == ""
    free = RoundRules(read_for=RULES.read_for, searches=RULES.searches, clean=RULES.clean, unrestricted=True)
    assert read_refusal(free, "app.py", (D1,)) == ""
    assert read_refusal(free, "clean.py", (D1,)) == ""
    assert search_refusal(free, "eval", "", files_of) == ""


@pytest.mark.rule("A47")
@pytest.mark.parametrize("path", ["clean.py", "never_read.py", "false.py"])
def test_settled_files_need_new_evidence_of_the_agents_own(path: str) -> None:
    hit = at(path, 3)
    assert "name a line" in read_refusal(RULES, path, (D1,))
    assert "name a line" in read_refusal(RULES, path, (D1,), because=hit)
    assert "name a line" in read_refusal(RULES, path, (D1,), because=at("app.py", 3), evidence=(at("app.py", 3),))
    assert read_refusal(RULES, path, (D1,), because=hit, evidence=(hit,)) == ""


@pytest.mark.rule("A47")
def test_the_excluded_line_itself_is_no_new_evidence() -> None:
    assert "false positive" in read_refusal(RULES, "false.py", (D1,), because=at("false.py", 7), evidence=(at("false.py", 7),))


@pytest.mark.rule("A47")
def test_a_file_is_clean_only_for_what_it_was_read_for() -> None:
    assert read_refusal(RULES, "clean.py", (D7,)) == ""
    assert read_refusal(RULES, "false.py", (D1, D7)) == ""


@pytest.mark.rule("A47")
@pytest.mark.parametrize(
    ("pattern", "scope", "refused"),
    [
        ("eval", "", True),
        ("eval", "src/**", False),
        ("exec", "src/**", True),
        ("exec", "src/a.py", False),
        ("exec", "", True),
        ("exec", "lib/**", False),
        ("other", "", False),
    ],
)
def test_a_search_is_repeated_only_in_a_narrower_scope(pattern: str, scope: str, refused: bool) -> None:
    assert bool(search_refusal(RULES, pattern, scope, files_of)) is refused


@pytest.mark.rule("A47")
def test_a_finding_that_repeats_a_false_positive_is_refused() -> None:
    assert "the value is a constant" in finding_refusal(RULES, a_claim("false.py", 7))
    assert finding_refusal(RULES, a_claim("false.py", 8)) == ""
    assert finding_refusal(RULES, a_claim("other.py", 7)) == ""


def in_round_two(role: Role) -> AgentTask:
    covered = tuple((dimension, Status.COVERED) for dimension in ALL_DIMENSIONS)
    handed = Transfer(
        ("app.py",),
        covered,
        (),
        clean=("app.py",),
        hotspots=(Hotspot("hot.py", "1", "2 findings"),),
        read_for=((D1, ("app.py",)),),
    )
    plain = a_task(D1, role=role)
    return AgentTask(
        plain.id,
        plain.agent_id,
        role,
        2,
        1,
        plain.dimensions,
        plain.languages,
        plain.limits,
        context=RoundContext(2, (1,), handed),
    )


@pytest.mark.rule("A47")
def test_the_rules_come_from_what_the_round_was_handed() -> None:
    hunter = rules_for(in_round_two(Role.HUNTER))
    assert hunter.hotspots == ("hot.py",)
    assert read_refusal(hunter, "app.py", (D1,))
    for role in (Role.CHAIN_CHECKER, Role.DEEP_DIVER, Role.VALIDATOR):
        assert read_refusal(rules_for(in_round_two(role)), "app.py", (D1,)) == ""
    assert rules_for(a_task()) == FIRST_ROUND


@pytest.mark.rule("A47")
def test_only_searches_that_were_made_count_as_done() -> None:
    calls = (
        Call("grep", "eval", "src/**"),
        Call("grep", "(", "", "bad pattern"),
        Call("read", "app.py"),
        Call("grep", "eval", "src/**"),
    )
    assert searches_of(Ledger(calls=calls)) == (GrepDone("eval", "src/**"),)
