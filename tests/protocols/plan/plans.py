"""Plans, challenges and whole verifications in a few words, for the tests of the plan protocol."""

from collections.abc import Callable

from counterproof.model.plan.challenge import Challenge, Confidence, Raiser, Response, Standing, Weight
from counterproof.model.plan.contract import Grounds, PlanReply, PlanRole, PlanTask, SourceCheck, Used
from counterproof.model.plan.outline import Mention, Named, PlanOutline, PlanStep
from counterproof.model.plan.research import Unknown, UnknownResolution, UnknownType
from counterproof.model.plan.score import Aspect, Mark, ScoreCard
from counterproof.protocols.plan import machine
from counterproof.protocols.plan.events import (
    AskUser,
    Command,
    PlanRead,
    PlanReportWritten,
    ReadPlan,
    RunTask,
    TaskDone,
    TaskFailed,
    UserAnswered,
    VerifyStarted,
    WritePlanReport,
)
from counterproof.protocols.plan.request import VerifyRequest
from counterproof.protocols.plan.state import PlanState, Stage


def challenge(
    number: int = 1,
    severity: Weight = Weight.SIGNIFICANT,
    status: Standing = Standing.OPEN,
    resolution: str = "",
    origin: Raiser = Raiser.CHALLENGER,
    iteration: int = 1,
) -> Challenge:
    words = (f"The plan assumes X ({origin.value} {number}, {iteration})", "X does not hold", "If Y then Z", "Do A")
    return Challenge(f"C{number}", origin, *words, severity, Confidence.HIGH, iteration, status, resolution)


def unknown(number: int = 1, affects: str = "C1", resolution: UnknownResolution = UnknownResolution.CONFIRMED) -> Unknown:
    return Unknown(
        f"U{number}",
        "Is X there?",
        UnknownType.FILE_MISSING,
        affects,
        "X",
        resolution,
        "[VERIFIED: app.py:3 | “x = 1” so X is not there | the step fails]",
    )


def card(points: int = 7, **other: int) -> ScoreCard:
    return ScoreCard(tuple(Mark(aspect, other.get(aspect.value, points), "app.py:3") for aspect in Aspect))


def outline(**changed: object) -> PlanOutline:
    """A plan that is neither trivial nor thin."""
    whole: dict[str, object] = {
        "path": "PLAN.md",
        "digest": "0" * 64,
        "lines": 40,
        "words": 300,
        "title": "Move the store",
        "steps": (PlanStep(1, "one", 3, 4), PlanStep(2, "two", 5, 6)),
        "named": (Named(Mention.FILE, "app.py", 3, 1),),
        "domains": ("storage",),
        "systems": (),
        "compliance": (),
        "signals": (),
    }
    return PlanOutline(**{**whole, **changed})  # type: ignore[arg-type]


def grounded(*challenges: Challenge) -> tuple[Grounds, ...]:
    """Grounds that hold for each of them, each about a line of the plan of its own."""
    roles = list(Raiser)
    return tuple(
        Grounds(each.id, (100 * each.iteration_introduced + 10 * roles.index(each.origin) + int(each.id[1:]),), ("app.py:3",))
        for each in challenges
    )


Agent = Callable[[PlanTask], PlanReply | None]


def silent(task: PlanTask) -> PlanReply:
    """Answers every task properly and has nothing to say."""
    return PlanReply(task.agent_id, task.iteration, card=card() if task.scoring else None)


def challenging(*raised: Challenge, then: Agent = silent) -> Agent:
    """A challenger that opens with these; everybody else does as `then`."""

    def agent(task: PlanTask) -> PlanReply | None:
        if task.role is PlanRole.CHALLENGER and task.iteration == 1 and not task.scoring:
            return PlanReply(task.agent_id, task.iteration, challenges=raised, grounds=grounded(*raised))
        return then(task)

    return agent


class Verification:
    """Plays a whole verification. `agent` returns a reply, or None to fail; without a `user` it waits."""

    def __init__(self, agent: Agent, user: Callable[[AskUser], tuple[Response, ...]] | None = None) -> None:
        self.agent = agent
        self.user = user
        self.state = PlanState()
        self.asked: list[PlanTask] = []
        self.questions: list[AskUser] = []
        self.report: WritePlanReport | None = None
        self.grounding: tuple[SourceCheck, ...] | None = None
        """What is re-read for challenges, where it differs from `checks`."""
        self.used: tuple[Used, ...] = ()
        self.checks: tuple[SourceCheck, ...] = (SourceCheck("app.py:3", True, quoted=("x = 1",)),)

    def run(self, read: PlanOutline | None = None, **request: object) -> "Verification":
        self._step(VerifyStarted(VerifyRequest("PLAN.md", ".", **request), "1"), read or outline())  # type: ignore[arg-type]
        return self

    def _step(self, first: object, read: PlanOutline) -> None:
        events: list[object] = [first]
        for _ in range(500):
            if not events:
                return
            self.state, commands = machine.step(self.state, events.pop(0))  # type: ignore[arg-type]
            for command in commands:
                events += self._answers(command, read)
        raise AssertionError("the verification did not end")

    def _answers(self, command: Command, read: PlanOutline) -> list[object]:
        match command:
            case ReadPlan():
                return [PlanRead(command.id, read)]
            case RunTask(task=task):
                self.asked.append(task)
                reply = self.agent(task)
                if reply is None:
                    return [TaskFailed(command.id, "it broke")]
                checks = self.checks if task.mode or self.grounding is None else self.grounding
                return [TaskDone(command.id, reply, self.used if task.mode else (), checks)]
            case AskUser():
                self.questions.append(command)
                return [UserAnswered(command.id, self.user(command))] if self.user else []
            case WritePlanReport():
                self.report = command
                return [PlanReportWritten(command.id, (("json", "0"),))]

    @property
    def ended(self) -> bool:
        return self.state.stage is Stage.ENDED
