"""What hunters exclude binds the rounds after them, as far as it is backed (A46, A47); and models may look again (A23)."""

from dataclasses import replace

import pytest

from counterproof.model.contract import AgentTask, Role
from counterproof.model.dimension import ALL_DIMENSIONS, Dimension
from counterproof.model.finding import Finding
from counterproof.model.transfer import FalsePositive
from counterproof.protocols.audit.events import AgentFinished
from counterproof.protocols.audit.methods import ANALYST_METHODS, MODEL_METHODS
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.state import Stage
from counterproof.protocols.audit.transfer import MAX_EXCLUDED
from protocols.audit.cast import audit, covering, hunter, next_round, play_on, report_of, waiting
from protocols.audit.play import Play, a_finding, earned, finished

D1, D4 = Dimension.D1, Dimension.D4
EXCLUDED = FalsePositive("app.py", 20, "the value is a constant")


def excluding(*words: FalsePositive, findings: tuple[Finding, ...] = ()):
    """A first round that leaves D4 open and excludes these places."""

    def part(task: AgentTask) -> AgentFinished:
        own = tuple(each for each in findings if each.dimension in task.dimensions)
        event = finished(task, *own, ledger=earned(tuple(each for each in task.dimensions if each is not D4)))
        return replace(event, reply=replace(event.reply, false_positives=words))

    return part


def second_round(*words: FalsePositive, findings: tuple[Finding, ...] = ()) -> Play:
    return next_round(audit(Mode.DEEP), hunter=excluding(*words, findings=findings))


def handed(play: Play) -> tuple[FalsePositive, ...]:
    context = waiting(play)[0].context
    assert context is not None
    return context.transfer.false_positives


@pytest.mark.rule("A47")
def test_a_later_finding_at_an_excluded_place_is_refused_and_shown() -> None:
    play = second_round(EXCLUDED)
    assert {(each.file, each.line) for each in handed(play)} == {("app.py", 20)}
    repeated, new = a_finding(20, dimension=D4), a_finding(30, dimension=D4)
    report = report_of(play_on(next_round(play, hunter=hunter(repeated, new))))
    assert [str(row.finding.location) for row in report.findings] == ["app.py:30"]
    assert [(each.place, each.reason) for each in report.refused] == [
        ("app.py:20", "an earlier round excluded it as a false positive: the value is a constant")
    ]


@pytest.mark.rule("A47")
def test_an_exclusion_holds_for_the_dimensions_that_the_excluder_was_there_for() -> None:
    play = audit(Mode.DEEP)
    first = next(task for task in waiting(play) if D4 in task.dimensions)
    assert Dimension.D7 not in first.dimensions
    play.feed(excluding(EXCLUDED)(first))
    next_round(play, hunter=excluding())
    other = a_finding(20, dimension=Dimension.D7)
    report = report_of(play_on(next_round(play, hunter=lambda task: hunter(other)(replace(task, dimensions=ALL_DIMENSIONS)))))
    assert not report.refused


@pytest.mark.rule("A46", "A47")
@pytest.mark.parametrize(
    "word",
    [
        replace(EXCLUDED, reason="  "),
        replace(EXCLUDED, file="unread.py"),
        replace(EXCLUDED, line=100_000),
        replace(EXCLUDED, line=0),
    ],
    ids=["no reason", "never read", "no such line", "line zero"],
)
def test_an_exclusion_without_backing_is_not_handed_on(word: FalsePositive) -> None:
    assert handed(second_round(word)) == ()


@pytest.mark.rule("A47")
def test_no_agent_can_exclude_another_agents_finding() -> None:
    play = second_round(EXCLUDED, findings=(a_finding(20),))
    assert all(D1 not in each.dimensions for each in handed(play))
    again = report_of(play_on(next_round(play, hunter=hunter(a_finding(20)))))
    assert [str(row.finding.location) for row in again.findings] == ["app.py:20"]


@pytest.mark.rule("A46")
def test_a_flood_of_exclusions_is_cut() -> None:
    play = audit(Mode.DEEP)
    flood = tuple(replace(EXCLUDED, reason=f"reason {n}") for n in range(2 * MAX_EXCLUDED))
    play.feed(excluding(*flood)(waiting(play)[0]))
    assert len(handed(next_round(play, hunter=excluding()))) == MAX_EXCLUDED


def shallow(task: AgentTask) -> AgentFinished:
    """Searches its dimensions and traces none of D1 to D3."""
    event = covering(*ALL_DIMENSIONS[3:])(task)
    return replace(event, ledger=replace(event.ledger, searches=earned(task.dimensions).searches))


@pytest.mark.rule("A23")
@pytest.mark.parametrize(("models", "rounds"), [((), 2), ((Role.VALIDATOR,), 2), ((Role.HUNTER,), 3), (tuple(Role), 3)])
def test_models_that_hunt_may_run_again_and_analysts_only_with_a_wider_method(models: tuple[Role, ...], rounds: int) -> None:
    play = audit(Mode.DEEP, models=models)
    while play.stage is Stage.HUNT:
        next_round(play, hunter=shallow)
    assert play.state.round == rounds
    kinds = [(False, ANALYST_METHODS), *([(True, MODEL_METHODS)] if Role.HUNTER in models else [])]
    for modelled, methods in kinds:
        hunted = [task for task in play.state.tasks if task.role is Role.HUNTER and bool(task.model) is modelled]
        tried = {task.round: task.method for task in hunted}
        assert set(tried) == {1, 2}
        asked_plainly = {1: ""} if modelled else {}
        assert tried == {number: methods[number - 1] for number in tried} | asked_plainly
    said = report_of(play_on(play)).limitations
    assert any("no broader method left" in line for line in said) is (rounds == 2)


@pytest.mark.rule("A42")
def test_models_stop_at_the_round_limit_too() -> None:
    play = audit(Mode.STANDARD, models=tuple(Role))
    while play.stage is Stage.HUNT:
        next_round(play, hunter=shallow)
    assert play.state.round == 2
    assert play.state.rounds[-1].decision.reason == "the round limit is reached"
