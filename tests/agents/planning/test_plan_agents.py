"""The embedded agents of a plan verification: budgets, second methods, proposals."""

from dataclasses import replace
from pathlib import Path

import pytest

from analysis.plans.planned_shop import FLAWED, bench, shop
from counterproof.agents.planning import PLANNERS
from counterproof.agents.planning.researcher import research
from counterproof.agents.planning.synthesizer import synthesize
from counterproof.model.plan.challenge import Basis, Challenge, Confidence, Raiser, Response, Standing, Weight
from counterproof.model.plan.contract import EMPTY_SEARCH, Allowance, PlanReply, PlanRole, PlanTask, Tool
from counterproof.model.plan.research import ContextImpact, ResearchMode, UnknownResolution, Verified, quoted
from counterproof.protocols.plan import budgets
from counterproof.toolbox.plan_tools import PlanBench, PlanTools


def task(role: PlanRole = PlanRole.RESEARCHER, mode: ResearchMode | None = None, **more: object) -> PlanTask:
    given = budgets.allowances(mode, {}, ()) if mode else ()
    return replace(PlanTask("t", "a", role, 1, 1, mode=mode, allowances=given), **more)  # type: ignore[arg-type]


def raised(claim: str, severity: Weight = Weight.SIGNIFICANT, number: int = 1) -> Challenge:
    return Challenge(f"C{number}", Raiser.CHALLENGER, claim, "It is so", "It breaks", "Mend it", severity, Confidence.HIGH, 1)


REMOVAL = "Step 1 (line 5) removes `old_total`"


def resolved(made: PlanBench, claim: str) -> PlanReply:
    asked = task(mode=ResearchMode.RESOLVE, challenges=(raised(claim),))
    return research(asked, PlanTools(made, asked))


@pytest.mark.rule("P10")
def test_calls_over_the_allowance_are_rejected_and_recorded(tmp_path: Path) -> None:
    asked = replace(task(), allowances=(Allowance(Tool.READ, 1),))
    tools = PlanTools(bench(shop(tmp_path), FLAWED), asked)
    assert tools.read("shop/cart.py")
    assert tools.read("shop/prices.py") is None
    assert tools.grep(("total_price",)) is None
    assert {each.tool: (each.calls, each.refused) for each in tools.used()} == {Tool.READ: (1, 1), Tool.GREP: (0, 1)}


@pytest.mark.rule("P10")
def test_a_researcher_stays_within_its_budget_however_much_there_is_to_ask(tmp_path: Path) -> None:
    made = bench(shop(tmp_path), FLAWED)
    challenges = tuple(raised(f"Something else {number}", number=number) for number in range(1, 30))
    asked = task(mode=ResearchMode.RESOLVE, challenges=(*challenges, raised(REMOVAL, number=30)))
    tools = PlanTools(made, asked)
    reply = research(asked, tools)
    assert len(reply.unknowns) == 30
    limits = budgets.LIMITS[ResearchMode.RESOLVE]
    assert all(each.calls <= limits[each.tool] for each in tools.used())
    ends = [each.resolution for each in reply.unknowns]
    assert (ends[0], ends[-1]) == (UnknownResolution.UNRESOLVABLE, UnknownResolution.CONFIRMED)


def test_a_common_word_does_not_hide_a_rare_one(tmp_path: Path) -> None:
    made = bench(shop(tmp_path, **{"a/noise.py": "noise = 1\n" * 5_000, "z/rare.py": "rare_name = 1\n"}), FLAWED)
    asked = task(mode=ResearchMode.RESOLVE)
    hits = PlanTools(made, asked).grep(("noise", "rare_name"))
    assert hits
    assert [hit.place for hit in hits if "rare_name" in hit.text] == ["z/rare.py:1"]
    assert len(hits) < 200


@pytest.mark.rule("P11")
def test_sources_are_looked_up(tmp_path: Path) -> None:
    made = bench(shop(tmp_path), FLAWED)
    tools = PlanTools(made, task())
    reply = resolved(made, REMOVAL)
    assert [(each.source, each.found) for each in tools.checks(reply)] == [("shop/report.py:1", True)]
    (unknown,) = reply.unknowns
    for source in ("shop/report.py:999", "shop/none.py:1", "plan:999", "0123456789abcdef", "hearsay"):
        forged = replace(reply, unknowns=(replace(unknown, finding=f"[VERIFIED: {source} | x | y]"),))
        assert [each.found for each in tools.checks(forged)] == [False], source


@pytest.mark.rule("P19")
def test_a_quotation_that_is_not_in_its_source_does_not_count(tmp_path: Path) -> None:
    made = bench(shop(tmp_path), FLAWED)
    tools = PlanTools(made, task())
    reply = resolved(made, REMOVAL)
    (unknown,) = reply.unknowns
    assert quoted(unknown.finding) == "from shop.prices import old_total"
    assert tools.checks(reply)[0].quoted == ("from shop.prices import old_total",)
    for words in ("from shop.prices import new_total", "def", "from shop.cart import add_item"):
        finding = str(Verified.of("shop/report.py:1", words, "so it is", "it breaks"))
        forged = replace(reply, unknowns=(replace(unknown, finding=finding),))
        assert tools.checks(forged)[0].quoted == (), words


@pytest.mark.rule("P20")
def test_a_search_is_empty_only_if_no_code_holds_the_word(tmp_path: Path) -> None:
    made = bench(shop(tmp_path, **{"docs/idea.md": "`wholly_new_name` will come\n"}), FLAWED)
    tools = PlanTools(made, task())
    found = {
        word: tools.check(f"{EMPTY_SEARCH}{word}").found
        for word in ("old_total", "wholly_new_name", "shop/price.py", "shop/cart.py")
    }
    assert found == {"old_total": False, "wholly_new_name": True, "shop/price.py": True, "shop/cart.py": False}


def test_callers_of_what_the_plan_changes_surface(tmp_path: Path) -> None:
    made = bench(shop(tmp_path), "# P\n\n1. Change `total_price()` in `shop/prices.py`.\n2. Do more.\n")
    asked = task(mode=ResearchMode.SURFACE)
    reply = research(asked, PlanTools(made, asked))
    (context,) = reply.contexts
    assert (context.location, context.impact) == ("shop/cart.py:6", ContextImpact.CONFIRMS_APPROACH)
    assert reply.challenges == ()  # that callers exist accuses nobody
    named = bench(tmp_path, "# P\n\n1. Change `total_price()` in `shop/prices.py`.\n2. Change `shop/cart.py`.\n")
    assert research(asked, PlanTools(named, asked)).contexts == ()


def test_the_synthesizer_withdraws_on_evidence_and_leaves_questions_open_and_decisions_to_the_engine(tmp_path: Path) -> None:
    made = bench(shop(tmp_path), FLAWED)
    refuted = replace(resolved(made, REMOVAL).unknowns[0], resolution=UnknownResolution.REFUTED)
    asked = task(
        PlanRole.SYNTHESIZER,
        challenges=(
            raised("one"),
            raised("two", Weight.MINOR, 2),
            raised("three", Weight.BLOCKING, 3),
            raised("four", Weight.BLOCKING, 4),
        ),
        unknowns=(refuted,),
        responses=(Response("C3", "accept", 1),),
    )
    reply = synthesize(asked, PlanTools(made, asked))
    assert [(each.challenge_id, each.status, each.basis) for each in reply.proposals] == [
        ("C1", Standing.WITHDRAWN, Basis.EVIDENCE),
        ("C2", Standing.UNRESOLVED, Basis.DEBATE),
        ("C4", Standing.UNRESOLVED, Basis.DEBATE),
    ]
    assert reply.questions == ()


def test_every_role_has_an_agent_and_two_of_them_mark(tmp_path: Path) -> None:
    made = bench(shop(tmp_path), FLAWED)
    assert set(PLANNERS) == set(PlanRole)
    for role in (PlanRole.SYNTHESIZER, PlanRole.CHALLENGER):
        asked = task(role, scoring=True)
        assert PLANNERS[role](asked, PlanTools(made, asked)).card
