"""The embedded agents of a plan verification: budgets, second methods, proposals."""

from dataclasses import replace
from pathlib import Path

import pytest

from analysis.plans.planned_shop import FLAWED, bench, shop
from counterproof.agents.planning import embedded_planners
from counterproof.agents.planning.researcher import EmbeddedResearcher
from counterproof.agents.planning.synthesizer import EmbeddedSynthesizer
from counterproof.model.plan.challenge import Basis, Challenge, Confidence, Origin, Response, Standing, Weight
from counterproof.model.plan.contract import Allowance, PlanReply, PlanRole, PlanTask, Tool
from counterproof.model.plan.research import ContextImpact, ResearchMode, UnknownResolution
from counterproof.protocols.plan import budgets
from counterproof.toolbox.plan_tools import PlanBench, PlanTools


def task(role: PlanRole = PlanRole.RESEARCHER, mode: ResearchMode | None = None, **more: object) -> PlanTask:
    given = budgets.allowances(mode, {}, ()) if mode else ()
    return replace(PlanTask("t", "a", role, 1, 1, mode=mode, allowances=given), **more)  # type: ignore[arg-type]


def raised(claim: str, severity: Weight = Weight.SIGNIFICANT, number: int = 1) -> Challenge:
    return Challenge(f"C{number}", Origin.CHALLENGER, claim, "It is so", "It breaks", "Mend it", severity, Confidence.HIGH, 1)


def resolved(made: PlanBench, claim: str) -> PlanReply:
    asked = task(mode=ResearchMode.RESOLVE, challenges=(raised(claim),))
    return EmbeddedResearcher().work(asked, PlanTools(made, asked))


@pytest.mark.rule("P10")
def test_the_tools_refuse_what_is_over_the_allowance_and_record_it(tmp_path: Path) -> None:
    asked = replace(task(), allowances=(Allowance(Tool.READ, 1),))
    tools = PlanTools(bench(shop(tmp_path), FLAWED), asked)
    assert tools.read("shop/cart.py")
    assert tools.read("shop/prices.py") is None
    assert tools.grep(("total_price",)) is None
    assert {each.tool: (each.calls, each.refused) for each in tools.used()} == {Tool.READ: (1, 1), Tool.GREP: (0, 1)}


@pytest.mark.rule("P10")
def test_a_researcher_stays_within_its_budget_however_much_there_is_to_ask(tmp_path: Path) -> None:
    made = bench(shop(tmp_path), FLAWED)
    challenges = tuple(raised("The plan removes `old_total` (plan line 5)", number=number) for number in range(1, 30))
    asked = task(mode=ResearchMode.RESOLVE, challenges=challenges)
    tools = PlanTools(made, asked)
    reply = EmbeddedResearcher().work(asked, tools)
    assert len(reply.unknowns) == 29
    limits = budgets.LIMITS[ResearchMode.RESOLVE]
    assert all(each.calls <= limits[each.tool] for each in tools.used())
    ends = [each.resolution for each in reply.unknowns]
    assert (ends[0], ends[-1]) == (UnknownResolution.CONFIRMED, UnknownResolution.UNRESOLVABLE)
    assert UnknownResolution.REFUTED not in ends


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
    reply = resolved(made, "The plan removes `old_total` (plan line 5)")
    assert [(each.source, each.found) for each in tools.checks(reply)] == [("shop/report.py:1", True)]
    (unknown,) = reply.unknowns
    for source in ("shop/report.py:999", "shop/none.py:1", "plan:999", "0123456789abcdef", "hearsay"):
        forged = replace(reply, unknowns=(replace(unknown, finding=f"[VERIFIED: {source} | x | y]"),))
        assert [each.found for each in tools.checks(forged)] == [False], source


def test_a_second_method_confirms_what_is_so_and_refutes_what_is_not(tmp_path: Path) -> None:
    made = bench(shop(tmp_path, **{"shop/notes.py": "# lonely_name is only spoken of\ntext = 'lonely_name'\n"}), FLAWED)
    expected = {
        "The plan removes `old_total` (plan line 5)": UnknownResolution.CONFIRMED,
        "The plan removes `lonely_name` (plan line 5)": UnknownResolution.REFUTED,
        "The plan relies on the name `total_price` and uses it (plan line 5)": UnknownResolution.REFUTED,
        "The plan relies on the name `total_prize` and uses it (plan line 5)": UnknownResolution.CONFIRMED,
        "The plan works on the file `shop/price.py` and changes it (plan line 6)": UnknownResolution.CONFIRMED,
        "The plan works on the file `shop/PRICES.py` and changes it (plan line 6)": UnknownResolution.PARTIALLY_RESOLVED,
        "The plan takes for granted a version of `Flask` 2.2 (plan line 3)": UnknownResolution.CONFIRMED,
        "A sentence of another kind": UnknownResolution.UNRESOLVABLE,
    }
    found = {claim: resolved(made, claim).unknowns[0].resolution for claim in expected}
    assert found == expected


def test_decisions_of_the_repository_surface(tmp_path: Path) -> None:
    made = bench(shop(tmp_path), "# P\n\n1. Store the cart with `pickle`.\n2. Do more.\n")
    asked = task(mode=ResearchMode.SURFACE)
    reply = EmbeddedResearcher().work(asked, PlanTools(made, asked))
    (context,) = reply.contexts
    assert (context.location, context.impact, context.generates_challenge) == (
        "AGENTS.md:3",
        ContextImpact.CONTRADICTS_PLAN,
        "C1",
    )
    assert [each.origin for each in reply.challenges] == [Origin.SURFACED]
    kept = bench(tmp_path, "# P\n\n1. Do not use `pickle` for the cart.\n")
    assert EmbeddedResearcher().work(asked, PlanTools(kept, asked)).contexts == ()


def test_the_synthesizer_withdraws_on_evidence_defers_what_is_small_and_takes_the_users_word(tmp_path: Path) -> None:
    made = bench(shop(tmp_path), FLAWED)
    refuted = resolved(made, "The plan relies on the name `total_price` and uses it (plan line 5)").unknowns
    asked = task(
        PlanRole.SYNTHESIZER,
        challenges=(
            raised("one"),
            raised("two", Weight.MINOR, 2),
            raised("three", Weight.BLOCKING, 3),
            raised("four", Weight.BLOCKING, 4),
        ),
        unknowns=refuted,
        responses=(Response("C3", "we keep it", 1),),
    )
    reply = EmbeddedSynthesizer().work(asked, PlanTools(made, asked))
    assert [(each.challenge_id, each.status, each.basis) for each in reply.proposals] == [
        ("C1", Standing.WITHDRAWN, Basis.EVIDENCE),
        ("C2", Standing.DEFERRED, Basis.DEBATE),
        ("C3", Standing.RESOLVED, Basis.USER),
        ("C4", Standing.UNRESOLVED, Basis.DEBATE),
    ]
    assert [each.challenge_id for each in reply.questions] == ["C4"]


def test_every_role_has_an_agent_and_two_of_them_mark(tmp_path: Path) -> None:
    made = bench(shop(tmp_path), FLAWED)
    agents = embedded_planners()
    assert set(agents) == set(PlanRole)
    for role in (PlanRole.SYNTHESIZER, PlanRole.CHALLENGER):
        asked = task(role, scoring=True)
        assert agents[role].work(asked, PlanTools(made, asked)).card


@pytest.mark.parametrize(
    ("plan", "claim", "end"),
    [
        ("We will use Celery.", "The plan relies on the package `Celery` (plan line 1)", UnknownResolution.CONFIRMED),
        ("We will use PyYAML.", "The plan relies on the package `PyYAML` (plan line 1)", UnknownResolution.REFUTED),
        ("x", "The plan imports `shop.cart.add_thing` (plan line 1)", UnknownResolution.CONFIRMED),
        ("x", "The plan imports `shop.cart.add_item` (plan line 1)", UnknownResolution.REFUTED),
        (
            "Call Till.unlock(key).",
            "The plan relies on the name `Till.unlock` and uses it (plan line 1)",
            UnknownResolution.CONFIRMED,
        ),
        ("Call Till.open(key).", "The plan relies on the name `Till.open` and uses it (plan line 1)", UnknownResolution.REFUTED),
    ],
)
def test_what_plain_words_rely_on_is_settled_by_a_second_method(
    tmp_path: Path, plan: str, claim: str, end: UnknownResolution
) -> None:
    more = {
        "shop/till.py": "import yaml\n\n\nclass Till:\n    def open(self, key):\n        return key\n",
        "shop/door.py": "def unlock(key):\n    return key\n",
    }
    (answer,) = resolved(bench(shop(tmp_path, **more), f"{plan}\n"), claim).unknowns
    assert answer.resolution is end
