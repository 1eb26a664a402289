"""Several hunts, the user's context and the budget of the queue (A61, A65, A67)."""

from dataclasses import replace

import pytest

from counterproof.model.contract import AgentTask, Role
from counterproof.model.dimension import Dimension
from counterproof.model.errors import InvalidValue
from counterproof.model.finding import Finding
from counterproof.model.user_context import UserContext
from counterproof.protocols.audit.events import AgentFinished
from counterproof.protocols.audit.hunts import agreement, hunts_of
from counterproof.protocols.audit.merge import reported_findings
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.questions import in_order
from counterproof.protocols.audit.request import AuditRequest, ModelTerms
from counterproof.protocols.audit.state import AuditState
from protocols.audit.cast import grave, hunter, medium, play_on, report_of, roomy
from protocols.audit.play import Play, a_file, a_recon, a_survey, an_entry, finished

OPEN = UserContext("context.md", "A shop.\n\nopen: GET /health\nopen: * /status/*\n")
LARGE = a_survey(*(replace(a_file(path), size=900_000) for path in ("app.py", "a/b.py", "c/d.py", "e/f.py")))


def claimed(finding: Finding) -> Finding:
    """As a model states it: without a rule."""
    return replace(finding, rule="", poc="x")


def hunting(hunts: int, mode: Mode = Mode.QUICK, **changes: object) -> Play:
    request = AuditRequest("/shop", mode=mode, yes=True, models=(Role.HUNTER,), hunts=hunts, **changes)  # type: ignore[arg-type]
    return Play(request).until_hunting(roomy(), a_recon())


def played(play: Play, *found: tuple[Finding, ...]) -> AuditState:
    """Each hunt hands in its findings; the analysts find nothing, and nothing was left."""

    def part(task: AgentTask) -> AgentFinished:
        if not task.model:
            return finished(task)
        return hunter(*found[task.hunt - 1])(task)

    return play_on(play, hunter=part).state


@pytest.mark.rule("A67")
def test_each_hunt_is_asked_the_same_in_tasks_of_its_own_that_know_nothing_of_each_other() -> None:
    play = hunting(3)
    models = [task for task in play.state.tasks if task.model]
    assert [(task.agent_id, task.hunt) for task in models] == [("model-r1-01", 1), ("model-r1-h2-01", 2), ("model-r1-h3-01", 3)]
    assert len({(task.ask, task.dimensions, task.stated, task.whole) for task in models}) == 1
    one, two = claimed(grave(1)), claimed(medium(2))
    state = played(play, (one,), (two,), ())
    told = {task.hunt: task.stated for task in state.tasks if task.stated}
    assert all(str(two.location) not in " ".join(told.get(hunt, ())) for hunt in (1, 3)), "a hunt hears its own statements only"


@pytest.mark.rule("A67")
@pytest.mark.parametrize("hunt", [2, 3, 4])
def test_another_hunt_has_another_order_of_the_same(hunt: int) -> None:
    things = tuple(range(8))
    assert in_order(things, 1) == things
    assert in_order(things, hunt) != things
    assert sorted(in_order(things, hunt)) == list(things)


@pytest.mark.rule("A67")
def test_findings_are_merged_by_cause_and_say_how_many_hunts_saw_them() -> None:
    both, once = claimed(grave(1)), claimed(medium(2))
    state = played(hunting(2), (both, once), (both,))
    rows = reported_findings(state)
    assert {row.finding.title: hunts_of(state, row.finding) for row in rows} == {
        both.title: frozenset({1, 2}),
        once.title: frozenset({1}),
    }
    assert agreement(state, rows) == "2 hunts agree to 0.50: shared causes of all causes, Medium and above, mean of pairs."


@pytest.mark.rule("A67")
def test_the_report_says_it_and_one_hunt_says_nothing_of_it() -> None:
    both = claimed(grave(1))
    for number, label in ((2, ["seen by 2 of 2 hunts"]), (1, [])):
        play = hunting(number)
        played(play, (both,), (both,))
        report = report_of(play)
        assert [label for label in report.findings[0].labels if "hunts" in label] == label
        assert any("hunts agree to 1.00" in each for each in report.summary) is (number == 2)


@pytest.mark.parametrize("number", [0, 10])
def test_hunts_are_bounded(number: int) -> None:
    with pytest.raises(InvalidValue):
        AuditRequest("/shop", hunts=number)


@pytest.mark.rule("A65")
def test_every_agent_of_a_model_is_given_the_users_context() -> None:
    play = hunting(1, context=OPEN)
    assert {bool(task.user) for task in play.state.tasks if task.model} == {True}
    assert not any(task.user for task in play.state.tasks if not task.model)


def _reported(context: UserContext | None, found: Finding, path: str = "/health", rule: bool = True):
    recon = a_recon(entry_points=(replace(an_entry("app.py", found.location.start), method="GET", path=path),))
    request = AuditRequest("/shop", mode=Mode.QUICK, yes=True, context=context)
    play = Play(request).until_hunting(roomy(), recon)
    play_on(play, hunter=hunter(found if rule else claimed(found)))
    return report_of(play)


OPENED = replace(grave(1, Dimension.D2, flow=None, proof=None), cwe=306)


@pytest.mark.rule("A65")
@pytest.mark.parametrize(
    ("context", "finding", "path", "accepted"),
    [
        (OPEN, OPENED, "/health", True),
        (OPEN, OPENED, "/status/live", True),
        (OPEN, OPENED, "/orders", False),
        (None, OPENED, "/health", False),
        (OPEN, replace(OPENED, cwe=89), "/health", False),
    ],
)
def test_a_route_declared_open_is_accepted_by_the_user_listed_and_counted(
    context: UserContext | None, finding: Finding, path: str, accepted: bool
) -> None:
    report = _reported(context, finding, path)
    (row,) = report.findings
    assert row.accepted.startswith("accepted by the user: context.md") is accepted
    assert any("accepts 1 finding" in each for each in report.limitations) is accepted
    assert any("the user's context, context.md" in each for each in report.limitations) is bool(context)


@pytest.mark.rule("A65")
def test_nothing_proved_is_dismissed_by_the_users_context() -> None:
    proved = replace(grave(1, Dimension.D2), cwe=306)
    assert proved.proof is not None
    (row,) = _reported(OPEN, proved).findings
    assert not row.accepted


@pytest.mark.rule("A65")
@pytest.mark.parametrize("text", ["", "  \n", "x" * 40_001])
def test_a_context_is_bounded(text: str) -> None:
    with pytest.raises(InvalidValue):
        UserContext("context.md", text)


@pytest.mark.rule("A61")
@pytest.mark.parametrize(("budget", "tasks"), [(None, 9), (2_000_000, 4), (500_000, 1)])
def test_the_budget_plans_the_queue_and_says_what_does_not_fit(budget: int | None, tasks: int) -> None:
    terms = ModelTerms("x", budget_tokens=budget)
    request = AuditRequest("/shop", mode=Mode.STANDARD, yes=True, models=(Role.HUNTER,), terms=terms)
    play = Play(request).until_hunting(LARGE, a_recon())
    assert play.state.plan is not None
    queued = [task for task in play.state.plan.tasks if task.model]
    assert len(queued) == tasks
    left = f"{9 - tasks} tasks of the queue, the least exposed, left out because the budget is too small"
    assert (left in play.state.plan.estimate.text) is bool(budget)
