"""Carries out the commands of a review: resolves the scope, asks the user, runs specialists, writes the report."""

import asyncio
from dataclasses import dataclass
from typing import Protocol

from counterproof.agents.models.faults import BudgetExhausted
from counterproof.agents.specialists import EmbeddedSpecialist
from counterproof.analysis.project import Project
from counterproof.analysis.review.claims import View
from counterproof.analysis.review.scope import Resolved, Wanted, resolve
from counterproof.app.audit_executor import write_whole
from counterproof.app.review_team import ReviewStaff
from counterproof.model.canonical import digest
from counterproof.model.errors import CounterproofError, JournalError, ProviderPause, StorageError
from counterproof.model.review.contract import ReviewReply, ReviewTask, Work
from counterproof.model.review.report import ReviewReport
from counterproof.model.review.scope import PriorReview, Scope
from counterproof.ports import Emit, Observer
from counterproof.protocols.review import delta
from counterproof.protocols.review.events import (
    AskSpecialist,
    Command,
    ConfirmScope,
    ReplyFailed,
    ReplyTaken,
    ResolveScope,
    ReviewReportWritten,
    ScopeAnswered,
    ScopeResolved,
    WriteReviewReport,
)
from counterproof.protocols.review.request import ReviewRequest
from counterproof.reports import review as review_reports
from counterproof.reports.wording import counted
from counterproof.runtime.driver import Paused
from counterproof.runtime.home import RunFolder
from counterproof.toolbox.review_bench import ReviewBench
from counterproof.toolbox.threads import in_daemon_thread


class Confirming(Protocol):
    """The user. True, False, or None when nobody can be asked now: then the run pauses (R4)."""

    def confirms(self, scope: Scope, warnings: tuple[str, ...]) -> bool | None: ...


@dataclass(frozen=True, slots=True)
class Earlier:
    """The review that a delta compares with, and whether its hashes hold (R29)."""

    prior: PriorReview
    verified: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run reviews, worked out before it begins; a resumed run works it out anew from the same files."""

    project: Project
    request: ReviewRequest
    resolved: Resolved
    earlier: Earlier | None


def planned(project: Project, request: ReviewRequest, earlier: Earlier | None) -> Plan:
    """A commit or path that does not exist is a mistake of the user's, told before there is a run."""
    diff = None if request.paths and not request.diff else request.diff
    prior = earlier.prior if earlier and earlier.verified else None
    wanted = Wanted(request.paths, diff, request.secrets, request.profile.verdicts, prior)
    return Plan(project, request, resolve(project, wanted), earlier)


class ReviewExecutor:
    """Everything that a review does to the world happens here. Embedded specialists take turns: they share what was parsed."""

    def __init__(self, run: RunFolder, plan: Plan, user: Confirming, observer: Observer, staff: ReviewStaff) -> None:
        self._run = run
        self._plan = plan
        self._user = user
        self._observer = observer
        self._staff = staff
        self._agent = EmbeddedSpecialist()
        self._turn = asyncio.Lock()
        self._bench: ReviewBench | None = None

    def _workbench(self) -> ReviewBench:
        if self._bench is None:
            done = self._plan.resolved
            profile = self._plan.request.profile
            if done.scope.prior:
                profile = delta.specialists(profile, done.scope.prior, done.scope.paths)
            self._bench = ReviewBench(View(self._plan.project, done.scope, done.before), profile)
        return self._bench

    async def execute(self, command: Command, emit: Emit) -> None:
        match command:
            case ResolveScope():
                self._observer.progress("scope", "resolving")
                await self._scope(command, emit)
            case ConfirmScope():
                await self._confirm(command, emit)
            case AskSpecialist():
                await self._ask(command.task, emit)
            case WriteReviewReport():
                self._observer.progress("report", "writing")
                await emit(ReviewReportWritten(command.id, stored(self._run, command.report)))

    async def _scope(self, command: ResolveScope, emit: Emit) -> None:
        done, earlier = self._plan.resolved, self._plan.earlier
        refused = done.refused
        if earlier is not None and not earlier.verified:
            refused = f"the report of run {earlier.prior.run} does not match its hashes; do a full review without --delta"
        elif self._plan.request.delta and earlier is None:
            refused = "there is no earlier review of this folder to compare with; do a full review without --delta"
        await emit(ScopeResolved(command.id, done.scope, refused, earlier is not None and earlier.verified))

    async def _confirm(self, command: ConfirmScope, emit: Emit) -> None:
        said = await in_daemon_thread(lambda: self._user.confirms(command.scope, command.warnings))
        if said is None:
            count, tokens = counted(len(command.scope.files), "file"), command.scope.tokens
            raise Paused(
                f"PAUSE: the scope waits for your confirmation: {count}, about {tokens:,} tokens.",
                f"`counterproof review --resume {self._run.id} --yes` goes on",
            )
        await emit(ScopeAnswered(command.id, said))

    async def _ask(self, task: ReviewTask, emit: Emit) -> None:
        """A failing specialist is an event, whatever it raised; only our own cancellation passes through."""
        self._observer.progress(task.specialist.code, task.work.value)
        try:
            reply, bench = await self._worked(task)
            problems, refused = await in_daemon_thread(lambda: bench.checked(reply))
        except ProviderPause as pause:
            raise self._pause(pause) from pause
        except (StorageError, JournalError):
            raise  # the run's own disk failed, not the specialist
        except BudgetExhausted as short:
            await emit(ReplyFailed(task.id, str(short)[:500], self._staff.spent(task.id), over_budget=True))
        except CounterproofError as error:
            await emit(ReplyFailed(task.id, str(error)[:500], self._staff.spent(task.id)))
        except Exception as error:
            await emit(ReplyFailed(task.id, f"{type(error).__name__}: {error}"[:500], self._staff.spent(task.id)))
        else:
            await emit(ReplyTaken(task.id, reply, self._staff.spent(task.id), problems, refused))

    async def _worked(self, task: ReviewTask) -> tuple[ReviewReply, ReviewBench]:
        """Embedded work takes turns, since it shares what was parsed; questions to models wait beside each other."""
        async with self._turn:
            bench = await in_daemon_thread(self._workbench)
            model = self._staff.models.get(task.specialist.code)
            if model is None:
                return await in_daemon_thread(lambda: self._agent.work(task, bench)), bench
        if task.work is not Work.REFINE:
            self._staff.rebalance()
        return await model.work(task, bench, self._turn), bench

    def _pause(self, pause: ProviderPause) -> Paused:
        how = f"`counterproof review --resume {self._run.id}` goes on; it asks only what has no stored reply"
        return Paused(str(pause), f"{pause.hint}; then {how}" if pause.hint else how)


def stored(run: RunFolder, report: ReviewReport) -> tuple[tuple[str, str], ...]:
    """Write every format into the run's folder, each file whole or not at all; a failing disk pauses the run."""
    pairs: list[tuple[str, str]] = []
    try:
        for name in review_reports.FORMATS:
            text = review_reports.render(report, name)
            write_whole(run.path / review_reports.FILE_NAMES[name], text)
            pairs.append((name, digest(text)))
    except OSError as error:
        raise StorageError(
            f"the report of run {run.id} could not be written: {error.strerror}",
            f"free disk space or mend the disk, then `counterproof review --resume {run.id}`; nothing is lost",
        ) from error
    return tuple(pairs)
