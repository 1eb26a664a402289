"""Phase 4b: verdicts applied, duplicates merged, severity set (A38, A39, A41)."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterproof.model.confidence import Confidence
from counterproof.model.contract import AgentTask
from counterproof.model.finding import Finding, StepResult, Validation
from counterproof.model.flow import Break, Flow
from counterproof.model.judgement import HitJudgement, HitVerdict, Judgement, Verdict
from counterproof.model.location import at
from counterproof.model.severity import Severity
from counterproof.protocols.audit import merge
from counterproof.protocols.audit.deduplication import deduplicated, same
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.resolution import (
    DOWNGRADED,
    NEEDS_MANUAL,
    PRE_VALIDATED,
    UNREPRODUCED,
    UNVALIDATED,
    VALIDATED,
    Ruled,
    resolve,
)
from counterproof.protocols.audit.ruling import Opinion, Ruling, rule_on
from effort import examples
from protocols.audit.cast import (
    FITTING,
    MILD,
    a_flow,
    audit,
    from_hit,
    grave,
    hits,
    hunter,
    judged,
    low,
    medium,
    play_on,
    report_of,
    steps,
    validator,
)
from protocols.audit.play import a_finding, whole_quick_audit

ONE = grave(1, id="F001", found_by=("a",), poc="curl")


def word(verdict: Verdict = Verdict.CONFIRMED, validation: Validation | None = None) -> Judgement:
    return Judgement("F001", verdict, validation or FITTING[verdict], at("app.py", 20))


def verdict_on(finding: Finding, *said: tuple[Judgement, ...]) -> Judgement | None:
    return rule_on(finding, [Opinion(f"v{number}", words) for number, words in enumerate(said)], 4).judgement


def settled(*findings: Finding, hits: tuple[HitJudgement, ...] = (), unjudged: dict[str, str] | None = None, **verdicts: Verdict):
    given_ = {each.id: Ruling(judged(each, verdicts[each.id])) for each in findings if each.id in verdicts}
    return resolve(findings, given_, unjudged or {}, hits)


# A38: what counts as a validation


@pytest.mark.rule("A38")
@pytest.mark.parametrize(
    ("verdict", "validation", "counts"),
    [
        (Verdict.CONFIRMED, steps(), True),
        (Verdict.CONFIRMED, Validation(), False),
        (Verdict.CONFIRMED, steps(StepResult.PASS, StepResult.PASS, StepResult.PASS, StepResult.SKIP), False),
        (Verdict.CONFIRMED, steps(StepResult.PARTIAL), False),
        (Verdict.CONFIRMED, steps(StepResult.PASS, StepResult.PASS, StepResult.PASS, StepResult.FAIL), False),
        (Verdict.DOWNGRADED, steps(StepResult.PARTIAL), True),
        (Verdict.DOWNGRADED, steps(), False),
        (Verdict.REJECTED, steps(StepResult.FAIL), True),
        (Verdict.REJECTED, steps(), False),
        (Verdict.REJECTED, Validation(), False),
    ],
)
def test_a_verdict_needs_four_steps_with_reasons_that_agree_with_it(verdict, validation, counts: bool) -> None:
    assert word(verdict, validation).counts(4) is counts


@pytest.mark.rule("A38")
def test_a_verdict_names_a_line() -> None:
    assert not replace(word(), at=None).counts(4)


@pytest.mark.rule("A38")
def test_a_validator_that_contradicts_itself_is_not_believed() -> None:
    both = (word(Verdict.CONFIRMED), word(Verdict.REJECTED))
    assert verdict_on(ONE, both) is None
    assert verdict_on(ONE, both, (word(),)) == word()


@pytest.mark.rule("A38")
def test_where_validators_contradict_each_other_a_person_decides() -> None:
    assert verdict_on(ONE, (word(Verdict.CONFIRMED),), (word(Verdict.REJECTED),)) is None
    assert verdict_on(ONE, (word(),), (word(),)) == word()
    assert verdict_on(ONE) is None


@pytest.mark.rule("A38")
def test_critical_and_high_left_unvalidated_keep_their_severity_and_need_a_person() -> None:
    claimed = replace(ONE, proof=None)
    done = settled(claimed)
    (row,) = merge.reported(done.ruled, validating=True)
    assert (row.severity, row.confidence, row.labels) == (Severity.HIGH, Confidence.CLAIMED, (UNVALIDATED, NEEDS_MANUAL))
    assert done.unvalidated == 1


@pytest.mark.rule("A38")
def test_a_proved_finding_needs_no_label() -> None:
    (row,) = merge.reported(settled(ONE).ruled, validating=True)
    assert (row.severity, row.confidence, row.labels) == (Severity.HIGH, Confidence.PROVED, ())


@pytest.mark.rule("A38")
def test_quick_labels_nothing_because_it_validates_nothing() -> None:
    (row,) = merge.reported((Ruled(replace(ONE, proof=None), (UNVALIDATED,)),))
    assert (row.severity, row.labels) == (Severity.HIGH, (UNVALIDATED,))


# A39: keep, recalibrate, remove


@pytest.mark.rule("A39")
def test_confirmed_stays_with_the_validators_steps() -> None:
    (ruled,) = settled(ONE, F001=Verdict.CONFIRMED).ruled
    assert (ruled.labels, ruled.confidence) == ((VALIDATED,), Confidence.PROVED)
    assert ruled.finding.validation == FITTING[Verdict.CONFIRMED]


@pytest.mark.rule("A39")
def test_downgraded_is_no_longer_proved_and_keeps_its_severity() -> None:
    done = settled(ONE, F001=Verdict.DOWNGRADED)
    (row,) = merge.reported(done.ruled, validating=True)
    assert (row.severity, row.confidence, row.labels[0]) == (Severity.HIGH, Confidence.CLAIMED, DOWNGRADED)
    assert done.downgraded == 1


@pytest.mark.rule("A39")
def test_rejected_is_removed_and_listed_with_its_reason() -> None:
    play = play_on(audit(Mode.STANDARD), hunter=hunter(grave(1)), validator=lambda task: validator(task, Verdict.REJECTED))
    report = report_of(play)
    assert report.findings == ()
    (gone,) = report.rejected
    assert (gone.title, gone.place, gone.reason, gone.at) == ("Problem 1", "app.py:30", "seen in the code", "app.py:20")


@pytest.mark.rule("A39", "A24")
def test_a_broken_flow_is_claimed_at_most_without_somebody_who_closes_it() -> None:
    broken = replace(ONE, flow=Flow(a_flow(3).steps, Break.CALLBACK))
    (ruled,) = settled(broken, F001=Verdict.CONFIRMED).ruled
    assert ruled.confidence is Confidence.CLAIMED


@pytest.mark.rule("A39")
def test_confirmed_hits_join_with_numbers_of_their_own() -> None:
    hit = hits(1)[0]
    entry = HitJudgement(hit.id, HitVerdict.CONFIRMED, "reached", from_hit(hit))
    done = settled(ONE, hits=(entry,), F001=Verdict.CONFIRMED)
    assert [(each.finding.id, each.finding.found_by) for each in done.ruled] == [("F002", ("semgrep",)), ("F001", ("a",))]


# A39: the same issue or not

HERE = a_finding(20, id="F001", found_by=("a",), function="view")


@pytest.mark.rule("A39")
@pytest.mark.parametrize(
    ("change", "one_issue"),
    [
        ({}, True),
        ({"title": "other words", "rule": "other.rule", "flow": None}, True),
        ({"cwe": 78}, False),
        ({"location": at("other.py", 20)}, False),
        ({"location": at("app.py", 25)}, True),
        ({"location": at("app.py", 25), "rule": "other"}, True),
        ({"location": at("app.py", 26)}, True),
        ({"location": at("app.py", 26), "rule": "other"}, False),
        ({"location": at("app.py", 21), "function": "other"}, False),
        ({"location": at("app.py", 21), "function": ""}, False),
        ({"location": at("app.py", 21), "flow": a_flow(3)}, False),
        ({"location": at("app.py", 21), "flow": None}, False),
    ],
)
def test_same_place_or_same_flow_or_one_root_cause(change: dict[str, object], one_issue: bool) -> None:
    other = replace(HERE, id="F002", found_by=("b",), **change)
    assert same(HERE, other) is same(other, HERE) is one_issue
    kept, dropped = deduplicated((HERE, other))
    assert (len(kept), len(dropped)) == ((1, 1) if one_issue else (2, 0))


@pytest.mark.rule("A39")
def test_merge_keeps_the_highest_severity_and_all_sources_evidence_and_places() -> None:
    other = replace(
        HERE,
        id="F002",
        found_by=("b",),
        severity=Severity.CRITICAL,
        location=at("app.py", 23),
        guards=("login",),
        poc="curl",
    )
    (kept,), dropped = deduplicated((HERE, other))
    assert dropped == (("F002", "F001"),)
    assert (kept.id, kept.severity, kept.found_by) == ("F001", Severity.CRITICAL, ("a", "b"))
    assert kept.also == (at("app.py", 23),)
    assert (kept.poc, kept.guards, kept.evidence) == ("curl", ("login",), HERE.evidence)


@pytest.mark.rule("A39", "A62")
@pytest.mark.parametrize(("finder", "line", "one_issue"), [("b", 23, True), ("a", 23, False), ("b", 33, False)])
def test_claims_of_two_agents_nearby_in_one_function_are_one_issue(finder: str, line: int, one_issue: bool) -> None:
    claim = replace(HERE, rule="", flow=None, proof=None, function="view", found_by=("a",))
    other = replace(claim, id="F002", location=at("app.py", line), found_by=(finder,))
    assert same(claim, other) is same(other, claim) is one_issue


@pytest.mark.rule("A39")
def test_evidence_of_one_place_is_merged_up_to_three_lines() -> None:
    many = replace(HERE, id="F002", evidence="one\ntwo\nthree")
    (kept,), _ = deduplicated((HERE, many))
    assert kept.evidence == "db.execute(query)\none\ntwo"


@pytest.mark.rule("A39")
def test_an_unvalidated_twin_neither_hides_nor_outshines_a_validated_one() -> None:
    loud = replace(ONE, id="F002", severity=Severity.CRITICAL, found_by=("b",))
    done = settled(replace(ONE, function="view"), loud, F001=Verdict.CONFIRMED)
    (row,) = merge.reported(done.ruled, validating=True)
    assert (row.finding.id, row.severity, row.confidence) == ("F001", Severity.HIGH, Confidence.PROVED)


@pytest.mark.rule("A39")
def test_the_draw_of_a_second_look_does_not_decide_which_place_speaks_for_a_weakness() -> None:
    first = replace(ONE, function="view", rating=MILD)
    second = replace(first, id="F002", location=at("app.py", 23))
    kept = []
    for drawn, other in (("F001", "F002"), ("F002", "F001")):
        done = settled(first, second, unjudged={other: PRE_VALIDATED}, **{drawn: Verdict.CONFIRMED})
        kept.append([each.finding.location for each in done.ruled])
    assert kept == [[first.location]] * 2


@pytest.mark.rule("A39")
def test_highest_confirmed_severity_is_kept() -> None:
    mild = replace(ONE, id="F002", rating=MILD, found_by=("b",))
    done = settled(ONE, mild, F001=Verdict.CONFIRMED, F002=Verdict.CONFIRMED)
    (row,) = merge.reported(done.ruled, validating=True)
    assert (row.finding.id, row.severity) == ("F001", Severity.HIGH)


FINDINGS = st.builds(
    lambda line, cwe, function, finder, severity: (line, cwe, function, finder, severity),
    st.integers(2, 12),
    st.sampled_from([78, 89]),
    st.sampled_from(["", "view", "save"]),
    st.sampled_from("abc"),
    st.sampled_from(list(Severity)),
)


@pytest.mark.rule("A39")
@settings(max_examples=examples(80), deadline=None)
@given(st.lists(FINDINGS, max_size=12), st.randoms(use_true_random=False))
def test_deduplication_loses_nothing_and_ignores_the_order(specs, chance) -> None:
    found = [
        a_finding(line, id=f"F{n:03}", cwe=cwe, function=function, found_by=(finder,), severity=severity)
        for n, (line, cwe, function, finder, severity) in enumerate(specs)
    ]
    kept, dropped = deduplicated(tuple(found))
    assert sorted([each.id for each in kept] + [gone for gone, _ in dropped]) == [each.id for each in found]
    shuffled = list(found)
    chance.shuffle(shuffled)
    assert deduplicated(tuple(shuffled)) == (kept, dropped)
    assert {each.location for each in found} == {place for each in kept for place in (each.location, *each.also)}


@pytest.mark.rule("A39")
def test_only_phase_four_deduplicates() -> None:
    twins = (grave(1), grave(1, title="In other words"))
    play = play_on(audit(Mode.STANDARD), hunter=hunter(*twins))
    assert len(play.state.merged) == 2
    assert len(report_of(play).findings) == 1
    assert report_of(play).validation.duplicates == 1  # type: ignore[union-attr]
    assert len(whole_quick_audit(*twins).commands[0].report.findings) == 2  # type: ignore[union-attr]


# A41


@pytest.mark.rule("A41")
@pytest.mark.parametrize(
    ("change", "labels", "reason"),
    [
        ({"poc": "curl"}, (), ""),
        ({"no_poc_reason": "needs hardware"}, (UNREPRODUCED, NEEDS_MANUAL), "needs hardware"),
        ({}, (UNREPRODUCED, NEEDS_MANUAL), "the finder gave neither a proof of concept nor a reason"),
    ],
)
def test_severe_findings_have_a_proof_of_concept_or_the_reason_for_its_absence(change, labels, reason: str) -> None:
    (row,) = report_of(play_on(audit(Mode.STANDARD), hunter=hunter(grave(1, **change)))).findings
    assert (row.severity, row.labels, row.finding.no_poc_reason) == (Severity.HIGH, labels, reason)


@pytest.mark.rule("A41")
def test_the_severity_that_is_shown_decides_not_the_finders_word() -> None:
    modest = grave(1, severity=Severity.MEDIUM)
    boastful = medium(2, severity=Severity.HIGH)
    rows = report_of(play_on(audit(Mode.STANDARD), hunter=hunter(modest, boastful))).findings
    assert {row.finding.title: UNREPRODUCED in row.labels for row in rows} == {"Problem 1": True, "Problem 2": False}


@pytest.mark.rule("A41")
@pytest.mark.parametrize("finding", [medium(1), low(1)])
def test_lesser_findings_need_no_proof(finding: Finding) -> None:
    (row,) = report_of(play_on(audit(Mode.STANDARD), hunter=hunter(finding))).findings
    assert UNREPRODUCED not in row.labels


@pytest.mark.rule("A38", "A41")
def test_a_validator_never_sets_severity() -> None:
    assert "severity" not in Judgement.__dataclass_fields__

    def checked(task: AgentTask):
        return validator(task)

    (row,) = report_of(play_on(audit(Mode.STANDARD), hunter=hunter(grave(1, poc="x")), validator=checked)).findings
    assert row.finding.severity is Severity.HIGH
    assert row.labels == ()
