"""Runs that a coding agent starts and follows: each has a thread of its own, and meets the host at a desk.

Always holds: few run at a time; what a run raises is kept as words and never lost; when the host goes away its runs pause in
good order and can be resumed. A host never confirms a plan or a scope and never answers a question in the user's name: the user
does so on the command line, or the run waits (X19). The analysis is imported when it is first needed, so that a server starts
quickly.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from counterproof.agents.host.desk import Desk
from counterproof.agents.models.team import HOST, parse_team
from counterproof.app.host_roots import Roots
from counterproof.model.errors import CounterproofError, UserError
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.request import AuditRequest
from counterproof.runtime.home import Home, RunFolder

if TYPE_CHECKING:
    from counterproof.model.plan.challenge import Question, Response
    from counterproof.model.receipt import Outcome
    from counterproof.model.review.scope import Scope
    from counterproof.protocols.plan.request import PlanTerms, VerifyRequest
    from counterproof.protocols.review.request import ReviewRequest

_NO_KEYS = "a coding agent cannot spend the user's keys"
MAX_LIVE = 2
MAX_MARKERS = 200
BEGIN_SECONDS = 30.0
LEAVE_SECONDS = 10.0
GONE = "the coding agent disconnected"


@dataclass(frozen=True, slots=True)
class Standing:
    """The user's word, given in advance or not at all."""

    yes: bool

    async def confirm(self, question: str) -> bool | None:
        return self._word

    def confirms(self, scope: "Scope", warnings: tuple[str, ...]) -> bool | None:
        return self._word

    def answers(self, iteration: int, questions: "tuple[Question, ...]") -> "tuple[Response, ...] | None":
        return () if self._word else None

    @property
    def _word(self) -> bool | None:
        return True if self.yes else None


@dataclass(frozen=True, slots=True)
class Left:
    """How a run was left by who drove it: how it came out, and how to go on."""

    outcome: "Outcome"
    hint: str


@dataclass(slots=True)
class LiveRun:
    """One run that this process drives. It is also the run's observer."""

    desk: Desk = field(default_factory=Desk)
    markers: list[str] = field(default_factory=list[str])
    doing: str = ""
    finished: Left | None = None
    error: str = ""
    thread: threading.Thread | None = None
    over: bool = False

    def narrate(self, text: str) -> None:
        self.markers.append(text)
        del self.markers[:-MAX_MARKERS]

    def progress(self, who: str, text: str) -> None:
        self.doing = f"{who}: {text}"

    @property
    def going(self) -> bool:
        return self.thread is not None and not self.over

    def drive(self, work: Callable[[], Left]) -> None:
        """Run to the end, whatever end it is."""
        try:
            self.finished = work()
        except CounterproofError as error:
            self.error = f"{error} ({error.hint})" if error.hint else str(error)
        except Exception as error:
            self.error = f"internal error: {type(error).__name__}: {error}"[:500]
        finally:
            self.over = True
            self.desk.close("the run is over")


class HostRuns:
    """The runs of one server."""

    def __init__(self, home: Home, roots: Roots, yes: bool) -> None:
        self.home = home
        self.roots = roots
        self._human = Standing(yes)
        self._runs: dict[str, LiveRun] = {}
        self._launched: list[LiveRun] = []
        self._lock = threading.Lock()

    def start(self, path: str, mode: Mode, agents: str, include: tuple[str, ...], exclude: tuple[str, ...], today: str) -> str:
        """A new audit; returns its id once it has begun. Raises `UserError` for what cannot be done."""
        from counterproof.app import audit as audits
        from counterproof.app import model_team

        team = parse_team(agents)
        if team.models:
            raise UserError(_NO_KEYS, "models are for `counterproof audit --agents`")
        roles, terms = model_team.terms_of(agents, 0, "", self.home.root) if team.hosted else ((), None)
        request = AuditRequest(
            target=str(self.roots.target(path)),
            mode=mode,
            include=include,
            exclude=exclude,
            today=today,
            models=roles,
            terms=terms,
        )

        def work(live: LiveRun) -> Left:
            done = audits.start(request, self._human, live, self.home, live.desk)
            return Left(done.outcome, done.hint)

        return self._begun(work)

    def host_review(self, agents: str, codes: tuple[str, ...]) -> str:
        """The digest of the prompts where a coding agent plays one of these specialists; '' where none does. Raises `UserError`
        for what names a model: a coding agent cannot spend the user's keys."""
        from counterproof.app import review_team

        players = review_team.team_of(agents, codes)
        if any(each != HOST for each in players.values()):
            raise UserError(_NO_KEYS, "models are for `counterproof review --agents`")
        return review_team.checked(agents, codes)

    def host_plan(self, agents: str) -> "PlanTerms | None":
        """The same for a verification."""
        from counterproof.agents.planning.team import parse_planners
        from counterproof.app import plan_team

        players = [each for each, _ in parse_planners(agents).values() if each]
        if any(each != HOST for each in players):
            raise UserError(_NO_KEYS, "models are for `counterproof verify --agents`")
        return plan_team.terms_of(agents, 0, "") if players else None

    def start_review(self, request: "ReviewRequest") -> str:
        """A new review; returns its id once it has begun."""
        from counterproof.app import review

        def work(live: LiveRun) -> Left:
            done = review.start(request, self._human, live, self.home, told=live.desk.begin, desk=live.desk)
            return Left(done.outcome, done.hint)

        return self._begun(work)

    def start_verification(self, request: "VerifyRequest") -> str:
        """A new verification of a plan; returns its id once it has begun."""
        from counterproof.app import verify

        def work(live: LiveRun) -> Left:
            done = verify.start(request, self._human, live, self.home, told=live.desk.begin, desk=live.desk)
            return Left(done.outcome, done.hint)

        return self._begun(work)

    def _begun(self, work: Callable[[LiveRun], Left]) -> str:
        live = LiveRun()
        self._launch(live, lambda: work(live))
        run = live.desk.wait_for_begin(BEGIN_SECONDS)
        if not run:
            raise UserError(live.error or "the run has not begun", "try again")
        self._runs[run] = live
        return run

    def resume(self, name: str) -> RunFolder:
        """Go on with a run that paused or was left. Raises `UserError` if it is being driven already."""
        run = self.find(name)
        before = self._runs.get(run.id)
        if before and before.going:
            raise UserError(f"run {run.id} is under way already", "audit_status says where it is")
        live = LiveRun()
        live.desk.begin(run.id)
        self._launch(live, lambda: self._gone_on(run, live))
        self._runs[run.id] = live
        return run

    def _gone_on(self, run: RunFolder, live: LiveRun) -> Left:
        from counterproof.app import audit as audits
        from counterproof.app import review, stored_runs, verify
        from counterproof.app.recovery import CAREFUL

        match stored_runs.job_of(run):
            case stored_runs.Job.AUDIT:
                done = audits.resume(run, self._human, live, CAREFUL, live.desk)
                return Left(done.outcome, done.hint)
            case stored_runs.Job.REVIEW:
                reviewed = review.resume(run, self._human, live, self.home, CAREFUL, live.desk)
                return Left(reviewed.outcome, reviewed.hint)
            case stored_runs.Job.VERIFY:
                verified = verify.resume(run, self._human, live, CAREFUL, live.desk)
                return Left(verified.outcome, verified.hint)

    def find(self, name: str) -> RunFolder:
        return self.roots.run(self.home, name)

    def live(self, run: RunFolder) -> LiveRun | None:
        """The run as this process drives or drove it."""
        return self._runs.get(run.id)

    def leave(self) -> None:
        """The host has gone: every run pauses where it waits for one, and is given a moment to write that down."""
        going = [live for live in self._launched if live.going]
        for live in going:
            live.desk.close(GONE)
        for live in going:
            if live.thread is not None:
                live.thread.join(LEAVE_SECONDS)

    def _launch(self, live: LiveRun, work: Callable[[], Left]) -> None:
        with self._lock:
            self._launched = [each for each in self._launched if each.going]
            if len(self._launched) >= MAX_LIVE:
                raise UserError(f"{MAX_LIVE} runs are under way", "wait for one of them to end")
            live.thread = threading.Thread(target=live.drive, args=(work,), daemon=True, name="counterproof-run")
            live.thread.start()
            self._launched.append(live)
