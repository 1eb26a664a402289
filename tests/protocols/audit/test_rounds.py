"""When rounds stop, what the next one is after and who runs in it: A21, A22, A23, A33, A42 to A45."""

from dataclasses import replace

import pytest

from counterproof.model.contract import AgentTask, Role
from counterproof.model.coverage import DimensionCoverage, Status
from counterproof.model.dimension import ALL_DIMENSIONS, CORE_DIMENSIONS, Dimension
from counterproof.model.errors import EngineBug
from counterproof.model.ledger import Ledger
from counterproof.model.location import at
from counterproof.model.receipt import Exit
from counterproof.model.recon import EntryKind
from counterproof.model.survey import Language
from counterproof.protocols.audit import coverage, gates, phase_three, rounds
from counterproof.protocols.audit.coverage import Score
from counterproof.protocols.audit.events import TimeUp
from counterproof.protocols.audit.methods import ANALYST_METHODS, method_of
from counterproof.protocols.audit.modes import ROUND_LIMIT, Mode, threshold
from counterproof.protocols.audit.plan import first_round
from counterproof.protocols.audit.request import AuditRequest
from counterproof.protocols.audit.rounds import Next, Questions
from counterproof.protocols.audit.state import Stage
from protocols.audit.cast import audit, covering, empty_handed, grave, hunter, next_round, play_on, report_of, rows, waiting
from protocols.audit.play import Play, a_recon, an_entry, earned, finished
from protocols.audit.test_chains import forged, secret

CALM = Questions(False, False, False)


def decide(mode: Mode, number: int, emergency: bool = False, obstacle: str = "", asked: Questions = CALM, **statuses: str):
    matrix = rows(**statuses)
    covered, counted = coverage.counts(matrix)
    score = Score(covered, counted, threshold(mode, counted))
    return rounds.decide(mode, number, emergency, obstacle, matrix, score, asked)


@pytest.mark.rule("A42")
def test_the_round_limits() -> None:
    assert ROUND_LIMIT == {Mode.QUICK: 1, Mode.STANDARD: 2, Mode.DEEP: 3}


@pytest.mark.rule("A21")
@pytest.mark.parametrize("mode", [Mode.STANDARD, Mode.DEEP])
@pytest.mark.parametrize(("loc", "low", "high"), [(499, 1, 1), (500, 2, 3), (9_999, 2, 3), (10_000, 3, 5), (100_001, 5, 9)])
def test_the_size_of_the_first_team(mode: Mode, loc: int, low: int, high: int) -> None:
    for languages in ((Language.PYTHON,), tuple(Language)):
        assert low <= len(first_round(mode, loc, languages, ALL_DIMENSIONS)) <= high


@pytest.mark.rule("A22")
def test_turns_by_round() -> None:
    play = audit(Mode.DEEP)
    assert {task.limits.turns for task in waiting(play)} == {25}
    next_round(play, hunter=empty_handed)
    assert {task.limits.turns for task in waiting(play)} == {20}
    next_round(play, hunter=empty_handed)
    assert {task.limits.turns for task in waiting(play)} == {15}
    next_round(play, hunter=empty_handed, chain_checker=empty_handed)
    assert play.state.emergency
    assert {task.limits.turns for task in waiting(play)} == {15}


@pytest.mark.rule("A42")
@pytest.mark.parametrize(
    ("gaps", "following"),
    [
        ({}, Next.DEEP_DIVE),
        ({"D4": "⚠️", "D5": "❌"}, Next.DEEP_DIVE),
        ({"D4": "⚠️", "D5": "❌", "D6": "⚠️"}, Next.NEXT_ROUND),
        ({"D1": "❌"}, Next.NEXT_ROUND),
        ({"D2": "⚠️"}, Next.DEEP_DIVE),
    ],
)
def test_standard_stops_with_few_gaps_a_met_threshold_and_a_searched_core(gaps: dict[str, str], following: Next) -> None:
    assert decide(Mode.STANDARD, 1, **gaps).next is following


@pytest.mark.rule("A42")
@pytest.mark.parametrize(("open_", "enough"), [(("D4", "D5"), True), (("D4", "D5", "D6"), False)])
def test_a_met_threshold_is_not_enough_with_more_than_two_gaps(open_: tuple[str, ...], enough: bool) -> None:
    generous = Score(10, 10, 1)
    assert rounds.converged(Mode.STANDARD, 1, rows(**dict.fromkeys(open_, "⚠️")), generous, CALM) is enough


@pytest.mark.rule("A42")
def test_few_gaps_are_not_enough_when_the_threshold_is_missed() -> None:
    na = dict.fromkeys(("D4", "D5", "D6", "D8", "D9", "D10"), "N/A")
    decision = decide(Mode.STANDARD, 1, **na, D7="⚠️")
    assert (decision.next, decision.reason) == (Next.NEXT_ROUND, "coverage 3 of 4, 4 needed")


@pytest.mark.rule("A42", "A45")
def test_deep_needs_two_rounds_however_calm_the_first_was() -> None:
    assert decide(Mode.DEEP, 1).next is Next.NEXT_ROUND
    assert decide(Mode.DEEP, 2).next is Next.DEEP_DIVE


@pytest.mark.rule("A45")
@pytest.mark.parametrize("asked", [Questions(True, False, False), Questions(False, True, False), Questions(False, False, True)])
def test_any_yes_asks_for_another_round_while_rounds_remain(asked: Questions) -> None:
    assert decide(Mode.DEEP, 2, asked=asked).next is Next.NEXT_ROUND
    last = decide(Mode.DEEP, 3, asked=asked)
    assert (last.next, last.waiver) == (Next.DEEP_DIVE, "")


@pytest.mark.rule("A45")
def test_the_three_questions_do_not_bind_standard() -> None:
    assert decide(Mode.STANDARD, 1, asked=Questions(True, True, True)).next is Next.DEEP_DIVE


@pytest.mark.rule("A45")
def test_no_evaluation_leads_to_the_report() -> None:
    assert set(Next) == {Next.NEXT_ROUND, Next.EMERGENCY, Next.DEEP_DIVE}


@pytest.mark.rule("A43")
@pytest.mark.parametrize("core", CORE_DIMENSIONS)
@pytest.mark.parametrize(("mode", "limit"), [(Mode.STANDARD, 2), (Mode.DEEP, 3)])
def test_an_uncovered_core_dimension_at_the_limit_gets_one_emergency_round(core: Dimension, mode: Mode, limit: int) -> None:
    assert decide(mode, limit, **{core.value: "❌"}).next is Next.EMERGENCY
    after = decide(mode, limit + 1, emergency=True, **{core.value: "❌"})
    assert after.next is Next.DEEP_DIVE
    assert after.waiver == f"not met: {core.value} uncovered"


@pytest.mark.rule("A43")
@pytest.mark.parametrize("gaps", [{"D4": "❌", "D5": "❌", "D6": "❌"}, {"D1": "⚠️", "D2": "⚠️", "D3": "⚠️"}])
def test_other_gaps_at_the_limit_get_no_emergency_round(gaps: dict[str, str]) -> None:
    decision = decide(Mode.STANDARD, 2, **gaps)
    assert (decision.next, decision.waiver) == (Next.DEEP_DIVE, "not met: too few dimensions covered")


@pytest.mark.rule("A43")
def test_the_required_statements_when_rounds_end_with_gaps() -> None:
    said = rounds.explanations(rows(D1="⚠️", D2="❌", D5="⚠️", D6="N/A"))
    assert said == (
        "D1 injection stayed shallow: because.",
        "D2 authentication, D5 file operations are not met: because.",
    )


@pytest.mark.rule("A44")
@pytest.mark.parametrize(("uncovered", "agents"), [(0, 1), (1, 1), (2, 2), (3, 2), (4, 3), (7, 3)])
def test_the_next_team_by_uncovered_dimensions(uncovered: int, agents: int) -> None:
    gaps = dict.fromkeys((d.value for d in ALL_DIMENSIONS[3 : 3 + uncovered]), "❌")
    assert rounds.hunters(rows(**gaps)) == agents


@pytest.mark.rule("A44")
@pytest.mark.parametrize("core", CORE_DIMENSIONS)
def test_a_core_dimension_without_a_single_trace_brings_three_agents(core: Dimension) -> None:
    bare = DimensionCoverage(core, Status.SHALLOW, "searched only")
    matrix = tuple(bare if row.dimension is core else row for row in rows())
    assert rounds.hunters(matrix) == 3
    traced = tuple(replace(bare, complete_traces=1) if row.dimension is core else row for row in rows())
    assert rounds.hunters(traced) == 1


@pytest.mark.rule("A42", "A44")
def test_round_two_is_after_the_gaps_only() -> None:
    play = next_round(audit(Mode.STANDARD), hunter=covering(*ALL_DIMENSIONS[:5]))
    assert play.state.round == 2
    asked = [task.dimensions for task in waiting(play)]
    assert len(asked) == 3
    assert {dimension for group in asked for dimension in group} == set(ALL_DIMENSIONS[5:])
    assert all(task.method == ANALYST_METHODS[1] for task in waiting(play))


@pytest.mark.rule("A42")
def test_a_gap_that_no_look_can_fill_is_not_hunted_again() -> None:
    play = next_round(audit(Mode.DEEP))
    assert coverage.gaps(play.state.coverage) == (Dimension.D10,)
    assert [task.dimensions for task in waiting(play)] == [ALL_DIMENSIONS[:9]]


@pytest.mark.rule("A44")
def test_round_three_cross_checks_chains_and_hunts_only_what_is_uncovered() -> None:
    play = next_round(audit(Mode.DEEP), hunter=covering(*ALL_DIMENSIONS[1:]))
    next_round(play, hunter=empty_handed)
    assert play.state.round == 3
    assert [(task.role, task.dimensions) for task in waiting(play)] == [
        (Role.HUNTER, (Dimension.D1,)),
        (Role.CHAIN_CHECKER, ALL_DIMENSIONS),
    ]


@pytest.mark.rule("A23", "A44", "A45")
def test_open_chains_bring_round_three_with_the_cross_check_alone() -> None:
    key = secret()
    other = forged(location=at("models.py", 42))
    play = next_round(next_round(audit(Mode.DEEP), hunter=hunter(key, other)), hunter=hunter(key, other))
    assert [task.role for task in waiting(play)] == [Role.CHAIN_CHECKER]
    assert len(waiting(play)[0].findings) == 2
    play_on(play)
    assert [round_.questions.open_combinations for round_ in play.state.rounds] == [True, True, False]


@pytest.mark.rule("A23")
def test_an_analyst_without_a_wider_method_is_skipped_and_that_is_said() -> None:
    shallow = covering(*ALL_DIMENSIONS[3:])

    def searched(task: AgentTask):
        event = shallow(task)
        return replace(event, ledger=replace(event.ledger, searches=earned(task.dimensions).searches))

    play = next_round(next_round(audit(Mode.DEEP), hunter=searched), hunter=searched)
    assert method_of(3) == ""
    assert play.stage is Stage.DEEP_DIVE
    assert play.state.rounds[-1].decision.reason == "no agent has a broader method left"
    limits = report_of(play_on(play)).limitations
    assert "Round 3 was skipped: the embedded analysts have no broader method left." in limits


@pytest.mark.rule("A25", "A23")
def test_truncated_work_goes_to_the_next_round_even_without_a_wider_method() -> None:
    play = next_round(audit(Mode.DEEP), hunter=covering(*ALL_DIMENSIONS[1:]))
    next_round(play, hunter=lambda task: finished(task, ended=False))
    assert [task.role for task in waiting(play)] == [Role.HUNTER, Role.CHAIN_CHECKER]
    assert waiting(play)[0].dimensions == (Dimension.D1,)


@pytest.mark.rule("A43")
@pytest.mark.parametrize(("mode", "rounds_before"), [(Mode.STANDARD, 2), (Mode.DEEP, 3)])
def test_the_emergency_round_is_one_agent_for_uncovered_core_dimensions_only(mode: Mode, rounds_before: int) -> None:
    lazy = covering(*ALL_DIMENSIONS[1:2], *ALL_DIMENSIONS[3:])
    play = audit(mode)
    for _ in range(rounds_before):
        next_round(play, hunter=lazy, chain_checker=empty_handed)
    assert play.state.emergency
    (task,) = waiting(play)
    assert (task.role, task.dimensions, task.limits.turns) == (Role.HUNTER, (Dimension.D1, Dimension.D3), 15)
    play_on(play)
    assert not play.state.waivers
    assert len(play.state.rounds) == rounds_before + 1


@pytest.mark.rule("A33", "A43")
def test_an_emergency_in_vain_is_waived_said_and_still_validated() -> None:
    play = play_on(audit(Mode.STANDARD), hunter=covering(*ALL_DIMENSIONS[1:]))
    report = report_of(play)
    assert play.state.waivers == ("not met: D1 uncovered",)
    assert "Required coverage not met: D1 uncovered. The audit continued anyway." in report.banners
    assert "D1 injection is not met: never searched in python." in report.limitations
    assert play.state.marked == ("1", "2", "2.5", "2", "2.5", "2", "2.5", "3", "4")
    assert report.outcome.exit is Exit.INCOMPLETE
    assert report.coverage[0].status is Status.UNCOVERED


@pytest.mark.rule("A33")
def test_missing_coverage_brings_the_next_round_and_a_halt_that_says_so() -> None:
    play = next_round(audit(Mode.STANDARD), hunter=covering(*ALL_DIMENSIONS[:6]))
    assert play.state.round == 2
    halt = play.state.markers[-1]
    assert (halt.kind, halt["recovery"]) == ("halt", "next round: coverage 6 of 10, 8 needed")


@pytest.mark.rule("A33")
@pytest.mark.parametrize(
    ("broken", "name"),
    [
        ({"coverage": ()}, "coverage judged"),
        ({"coverage": rows()[:9]}, "every dimension has a status"),
        ({"coverage": rows(D4="❌", D5="❌", D6="❌")}, "coverage met"),
        ({"coverage": rows(D2="❌")}, "D1-D3 searched"),
        ({"coverage": rows(D2="⚠️")}, "D1-D3 searched"),
        ({"hotspots": None}, "hotspots listed"),
    ],
)
def test_each_row_of_the_gate_to_phase_three_holds(broken: dict[str, object], name: str) -> None:
    play = audit(Mode.STANDARD)
    open_ = replace(play.state, coverage=rows(), hotspots=(), phase="2.5")
    assert all(check.passed for check in gates.before_deep_dive(open_))
    shut = replace(open_, **broken)
    assert name in [check.name for check in gates.before_deep_dive(shut) if not check.passed]
    with pytest.raises(EngineBug, match="gate was closed"):
        phase_three.begin(shut)


@pytest.mark.rule("A33")
def test_a_waiver_opens_the_gate_for_an_uncovered_core_but_not_for_an_unexplained_one() -> None:
    state = replace(audit(Mode.STANDARD).state, hotspots=(), phase="2.5", waivers=("not met",))
    assert phase_three.begin(replace(state, coverage=rows(D2="❌")))[0].stage is Stage.DEEP_DIVE
    with pytest.raises(EngineBug, match="D2 shallow and not explained"):
        phase_three.begin(replace(state, coverage=rows(D2="⚠️")))


@pytest.mark.rule("A45")
def test_the_first_question_looks_for_what_was_never_searched() -> None:
    play = next_round(audit(Mode.DEEP), hunter=covering(*ALL_DIMENSIONS[1:]))
    assert play.state.rounds[0].questions == Questions(True, False, False)


@pytest.mark.rule("A45")
@pytest.mark.parametrize("kind", [EntryKind.HTTP, EntryKind.CLI, EntryKind.SCHEDULED])
def test_the_second_question_looks_for_entry_points_nobody_followed(kind: EntryKind) -> None:
    recon = a_recon(entry_points=(an_entry(), an_entry(line=77, kind=kind)))
    play = next_round(Play(AuditRequest("/shop", mode=Mode.DEEP, yes=True)).until_hunting(recon=recon))
    assert play.state.rounds[0].questions == Questions(False, True, False)


@pytest.mark.rule("A45")
def test_the_third_question_looks_across_files_only() -> None:
    sql = grave(1)
    near = grave(2, Dimension.D7, cwe=916, flow=None)
    play = next_round(audit(Mode.DEEP), hunter=hunter(sql, near))
    assert not play.state.rounds[0].questions.open_combinations


@pytest.mark.rule("A42")
def test_when_time_is_up_no_round_follows_and_the_reason_is_stated() -> None:
    play = audit(Mode.DEEP).feed(TimeUp(9))
    play_on(play, hunter=lambda task: finished(task, ledger=Ledger() if Dimension.D1 in task.dimensions else None))
    assert len(play.state.rounds) == 1
    assert play.state.rounds[0].decision.reason == "the time limit was reached"
    assert not any("broader method" in note for note in report_of(play).limitations)
