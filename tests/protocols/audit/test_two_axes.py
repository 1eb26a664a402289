"""How bad if true, and how sure we are: two axes that nothing moves together (A38, A39, A40, A53, A55, A60, A62)."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterproof.model.confidence import Confidence
from counterproof.model.fact import Fact, Operation
from counterproof.model.finding import Corroboration, Finding, StepResult
from counterproof.model.flow import Break, Flow
from counterproof.model.judgement import Judgement, Verdict
from counterproof.model.location import at
from counterproof.model.proof import Assumption, Guess, Link, Part, Proof, Shape, strength
from counterproof.model.severity import Complexity, Ground, Impact, Rating, Reach, Severity
from counterproof.protocols.audit import merge, severity
from counterproof.protocols.audit.confidence import confidence_of, merged_confidence
from counterproof.protocols.audit.deduplication import deduplicated
from counterproof.protocols.audit.resolution import Resolved, resolve
from counterproof.protocols.audit.ruling import SAME_CONTEXT, SAME_MODEL, Finders, Opinion, Ruling, rule_on
from counterproof.protocols.guard.citations import Checks
from effort import examples
from protocols.audit.cast import FITTING, a_flow, judged
from protocols.audit.play import a_finding, a_proof

UNKNOWN_CALL = Assumption(Guess.UNRESOLVED_CALL, "load", at("app.py", 19))
UNKNOWN_REACH = Assumption(Guess.UNKNOWN_REACH, "no entry point was found")
MEANT = Assumption(Guess.MEANT_OPEN, "GET /orders")
CONFIRMED = Ruling(judged(a_finding(), Verdict.CONFIRMED), validates=True)
ANOTHER_READING = Ruling(judged(a_finding(), Verdict.CONFIRMED))
IN_PART = Ruling(judged(a_finding(), Verdict.DOWNGRADED))

RATINGS = st.builds(
    Rating,
    st.sampled_from(Reach),
    st.sampled_from(Impact),
    st.sampled_from(Complexity),
    st.integers(0, 5),
    st.sampled_from([None, True, False]),
)
GUESSES = st.lists(st.sampled_from([each for each in Guess if each is not Guess.UNKNOWN_REACH]), max_size=4)


def claim(**changes: object) -> Finding:
    """A claim that only a model makes, without a rule."""
    return a_finding(**{"rule": "", "corroboration": Corroboration.AGENT_ALONE, "found_by": ("m",), "proof": None, **changes})


def shown(*findings: Finding, rulings: dict[str, Ruling] | None = None) -> dict[str, tuple[Severity, Confidence]]:
    done: Resolved = resolve(findings, rulings or {}, {}, ())
    return {row.finding.id: (row.severity, row.confidence) for row in merge.reported(done.ruled, validating=True)}


@pytest.mark.rule("A40")
@settings(max_examples=examples(200), deadline=None)
@given(RATINGS, GUESSES, st.integers(2, 30), st.integers(0, 4), st.sampled_from(Ground))
def test_neither_proof_nor_length_nor_sources_move_severity(
    rating: Rating, guesses: list[Guess], length: int, more: int, ground: Ground
) -> None:
    plain = severity.calibrate(a_finding(rating=rating)).level
    proof = a_proof(assumptions=tuple(Assumption(guess, "x") for guess in guesses), checked=not guesses)
    longer = a_finding(rating=rating, proof=proof, flow=Flow(a_flow(length).steps, Break.CALLBACK), confidence=ground)
    twins = tuple(replace(longer, id=f"F10{number}", found_by=(f"agent-{number}",)) for number in range(more))
    assert {level for level, _ in shown(longer, *twins).values()} == {plain}


@pytest.mark.rule("A40", "A53")
@settings(max_examples=examples(60), deadline=None)
@given(RATINGS, st.sampled_from([CONFIRMED, ANOTHER_READING, IN_PART, Ruling(), Ruling(disputed=True)]))
def test_no_verdict_moves_severity(rating: Rating, ruling: Ruling) -> None:
    (level, _), *_ = shown(a_finding(rating=rating), rulings={"F001": ruling}).values()
    assert level is severity.calibrate(a_finding(rating=rating)).level


@pytest.mark.rule("A40")
@given(st.integers(-9, 9))
def test_a_level_is_the_band_of_the_sum(total: int) -> None:
    bands = ((5, Severity.CRITICAL), (4, Severity.HIGH), (2, Severity.MEDIUM), (-9, Severity.LOW))
    assert severity.level(total) is next(level for least, level in bands if total >= least)


@pytest.mark.rule("A40", "A55")
def test_unknown_reach_is_named_with_the_value_it_is_rated_by() -> None:
    known, unknown = a_finding(), a_finding(proof=a_proof(assumptions=(UNKNOWN_REACH,)))
    terms = [next(term for term in severity.calibrate(each).terms if term.name == "reachability") for each in (known, unknown)]
    assert [term.points for term in terms] == [1, 1]
    assert [term.value for term in terms] == [
        "low privilege",
        "attacker not known (no entry point was found), rated as low privilege",
    ]


@pytest.mark.rule("A40")
def test_a_siblings_severity_is_not_its_own() -> None:
    grave = a_finding(20, id="F001", rating=Rating(Reach.ANONYMOUS, Impact.FULL))
    mild = a_finding(40, id="F002", function="other", rating=Rating(Reach.ADMIN, Impact.LOCAL))
    assert [level for level, _ in shown(grave, mild).values()] == [Severity.CRITICAL, Severity.LOW]


@pytest.mark.rule("A55", "A60")
@pytest.mark.parametrize(
    ("proof", "expected"),
    [
        (a_proof(), Confidence.PROVED),
        (a_proof(assumptions=(MEANT,)), Confidence.PROVED),
        (a_proof(assumptions=(UNKNOWN_CALL,)), Confidence.CLAIMED),
        (a_proof(assumptions=(UNKNOWN_REACH, UNKNOWN_CALL)), Confidence.CLAIMED),
        (a_proof(checked=False), Confidence.CLAIMED),
        (a_proof(refuted=(Fact(at("app.py", 20), Operation.CALL, "execute"),)), Confidence.CLAIMED),
        (None, Confidence.CLAIMED),
    ],
)
def test_a_checked_proof_with_nothing_open_proves(proof: Proof | None, expected: Confidence) -> None:
    assert confidence_of(a_finding(proof=proof)) is expected


@pytest.mark.rule("A55")
def test_a_missing_guard_is_proved_only_where_a_sibling_asks() -> None:
    fact = Fact(at("app.py", 20), Operation.DEFINE, "view")
    links = (Link(Part.ENTRY, fact), Link(Part.SINK, fact))
    alone = Proof(Shape.MISSING_GUARD, links, assumptions=(MEANT,), checked=True)
    sibling = replace(alone, links=(*links, Link(Part.PEER, fact)))
    assert [each.guess for each in alone.open_points] == [Guess.NO_SIBLING]
    assert [confidence_of(a_finding(proof=each)) for each in (alone, sibling)] == [Confidence.CLAIMED, Confidence.PROVED]


@pytest.mark.rule("A55")
def test_a_missing_part_and_a_refuted_fact_are_open_points() -> None:
    wrong = Fact(at("app.py", 20), Operation.CALL, "execute")
    half = Proof(Shape.FLOW, (Link(Part.SINK, wrong),), checked=True)
    assert [each.guess for each in half.open_points] == [Guess.MISSING_PART]
    assert len(replace(half, refuted=(wrong,)).open_points) == 2
    assert strength(a_proof()) > strength(half) > strength(None)


@pytest.mark.rule("A53", "A60")
@pytest.mark.parametrize(
    ("finding", "ruling", "expected"),
    [
        (a_finding(proof=None), ANOTHER_READING, Confidence.CLAIMED),
        (a_finding(proof=None), CONFIRMED, Confidence.VALIDATED),
        (a_finding(), IN_PART, Confidence.CLAIMED),
        (a_finding(), Ruling(disputed=True), Confidence.PROVED),
        (claim(), CONFIRMED, Confidence.VALIDATED),
        (claim(proof=a_proof()), Ruling(), Confidence.CLAIMED),
        (claim(confidence=Ground.PATTERN), Ruling(), Confidence.SUSPECTED),
        (claim(confidence=Ground.PATTERN), CONFIRMED, Confidence.VALIDATED),
        (claim(unquoted=True), Ruling(), Confidence.SUSPECTED),
        (a_finding(proof=None, confidence=Ground.PATTERN), Ruling(), Confidence.SUSPECTED),
    ],
)
def test_confidence_is_decided_by_who_confirmed_and_what_is_open(finding: Finding, ruling: Ruling, expected: Confidence) -> None:
    assert confidence_of(finding, ruling) is expected


@pytest.mark.rule("A60")
@given(RATINGS, st.sampled_from([a_proof(), a_proof(assumptions=(UNKNOWN_CALL,)), None]))
def test_severity_never_moves_confidence(rating: Rating, proof: Proof | None) -> None:
    assert confidence_of(a_finding(rating=rating, proof=proof)) is confidence_of(a_finding(proof=proof))


@pytest.mark.rule("A39")
def test_two_witnesses_who_did_not_know_of_each_other_validate_up_to_medium() -> None:
    one = (Confidence.CLAIMED,)
    assert merged_confidence(one, True, Severity.MEDIUM) is Confidence.VALIDATED
    assert merged_confidence(one, True, Severity.HIGH) is Confidence.CLAIMED
    assert merged_confidence(one, False, Severity.MEDIUM) is Confidence.CLAIMED
    assert merged_confidence((Confidence.PROVED, Confidence.CLAIMED), True, Severity.LOW) is Confidence.PROVED


def word(model: str, finding: Finding) -> Opinion:
    """A model that said the same before seeing the claim, with a fact for each step that the source has."""
    fact = Fact(at("app.py", 20), Operation.CALL, "execute")
    fitting = FITTING[Verdict.CONFIRMED]
    typed = replace(
        fitting, **{name: replace(getattr(fitting, name), fact=fact) for name in ("flow", "defence", "reach", "impact")}
    )
    said = Judgement(finding.id, Verdict.CONFIRMED, typed, at("app.py", 20), Verdict.CONFIRMED)
    return Opinion("v", (said,), model, Checks((fact,)))


@pytest.mark.rule("A53")
@pytest.mark.parametrize(
    ("judge", "context", "relation", "expected"),
    [
        ("other:b", "", "", Confidence.VALIDATED),
        ("some:a", "", SAME_MODEL, Confidence.VALIDATED),
        ("host", "", SAME_CONTEXT, Confidence.CLAIMED),
        ("host", "second", SAME_MODEL, Confidence.VALIDATED),
    ],
)
def test_a_fresh_context_validates_and_one_context_does_not(
    judge: str, context: str, relation: str, expected: Confidence
) -> None:
    finding = claim()
    finders = Finders(frozenset({"host" if judge == "host" else "some:a"}), frozenset({""}))
    ruling = rule_on(finding, [replace(word(judge, finding), context=context)], 4, finders)
    assert (ruling.relation, confidence_of(finding, ruling)) == (relation, expected)


@pytest.mark.rule("A53")
def test_a_model_in_another_context_validates_what_an_analyst_claims() -> None:
    finding = a_finding(proof=a_proof(assumptions=(UNKNOWN_CALL,)))
    assert confidence_of(finding, rule_on(finding, [word("some:a", finding)], 4)) is Confidence.VALIDATED


@pytest.mark.rule("A53")
def test_an_analysts_no_is_no_veto_on_a_models_claim() -> None:
    finding = claim()
    no = Opinion("analyst", (Judgement(finding.id, Verdict.REJECTED, FITTING[Verdict.REJECTED], at("app.py", 20)),))
    ruling = rule_on(finding, [no], 4, Finders(frozenset({"some:a"})))
    assert (ruling.judgement, ruling.disputed) == (None, True)
    assert confidence_of(finding, ruling) is Confidence.CLAIMED


@pytest.mark.rule("A53")
@pytest.mark.parametrize(
    ("fact", "falls"),
    [
        (Fact(at("app.py", 20), Operation.CALL, "execute"), False),
        (Fact(at("app.py", 20), Operation.CALL, "db.execute"), False),
        (Fact(at("app.py", 20), Operation.CALL, "escape"), True),
        (Fact(at("app.py", 18), Operation.COMPARE, "owner"), True),
    ],
)
def test_a_rejection_that_only_quotes_the_sink_is_an_abstention(fact: Fact, falls: bool) -> None:
    finding = claim(proof=a_proof())
    failed = replace(FITTING[Verdict.REJECTED], flow=replace(FITTING[Verdict.REJECTED].flow, fact=fact))
    typed = replace(
        failed, **{name: replace(getattr(failed, name), fact=fact) for name in ("flow", "defence", "reach", "impact")}
    )
    said = Judgement(finding.id, Verdict.REJECTED, typed, at("app.py", 20), Verdict.REJECTED)
    ruling = rule_on(finding, [Opinion("v", (said,), "other:b", Checks((fact,)))], 4, Finders(frozenset({"some:a"})))
    assert (ruling.judgement is not None) is falls


@pytest.mark.rule("A62")
def test_merging_keeps_all_texts_and_the_better_evidenced_fields() -> None:
    seen = a_finding(
        function="view", flow=None, proof=a_proof(assumptions=(UNKNOWN_CALL,)), found_by=("analyst",), remedy="Bind it."
    )
    told = claim(
        id="F002",
        title="Orders of others",
        impact="Any balance at registration.",
        poc="curl /orders",
        proof=a_proof(),
        sink="the query",
    )
    (kept,), _ = deduplicated((seen, told))
    assert (kept.rule, kept.title, kept.location) == (seen.rule, seen.title, seen.location)
    assert kept.impact == f"{seen.impact}\n{told.impact}"
    assert (kept.poc, kept.remedy, kept.sink, kept.flow) == (told.poc, seen.remedy, told.sink, told.flow)
    assert (kept.proof, kept.found_by, kept.corroboration) == (told.proof, ("analyst", "m"), Corroboration.BOTH)


@pytest.mark.rule("A40", "A62")
@settings(max_examples=examples(100), deadline=None)
@given(RATINGS, RATINGS, st.booleans())
def test_a_merge_is_never_milder_than_either(one: Rating, other: Rating, shown: bool) -> None:
    """Apart from the reach, which no claim without a confirmed entry point can move."""
    proof = a_proof() if shown else a_proof(assumptions=(UNKNOWN_REACH,))
    (kept,), _ = deduplicated((a_finding(rating=one, proof=proof), claim(id="F002", rating=other)))
    totals = [severity.calibrate(a_finding(rating=replace(each, reach=one.reach))).total for each in (one, other)]
    assert kept.rating.reach is one.reach
    assert severity.calibrate(kept).total == max(totals)


@pytest.mark.rule("A62")
def test_copies_of_a_file_are_one_finding_with_its_places() -> None:
    first = a_finding(function="show", location=at("themes/dark/js/base.js", 20), flow=None)
    twin = replace(first, id="F002", location=at("themes/light/js/base.js", 22))
    other = replace(first, id="F003", location=at("themes/light/js/base.js", 60), evidence="db.execute(other)", function="hide")
    kept, dropped = deduplicated((first, twin, other))
    assert [(each.location.path, [place.path for place in each.also]) for each in kept] == [
        ("themes/dark/js/base.js", ["themes/light/js/base.js"]),
        ("themes/light/js/base.js", []),
    ]
    assert len(dropped) == 1


@pytest.mark.rule("A53")
@pytest.mark.parametrize(
    ("fact", "source_has_it", "expected"),
    [
        (Fact(at("app.py", 8), Operation.COMPARE, "owner"), True, Confidence.SUSPECTED),
        (Fact(at("app.py", 8), Operation.COMPARE, "owner"), False, Confidence.CLAIMED),
        (None, True, Confidence.CLAIMED),
    ],
)
def test_an_analysts_claim_that_nobody_confirms_goes_to_the_appendix_by_a_reason_that_is_there(
    fact: Fact | None, source_has_it: bool, expected: Confidence
) -> None:
    finding = a_finding(proof=a_proof(assumptions=(UNKNOWN_CALL,)))
    failing = FITTING[Verdict.REJECTED]
    steps = {
        name: replace(step, fact=fact)
        for name in ("flow", "defence", "reach", "impact")
        if (step := getattr(failing, name)).result in (StepResult.FAIL, StepResult.PARTIAL)
    }
    said = Judgement(finding.id, Verdict.REJECTED, replace(failing, **steps), at("app.py", 8))
    opinion = Opinion("v", (said,), "some:a", Checks((fact,) if fact and source_has_it else ()))
    ruling = rule_on(finding, [opinion], 4)
    assert confidence_of(finding, ruling) is expected
    assert ruling.judgement is None, "nothing falls by a word alone"
    assert confidence_of(a_finding(), rule_on(a_finding(), [opinion], 4)) is Confidence.PROVED
