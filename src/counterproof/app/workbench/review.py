"""Executes the review's commands: resolves the scope, asks the user, gives tasks to a seat's analysts and model."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from counterproof.agents import specialists
from counterproof.agents.models.team import HOST
from counterproof.analysis.project import Project
from counterproof.analysis.review.claims import View
from counterproof.analysis.review.scope import Resolved, Wanted, resolve
from counterproof.analysis.source.scope import user_globs
from counterproof.analysis.source.unread import unread
from counterproof.app.driving import Failed, attempted
from counterproof.app.executor import Shift
from counterproof.app.team import Staff
from counterproof.model.review.comment import Comment
from counterproof.model.review.contract import ReviewReply, ReviewTask, Work
from counterproof.model.review.scope import PriorReview, Scope
from counterproof.ports import Emit
from counterproof.protocols.review import delta, triage
from counterproof.protocols.review.events import (
    Command,
    ConfirmScope,
    ReplyFailed,
    ReplyTaken,
    ResolveScope,
    ScopeAnswered,
    ScopeResolved,
)
from counterproof.protocols.review.request import ReviewRequest
from counterproof.protocols.review.tasks import ADVOCATE
from counterproof.reports.wording import counted
from counterproof.runtime.driver import Paused
from counterproof.toolbox.remarks import Remarks, remarks_in
from counterproof.toolbox.review_bench import ReviewBench
from counterproof.toolbox.threads import in_daemon_thread
from counterproof.toolbox.workspace import Turn

if TYPE_CHECKING:
    from counterproof.agents.models.agent import ModelAgent
    from counterproof.agents.specialists.model.specialist import ReviewDialogue

    ReviewAgent = ModelAgent[ReviewTask, ReviewBench, ReviewReply]


class Confirming(Protocol):
    """The user. Returns True, False, or None if nobody can answer now: then the run pauses (R4)."""

    def confirms(self, scope: Scope, warnings: tuple[str, ...]) -> bool | None: ...


@dataclass(frozen=True, slots=True)
class Earlier:
    """The review that a delta compares with, and whether its hashes match (R29)."""

    prior: PriorReview
    verified: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """The scope of a review, computed before the run begins; a resumed run recomputes it from the same files."""

    project: Project
    request: ReviewRequest
    resolved: Resolved
    earlier: Earlier | None

    @property
    def view(self) -> View:
        """The change with what its authors say about it."""
        said = (self.request.intent, *self.resolved.messages)
        return View(self.project, self.resolved.scope, self.resolved.before, intent=tuple(each for each in said if each.strip()))


def planned(project: Project, request: ReviewRequest, earlier: Earlier | None) -> Plan:
    """Raises a user error for a commit, path or glob that does not exist, before there is a run."""
    user_globs("--accept-unread", request.accept_unread)
    diff = None if request.paths and not request.diff else request.diff
    prior = earlier.prior if earlier and earlier.verified else None
    wanted = Wanted(request.paths, diff, request.secrets, request.profile.verdicts, prior)
    return Plan(project, request, resolve(project, wanted), earlier)


ELSEWHERE = "the change ends at this commit, but the working copy differs"
_DOING = {
    Work.REFINE: "reviewing the change and tracing data through the surrounding code",
    Work.CHALLENGE: "second reading of the others' findings",
    Work.DEFEND: "answering challenges",
    Work.ADVOCATE: "arguing against the findings",
}
"""A specialist's activity, for progress displays."""


class ReviewWorkbench:
    """The scope of a review and its seats. Embedded specialists take turns, because they share parsed code. `played` are
    agents by seat that replace those of the team."""

    concurrent = 64

    def __init__(self, plan: Plan, user: Confirming, played: "Mapping[str, ReviewAgent] | None" = None) -> None:
        self._plan = plan
        self._user = user
        self._played = played
        self._alone = Turn()
        self._bench: ReviewBench | None = None
        self._shared = False

    def close(self) -> None:
        if self._bench:
            self._bench.close()

    def _models(self, staff: Staff) -> "Mapping[str, ReviewAgent]":
        """Models and hosts by seat; all other seats are embedded."""
        if self._played is None:
            self._played = agents_of(staff)
        return self._played

    def _workbench(self) -> ReviewBench:
        if self._bench is None:
            done = self._plan.resolved
            profile = self._plan.request.profile
            if done.scope.prior:
                profile = delta.specialists(profile, done.scope.prior, done.scope.paths)
            self._bench = ReviewBench(self._plan.view, profile, self._plan.request.context)
        return self._bench

    async def act(self, command: Command, emit: Emit, shift: Shift) -> None:
        match command:
            case ResolveScope():
                shift.observer.progress("scope", "resolving")
                await self._scope(command, emit, bool(self._models(shift.staff)))
            case ConfirmScope():
                await self._confirm(command, emit, shift)
            case _:
                raise TypeError(f"no such command: {type(command).__name__}")

    async def _scope(self, command: ResolveScope, emit: Emit, modelled: bool) -> None:
        done, earlier = self._plan.resolved, self._plan.earlier
        refused = done.refused
        if earlier is not None and not earlier.verified:
            refused = f"the report of run {earlier.prior.run} does not match its hashes; do a full review without --delta"
        elif self._plan.request.delta and earlier is None:
            refused = "there is no earlier review of this folder to compare with; do a full review without --delta"
        remarks = await in_daemon_thread(lambda: self._remarks(modelled))
        await emit(
            ScopeResolved(
                command.id,
                done.scope,
                refused,
                earlier is not None and earlier.verified,
                done.empty,
                tuple(dict.fromkeys(each.path for each in remarks.found)),
                (*remarks.notes(), *(f"{path} is reviewed as {ELSEWHERE}" for path in done.elsewhere)),
                done.unread,
                tuple(path for path, why in done.unread if unread(path, why, self._plan.request.accept_unread).accepted),
                tuple(name for name, each in triage.numbered(self._plan.request.comments) if not self._has(each)),
            )
        )

    def _has(self, comment: Comment) -> bool:
        """True if the snapshot contains the location of a comment."""
        file = self._plan.project.files.get(comment.path)
        return file is not None and comment.line <= file.lines

    def _remarks(self, modelled: bool) -> Remarks:
        """Text in the reviewed files and their names that addresses a reader (R41): models may read whole files; without
        models only changed lines matter."""
        project, scope = self._plan.project, self._plan.resolved.scope
        changed = {} if modelled else {each.path: each.changed for each in scope.files}
        return remarks_in(project, [project.files[path] for path in scope.paths], changed)

    async def _confirm(self, command: ConfirmScope, emit: Emit, shift: Shift) -> None:
        said = await in_daemon_thread(lambda: self._user.confirms(command.scope, command.warnings))
        if said is None:
            count, tokens = counted(len(command.scope.files), "file"), command.scope.tokens
            raise Paused(
                f"PAUSE: the scope needs your confirmation: {count}, about {tokens:,} tokens.",
                f"`{shift.again} --yes` continues",
            )
        await emit(ScopeAnswered(command.id, said))

    def describe(self, task: ReviewTask) -> tuple[str, str]:
        files = counted(len(self._plan.resolved.scope.files), "file")
        return task.specialist.code, f"{_DOING[task.work]}; {files} under review"

    def is_modelled(self, task: ReviewTask, staff: Staff) -> bool:
        return asks_model(task) and task.specialist.code in self._models(staff)

    async def work(self, task: ReviewTask, emit: Emit, shift: Shift) -> None:
        """The analysts of a seat work whatever its model does; a failure of the model does not affect them (R39)."""
        own = await attempted(self._analysts(task, shift), shift.again)
        if isinstance(own, Failed):
            await emit(ReplyFailed(task.id, own.reason))
        elif not self.is_modelled(task, shift.staff):
            _, refused = await in_daemon_thread(lambda: self._workbench().checked(own))
            await emit(await self._taken(ReplyTaken(task.id, own, 0, (), refused)))
        else:
            done = await attempted(shift.time.within(self._modelled(task, shift)), shift.again)
            spent = shift.staff.cost_of(task.id)
            if isinstance(done, Failed):
                failed = ReplyFailed(
                    task.id, done.reason, spent.tokens, done.over_budget, done.exhausted, own, micros=spent.micros
                )
                await emit(failed)
            else:
                reply, problems, refused = done
                taken = ReplyTaken(task.id, reply, spent.tokens, problems, refused, own, micros=spent.micros)
                await emit(await self._taken(taken))

    async def _analysts(self, task: ReviewTask, shift: Shift) -> ReviewReply:
        """Embedded agents take turns, because they share parsed code."""
        async with shift.turn:
            bench = await in_daemon_thread(self._workbench)
            with self._alone:
                return await in_daemon_thread(lambda: bench.excerpted(specialists.review(task, bench)))

    async def _modelled(self, task: ReviewTask, shift: Shift) -> tuple[ReviewReply, tuple[str, ...], tuple[tuple[str, str], ...]]:
        """A model's reply with the bench's checks. Questions to models wait in parallel."""
        bench, models = self._workbench(), self._models(shift.staff)
        if task.work is not Work.REFINE and not self._shared and shift.staff.purse:
            self._shared = True  # the budget left from the first phase is shared among all (R25)
            shift.staff.purse.rebalance(max(1, len(models)))
        reply = await models[task.specialist.code].run(task, bench, shift.turn)
        async with shift.turn:
            reply = await in_daemon_thread(lambda: bench.excerpted(bench.backed(task, reply)))
            return reply, *await in_daemon_thread(lambda: bench.checked(reply))

    async def _taken(self, event: ReplyTaken) -> ReplyTaken:
        """The reply with the current state of the files."""
        under_review = {each.path for each in self._plan.resolved.scope.files}
        left = {path: each.why for path, each in sorted(self._plan.project.unread.items()) if path in under_review}
        globs = self._plan.request.accept_unread
        accepted = tuple(path for path, why in left.items() if unread(path, why, globs).accepted)
        return replace(event, edited=await in_daemon_thread(self._edited), unread=tuple(left.items()), accepted=accepted)

    def _edited(self) -> tuple[str, ...]:
        """Files changed on disk since the snapshot. Files that never matched the work tree are excluded."""
        elsewhere = self._plan.resolved.elsewhere
        return tuple(path for path in self._workbench().edited() if path not in elsewhere)


def asks_model(task: ReviewTask) -> bool:
    """True if a task has a question for its seat's model: a second refinement only if the first found something (R43)."""
    if task.alone:
        return False
    return task.work is not Work.REFINE or task.iteration == 1 or bool(task.answers) or any(each.model for each in task.own)


def agents_of(staff: Staff) -> "Mapping[str, ReviewAgent]":
    """The agents of a team by seat."""
    if not staff.channels:
        return {}
    players = {seat: str(player) for seat, player in staff.team.players.items()}

    def agent(player: str) -> "ReviewAgent":
        return staff.agent(player, lambda: _dialogue(player, staff, len(players)), lambda task: task.specialist.code)

    return with_advocate({seat: agent(player) for seat, player in players.items()})


def with_advocate(agents: "Mapping[str, ReviewAgent]") -> "Mapping[str, ReviewAgent]":
    """For a team of one: adds its own model as the devil's advocate (R17)."""
    return {**agents, ADVOCATE.code: next(iter(agents.values()))} if len(agents) == 1 else agents


def _dialogue(player: str, staff: Staff, seats: int) -> "ReviewDialogue":
    """The limits on what each specialist may be shown and look up, from the run's token budget (R25, R42)."""
    from counterproof.agents.context.pack import Room
    from counterproof.agents.context.review import HOST_ROOM, TASK_ROOM, room_of
    from counterproof.agents.specialists.model.specialist import Means, ReviewDialogue

    if player == HOST:
        return ReviewDialogue(player, Means(Room(HOST_ROOM, TASK_ROOM)))
    purse, total = staff.purse, staff.purse.budget.limit.tokens if staff.purse else None
    share = total // max(1, seats) if total else 0
    return ReviewDialogue(player, Means(room_of(total, seats), share, purse.spent_by if purse else lambda _: 0))
