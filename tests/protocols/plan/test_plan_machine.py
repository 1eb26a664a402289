"""Whole verifications: the tasks of each stage, the open challenges, the end."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterproof.model.errors import EngineBug, InvalidValue
from counterproof.model.plan.challenge import Basis, Challenge, Proposal, Question, Raiser, Response, Standing, Weight
from counterproof.model.plan.contract import Grounds, PlanReply, PlanRole, PlanTask, SourceCheck, Tool, Used
from counterproof.model.plan.iteration import Quality, Team, Verdict
from counterproof.model.plan.research import (
    ContextImpact,
    ContextSource,
    Directive,
    DirectiveKind,
    Probability,
    ProbedRisk,
    ResearchMode,
    SurfacedContext,
    Trigger,
    Unknown,
    UnknownResolution,
)
from counterproof.model.plan.score import Aspect, Mark, ScoreCard
from counterproof.model.receipt import Exit
from counterproof.protocols.plan import machine
from counterproof.protocols.plan.complexity import complexity, quality, team
from counterproof.protocols.plan.directives import KIND_OF
from counterproof.protocols.plan.events import AskUser, PlanRead, TaskDone, VerifyStarted, VerifyTimeUp
from counterproof.protocols.plan.request import VerifyRequest
from counterproof.protocols.plan.state import PlanState, Stage
from counterproof.reports.plan.states import state_document
from effort import examples
from protocols.plan.plans import Agent, Verification, card, challenge, challenging, grounded, outline, silent, unknown

B, S, M = Weight.BLOCKING, Weight.SIGNIFICANT, Weight.MINOR


def settling(*wishes: Proposal, directives: tuple[Directive, ...] = (), questions: tuple[Question, ...] = ()):
    def agent(task: PlanTask) -> PlanReply:
        if task.role is PlanRole.SYNTHESIZER and not task.scoring:
            return PlanReply(task.agent_id, task.iteration, proposals=wishes, directives=directives, questions=questions)
        return silent(task)

    return agent


@pytest.mark.rule("P2")
def test_the_complexity_sum() -> None:
    steps = tuple(replace(outline().steps[0], number=number) for number in range(1, 6))
    big = outline(steps=steps, domains=("a", "b", "c", "d"), systems=("Stripe",), compliance=("GDPR",), signals=("TBD", "TODO"))
    assert dict(complexity(big).parts) == {
        "steps": 3, "domains": 3, "external systems": 2, "compliance": 2, "unknown signals": 2, "referenced files": 0,
    }  # fmt: skip
    named = tuple(replace(outline().named[0], text=f"f{number}.py") for number in range(10))
    assert dict(complexity(outline(named=named)).parts)["referenced files"] == 1


@pytest.mark.rule("P2")
@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, Team.BASE),
        ({"systems": ("S3",), "compliance": ("GDPR",)}, Team.SCALED),
        ({"signals": ("TBD",) * 4, "steps": (), "domains": ()}, Team.SCALED),
    ],
)
def test_the_team(changed: dict[str, object], expected: Team) -> None:
    plan = outline(**changed)
    assert team(Quality.ADEQUATE, complexity(plan)) is expected
    assert team(Quality.THIN, complexity(plan)) is Team.BASE
    assert team(Quality.THIN, complexity(plan), Team.SCALED) is Team.SCALED
    assert team(Quality.ADEQUATE, complexity(plan), threshold=0) is Team.SCALED


@pytest.mark.rule("P2")
def test_a_trivial_plan_proceeds_before_any_iteration() -> None:
    tiny = outline(words=12, steps=outline().steps[:1], domains=())
    assert quality(tiny) is Quality.TRIVIAL
    played = Verification(silent).run(tiny)
    assert played.asked == []
    assert played.report is not None
    assert (played.report.report.verdict, played.report.report.iterations) == (Verdict.PROCEED_TRIVIAL, ())
    assert played.state.outcome is not None
    assert played.state.outcome.exit is Exit.CLEAN


@pytest.mark.rule("P3", "P15")
def test_a_quiet_verification_asks_each_role_once() -> None:
    played = Verification(silent).run()
    assert [(task.role, task.mode, task.scoring) for task in played.asked] == [
        (PlanRole.CHALLENGER, None, False),
        (PlanRole.RESEARCHER, ResearchMode.SURFACE, False),
        (PlanRole.RESEARCHER, ResearchMode.PROBE, False),
        (PlanRole.SYNTHESIZER, None, True),
        (PlanRole.CHALLENGER, None, True),
    ]
    assert played.report is not None
    assert played.report.report.verdict is Verdict.PROCEED
    assert len({task.id for task in played.asked}) == len(played.asked)


def undecided(asked: AskUser) -> tuple[Response, ...]:
    """A user who answers every question without deciding it."""
    return tuple(Response(each.challenge_id, "we will think about it", asked.iteration) for each in asked.questions)


@pytest.mark.rule("P3")
def test_research_modes_two_and_three_stay_in_iteration_one() -> None:
    played = Verification(challenging(challenge(1), challenge(2), challenge(3)), user=undecided).run()
    later = [task for task in played.asked if task.iteration > 1]
    assert {task.mode for task in later if task.role is PlanRole.RESEARCHER} == {ResearchMode.RESOLVE}
    assert max(task.iteration for task in later) == 3
    assert played.report is not None
    assert played.report.report.verdict is Verdict.REVISE_STRONG
    assert played.report.report.unmitigated == ("C1", "C2", "C3")


@pytest.mark.rule("P8")
def test_an_accepted_directive_sends_the_researcher_out_again() -> None:
    raised = [challenge(1), challenge(2), challenge(3)]
    wish = Proposal("C1", Standing.UNRESOLVED, "")
    cascade = Directive(DirectiveKind.RE_PROBE, Trigger.UNRESOLVED_CASCADES, ("C1",))
    baseless = Directive(DirectiveKind.RE_SWEEP, Trigger.USER_CHANGED_SCOPE, ("C1",))
    played = Verification(challenging(*raised, then=settling(wish, directives=(cascade, baseless))), user=lambda asked: ()).run()
    second = [task.mode for task in played.asked if task.iteration == 2 and task.role is PlanRole.RESEARCHER]
    assert second == [ResearchMode.PROBE, ResearchMode.RESOLVE]
    assert any("RE-SWEEP" in line and "refused" in line for line in played.state.log)


@pytest.mark.rule("P6", "P13")
def test_a_blocking_challenge_waits_for_the_user_whose_decision_settles_it() -> None:
    waiting = Verification(challenging(challenge(1, B))).run()
    assert waiting.state.stage is Stage.WAITING
    assert [question.challenge_id for question in waiting.questions[0].questions] == ["C1"]

    def user(asked: AskUser) -> tuple[Response, ...]:
        return (Response("C1", "change: use A", 0), Response("C9", "accept", 0))

    answered = Verification(challenging(challenge(1, B)), user).run()
    assert answered.report is not None
    assert answered.report.report.verdict is Verdict.PROCEED
    assert [(each.challenge_id, each.iteration) for each in answered.state.responses] == [("C1", 2)]
    assert answered.state.challenges[0].resolution == "The user's decision, the plan changes: use A"


@pytest.mark.rule("P19")
def test_any_other_answer_of_the_user_leaves_the_challenge_open_and_is_passed_on() -> None:
    def synthesizer(task: PlanTask) -> PlanReply:
        return settling(Proposal("C1", Standing.RESOLVED, "the user said so", Basis.USER))(task)

    def user(asked: AskUser) -> tuple[Response, ...]:
        return (Response("C1", "lol", 0),)

    played = Verification(challenging(challenge(1, B), then=synthesizer), user).run()
    assert played.report is not None
    assert played.report.report.verdict is Verdict.RETHINK
    second = next(task for task in played.asked if task.iteration == 2)
    assert [each.text for each in second.responses] == ["lol"]


@pytest.mark.rule("P16")
def test_a_text_that_is_no_plan_is_refused_without_a_verdict() -> None:
    played = Verification(silent).run(outline(no_plan="it is a licence"))
    assert played.state.outcome is not None
    assert played.state.outcome.exit is Exit.REFUSED
    assert "it is a licence" in played.state.outcome.reasons[0].text
    assert (played.report, played.asked, played.state.card) == (None, [], None)


@pytest.mark.rule("P20")
@pytest.mark.parametrize(
    ("grounds", "stands"),
    [
        ((Grounds("C1", (3,), ("app.py:3",)),), True),
        ((Grounds("C1", (3,), (), ("missing_name",)),), True),
        ((Grounds("C1", (3,), ("app.py:999",)),), False),
        ((Grounds("C1", (3,), (), ("present_name",)),), False),
        ((Grounds("C1", (3,)),), False),
        ((), False),
    ],
)
def test_a_challenge_needs_a_line_or_an_empty_search(grounds: tuple[Grounds, ...], stands: bool) -> None:
    def agent(task: PlanTask) -> PlanReply:
        if task.role is PlanRole.CHALLENGER and not task.scoring and task.iteration == 1:
            return PlanReply(task.agent_id, task.iteration, challenges=(challenge(1),), grounds=grounds)
        return silent(task)

    played = Verification(agent)
    missing = (SourceCheck("app.py:999", False, "no line"), SourceCheck("empty search: present_name", False, "a.py holds it"))
    played.checks = (*played.checks, SourceCheck("empty search: missing_name", True), *missing)
    played.run()
    assert played.report is not None
    report = played.report.report
    assert [each.id for each in report.challenges] == (["C1"] if stands else [])
    assert [each.id for each in report.ungrounded] == ([] if stands else ["C1"])
    assert report.verdict is (Verdict.REVISE if stands else Verdict.PROCEED)


@pytest.mark.rule("P18")
def test_critics_may_look_and_a_directive_lets_research_go_beyond_its_budget() -> None:
    raised = [challenge(1), challenge(2), challenge(3)]
    wish = Proposal("C1", Standing.UNRESOLVED, "")
    more = Directive(DirectiveKind.BUDGET, Trigger.BUDGET_USED_UP, ("Read",))
    never_short = Directive(DirectiveKind.BUDGET, Trigger.BUDGET_USED_UP, ("Grep",))
    played = Verification(challenging(*raised, then=settling(wish, directives=(more, never_short))), user=lambda asked: ())
    played.used = (Used(Tool.READ, 3, 1), Used(Tool.GREP, 1))
    played.run()
    critic = played.asked[0]
    assert {each.tool: each.calls for each in critic.allowances} == {Tool.READ: 6, Tool.GREP: 6}
    second = next(task for task in played.asked if task.iteration == 2 and task.mode is ResearchMode.RESOLVE)
    assert {each.tool: each.calls for each in second.allowances if each.tool in (Tool.READ, Tool.GREP)} == {
        Tool.READ: 10,
        Tool.GREP: 5,
    }
    assert any("BUDGET" in line and "refused" in line for line in played.state.log)


@pytest.mark.rule("P8", "P18")
@pytest.mark.parametrize(
    ("trigger", "about", "again", "iteration"),
    [
        (Trigger.NEW_BLOCKING_CONTRADICTS_CONTEXT, ("C1", "S1"), ResearchMode.SURFACE, 2),
        (Trigger.USER_CHANGED_SCOPE, ("C1",), ResearchMode.SURFACE, 3),
        (Trigger.UNKNOWN_REVEALED_DEPENDENCY, ("U1",), ResearchMode.PROBE, 2),
        (Trigger.UNRESOLVED_CASCADES, ("C1",), ResearchMode.PROBE, 2),
    ],
)
def test_every_condition_of_a_directive_can_be_met_and_sends_researchers_out_again(
    trigger: Trigger, about: tuple[str, ...], again: ResearchMode, iteration: int
) -> None:
    wish = Directive(KIND_OF[trigger], trigger, about, "more hangs on it")

    def agent(task: PlanTask) -> PlanReply:
        if task.mode is ResearchMode.SURFACE and task.iteration == 1:
            found = SurfacedContext("S1", ContextSource.CODEBASE, "app.py:3", "it says so", ContextImpact.CONTRADICTS_PLAN)
            return PlanReply(task.agent_id, task.iteration, contexts=(found,))
        if task.mode is ResearchMode.RESOLVE and task.iteration == 1:
            return PlanReply(task.agent_id, task.iteration, unknowns=(elsewhere,))
        return settling(Proposal("C1", Standing.UNRESOLVED, "work around it"), directives=(wish,))(task)

    elsewhere = replace(unknown(1), finding="[VERIFIED: other.py:90 | “y = 2” so X is used | the step fails]")
    played = Verification(challenging(challenge(1, B), then=agent), user=undecided)
    played.checks = (*played.checks, SourceCheck("other.py:90", True, quoted=("y = 2",)))
    played.run()
    sent = [task for task in played.asked if task.mode is again and task.iteration > 1]
    assert [task.iteration for task in sent][:1] == [iteration]
    assert [each.trigger for each in sent[0].directives] == [trigger]


@pytest.mark.rule("F19")
def test_no_number_of_a_models_challenges_keeps_a_proved_one_out() -> None:
    raised = tuple(challenge(number) for number in range(1, 11))

    def agent(task: PlanTask) -> PlanReply:
        if task.role is PlanRole.CHALLENGER and not task.scoring and task.iteration == 1:
            return PlanReply(task.agent_id, task.iteration, challenges=raised, grounds=grounded(*raised), established=("C10",))
        if task.mode is ResearchMode.SURFACE:
            own = (challenge(1, origin=Raiser.SURFACED),)
            return PlanReply(task.agent_id, task.iteration, challenges=own, grounds=grounded(*own), established=("C1",))
        return silent(task)

    played = Verification(agent, user=lambda asked: ()).run()
    standing_ids = {each.id for each in played.state.challenges}
    assert {"C10", "C11"} <= standing_ids
    assert len(standing_ids) == 8


@pytest.mark.rule("P6", "P13")
def test_blocking_after_three_iterations_is_a_rethink_with_its_questions() -> None:
    played = Verification(challenging(challenge(1, B)), user=undecided).run()
    assert played.report is not None
    report = played.report.report
    assert report.verdict is Verdict.RETHINK
    assert [question.challenge_id for question in report.questions] == ["C1"]
    assert [state.convergence.status for state in report.iterations] == ["BLOCKED", "BLOCKED", "FORCED_EXIT"]
    assert played.state.outcome is not None
    assert played.state.outcome.exit is Exit.FINDINGS


@pytest.mark.rule("P13")
def test_without_an_answer_nothing_is_put_again_and_the_plan_is_revised() -> None:
    played = Verification(challenging(challenge(1, B)), user=lambda asked: ()).run()
    assert played.report is not None
    report = played.report.report
    assert (report.verdict, len(report.iterations), len(played.questions)) == (Verdict.REVISE, 1, 1)
    assert [each.challenge_id for each in report.questions] == ["C1"]
    assert report.sentence == "A question that blocks the plan is not answered."


def researching(*unknowns: Unknown) -> Agent:
    def agent(task: PlanTask) -> PlanReply:
        found = unknowns if task.mode is ResearchMode.RESOLVE and task.iteration == 1 else ()
        return replace(silent(task), unknowns=found)

    return agent


@pytest.mark.rule("P6", "P13")
def test_a_blocking_error_that_evidence_confirms_revises_the_plan_without_a_question() -> None:
    second = replace(challenge(2, B), claim="The plan assumes more")
    played = Verification(challenging(challenge(1, B), second, then=researching(unknown(1)))).run()
    assert played.report is not None
    report = played.report.report
    assert (report.verdict, played.questions) == (Verdict.REVISE, [])
    assert report.sentence == "The plan cannot be implemented as it is written."
    assert [each.challenge_id for each in report.questions] == ["C2"]
    elsewhere = replace(unknown(1), finding="[VERIFIED: other.py:90 | “x = 1” so X is used | the step fails]")
    torn = (unknown(1), unknown(2, resolution=UnknownResolution.REFUTED))
    for found in ((elsewhere,), torn):
        asked = Verification(challenging(challenge(1, B), then=researching(*found)))
        asked.checks = (*asked.checks, SourceCheck("other.py:90", True, quoted=("x = 1",)))
        asked.run()
        assert [each.challenge_id for each in asked.questions[0].questions] == ["C1"]


@pytest.mark.rule("P3")
def test_only_what_is_new_is_researched_again() -> None:
    def user(asked: AskUser) -> tuple[Response, ...]:
        return undecided(asked)[:1] if asked.iteration == 1 else ()

    found = (unknown(1), unknown(2, resolution=UnknownResolution.REFUTED))
    raised = [challenge(number) for number in (1, 2, 3)]
    played = Verification(challenging(*raised, then=researching(*found)), user=user).run()
    again = [task for task in played.asked if task.mode is ResearchMode.RESOLVE and task.iteration == 2]
    assert [[each.id for each in task.challenges] for task in again] == [["C1"]]


@pytest.mark.rule("P13")
def test_a_question_says_its_concern_once() -> None:
    concern = challenge(1, B).concern.rstrip(".")
    for offered, said in (
        (f"{concern}. Now or later?", f"{concern}. Now or later?"),
        ("Now or later?", f"{concern}. Now or later?"),
    ):
        wording = settling(questions=(Question("C1", offered, ""),))
        played = Verification(challenging(challenge(1, B), then=wording), user=lambda asked: ()).run()
        assert played.questions[0].questions[0].text == said


@pytest.mark.rule("P13")
def test_a_stall_and_contradictory_research_are_asked_about() -> None:
    def agent(task: PlanTask) -> PlanReply:
        if task.mode is ResearchMode.RESOLVE and task.iteration == 1:
            torn = (unknown(1), unknown(2, resolution=UnknownResolution.REFUTED))
            return PlanReply(task.agent_id, task.iteration, unknowns=torn)
        return silent(task)

    played = Verification(challenging(challenge(1), challenge(2), challenge(3), then=agent), user=undecided).run()
    first, second = played.questions
    assert [(each.challenge_id, each.why) for each in first.questions] == [("C1", "research contradicts itself")]
    assert {each.challenge_id for each in second.questions} == {"C1", "C2", "C3"}


@pytest.mark.rule("P11", "P19")
def test_an_unknown_with_a_source_that_is_not_there_settles_nothing() -> None:
    def agent(task: PlanTask) -> PlanReply:
        if task.mode is ResearchMode.RESOLVE:
            return PlanReply(task.agent_id, task.iteration, unknowns=(unknown(1, resolution=UnknownResolution.REFUTED),))
        return settling(Proposal("C1", Standing.RESOLVED, "X is there", Basis.EVIDENCE, ("U1",)))(task)

    honest = Verification(challenging(challenge(1, B), then=agent)).run()
    assert honest.report is not None
    assert honest.report.report.verdict is Verdict.PROCEED
    for checks, why in (
        ((SourceCheck("app.py:4", True),), "it was not checked"),
        ((SourceCheck("app.py:3", True, quoted=("another text",)),), "it quotes no text found at its source"),
    ):
        lying = Verification(challenging(challenge(1, B), then=agent))
        ground = lying.checks
        lying.checks = checks
        lying.grounding = ground
        lying.run()
        assert lying.state.stage is Stage.WAITING
        assert lying.state.unknowns[0].resolution is UnknownResolution.UNRESOLVABLE
        assert why in lying.state.unknowns[0].finding


@pytest.mark.rule("P4")
def test_ids_are_counted_over_agents_and_iterations() -> None:
    def agent(task: PlanTask) -> PlanReply:
        if task.scoring or task.role is PlanRole.SYNTHESIZER or task.mode is ResearchMode.RESOLVE:
            return silent(task)
        if task.mode is ResearchMode.SURFACE:
            found = SurfacedContext("S1", ContextSource.CODEBASE, "app.py:3", "why", ContextImpact.CONTRADICTS_PLAN, "C1")
            raised = (challenge(1, M, origin=Raiser.SURFACED),)
            return PlanReply(task.agent_id, task.iteration, challenges=raised, grounds=grounded(*raised), contexts=(found,))
        if task.mode is ResearchMode.PROBE:
            risk = ProbedRisk("P1", "risk", "trigger", "cascade", Probability.LOW, M, "C1")
            raised = (challenge(1, M, origin=Raiser.PROBED),)
            return PlanReply(task.agent_id, task.iteration, challenges=raised, grounds=grounded(*raised), risks=(risk,))
        own = (challenge(1, M, origin=Raiser(task.role.value)),)
        return PlanReply(task.agent_id, task.iteration, challenges=own, grounds=grounded(*own))

    played = Verification(agent).run(team=Team.SCALED)
    origins = [(each.id, each.origin) for each in played.state.challenges]
    assert origins == [
        ("C1", Raiser.CHALLENGER), ("C2", Raiser.DOMAIN_EXPERT), ("C3", Raiser.DEVILS_ADVOCATE), ("C4", Raiser.SURFACED),
        ("C5", Raiser.PROBED),
    ]  # fmt: skip
    assert played.state.contexts[0].generates_challenge == "C4"
    assert played.state.risks[0].generates_challenge == "C5"


@pytest.mark.rule("P4")
@pytest.mark.parametrize(
    "spoiled",
    [
        lambda reply: replace(reply, agent_id="somebody"),
        lambda reply: replace(reply, iteration=2),
        lambda reply: replace(reply, ended=False),
        lambda reply: replace(reply, challenges=(challenge(1, origin=Raiser.PROBED),)),
        lambda reply: replace(reply, challenges=(challenge(1), challenge(1))),
        lambda reply: replace(reply, unknowns=(unknown(),)),
        lambda reply: replace(reply, proposals=(Proposal("C1", Standing.RESOLVED, "so"),)),
    ],
)
def test_output_outside_the_schema_is_invalid(spoiled) -> None:
    def agent(task: PlanTask) -> PlanReply:
        return spoiled(silent(task)) if task.role is PlanRole.CHALLENGER and not task.scoring else silent(task)

    played = Verification(agent).run()
    assert played.state.outcome is not None
    assert played.state.outcome.exit is Exit.INCOMPLETE
    assert [task.attempt for task in played.asked] == [1, 2]


@pytest.mark.rule("P4")
@pytest.mark.parametrize("name", ["C0", "X1", "C", "C1a", "c1", "C01", " C1", "C1\n"])
def test_an_id_outside_the_schema_cannot_be_made(name: str) -> None:
    with pytest.raises(InvalidValue):
        replace(challenge(), id=name)


@pytest.mark.rule("P9")
def test_a_degraded_iteration_tightens_the_next() -> None:
    def agent(task: PlanTask) -> PlanReply:
        if task.role is PlanRole.CHALLENGER and not task.scoring and task.iteration > 1:
            own = (challenge(1, S, iteration=task.iteration), challenge(2, M, iteration=task.iteration))
            return PlanReply(task.agent_id, task.iteration, challenges=own, grounds=grounded(*own))
        return silent(task)

    raised = (challenge(1), challenge(2), challenge(3))
    played = Verification(challenging(*raised, then=agent), user=lambda asked: ()).run()
    assert any("DEGRADATION in iteration 2" in line for line in played.state.log)
    assert [task.tightened for task in played.asked if task.iteration == 3][:1] == [True]
    assert [each.id for each in played.state.challenges] == ["C1", "C2", "C3", "C4", "C5"]
    assert [each.id for each in played.state.set_aside] == ["C6", "C7"]


@pytest.mark.rule("P10", "P14")
def test_the_ledger_holds_what_the_toolbox_counted_and_the_rest_shrinks() -> None:
    played = Verification(challenging(challenge(1, M)))
    played.used = (Used(Tool.READ, 7, 1),)
    played.run()
    assert played.report is not None
    assert [entry.mode for entry in played.report.report.ledger] == ["surface", "probe", "resolve"]
    resolve = next(task for task in played.asked if task.mode is ResearchMode.RESOLVE)
    assert {each.tool: each.calls for each in resolve.allowances}[Tool.READ] == 0


@pytest.mark.rule("P12")
def test_the_score_is_weighed_and_a_distance_of_two_is_a_dispute() -> None:
    def agent(task: PlanTask) -> PlanReply:
        mine = card(8) if task.role is PlanRole.SYNTHESIZER else card(7, risk=6, approach=8)
        return PlanReply(task.agent_id, task.iteration, card=mine if task.scoring else None)

    played = Verification(agent).run()
    assert played.report is not None
    report = played.report.report
    assert report.card is not None
    assert report.card.total == 8
    assert [dispute.synthesizer.aspect for dispute in report.disputes] == [Aspect.RISK]
    assert report.iterations[-1].quality_score == 8
    assert report.verdict is Verdict.PROCEED
    uneven = card(1, approach=10, risk=10)
    assert uneven.total == 5  # 45 % of 10 and 55 % of 1 is 5.05


@pytest.mark.rule("P12")
@pytest.mark.parametrize("marks", [(), tuple(Mark(Aspect.RISK, 5, "x") for _ in range(6))])
def test_a_card_is_whole_or_none(marks: tuple[Mark, ...]) -> None:
    with pytest.raises(InvalidValue):
        ScoreCard(marks)
    with pytest.raises(InvalidValue):
        Mark(Aspect.RISK, 11, "x")
    with pytest.raises(InvalidValue):
        Mark(Aspect.RISK, 5, " ")


@pytest.mark.rule("P3", "P12")
@pytest.mark.parametrize("points", [1, 10])
def test_no_score_changes_the_verdict(points: int) -> None:
    def agent(task: PlanTask) -> PlanReply:
        return PlanReply(task.agent_id, task.iteration, card=card(points) if task.scoring else None)

    played = Verification(challenging(challenge(1), then=agent)).run()
    assert played.report is not None
    assert played.report.report.verdict is Verdict.REVISE


def test_a_researcher_that_fails_twice_leaves_the_run_incomplete_and_never_green() -> None:
    def agent(task: PlanTask) -> PlanReply | None:
        return None if task.mode is ResearchMode.SURFACE else silent(task)

    played = Verification(agent).run()
    assert played.report is not None
    assert played.report.report.verdict is Verdict.NONE
    assert played.state.outcome is not None
    assert played.state.outcome.exit is Exit.INCOMPLETE


@pytest.mark.rule("P7", "P14")
def test_the_report_warns_of_debt_and_keeps_the_iteration_schema() -> None:
    raised = tuple(challenge(number, M) for number in range(1, 6))
    wishes = tuple(Proposal(f"C{number}", Standing.DEFERRED, "later") for number in range(1, 6))
    played = Verification(challenging(*raised, then=settling(*wishes))).run()
    assert played.report is not None
    report = played.report.report
    assert [each.id for each in report.debt] == ["C1", "C2", "C3", "C4", "C5"]
    document = state_document(report.iterations[0])["iteration_state"]
    assert isinstance(document, dict)
    assert list(document) == [
        "iteration", "plan_path", "plan_quality", "team_mode", "challenges", "unknowns", "surfaced_contexts", "probed_risks",
        "convergence", "user_responses", "synthesizer_directives", "quality_score",
    ]  # fmt: skip
    assert document["challenges"][0] == {"id": "C1", "status": "DEFERRED", "severity": "MINOR"}


def test_the_order_in_which_parallel_agents_answer_changes_nothing() -> None:
    def started() -> tuple[PlanState, list[PlanTask]]:
        state, _ = machine.step(PlanState(), VerifyStarted(VerifyRequest("PLAN.md", ".", Team.SCALED), "1"))
        state, commands = machine.step(state, PlanRead("read-plan", outline()))
        return state, [command.task for command in commands]  # type: ignore[union-attr]

    ends: list[PlanState] = []
    for order in ([0, 1, 2], [2, 0, 1], [1, 2, 0]):
        state, tasks = started()
        for position in order:
            task = tasks[position]
            reply = PlanReply(task.agent_id, 1, challenges=(challenge(1, M, origin=Raiser(task.role.value)),))
            state, _ = machine.step(state, TaskDone(task.id, reply))
        ends.append(state)
    assert ends[0].challenges == ends[1].challenges == ends[2].challenges


def test_events_out_of_turn_are_bugs_except_from_agents() -> None:
    with pytest.raises(EngineBug):
        machine.step(PlanState(), PlanRead("read-plan", outline()))
    done = Verification(silent).run().state
    after, commands = machine.step(done, TaskDone("late", PlanReply("late", 1)))
    assert (after.stage, commands) == (Stage.ENDED, ())
    assert "ignored" in after.log[-1]


def test_time_up_reports_the_results_so_far_and_is_not_clean() -> None:
    state, _ = machine.step(PlanState(), VerifyStarted(VerifyRequest("PLAN.md", "."), "1"))
    state, _ = machine.step(state, PlanRead("read-plan", outline()))
    state, commands = machine.step(state, VerifyTimeUp(5))
    assert state.stage is Stage.REPORTING
    assert commands[0].report.verdict is Verdict.NONE  # type: ignore[union-attr]


@st.composite
def replies(draw: st.DrawFn, task: PlanTask) -> PlanReply | None:
    """Anything an agent could do: fail, be cut off, raise what it may not, wish what it may not, point at what is not there."""
    if draw(st.integers(0, 9)) == 0:
        return None
    origins = st.sampled_from(Raiser)
    raised = draw(st.lists(st.tuples(st.sampled_from(Weight), origins), max_size=5))
    wishes = draw(
        st.lists(
            st.builds(
                Proposal,
                st.sampled_from([f"C{number}" for number in range(1, 6)]),
                st.sampled_from(Standing),
                st.sampled_from(["", "do A"]),
                st.sampled_from(Basis),
                st.sampled_from([(), ("U1",), ("app.py:3",)]),
            ),
            max_size=4,
        )
    )
    plain = draw(st.booleans())
    challenges = tuple(
        challenge(number, weight, origin=Raiser(task.role.value) if plain and task.role.value in list(Raiser) else origin)
        for number, (weight, origin) in enumerate(raised, 1)
    )
    return PlanReply(
        task.agent_id,
        task.iteration,
        grounds=grounded(*challenges) if draw(st.booleans()) else (),
        established=tuple(each.id for each in challenges) if draw(st.booleans()) else (),
        challenges=() if plain and (task.scoring or task.role in (PlanRole.SYNTHESIZER, PlanRole.RESEARCHER)) else challenges,
        proposals=tuple(wishes) if task.role is PlanRole.SYNTHESIZER or not plain else (),
        card=card(draw(st.integers(1, 10))) if task.scoring else None,
        ended=draw(st.integers(0, 9)) > 0,
    )


@pytest.mark.rule("P3")
@settings(max_examples=examples(150), deadline=None)
@given(st.data())
def test_every_verification_ends_within_its_bounds_whatever_agents_do(data: st.DataObject) -> None:
    def agent(task: PlanTask) -> PlanReply | None:
        return data.draw(replies(task))

    played = Verification(agent, user=lambda asked: tuple(Response(each.challenge_id, "go on", 0) for each in asked.questions))
    played.run(team=data.draw(st.sampled_from([None, *Team])))
    state = played.state
    assert played.ended
    assert state.iteration <= 3
    assert len([each for each in state.challenges if each.active and each.severity is not B]) <= 8
    assert all(each.severity is M for each in state.challenges if each.status is Standing.DEFERRED)
    assert all(each.resolution for each in state.challenges if each.status is Standing.RESOLVED)
    if played.report and played.report.report.verdict is Verdict.PROCEED:
        assert not _threats(state.challenges)


def _threats(challenges: tuple[Challenge, ...]) -> list[str]:
    return [each.id for each in challenges if each.counts and each.severity in (B, S)]
