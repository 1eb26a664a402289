"""Runs that a coding agent starts and follows, each in its own process.

Invariant: few run at a time; the server's own process reads nothing of a target; if the host disconnects, its runs pause
cleanly and can be resumed.
"""

import threading
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from counterproof.agents.models.team import parse_team
from counterproof.agents.models.tuning import MIN_WINDOW
from counterproof.app.host_line import Assessed, Claim, Order
from counterproof.app.host_process import RunProcess
from counterproof.app.host_roots import Roots
from counterproof.app.team import AUDIT_SEATS, Seating, terms_of
from counterproof.model.errors import UserError
from counterproof.model.text import name_form
from counterproof.model.user_context import UserContext
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.request import AuditRequest
from counterproof.protocols.guard.budget import ModelTerms
from counterproof.runtime.home import Home, RunFolder

if TYPE_CHECKING:
    from counterproof.protocols.plan.request import VerifyRequest
    from counterproof.protocols.review.request import ReviewRequest

MAX_LIVE = 2
BEGIN_SECONDS = 50.0
"""Hosts wait a minute for an answer, so a run must begin within this time."""
CLAIM_SECONDS = 50.0
LEAVE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Play:
    """A coding agent's part in an audit: the tokens of one conversation, the number of hunts, and the user's context."""

    window: int = 0
    hunts: int = 1
    context: str = ""


USUAL_PLAY = Play()


class HostRuns:
    """The runs of one server."""

    def __init__(self, home: Home, roots: Roots, yes: bool, seconds: int = 0) -> None:
        self.home = home
        self.roots = roots
        self._yes = yes
        self._seconds = seconds
        self._runs: dict[str, RunProcess] = {}
        self._launched: list[RunProcess] = []
        self._lock = threading.Lock()
        self._claims = threading.Lock()

    def start(
        self,
        path: str,
        mode: Mode,
        agents: str,
        include: tuple[str, ...],
        exclude: tuple[str, ...],
        today: str,
        play: Play = USUAL_PLAY,
    ) -> str:
        """Start a new audit; return its id once it has begun. Raises `UserError` for an invalid request."""
        window = max(play.window, MIN_WINDOW) if play.window else 0
        terms = self.terms(AUDIT_SEATS, agents, "audit", window)
        roles = tuple(role for role, _ in terms.players) if terms else ()
        request = AuditRequest(
            target=name_form(str(self.roots.target(path))),
            mode=mode,
            include=include,
            exclude=exclude,
            today=today,
            models=roles,
            terms=terms,
            hunts=play.hunts if roles else 1,
            context=UserContext("said over MCP", play.context) if play.context.strip() else None,
            max_seconds=self._seconds,
        )
        return self._begun(Order(self._yes, audit=request))

    def terms(self, seating: Seating, agents: str, command: str, window: int = 0) -> ModelTerms | None:
        """The terms on which a coding agent plays some of these seats; None if it plays none. Raises `UserError` if a model is
        named: a coding agent cannot spend the user's keys."""
        team = parse_team(agents, seating.names, seating.what)
        if team.models:
            raise UserError("a coding agent cannot spend the user's keys", f"models are for `counterproof {command} --agents`")
        return terms_of(seating, agents, 0, "", self.home.root, window) if team.hosted else None

    def start_review(self, request: "ReviewRequest") -> str:
        """Start a new review; return its id once it has begun."""
        return self._begun(Order(self._yes, review=replace(request, max_seconds=self._seconds)))

    def start_verification(self, request: "VerifyRequest") -> str:
        """Start the verification of a plan; return its id once it has begun."""
        return self._begun(Order(self._yes, verification=replace(request, max_seconds=self._seconds)))

    def assess(self, claim: Claim) -> Assessed:
        """Judge one claim without a run. Raises `UserError` if that is impossible."""
        with self._claims:
            live = RunProcess(Order(self._yes, claim=claim))
            live.wait(lambda: live.over, CLAIM_SECONDS)
            live.end(0.0)
        if live.assessed is None:
            raise UserError(live.error or "the claim could not be checked in time", "look at the place yourself")
        return live.assessed

    def _begun(self, order: Order) -> str:
        live = self._launch(order)
        live.wait(lambda: bool(live.run or live.over), BEGIN_SECONDS)
        if not live.run:
            live.end(0.0)
            raise UserError(
                live.error or f"the run did not start within {BEGIN_SECONDS:.0f} s", "try again, or name a smaller folder"
            )
        self._runs[live.run] = live
        return live.run

    def resume(self, name: str) -> RunFolder:
        """Continue a run that was paused or abandoned. Raises `UserError` if it is already being driven."""
        run = self.find(name)
        before = self._runs.get(run.id)
        if before and before.going:
            raise UserError(f"run {run.id} is already in progress", "audit_status shows its progress")
        self._runs[run.id] = self._launch(Order(self._yes, run=run.id))
        return run

    def find(self, name: str) -> RunFolder:
        return self.roots.run(self.home, name)

    def live(self, run: RunFolder) -> RunProcess | None:
        """The run's process if this server started it."""
        return self._runs.get(run.id)

    def leave(self) -> None:
        """The host has disconnected: every run pauses when it needs one, and gets a moment to record that."""
        for live in self._launched:
            live.leave()
        until = time.monotonic() + LEAVE_SECONDS
        for live in self._launched:
            live.end(max(0.0, until - time.monotonic()))

    def _launch(self, order: Order) -> RunProcess:
        with self._lock:
            self._launched = [each for each in self._launched if each.going]
            if len(self._launched) >= MAX_LIVE:
                raise UserError(f"{MAX_LIVE} runs are in progress", "wait for one of them to end")
            live = RunProcess(order, self._seconds)
            self._launched.append(live)
            return live
