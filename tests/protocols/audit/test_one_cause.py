"""One root cause is one finding, at whichever location it is named (A62); its reach is the one that the map confirms (A40)."""

from dataclasses import replace

import pytest

from counterproof.model.fact import Fact, Operation
from counterproof.model.finding import Finding
from counterproof.model.flow import Flow, FlowStep, StepKind
from counterproof.model.judgement import Verdict
from counterproof.model.location import Location, at
from counterproof.model.proof import Assumption, ConsideredGuard, Guess, Link, Part, Proof, Shape
from counterproof.model.proof import Verdict as Considered
from counterproof.model.recon import EntryKind, EntryPoint
from counterproof.model.severity import Impact, Rating, Reach, Severity
from counterproof.protocols.audit import merge
from counterproof.protocols.audit.deduplication import deduplicated, same
from counterproof.protocols.audit.resolution import UNREPRODUCED, resolve
from counterproof.protocols.audit.ruling import Opinion, Ruling, rule_on
from counterproof.protocols.guard.citations import Checks, Reached
from counterproof.reports.first_page import who_and_how_sure
from protocols.audit.cast import judged
from protocols.audit.play import a_finding, a_proof

HANDLER, CALL, HELPER, SINK = at("views.py", 11), at("views.py", 14), Location("store.py", 40, 47), at("store.py", 46)


def _link(part: Part, place: Location, operation: Operation = Operation.CALL, name: str = "execute") -> Link:
    return Link(part, Fact(place, operation, name))


WAY = Proof(
    Shape.FLOW,
    (
        _link(Part.HANDLER, HANDLER, Operation.DEFINE, "orders"),
        _link(Part.ENTRY, at("views.py", 13), Operation.READ, "args"),
        _link(Part.STEP, CALL, name="search"),
        _link(Part.SINK, SINK),
    ),
    checked=True,
)


def analyst(**changes: object) -> Finding:
    return a_finding(**{"location": SINK, "proof": WAY, "flow": None, "function": "search", "found_by": ("analyst",), **changes})


def claim(place: Location, **changes: object) -> Finding:
    return a_finding(
        **{
            "id": "F009",
            "rule": "",
            "location": place,
            "proof": None,
            "flow": None,
            "found_by": ("m",),
            "impact": "Told.",
            **changes,
        }
    )


@pytest.mark.rule("A62")
@pytest.mark.parametrize(
    "told",
    [
        claim(SINK),
        claim(SINK, cwe=943),
        claim(CALL),
        claim(at("views.py", 13)),
        claim(at("views.py", 9), scope=Location("views.py", 9, 20)),
        claim(at("store.py", 40), scope=HELPER, cwe=564),
        claim(CALL, proof=Proof(Shape.FLOW, (_link(Part.SINK, SINK),))),
    ],
)
def test_a_claim_at_the_route_the_call_the_helper_or_the_sink_is_the_analysts_finding(told: Finding) -> None:
    own = analyst()
    assert same(own, told)
    assert same(told, own)
    (kept,), _ = deduplicated((told, own))
    assert (kept.location, kept.rule, kept.also) == (SINK, own.rule, ())
    assert (kept.found_by, kept.impact) == (("analyst", "m"), f"{own.impact}\nTold.")


@pytest.mark.rule("A62")
@pytest.mark.parametrize(
    "told",
    [
        claim(at("views.py", 16)),
        claim(at("views.py", 9), scope=Location("views.py", 22, 30)),
        claim(CALL, cwe=79),
        claim(CALL, proof=Proof(Shape.FLOW, (_link(Part.SINK, at("store.py", 80)),))),
    ],
)
def test_a_claim_off_the_way_or_with_a_sink_of_its_own_is_another_finding(told: Finding) -> None:
    assert not same(analyst(), told)
    assert len(deduplicated((analyst(), told))[0]) == 2


@pytest.mark.rule("A62")
def test_two_models_that_name_a_route_and_its_flow_mean_one_cause() -> None:
    steps = tuple(FlowStep(place, kind, "code", "") for place, kind in ((CALL, StepKind.SOURCE), (SINK, StepKind.SINK)))
    routed = claim(at("views.py", 9), scope=Location("views.py", 9, 20))
    flowing = claim(SINK, id="F010", flow=Flow(steps), found_by=("other",))
    assert len(deduplicated((routed, flowing))[0]) == 1
    assert len(deduplicated((routed, replace(flowing, found_by=("m",))))[0]) == 2


@pytest.mark.rule("A62")
def test_a_claim_that_states_its_sink_does_not_speak_for_its_whole_function() -> None:
    stated = Proof(Shape.FLOW, (_link(Part.SINK, SINK),))
    routed = claim(at("views.py", 9), scope=Location("views.py", 9, 20), proof=stated)
    assert not same(routed, claim(at("views.py", 16), found_by=("other",)))
    assert same(replace(routed, proof=None), claim(at("views.py", 16), found_by=("other",)))


@pytest.mark.rule("A62")
def test_a_missing_login_and_a_missing_owner_are_two_causes() -> None:
    absent = Proof(
        Shape.MISSING_GUARD,
        (_link(Part.ENTRY, HANDLER, Operation.DEFINE, "orders"),),
        (ConsideredGuard("a login", Considered.ABSENT),),
        checked=True,
    )
    open_ = analyst(location=HANDLER, proof=absent, cwe=306)
    assert same(open_, claim(HANDLER, cwe=862))
    assert not same(open_, claim(HANDLER, cwe=639))


@pytest.mark.rule("A62")
def test_a_proof_without_an_entry_at_a_step_of_another_is_the_same_cause() -> None:
    short = analyst(id="F002", rule="other", location=CALL, proof=Proof(Shape.FLOW, (_link(Part.SINK, CALL),), checked=True))
    whole = analyst(location=replace(SINK, path="views.py"))
    assert same(short, whole)
    assert len(deduplicated((short, whole))[0]) == 1
    assert not same(replace(short, proof=replace(short.proof, links=(_link(Part.ENTRY, CALL), *short.proof.links))), whole)


@pytest.mark.rule("A62")
def test_a_models_claim_about_a_copy_joins_the_analysts_finding_of_the_other_copy() -> None:
    own = analyst(location=at("themes/dark/store.py", 46), proof=a_proof())
    told = claim(at("themes/light/store.py", 50), function="search", cwe=943)
    (kept,), _ = deduplicated((own, told))
    assert (kept.location, kept.also) == (own.location, (told.location,))


@pytest.mark.rule("A40", "A62")
def test_a_merge_keeps_who_gets_there_as_the_proof_shows_it() -> None:
    own = analyst(rating=Rating(Reach.ADMIN, Impact.PARTIAL))
    told = claim(SINK, rating=Rating(Reach.ANONYMOUS, Impact.FULL))
    (kept,), _ = deduplicated((own, told))
    assert kept.rating == Rating(Reach.ADMIN, Impact.FULL)
    left_open = replace(WAY, assumptions=(Assumption(Guess.UNKNOWN_REACH, "no entry point was found"),))
    (kept,), _ = deduplicated((replace(own, proof=left_open), told))
    assert kept.rating == Rating(Reach.ADMIN, Impact.FULL)
    entered = Rating(Reach.ANONYMOUS, Impact.PARTIAL, entry="GET /orders, no guard")
    (kept,), _ = deduplicated((replace(own, proof=left_open), replace(told, rating=entered)))
    assert kept.rating.reach is Reach.ANONYMOUS


# --- who gets there, by the entry point that a validator names ---

NAMED = Reached("F009", Reach.ANONYMOUS, "GET /orders, no guard")


def opinion(finding: Finding, verdict=Verdict.CONFIRMED, first: Verdict | None = Verdict.CONFIRMED, **checks: object) -> Opinion:
    word = judged(finding, verdict)
    names = ("flow", "defence", "reach", "impact")
    facts = {name: Fact(SINK, Operation.CALL, name) for name in names}
    steps = {name: replace(getattr(word.validation, name), fact=facts[name]) for name in names}
    word = replace(word, first=first, validation=replace(word.validation, **steps))
    return Opinion("v", (word,), "p:other", Checks(tuple(facts.values()), **checks))


def said(finding: Finding, verdict=Verdict.CONFIRMED, first: Verdict | None = Verdict.CONFIRMED, **checks: object) -> Ruling:
    return rule_on(finding, [opinion(finding, verdict, first, **checks)], 4)


def rated(finding: Finding, ruling: Ruling) -> Rating:
    (row,) = resolve((finding,), {finding.id: ruling}, {}, ()).ruled
    return row.finding.rating


@pytest.mark.rule("A40")
def test_a_confirmed_entry_point_rates_the_finding_and_says_so() -> None:
    told = claim(SINK, rating=Rating(Reach.ADMIN, Impact.FULL))
    ruling = said(told, reached=(NAMED,))
    (row,) = merge.reported(resolve((told,), {"F009": ruling}, {}, ()).ruled, validating=True)
    assert row.severity is Severity.CRITICAL
    assert row.calibration.terms[0].value == "anonymous: GET /orders, no guard"


@pytest.mark.rule("A40")
def test_agreement_without_a_confirmed_entry_point_rates_nothing() -> None:
    told = claim(SINK, rating=Rating(Reach.ADMIN, Impact.FULL))
    assert said(told).validates
    assert rated(told, said(told)) == told.rating
    assert rated(told, said(told, first=None, reached=(NAMED,))) == told.rating
    assert rated(told, said(told, Verdict.DOWNGRADED, reached=(NAMED,))) == told.rating
    late = rule_on(told, [opinion(told), replace(opinion(told, first=None, reached=(NAMED,)), agent_id="w")], 4)
    assert late.validates
    assert rated(told, late) == told.rating


@pytest.mark.rule("A40")
def test_who_gets_there_by_an_analysts_proof_is_raised_and_never_lowered() -> None:
    own = analyst(rating=Rating(Reach.LOW_PRIVILEGE, Impact.FULL))
    below = Reached(own.id, Reach.ADMIN, "POST /admin, behind @admin")
    assert rated(own, said(own, reached=(below,))).reach is Reach.LOW_PRIVILEGE
    assert rated(own, said(own, reached=(replace(below, reach=Reach.ANONYMOUS),))).reach is Reach.ANONYMOUS
    left_open = replace(own, proof=replace(WAY, assumptions=(Assumption(Guess.UNKNOWN_REACH, "no entry point was found"),)))
    assert rated(left_open, said(left_open, reached=(below,))).reach is Reach.ADMIN


@pytest.mark.rule("A53")
def test_a_rejection_that_the_engine_cannot_confirm_is_named_beside_the_finding() -> None:
    own = analyst()
    ruling = said(own, Verdict.REJECTED)
    assert ruling.doubts == ("v (p:other)",)
    assert ruling.said[0].endswith("[not confirmed by the engine]")
    (row,) = merge.reported(resolve((own,), {own.id: ruling}, {}, ()).ruled, validating=True)
    assert who_and_how_sure(row).endswith("rejected by v (p:other), not confirmed by the engine")
    assert said(own).doubts == ()


PATHS = ("/orders/<int:order_id>", "/api/{name}/keys", "/shops/:id", "/")
ROUTES = tuple(EntryPoint(EntryKind.HTTP, "GET", path, HANDLER, "x") for path in PATHS)


@pytest.mark.rule("A41")
@pytest.mark.parametrize(
    ("poc", "counts"),
    [
        ("curl 'http://localhost:8000/orders/7?x=1'", True),
        ("curl http://localhost/api/me/keys", True),
        ("GET /shops/3/", True),
        ("curl http://localhost:8000/", True),
        ("curl http://localhost:8000/x", False),
        ("curl http://localhost:8000/orders", False),
        ("it is possible", False),
    ],
)
def test_a_models_proof_of_concept_names_an_entry_point_that_recon_knows(poc: str, counts: bool) -> None:
    told = claim(SINK, rating=Rating(Reach.ANONYMOUS, Impact.FULL), poc=poc)
    ruled = resolve((told,), {}, {}, ()).ruled
    (row,) = merge.reported(ruled, True, ROUTES)
    assert (UNREPRODUCED not in row.labels) is counts
    assert UNREPRODUCED not in merge.reported(ruled, True)[0].labels
