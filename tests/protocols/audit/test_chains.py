"""Attack chains rest on a thing that one finding yields and the other uses, and severity is monotone (A34, A40, A57)."""

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterproof.model.chain import Chain, Link, Thing, ThingKind
from counterproof.model.confidence import Confidence as Level
from counterproof.model.dimension import Dimension
from counterproof.model.errors import InvalidValue
from counterproof.model.fact import Fact, Operation
from counterproof.model.finding import Finding
from counterproof.model.flow import Break, Flow, FlowStep, StepKind
from counterproof.model.judgement import Verdict
from counterproof.model.location import Location, at
from counterproof.model.proof import Assumption, Guess, Part, Proof, Shape
from counterproof.model.proof import Link as ProofLink
from counterproof.model.severity import Confidence, Impact, Rating, Reach, Severity
from counterproof.protocols.audit import chains, merge
from counterproof.protocols.audit.confidence import confidence_of
from counterproof.protocols.audit.deduplication import deduplicated
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.resolution import resolve
from counterproof.protocols.audit.ruling import Ruling
from effort import examples
from protocols.audit.cast import PASSED, audit, diver, hunter, judged, play_on, report_of, roomy, validator
from protocols.audit.play import a_finding

KEY_AT, USED_AT, UPLOAD_AT = at("app.py", 3), at("app.py", 40), at("app.py", 60)
OPEN = Assumption(Guess.UNKNOWN_CALLER, "login")


def proof(shape: Shape, *links: tuple[Part, Location, Operation, str], assumptions: tuple[Assumption, ...] = ()) -> Proof:
    made = tuple(ProofLink(part, Fact(place, operation, symbol)) for part, place, operation, symbol in links)
    return Proof(shape, made, assumptions=assumptions, checked=True)


def secret(name: str = "SECRET_KEY", **changes: object) -> Finding:
    """A key in the source, and where the code uses it."""
    given_ = proof(
        Shape.STORED_VALUE, (Part.VALUE, KEY_AT, Operation.ASSIGN, name), (Part.USE, at("app.py", 35), Operation.READ, name)
    )
    values = {"id": "F001", "cwe": 798, "dimension": Dimension.D7, "flow": None, "found_by": ("one",), "proof": given_}
    return a_finding(3, **{"location": KEY_AT, "rule": "py.key", "poc": "x", **values, **changes})


def forged(name: str = "SECRET_KEY", place: Location = USED_AT, **changes: object) -> Finding:
    """A session that is believed because it was signed with a key."""
    given_ = proof(
        Shape.FLOW,
        (Part.ENTRY, at("app.py", 38), Operation.READ, "cookies"),
        (Part.STEP, place, Operation.READ, name),
        (Part.SINK, at("app.py", 42), Operation.CALL, "login_as"),
    )
    values = {"id": "F002", "cwe": 287, "dimension": Dimension.D2, "found_by": ("two",), "proof": given_, "flow": None}
    return a_finding(42, **{"rule": "py.session", "poc": "x", **values, **changes})


@pytest.mark.rule("A34", "A57")
def test_a_credential_that_the_second_finding_reads_makes_a_chain_with_its_own_severity() -> None:
    found = chains.chained((secret(), forged()))
    (chain,) = found.chains
    assert chain.links == (Link("F001", "F002", Thing(ThingKind.CREDENTIAL, "SECRET_KEY", KEY_AT), USED_AT),)
    assert (chain.points, chain.severity, found.pairs_checked) == (6, Severity.CRITICAL, 1)
    assert chain.links[0].capability == "the credential SECRET_KEY from app.py:3, used at app.py:40"


@pytest.mark.rule("A34", "A57")
@pytest.mark.parametrize(
    ("first", "then", "pairs"),
    [
        (secret(), forged("OTHER_KEY"), 1),
        (secret(), forged(proof=None), 1),
        (secret(proof=None), forged(), 1),
        (secret("key"), forged("key"), 1),
        (secret("users"), forged("users"), 1),
        (secret(), forged(place=KEY_AT), 1),
        (secret(severity=Severity.MEDIUM), forged(), 0),
        (secret(), forged(severity=Severity.LOW), 0),
        (secret(found_by=("two",), dimension=Dimension.D2), forged(), 0),
    ],
)
def test_kinds_that_go_together_names_that_differ_and_lines_they_share_are_no_link(first, then, pairs: int) -> None:
    found = chains.chained((first, then))
    assert (found.chains, found.pairs_checked) == ((), pairs)


@pytest.mark.rule("A57")
def test_a_local_name_links_only_where_the_firsts_own_proof_shows_it_in_use() -> None:
    then = forged("key", place=at("app.py", 35))
    (chain,) = chains.chained((secret("key"), then)).chains
    assert chain.links[0].used_at == at("app.py", 35)


def written(**changes: object) -> Finding:
    """A file that anybody may write."""
    given_ = proof(
        Shape.FLOW, (Part.ENTRY, at("app.py", 58), Operation.READ, "files"), (Part.SINK, UPLOAD_AT, Operation.CALL, "save")
    )
    return a_finding(
        60, **{"id": "F003", "cwe": 434, "dimension": Dimension.D5, "found_by": ("three",), "proof": given_, **changes}
    )


def executed(**changes: object) -> Finding:
    given_ = proof(
        Shape.FLOW, (Part.ENTRY, at("run.py", 5), Operation.READ, "path"), (Part.SINK, at("run.py", 9), Operation.CALL, "exec")
    )
    values = {"id": "F004", "cwe": 94, "found_by": ("four",), "location": at("run.py", 9), "proof": given_, "flow": None}
    return a_finding(9, **{**values, **changes})


THROUGH_THE_FILE = Flow(
    (
        FlowStep(UPLOAD_AT, StepKind.SOURCE, "upload.save(target)"),
        FlowStep(at("run.py", 5), StepKind.ASSIGN, "code = open(target).read()"),
        FlowStep(at("run.py", 9), StepKind.SINK, "exec(code)"),
    )
)


@pytest.mark.rule("A57")
def test_a_flow_that_a_diver_or_a_chain_checker_followed_through_the_place_of_the_first_links_them() -> None:
    assert chains.links((written(), executed())) == ()
    (found,) = chains.links((written(), executed()), (THROUGH_THE_FILE,))
    assert (found.first, found.then, found.thing.kind, found.used_at) == ("F003", "F004", ThingKind.FILE, at("run.py", 9))
    assert chains.links((written(), executed()), (replace(THROUGH_THE_FILE, broken_by=Break.CALLBACK),)) == ()
    elsewhere = Flow((*THROUGH_THE_FILE.steps[:2], FlowStep(at("run.py", 30), StepKind.SINK, "exec(code)")))
    assert chains.links((written(), executed()), (elsewhere,)) == ()


@pytest.mark.rule("A34", "A57")
def test_the_flows_of_a_dive_are_read_for_chains() -> None:
    def through(task):
        return diver(task, flows=(THROUGH_THE_FILE,))

    survey = roomy("run.py")
    found = (written(poc="x"), executed(poc="x"))
    assert report_of(play_on(audit(Mode.STANDARD, survey), hunter=hunter(*found))).chains == ()
    report = report_of(play_on(audit(Mode.STANDARD, survey), hunter=hunter(*found), deep_diver=through))
    assert len(report.chains) == 1


@pytest.mark.rule("A34")
@pytest.mark.parametrize(
    ("one", "two", "dimension", "apart"),
    [
        (("a",), ("b",), Dimension.D7, True),
        (("a",), ("a",), Dimension.D7, False),
        (("a",), ("a",), Dimension.D1, True),
        (("a", "b"), ("a",), Dimension.D7, True),
        (("a", "b"), ("a", "b"), Dimension.D7, True),
    ],
)
def test_a_pair_is_of_different_agents_or_of_different_hunts_of_one(one, two, dimension: Dimension, apart: bool) -> None:
    assert chains.separate(secret(found_by=one), forged(found_by=two, dimension=dimension)) is apart


@pytest.mark.rule("A34")
def test_circles_end_and_longer_chains_list_no_inner_one_twice() -> None:
    """The signed session opens a way to write a file, whose content is executed."""
    upload = written(proof=proof(Shape.FLOW, (Part.ENTRY, at("app.py", 42), Operation.READ, "login_as"),
                                 (Part.SINK, UPLOAD_AT, Operation.CALL, "save")))  # fmt: skip
    session = Flow((FlowStep(at("app.py", 42), StepKind.SOURCE, "login_as(user)"), FlowStep(UPLOAD_AT, StepKind.SINK, "save()")))
    (chain,) = chains.chained((secret(), forged(), upload), (session,)).chains
    assert chain.members == ("F001", "F002", "F003")
    back = Flow((FlowStep(UPLOAD_AT, StepKind.SOURCE, "save()"), FlowStep(at("app.py", 42), StepKind.SINK, "login_as(user)")))
    found = chains.chained((forged(), upload), (session, back)).chains
    assert {each.members for each in found} == {("F002", "F003"), ("F003", "F002")}


@pytest.mark.rule("A34")
def test_links_that_do_not_follow_on_each_other_are_no_chain() -> None:
    thing = Thing(ThingKind.VALUE, "X", KEY_AT)
    with pytest.raises(InvalidValue):
        Chain((Link("F001", "F002", thing, USED_AT), Link("F003", "F004", thing, USED_AT)), Severity.HIGH, 4)


@pytest.mark.rule("A34", "A40")
def test_a_chain_has_a_severity_of_its_own_and_moves_that_of_no_member() -> None:
    play = play_on(audit(Mode.STANDARD, only=(Dimension.D2, Dimension.D7)), hunter=hunter(secret(), forged()))
    report = report_of(play)
    (line,) = report.chains
    totals = [row.calibration.total for row in report.findings]
    assert line.points == max(totals) + 2
    assert totals == [sum(term.points for term in row.calibration.terms) for row in report.findings]


@pytest.mark.rule("A57")
def test_a_chain_is_as_sure_as_its_least_sure_link() -> None:
    leaky = forged()
    leaky = replace(leaky, proof=replace(leaky.proof, assumptions=(OPEN,)))
    for second, expected in ((forged(), Level.PROVED), (leaky, Level.CLAIMED)):
        report = report_of(play_on(audit(Mode.STANDARD), hunter=hunter(secret(), second)))
        assert [line.confidence for line in report.chains] == [expected]


@pytest.mark.rule("A34", "A40")
def test_a_chain_with_a_refuted_member_is_gone() -> None:
    def refuting(task):
        event = validator(task)
        bad = [each for each in validator(task, Verdict.REJECTED).reply.judgements if each.finding_id == "F001"]
        fine = [each for each in event.reply.judgements if each.finding_id != "F001"]
        return replace(event, reply=replace(event.reply, judgements=(*bad, *fine)))

    report = report_of(play_on(audit(Mode.STANDARD), hunter=hunter(secret(), forged()), validator=refuting))
    assert report.chains == ()


@pytest.mark.rule("A34", "A39", "A40")
def test_a_chain_survives_when_a_member_is_merged_into_its_duplicate() -> None:
    twin = secret(title="The same, in other words")
    report = report_of(play_on(audit(Mode.STANDARD), hunter=hunter(secret(), twin, forged())))
    assert len(report.findings) == 2
    (line,) = report.chains
    assert set(line.numbers) == {row.number for row in report.findings}


# Severity is monotone

RATINGS = st.builds(Rating, st.just(Reach.ANONYMOUS), st.sampled_from(list(Impact)), stringent_conditions=st.integers(0, 2))


@st.composite
def some_findings(draw) -> tuple[Finding, ...]:
    """Findings at few places, so that some are duplicates, share a type, or link to each other."""
    made: list[Finding] = []
    for number in range(draw(st.integers(1, 6))):
        base = draw(st.sampled_from([secret(), forged(), written(), executed()]))
        broken = draw(st.booleans())
        flow = draw(st.sampled_from([None, THROUGH_THE_FILE, replace(THROUGH_THE_FILE, broken_by=Break.CALLBACK)]))
        confidence = draw(st.sampled_from(Confidence))
        given_ = replace(base.proof, assumptions=(OPEN,)) if broken else base.proof
        made.append(
            replace(
                base,
                id=f"F{number:03}",
                found_by=(draw(st.sampled_from("abc")),),
                rating=draw(RATINGS),
                severity=draw(st.sampled_from(list(Severity))),
                rule=draw(st.sampled_from(["one", "two", ""])),
                flow=flow,
                confidence=confidence,
                proof=given_,
                validation=PASSED,
            )
        )
    return tuple(made)


def severities(findings: tuple[Finding, ...]) -> dict[tuple[int, Location], int]:
    """The highest severity reported for each weakness at each place, all of them validated."""
    ruled = resolve(findings, {each.id: Ruling(judged(each)) for each in findings}, {}, ()).ruled
    rows = merge.reported(ruled, validating=True)
    found: dict[tuple[int, Location], int] = {}
    for row in rows:
        for place in (row.finding.location, *row.finding.also):
            key = (row.finding.cwe, place)
            found[key] = max(found.get(key, 0), row.severity.rank)
    return found


@pytest.mark.rule("A57")
@settings(max_examples=examples(120), deadline=None)
@given(some_findings(), some_findings())
def test_no_added_finding_lowers_another_findings_severity(before: tuple[Finding, ...], more: tuple[Finding, ...]) -> None:
    added = tuple(replace(each, id=f"G{number:03}", found_by=("d",)) for number, each in enumerate(more))
    alone = severities(before)
    together = severities((*before, *added))
    assert all(together[key] >= rank for key, rank in alone.items())


@pytest.mark.rule("A34")
@settings(max_examples=examples(100), deadline=None)
@given(some_findings(), st.booleans())
def test_no_pair_is_passed_over(findings: tuple[Finding, ...], follow: bool) -> None:
    """Not every pair is asked, only those that could link; asking all of them finds no more."""
    flows = (THROUGH_THE_FILE,) if follow else ()
    serious = chains.grave(findings)
    every = [chains.link(first, then, flows) for first in serious for then in serious]
    assert chains.links(findings, flows) == tuple(each for each in every if each)
    pairs = sum(chains.separate(one, other) for one, other in combinations(serious, 2))
    assert chains.chained(findings, flows).pairs_checked == pairs


@pytest.mark.rule("A57")
def test_a_broken_flow_never_replaces_a_whole_one_nor_a_weak_proof_a_strong_one() -> None:
    whole = executed(flow=THROUGH_THE_FILE)
    weak = executed(
        id="F009",
        found_by=("x",),
        severity=Severity.CRITICAL,
        flow=replace(THROUGH_THE_FILE, broken_by=Break.CALLBACK),
        confidence=Confidence.MEDIUM,
        proof=None,
    )
    for pair in ((whole, weak), (weak, whole), (replace(whole, flow=None), weak)):
        (kept,), _ = deduplicated(pair)
        assert kept.proof == whole.proof
        assert kept.flow == THROUGH_THE_FILE or THROUGH_THE_FILE not in [each.flow for each in pair]
        assert kept.severity is Severity.CRITICAL


@pytest.mark.rule("A57")
def test_a_twin_with_a_broken_flow_leaves_a_proof_whole() -> None:
    sure = executed(flow=None)
    twin = executed(id="F009", found_by=("x",), flow=replace(THROUGH_THE_FILE, broken_by=Break.CALLBACK))
    for pair in ((sure, twin), (twin, sure)):
        (kept,), _ = deduplicated(pair)
        assert confidence_of(kept) is confidence_of(sure) is Level.PROVED


@pytest.mark.rule("A57")
def test_a_finding_that_takes_another_in_keeps_its_links() -> None:
    """Two hunters see one weakness by different ways; only one way passes the key. Whichever of them is kept, the link stays."""
    other = proof(
        Shape.FLOW, (Part.ENTRY, at("app.py", 38), Operation.READ, "form"), (Part.SINK, at("app.py", 42), Operation.CALL, "x")
    )
    twin = forged(id="F003", proof=other, found_by=("three",))
    before = (secret(), forged(), twin)
    for kept, gone in ((twin, "F002"), (forged(), "F003")):
        (link,) = chains.chained((secret(), kept), (), before, ((gone, kept.id),)).links
        assert (link.first, link.then) == ("F001", kept.id)
    assert chains.chained((secret(), twin)).links == (), "by itself it has none"
