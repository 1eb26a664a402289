"""Who did the work, and what it is worth: analysts and models kept apart, whatever the models do (A52 to A54, A59, F19, X20)."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from counterproof.model.agents import AgentStatus
from counterproof.model.confidence import Confidence
from counterproof.model.contract import AgentTask, Claim, Role
from counterproof.model.coverage import Status
from counterproof.model.dimension import Dimension
from counterproof.model.fact import Fact, Operation
from counterproof.model.finding import Corroboration, Finding, StepResult, Validation, ValidationStep
from counterproof.model.judgement import HitJudgement, HitVerdict, Judgement, Verdict
from counterproof.model.ledger import Call, Ledger, Read, Search
from counterproof.model.location import at
from counterproof.model.receipt import Exit
from counterproof.model.severity import Ground, Severity
from counterproof.protocols.audit import archive
from counterproof.protocols.audit.coverage import Evidence
from counterproof.protocols.audit.events import AgentFinished
from counterproof.protocols.audit.merge import unique
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.request import AuditRequest, ModelTerms
from counterproof.protocols.audit.resolution import DISPUTED
from counterproof.protocols.audit.ruling import SAME_MODEL, Finders, Opinion, rule_on
from counterproof.protocols.audit.state import Stage, Work
from counterproof.protocols.guard.citations import Checks, Refutation
from effort import examples
from protocols.audit.cast import (
    CAST,
    FITTING,
    Part,
    audit,
    diver,
    empty_handed,
    failing,
    from_hit,
    grave,
    hits,
    hunter,
    medium,
    play_on,
    report_of,
    roomy,
    scan,
    told,
    validator,
    waiting,
)
from protocols.audit.play import NOW, Play, finished

EVERYBODY = tuple(Role)
MINE = (grave(1, poc="x"), grave(2, Dimension.D7, flow=None, poc="x"), medium(3))


def claim(number: int = 7, **changes: object) -> Finding:
    """What a model claims: it has no rule."""
    return grave(number, **{"rule": "", "poc": "x", "validation": FITTING[Verdict.CONFIRMED], **changes})


def either(analyst: Part, model: Part) -> Part:
    return lambda task: model(task) if task.model else analyst(task)


def modelled(models: dict[Role, Part], mode: Mode = Mode.STANDARD, *found: Finding, **changes: object) -> Play:
    """An audit whose analysts find `found` and whose models play these parts in the roles that they have."""
    analysts = {**CAST, Role.HUNTER: hunter(*found)}
    parts = {role.name.lower(): either(analysts[role], models.get(role, analysts[role])) for role in Role}
    return play_on(audit(mode, models=tuple(models), **changes), **parts)


def plain(mode: Mode = Mode.STANDARD, *found: Finding) -> Play:
    return play_on(audit(mode), hunter=hunter(*found))


# A52: credit


@pytest.mark.rule("A52")
def test_a_model_works_on_tasks_of_its_own_beside_the_analysts() -> None:
    play = audit(Mode.STANDARD, models=EVERYBODY)
    names = [(task.agent_id, task.model) for task in waiting(play)]
    assert [name for name, model in names if not model] == [task.agent_id for task in waiting(audit(Mode.STANDARD))]
    assert [name for name, model in names if model] == ["model-r1-01"]
    assert {row.agent_id: row.model for row in play.state.registry} == dict(names)


@pytest.mark.rule("A52")
def test_nobody_is_credited_with_anothers_work() -> None:
    play = modelled(dict.fromkeys((Role.HUNTER, Role.DEEP_DIVER), empty_handed), Mode.STANDARD, *MINE)
    report = report_of(play)
    analysts, models = report.shares
    assert (analysts.covered, analysts.findings) == (9, 3)
    assert (models.covered, models.findings, models.searches) == (0, 0, 0)
    assert {row.findings for row in report.agents if row.model} == {0}
    assert any("findings=3 (analysts 3; models 0),coverage=9/9 (analysts 9/9; models 0/" in line for line in told(play))
    assert all(row.finding.corroboration is Corroboration.ANALYSERS_ALONE for row in report.findings)


@pytest.mark.rule("A52")
def test_a_model_that_looked_at_nothing_is_named_for_each_dimension() -> None:
    def idle(task: AgentTask):
        reads = Read(("app.py",), task.dimensions[:1])
        return finished(task, ledger=Ledger(reads=(reads,)))

    report = report_of(modelled({Role.HUNTER: idle}, Mode.STANDARD, *MINE))
    assert "model-r1-01 (model) read and searched no files in D2, D3, D4, D5, D6, D7, D8, D9, D10." in report.limitations
    assert not any("agent-r1" in line and "searched no files" in line for line in report.limitations)


@pytest.mark.rule("A52", "F19")
def test_a_model_team_that_fails_altogether_takes_nothing_with_it() -> None:
    without, play = plain(Mode.STANDARD, *MINE), modelled(dict.fromkeys(EVERYBODY, failing), Mode.STANDARD, *MINE)
    report, alone = report_of(play), report_of(without)
    assert [(row.number, row.severity) for row in report.findings] == [(row.number, row.severity) for row in alone.findings]
    assert report.covered == alone.covered
    assert (report.dive, report.validation) == (alone.dive, alone.validation)
    assert {each.code for each in report.outcome.reasons} == {Exit.FINDINGS, Exit.INCOMPLETE}
    assert any(line.startswith("Agent model-r1-01 failed") for line in report.banners)
    clean = report_of(modelled(dict.fromkeys(EVERYBODY, failing)))
    assert clean.outcome.exit is Exit.INCOMPLETE


@pytest.mark.rule("A52")
def test_a_models_hits_do_not_undo_an_absence_that_analysts_showed() -> None:
    def absent(task: AgentTask):
        searches = tuple(Search(d, kind, query, 0) for d in task.dimensions for kind, query in ("ab", "ac", "bd"))
        return finished(task, ledger=Ledger((Read(("app.py",), task.dimensions),), searches))

    def hitting(task: AgentTask):
        searches = tuple(Search(d, "a", "x", 1, ("app.py",)) for d in task.dimensions)
        return finished(task, ledger=Ledger((Read(("app.py",), task.dimensions),), searches))

    both = play_on(audit(Mode.STANDARD, models=(Role.HUNTER,)), hunter=either(absent, hitting))
    assert report_of(both).covered == report_of(play_on(audit(Mode.STANDARD), hunter=absent)).covered > 0


# Whatever models do, the analysts' part is the part of the audit without them


def judging(verdict: Verdict) -> Part:
    return lambda task: validator(task, verdict)


def cut(task: AgentTask) -> AgentFinished:
    return finished(task, ended=False)


BEHAVIOURS: dict[Role, list[Part]] = {
    Role.HUNTER: [hunter(), hunter(claim(7), claim(1, title="Mine too", location=MINE[0].location)), empty_handed, failing, cut],
    Role.CHAIN_CHECKER: [hunter(), failing, cut],
    Role.DEEP_DIVER: [diver, lambda task: diver(task, claim(8)), failing],
    Role.VALIDATOR: [judging(verdict) for verdict in Verdict] + [failing],
    Role.HIT_VERIFIER: [CAST[Role.HIT_VERIFIER], failing],
}


@st.composite
def teams(draw) -> dict[Role, Part]:
    roles = draw(st.lists(st.sampled_from(EVERYBODY), min_size=1, max_size=5, unique=True))
    return {role: draw(st.sampled_from(BEHAVIOURS[role])) for role in roles}


@pytest.mark.rule("A52", "A53", "A54", "F19")
@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(teams(), st.sampled_from([Mode.STANDARD, Mode.DEEP]))
def test_a_failing_agent_never_removes_anothers_work(team: dict[Role, Part], mode: Mode) -> None:
    without, play = plain(mode, *MINE), modelled(team, mode, *MINE)
    report, alone = report_of(play), report_of(without)
    hunted = [task for task in play.state.tasks if not task.model and task.role in (Role.HUNTER, Role.DEEP_DIVER)]
    before = [task for task in without.state.tasks if task.role in (Role.HUNTER, Role.DEEP_DIVER)]
    assert sorted(hunted, key=lambda task: task.id) == sorted(before, key=lambda task: task.id)
    shown = {row.finding.location: row.severity.rank for row in report.findings}
    assert all(shown[row.finding.location] >= row.severity.rank for row in alone.findings)
    assert report.covered >= alone.covered
    assert report.outcome.exit in (Exit.FINDINGS,)
    assert {"3", "4"} <= set(play.state.marked)


# A53: a word needs a typed reason and a judge that is not the finder

FACT = Fact(at("app.py", 20), Operation.CALL, "execute")
TRUE, FALSE = Checks((FACT,)), Checks()


def word(verdict: Verdict, first: Verdict | None = None, fact: Fact | None = FACT) -> Judgement:
    outcome = {Verdict.CONFIRMED: StepResult.PASS, Verdict.DOWNGRADED: StepResult.PARTIAL, Verdict.REJECTED: StepResult.FAIL}
    step = ValidationStep(outcome[verdict], "clearly", at("app.py", 20), fact)
    return Judgement("F001", verdict, Validation(step, step, step, step), at("app.py", 20), first or verdict)


def says(verdict: Verdict, model: str = "b", checks: Checks = TRUE, **given_: object) -> Opinion:
    return Opinion(f"validator of {model or 'analysts'}", (word(verdict, **given_),), model, checks)


C, D, R = Verdict.CONFIRMED, Verdict.DOWNGRADED, Verdict.REJECTED
FOUND = grave(1, id="F001", found_by=("agent-r1-01",))
CLAIMED = claim(1, id="F001", found_by=("model-r1-01",))
DEFENCE = Checks((FACT,), (Refutation("F001", FACT, "it is quoted before"),))


@pytest.mark.rule("A53")
@pytest.mark.parametrize(
    ("opinion", "confirmed"),
    [
        (says(C), True),
        (says(C, checks=FALSE), False),
        (says(C, fact=None), False),
        (says(C, first=R), False),
        (says(C, first=D), False),
        (says(C, model=""), True),
        (says(C, model="", checks=FALSE, fact=None), True),
    ],
)
def test_a_models_confirmation_needs_true_facts_and_its_own_first_look(opinion: Opinion, confirmed: bool) -> None:
    ruling = rule_on(CLAIMED, (opinion,), 4, Finders(frozenset({"a"})))
    assert (ruling.judgement is not None) is confirmed
    assert not ruling.relation


@pytest.mark.rule("A53")
def test_a_claim_confirmed_by_its_model_in_another_context_counts_and_is_labelled() -> None:
    ruling = rule_on(CLAIMED, (says(C, "a"),), 4, Finders(frozenset({"a"})))
    assert (ruling.relation, ruling.validates) == (SAME_MODEL, True)
    assert not rule_on(CLAIMED, (says(C, "a"), says(C, "")), 4, Finders(frozenset({"a"}))).relation
    assert not rule_on(CLAIMED, (says(C, "a"), says(C, "b")), 4, Finders(frozenset({"a"}))).relation


@pytest.mark.rule("A53")
def test_the_report_says_where_one_model_played_both_parts() -> None:
    def confirms(task: AgentTask) -> AgentFinished:
        event = validator(task)
        words = tuple(replace(word(C), finding_id=each.id, at=each.location) for each in task.findings)
        return replace(event, reply=replace(event.reply, judgements=words), checks=TRUE)

    play = play_on(
        audit(Mode.STANDARD, models=(Role.HUNTER, Role.VALIDATOR)),
        hunter=either(hunter(), hunter(claim(7))),
        validator=either(lambda task: replace(validator(task), reply=replace(validator(task).reply, judgements=())), confirms),
    )
    report = report_of(play)
    (row,) = report.findings
    assert (row.severity, row.confidence, SAME_MODEL in row.labels) == (Severity.HIGH, Confidence.VALIDATED, True)


@pytest.mark.rule("A69")
def test_a_models_severe_unvalidated_claim_leaves_the_audit_incomplete() -> None:
    def silent(task: AgentTask) -> AgentFinished:
        return replace(validator(task), reply=replace(validator(task).reply, judgements=()))

    play = play_on(
        audit(Mode.STANDARD, models=(Role.HUNTER,)), hunter=either(hunter(), hunter(claim(7, proof=None))), validator=silent
    )
    report = report_of(play)
    assert [(row.severity, row.confidence) for row in report.findings] == [(Severity.HIGH, Confidence.CLAIMED)]
    assert report.outcome.exit is Exit.INCOMPLETE
    assert "1 finding not validated" in [reason.text for reason in report.outcome.reasons]


@pytest.mark.rule("A53")
def test_a_validator_is_not_the_finders_model_where_there_is_another() -> None:
    players = ((Role.HUNTER, "a"), (Role.DEEP_DIVER, "b"), (Role.VALIDATOR, "a"))
    request = AuditRequest("/shop", models=tuple(role for role, _ in players), terms=ModelTerms("a", players=players))
    assert request.judge_of(frozenset({"a"})) == "b"
    assert request.judge_of(frozenset({"b"})) == "a"
    assert request.judge_of(frozenset()) == "a"
    alone = replace(request, terms=ModelTerms("a", players=tuple((role, "a") for role, _ in players)))
    assert alone.judge_of(frozenset({"a"})) == "a"


@pytest.mark.rule("A53")
def test_every_severe_finding_is_validated_by_another_agent() -> None:
    play = modelled({Role.VALIDATOR: judging(C)}, Mode.STANDARD, *MINE)
    asked = {
        finding.id for task in play.state.tasks if task.role is Role.VALIDATOR and not task.model for finding in task.findings
    }
    assert {each.id for each in play.state.merged} == asked
    models = [task for task in play.state.tasks if task.role is Role.VALIDATOR and task.model]
    assert {finding.title for task in models for finding in task.findings} == {"Problem 1", "Problem 2"}


# A54: disagreement shows, and takes nothing away


@pytest.mark.rule("A54")
@pytest.mark.parametrize(
    ("finding", "opinions", "verdict", "disputed"),
    [
        (FOUND, (says(C, ""),), C, False),
        (FOUND, (says(C, ""), says(C)), C, False),
        (FOUND, (says(C, ""), says(R)), C, True),
        (FOUND, (says(C, ""), says(R, checks=FALSE)), C, True),
        (FOUND, (says(C, ""), says(D), says(R, "c")), C, True),
        (FOUND, (says(R, ""),), R, False),
        (FOUND, (says(R, ""), says(C)), D, True),
        (FOUND, (says(D, ""), says(R)), D, False),
        (FOUND, (says(R),), None, True),
        (FOUND, (says(C),), C, False),
        (CLAIMED, (says(R, ""),), None, True),
        (CLAIMED, (says(R, ""), says(R)), R, False),
        (CLAIMED, (says(R, ""), says(C)), C, True),
        (CLAIMED, (says(R),), R, False),
        (CLAIMED, (says(R, checks=FALSE),), None, False),
        (CLAIMED, (says(R), says(C, "c")), None, True),
        (CLAIMED, (says(C, ""), says(R)), C, True),
    ],
)
def test_the_ruling_for_each_combination_of_verdicts(finding: Finding, opinions, verdict: Verdict | None, disputed: bool) -> None:
    ruling = rule_on(finding, opinions, 4, Finders(frozenset({"a"})))
    assert (ruling.judgement.verdict if ruling.judgement else None, ruling.disputed) == (verdict, disputed)
    assert len(ruling.said) == sum(bool(each.model) for each in opinions)


@pytest.mark.rule("A54")
def test_an_analysts_finding_falls_only_by_a_defence_that_the_engine_confirms() -> None:
    fallen = rule_on(FOUND, (says(C, ""), says(R, checks=DEFENCE)), 4)
    assert (fallen.judgement.verdict if fallen.judgement else None, fallen.refuted) == (R, "it is quoted before")
    elsewhere = Checks((FACT,), (Refutation("F009", FACT, "it is quoted before"),))
    assert rule_on(FOUND, (says(C, ""), says(R, checks=elsewhere)), 4).refuted == ""


@pytest.mark.rule("A54", "X20")
def test_orders_in_the_text_leave_a_models_rejection_without_force() -> None:
    ordered = replace(TRUE, ordered=("app.py",))
    assert rule_on(CLAIMED, (says(R, checks=ordered),), 4, Finders(frozenset({"a"}))).judgement is None


@pytest.mark.rule("A54")
def test_disputed_findings_come_last_in_their_group_with_both_reasons_and_count() -> None:
    def rejects_first(task: AgentTask) -> AgentFinished:
        first = min(task.findings, key=lambda each: each.location)
        words = (replace(word(R), finding_id=first.id, at=first.location),)
        return AgentFinished(
            task.id, NOW, replace(validator(task).reply, judgements=words), validator(task).ledger, (), checks=TRUE
        )

    report = report_of(modelled({Role.VALIDATOR: rejects_first}, Mode.STANDARD, *MINE[:2]))
    assert [DISPUTED in each.labels for each in report.findings] == [False, True]
    first = report.findings[1]
    assert (first.finding.title, first.labels[0], first.confidence) == ("Problem 1", DISPUTED, Confidence.PROVED)
    assert first.said[0].startswith("model-validator-01 (model): rejected: clearly (call execute at app.py:20)")
    assert report.outcome.exit is Exit.FINDINGS
    assert first.severity is Severity.HIGH


@pytest.mark.rule("A54")
def test_a_model_cannot_talk_a_hit_away_and_may_add_one() -> None:
    found = hits(4)
    confirmed, rejected, manual, _ = found

    def said(hit, verdict: HitVerdict) -> HitJudgement:
        return HitJudgement(hit.id, verdict, "because", from_hit(hit) if verdict is HitVerdict.CONFIRMED else None)

    analysts = (said(confirmed, HitVerdict.CONFIRMED), said(rejected, HitVerdict.REJECTED), said(manual, HitVerdict.NEEDS_MANUAL))
    for verdict, expected in (
        (HitVerdict.REJECTED, [HitVerdict.CONFIRMED, HitVerdict.REJECTED, HitVerdict.NEEDS_MANUAL, HitVerdict.NEEDS_MANUAL]),
        (HitVerdict.CONFIRMED, [HitVerdict.CONFIRMED, HitVerdict.NEEDS_MANUAL, HitVerdict.CONFIRMED, HitVerdict.CONFIRMED]),
    ):
        kept = archive.archived(scan(*found), analysts, tuple(said(hit, verdict) for hit in found))
        assert [entry.verdict for entry in kept.entries] == expected


@pytest.mark.rule("A52")
def test_a_models_claim_about_an_analysts_finding_joins_it_and_weakens_nothing() -> None:
    task = audit(Mode.STANDARD, models=EVERYBODY).state.tasks
    own, other = task[0], task[-1]
    worded = {"title": "In other words", "severity": Severity.CRITICAL, "confidence": Ground.MEDIUM}
    near = claim(1, location=at("app.py", 31), flow=None, **worded)
    (found,), counts = unique((Work(own, None, Ledger(), (FOUND,)), Work(other, None, Ledger(), (near,))))
    assert (found.rule, found.confidence, found.severity) == (FOUND.rule, FOUND.confidence, Severity.CRITICAL)
    assert found.found_by == (own.agent_id, other.agent_id)
    assert found.corroboration is Corroboration.BOTH
    assert [(each.source, each.kept, each.repeats) for each in counts] == [(own.agent_id, 1, 0), (other.agent_id, 0, 1)]
    apart, _ = unique((Work(own, None, Ledger(), (FOUND,)), Work(other, None, Ledger(), (replace(near, cwe=78),))))
    assert len(apart) == 2


# A59 and X20


@pytest.mark.rule("A59")
def test_round_two_hands_a_model_the_searches_that_models_made() -> None:
    def searching(task: AgentTask) -> AgentFinished:
        event = empty_handed(task)
        return replace(event, ledger=replace(event.ledger, calls=(Call("grep", "execute", "src/**"),)))

    play = audit(Mode.DEEP, models=(Role.HUNTER,))
    while play.state.round == 1:
        task = waiting(play)[0]
        play.feed(either(hunter(*MINE), searching)(task))
    second = [task for task in play.state.tasks if task.round == 2]
    handed = {bool(task.model): task.context.transfer for task in second if task.context}
    assert [(each.pattern, each.scope) for each in handed[True].grep_done] == [("execute", "src/**")]
    assert not any(each.pattern == "execute" for each in handed[False].grep_done)
    assert handed[True].files_read == ("app.py",)


@pytest.mark.rule("A47")
def test_round_two_asks_a_model_first_for_the_dimension_that_models_left_open() -> None:
    def leaving(task: AgentTask) -> AgentFinished:
        event = hunter()(task)
        assert event.reply
        return replace(event, reply=replace(event.reply, claims=(Claim(Dimension.D10, Status.UNCOVERED, "not looked at"),)))

    def second(model: Part) -> set[Dimension]:
        play = audit(Mode.DEEP, models=(Role.HUNTER,))
        while play.state.round == 1:
            task = waiting(play)[0]
            play.feed(either(hunter(*MINE), model)(task))
        return {each for task in play.state.tasks if task.round == 2 and task.model for each in task.dimensions}

    assert second(leaving) - second(hunter()) == {Dimension.D10}


@pytest.mark.rule("A59", "A16")
def test_a_search_that_would_have_found_nothing_is_a_search_and_no_proof() -> None:
    blind = tuple(Search(Dimension.D1, kind, kind * 3, 0, probed=False) for kind in "abc")
    assert not Evidence(blind, (), ()).proves_absence()
    assert Evidence(tuple(replace(each, probed=True) for each in blind), (), ()).proves_absence()
    same = tuple(Search(Dimension.D1, kind, "one pattern", 0) for kind in "abc")
    assert not Evidence(same, (), ()).proves_absence()


@pytest.mark.rule("X20")
def test_a_file_that_gives_orders_and_that_only_models_read_is_unreviewed() -> None:
    def swayed(task: AgentTask) -> AgentFinished:
        return replace(finished(task), checks=Checks(ordered=("app.py", "only.go")))

    def elsewhere(task: AgentTask) -> AgentFinished:
        return diver(replace(task, files=()))

    hunters = either(hunter(), swayed)
    play = audit(Mode.STANDARD, roomy("only.go"), models=(Role.HUNTER,))
    report = report_of(play_on(play, hunter=hunters, deep_diver=elsewhere))
    assert "only.go contains instructions to its readers and only models read it: it counts as unreviewed." in report.banners
    assert not any(line.startswith("app.py holds") for line in report.banners)
    assert report.outcome.exit is Exit.INCOMPLETE


@pytest.mark.rule("A52")
def test_a_models_hunters_restart_apart_when_all_of_them_failed() -> None:
    play = play_on(audit(Mode.STANDARD, models=(Role.HUNTER,)), hunter=either(hunter(*MINE), failing))
    names = {row.agent_id: row.status for row in play.state.registry if "recovery" in row.agent_id}
    assert set(names) == {"model-r1-recovery-01", "model-r1-recovery-02"}
    assert set(names.values()) == {AgentStatus.FAILED}
    assert play.state.recovered == ("model",)
    assert play.stage is Stage.REPORTING
