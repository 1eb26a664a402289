"""P22: a refutation cites the challenge's own place, one concern is one challenge, and no score is higher than what was
checked."""

from dataclasses import replace

import pytest

from counterproof.model.plan.challenge import Basis, Challenge, Proposal, Raiser, Standing, Weight
from counterproof.model.plan.contract import Grounds, PlanReply, PlanRole, PlanTask, SourceCheck
from counterproof.model.plan.coverage import Coverage
from counterproof.model.plan.iteration import Team, Verdict
from counterproof.model.plan.research import ResearchMode, UnknownResolution
from counterproof.protocols.plan import closing
from counterproof.protocols.plan.convergence import decide
from counterproof.protocols.plan.same_place import cites, repeats
from counterproof.protocols.plan.state import PlanState
from protocols.plan.plans import Verification, card, challenge, challenging, silent, unknown

B, S, M = Weight.BLOCKING, Weight.SIGNIFICANT, Weight.MINOR


@pytest.mark.rule("P22")
@pytest.mark.parametrize(
    ("source", "quote", "cited"),
    [
        ("app.py:3", "x = 1", True),
        ("app.py:8", "x = 1", True),
        ("app.py:9", "x = 1", False),
        ("other.py:3", "x = 1", False),
        ("plan:40", "Step 5 changes it", True),
        ("plan:60", "Step 5 changes it", False),
        ("other.py:90", "def find_me():", True),
    ],
)
def test_a_refutation_cites_the_own_place_of_a_challenge(source: str, quote: str, cited: bool) -> None:
    finding = f"[VERIFIED: {source} | “{quote}” so it holds | nothing fails]"
    refuting = replace(unknown(resolution=UnknownResolution.REFUTED), finding=finding)
    assert cites(refuting, Grounds("C1", (40,), ("app.py:3",), ("find_me",))) is cited


@pytest.mark.rule("P22")
def test_a_true_quote_from_elsewhere_settles_nothing() -> None:
    def agent(task: PlanTask) -> PlanReply:
        if task.mode is ResearchMode.RESOLVE:
            return PlanReply(task.agent_id, task.iteration, unknowns=(unknown(1, resolution=UnknownResolution.REFUTED),))
        if task.role is PlanRole.SYNTHESIZER and not task.scoring:
            wish = Proposal("C1", Standing.WITHDRAWN, "X is there", Basis.EVIDENCE, ("U1",))
            return PlanReply(task.agent_id, task.iteration, proposals=(wish,))
        return silent(task)

    raised = challenge(1, S)
    for place, verdict in (("app.py:3", Verdict.PROCEED), ("shop.py:90", Verdict.REVISE)):

        def opening(task: PlanTask, place: str = place) -> PlanReply:
            if task.role is PlanRole.CHALLENGER and not task.scoring:
                return PlanReply(task.agent_id, task.iteration, challenges=(raised,), grounds=(Grounds("C1", (3,), (place,)),))
            return agent(task)

        played = Verification(opening)
        played.grounding = (SourceCheck(place, True, quoted=("x = 1",)),)
        played.run()
        assert played.report is not None
        assert played.report.report.verdict is verdict


@pytest.mark.rule("P22")
def test_one_concern_from_three_roles_is_one_challenge_with_the_heaviest_severity() -> None:
    origins = {
        PlanRole.CHALLENGER: (Raiser.CHALLENGER, S),
        PlanRole.DOMAIN_EXPERT: (Raiser.DOMAIN_EXPERT, B),
        PlanRole.DEVILS_ADVOCATE: (Raiser.DEVILS_ADVOCATE, M),
    }

    def agent(task: PlanTask) -> PlanReply:
        if task.role in origins and not task.scoring:
            origin, severity = origins[task.role]
            own = challenge(1, severity, origin=origin, iteration=task.iteration)
            return PlanReply(task.agent_id, task.iteration, challenges=(own,), grounds=(Grounds("C1", (7, 9), ("app.py:3",)),))
        return silent(task)

    played = Verification(agent, user=lambda asked: ()).run(team=Team.SCALED)
    assert [(each.id, each.severity) for each in played.state.challenges] == [("C1", B)]
    assert [(first, each.id, each.origin) for first, each in played.state.merged] == [
        ("C1", "C2", Raiser.DOMAIN_EXPERT),
        ("C1", "C3", Raiser.DEVILS_ADVOCATE),
    ]
    assert "C2 by domain-expert concerns the lines of C1 and is reported with it" in played.state.log
    assert played.report is not None
    assert played.report.report.merged == played.state.merged


@pytest.mark.rule("P22")
def test_a_repeated_challenge_adds_its_places_and_severity_to_a_standing_one() -> None:
    def agent(task: PlanTask) -> PlanReply:
        if task.mode is ResearchMode.SURFACE:
            own = challenge(1, B, origin=Raiser.SURFACED)
            return PlanReply(
                task.agent_id, task.iteration, challenges=(own,), grounds=(Grounds("C1", (7,), ("app.py:3", "new.py:1")),)
            )
        if task.role is PlanRole.CHALLENGER and not task.scoring:
            return PlanReply(
                task.agent_id, task.iteration, challenges=(challenge(1, M),), grounds=(Grounds("C1", (7,), ("app.py:3",)),)
            )
        return silent(task)

    played = Verification(agent, user=lambda asked: ())
    played.checks = (*played.checks, SourceCheck("new.py:1", True))
    played.run()
    assert [(each.id, each.severity, each.status) for each in played.state.challenges] == [("C1", B, Standing.OPEN)]
    assert played.state.grounds == (Grounds("C1", (7,), ("app.py:3", "new.py:1")),)


@pytest.mark.rule("P22")
def test_a_model_that_repeats_what_analysis_raised_beside_it_adds_no_challenge() -> None:
    both = (challenge(1, S), challenge(2, B), challenge(3, S))
    grounds = (Grounds("C1", (7,), ("app.py:3",)), Grounds("C2", (7,), ("app.py:3",)), Grounds("C3", (8,), ("app.py:3",)))

    def agent(task: PlanTask) -> PlanReply:
        if task.role is PlanRole.CHALLENGER and task.iteration == 1 and not task.scoring:
            return PlanReply(task.agent_id, task.iteration, challenges=both, grounds=grounds, established=("C1",))
        return silent(task)

    played = Verification(agent, user=lambda asked: ()).run()
    assert [(each.id, each.severity) for each in played.state.challenges] == [("C1", B), ("C3", S)]


@pytest.mark.rule("P22")
@pytest.mark.parametrize(
    ("iteration", "lines", "places", "repeated"),
    [
        (2, (3,), ("app.py:3",), True),
        (2, (3,), ("app.py:3", "new.py:1"), False),
        (1, (3,), ("app.py:3", "new.py:1"), True),
        (1, (4,), ("app.py:3",), False),
        (1, (3,), ("new.py:1",), False),
    ],
)
def test_a_challenge_is_put_again_only_with_new_evidence(
    iteration: int, lines: tuple[int, ...], places: tuple[str, ...], repeated: bool
) -> None:
    first = challenge(1), Grounds("C1", (3,), ("app.py:3",))
    fresh = challenge(2, iteration=iteration)
    assert repeats(fresh, Grounds("C2", lines, places), [first]) == ("C1" if repeated else "")


def closed(*challenges: Challenge, iteration: int = 1, points: int = 10, coverage: Coverage) -> PlanState:
    return PlanState(challenges=challenges, decision=decide(challenges, iteration), card=card(points), coverage=coverage)


WHOLE = Coverage(10)


@pytest.mark.rule("P22")
@pytest.mark.parametrize(
    ("state", "score"),
    [
        (closed(coverage=WHOLE), 10),
        (closed(coverage=Coverage(44, tuple(range(13)))), 7),
        (closed(challenge(1, M), coverage=WHOLE), 9),
        (closed(challenge(1, S), coverage=WHOLE), 7),
        (closed(challenge(1, B), iteration=3, points=9, coverage=WHOLE), 3),
        (closed(points=4, coverage=WHOLE), 4),
        (closed(coverage=Coverage(10, tuple(range(10)))), 1),
        (closed(coverage=Coverage(8, tuple(range(4)), silent=2)), 4),
    ],
)
def test_a_score_is_limited_by_the_checked_share_and_the_verdict(state: PlanState, score: int) -> None:
    assert closing.score(state) == score


@pytest.mark.rule("P22")
def test_proceed_states_the_unchecked_statements() -> None:
    played = Verification(challenging(challenge(1, M))).run()
    assert played.report is not None
    assert (played.report.report.verdict, played.state.outcome and played.state.outcome.exit.value) == (
        Verdict.PROCEED_WITH_QUESTIONS,
        0,
    )
    assert played.report.report.next_step == "Start implementing; 1 question is open."
    told = closing.report(replace(played.state, coverage=Coverage(44, (3, 5), (9,))))
    assert told.sentence.endswith("Nobody checked 3 of its 44 statements.")
    assert told.coverage.said == (
        "41 of 44 statements checked; not checked: 2 lines of prose (lines 3, 5) and 1 code block (line 9)"
    )
    told = closing.report(replace(played.state, coverage=Coverage(4, (3,), silent=6)))
    assert told.sentence.endswith("Nobody checked 7 of its 10 statements.")
    assert told.coverage.said == (
        "3 of 4 statements checked; not checked: 1 line of prose (line 3); 6 more statements with nothing to look up"
    )
