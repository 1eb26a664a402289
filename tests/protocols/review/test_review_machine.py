"""Whole reviews: who is asked what, what counts, how it ends."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterproof.model.backing import FULL, Backing
from counterproof.model.errors import EngineBug
from counterproof.model.location import at
from counterproof.model.receipt import Exit
from counterproof.model.review.contract import ReviewReply, ReviewTask, Work
from counterproof.model.review.finding import ReviewFinding
from counterproof.model.review.position import Agreement, Defence, DocumentVerdict, Position, Resolution, Stance
from counterproof.model.review.profile import Profile
from counterproof.model.review.report import Change, ReviewReport
from counterproof.model.review.scope import Neighbour, PriorReview, Scope, ScopeFile, ScopeKind
from counterproof.model.severity import Severity
from counterproof.protocols.review import intake, machine
from counterproof.protocols.review.events import (
    AskSpecialist,
    Command,
    ConfirmScope,
    ReplyFailed,
    ReplyTaken,
    ResolveScope,
    ReviewReportWritten,
    ReviewStarted,
    ReviewTimeUp,
    ScopeAnswered,
    ScopeResolved,
    WriteReviewReport,
)
from counterproof.protocols.review.presets import Preset
from counterproof.protocols.review.request import ReviewRequest
from counterproof.protocols.review.state import ReviewState, Stage
from effort import examples
from protocols.review.reviews import CORR, ONE, OTHER, PERF, SEC, TEAM, finding, position

SCOPE = Scope(ScopeKind.PATHS, (ScopeFile("app.py", 100),))
Answer = Callable[[ReviewTask], ReviewReply | None]


def quiet(task: ReviewTask) -> ReviewReply:
    """Finds nothing, agrees with everything it is shown, defends its own findings."""
    if task.work is Work.REFINE:
        return ReviewReply(task.agent_id, no_findings=True)
    if task.work is Work.DEFEND:
        answers = tuple(Defence(each.id, True, "it stands", model=each.model) for each in task.own)
        return ReviewReply(task.agent_id, defences=answers)
    positions = tuple(
        Position(task.specialist.code, each.id, Stance.AGREE, each.severity, at=each.location)
        for each in task.shown
        if task.work is Work.CHALLENGE
    )
    return ReviewReply(task.agent_id, positions=positions)


def finding_in(code: str, *found: ReviewFinding, then: Answer = quiet) -> Answer:
    """`code` files these in every iteration; everybody else does as `then`."""

    def answer(task: ReviewTask) -> ReviewReply | None:
        if task.work is Work.REFINE and task.specialist.code == code:
            return ReviewReply(task.agent_id, findings=found)
        return then(task)

    return answer


class Play:
    """Plays a whole review."""

    def __init__(self, answer: Answer, scope: Scope = SCOPE, tokens: int = 0) -> None:
        self.answer = answer
        self.scope = scope
        self.tokens = tokens
        self.asked: list[ReviewTask] = []
        self.confirmed: ConfirmScope | None = None
        self.state = ReviewState()
        self.written: WriteReviewReport | None = None
        self.prior_verified = True

    def run(self, profile: Profile = TEAM, **request: object) -> "Play":
        wanted = ReviewRequest(".", profile, **{"yes": True, **request})  # type: ignore[arg-type]
        events: list[object] = [ReviewStarted(wanted, "1")]
        for _ in range(2_000):
            if not events:
                return self
            self.state, commands = machine.step(self.state, events.pop(0))  # type: ignore[arg-type]
            for command in commands:
                events += self._answers(command)
        raise AssertionError("the review did not end")

    def _answers(self, command: Command) -> list[object]:
        match command:
            case ResolveScope():
                return [ScopeResolved(command.id, self.scope, prior_verified=self.prior_verified)]
            case ConfirmScope():
                self.confirmed = command
                return []
            case AskSpecialist(task=task):
                self.asked.append(task)
                reply = self.answer(task)
                if reply is None:
                    return [ReplyFailed(command.id, "it broke", self.tokens)]
                return [ReplyTaken(command.id, reply, self.tokens)]
            case WriteReviewReport():
                self.written = command
                return [ReviewReportWritten(command.id, ())]

    @property
    def report(self) -> ReviewReport:
        assert self.written is not None
        return self.written.report

    @property
    def exit(self) -> Exit:
        assert self.state.outcome is not None
        return self.state.outcome.exit


@pytest.mark.rule("R1", "R43")
def test_a_quiet_review_asks_everybody_once() -> None:
    played = Play(quiet).run()
    assert [(task.work, task.iteration) for task in played.asked] == [(Work.REFINE, 1)] * 3
    assert (played.report.agreement, played.exit) == (Agreement.EMPTY, Exit.CLEAN)
    assert played.state.stage is Stage.ENDED


@pytest.mark.rule("R1")
def test_review_with_a_severe_finding_refines_then_challenges_then_reports() -> None:
    played = Play(finding_in("SEC", finding(severity=Severity.CRITICAL))).run()
    works = [task.work for task in played.asked]
    first = works.index(Work.CHALLENGE) if Work.CHALLENGE in works else 0
    assert first > 0
    assert set(works[:first]) == {Work.REFINE}
    assert Work.REFINE not in works[first:]
    assert played.state.stage is Stage.ENDED


@pytest.mark.rule("R10")
def test_silence_is_malformed() -> None:
    def silent(task: ReviewTask) -> ReviewReply:
        return ReviewReply(task.agent_id)

    played = Play(silent).run()
    assert played.exit is Exit.INCOMPLETE
    assert [task.attempt for task in played.asked if task.specialist.code == "SEC"] == [1, 2, 3]
    assert len(played.report.unreviewed) == 3


@pytest.mark.rule("R9")
def test_a_specialist_sees_only_its_own_findings_while_it_refines() -> None:
    played = Play(finding_in("SEC", finding())).run()
    for task in played.asked:
        if task.work is Work.REFINE:
            assert {each.specialist for each in task.own} <= {task.specialist.code}
            assert (task.lines, task.shown, task.against) == ((), (), ())


@pytest.mark.rule("R19")
def test_a_finding_that_all_agree_on_is_a_consensus_of_those_who_spoke() -> None:
    played = Play(finding_in("SEC", finding())).run()
    resolved = played.report.resolved[0]
    assert (resolved.resolution, resolved.label) == (Resolution.CONSENSUS, "Consensus (2/3)")


@pytest.mark.rule("R16", "R43")
@pytest.mark.parametrize(("preset", "asked"), [(Preset.DEFAULT, [("CORR", 1)]), (Preset.THOROUGH, [("CORR", 1), ("PERF", 2)])])
def test_agreement_ends_the_round_and_a_thorough_review_asks_the_rest(preset: Preset, asked: list[tuple[str, int]]) -> None:
    played = Play(finding_in("SEC", finding())).run(preset=preset)
    assert [(task.specialist.code, task.iteration) for task in played.asked if task.work is Work.CHALLENGE] == asked


@pytest.mark.rule("R43")
def test_a_minor_finding_and_one_that_two_saw_ask_nobody() -> None:
    minor = Play(finding_in("SEC", finding(severity=Severity.LOW))).run()
    assert {task.work for task in minor.asked} == {Work.REFINE}
    same = finding_in("SEC", finding(), then=finding_in("CORR", finding(1, "CORR")))
    assert {task.work for task in Play(same).run().asked} == {Work.REFINE}


@pytest.mark.rule("R43")
def test_only_specialists_with_findings_refine_twice() -> None:
    played = Play(finding_in("SEC", finding())).run()
    assert [(task.specialist.code, task.iteration) for task in played.asked if task.work is Work.REFINE] == [
        ("SEC", 1), ("CORR", 1), ("PERF", 1), ("SEC", 2),
    ]  # fmt: skip


def against(task: ReviewTask) -> ReviewReply:
    """Challenges everything that it was shown whole."""
    if task.work in (Work.CHALLENGE, Work.ADVOCATE):
        code = task.specialist.code
        shown = tuple(position(code, Stance.CHALLENGE, of=each.id) for each in task.shown)
        return ReviewReply(task.agent_id, positions=shown)
    return quiet(task)


@pytest.mark.rule("R14", "R15", "R43")
def test_reader_challenges_a_finding_and_its_author_defends_it() -> None:
    played = Play(finding_in("SEC", finding(model=OTHER), then=against)).run()
    rounds = [(task.specialist.code, task.iteration, len(task.shown)) for task in played.asked if task.work is Work.CHALLENGE]
    assert rounds == [("CORR", 1, 1), ("CORR", 2, 1)]
    assert [task.specialist.code for task in played.asked if task.work is Work.DEFEND] == ["SEC"]
    assert played.report.resolved[0].resolution is Resolution.ESCALATED
    assert {event.what for event in played.report.life} == {"created", "challenged", "defended"}


TWO = (finding(1), finding(2, domain="io", place=at("app.py", 60)))


@pytest.mark.rule("R14")
@pytest.mark.parametrize(("opened", "counts"), [((), False), (("SEC-001",), True)])
def test_a_challenge_counts_only_of_what_was_shown_or_opened(opened: tuple[str, ...], counts: bool) -> None:
    """PERF is shown SEC-002 and a line of SEC-001, which it may open."""

    def blind(task: ReviewTask) -> ReviewReply:
        if task.work is Work.CHALLENGE and task.specialist is PERF:
            assert task.iteration > 1 or [each.id for each in task.others] == ["SEC-001"]
            stance = position("PERF", Stance.CHALLENGE, backing=replace(FULL, opened=bool(opened)))
            return ReviewReply(task.agent_id, positions=(stance,), opened=opened)
        return quiet(task) if task.work is not Work.CHALLENGE else ReviewReply(task.agent_id)

    played = Play(finding_in("SEC", *TWO, then=blind)).run()
    resolved = next(each for each in played.report.resolved if each.finding.id == "SEC-001")
    assert (resolved.resolution is Resolution.SINGLE) is not counts
    assert ("without opening the finding" in " ".join(text for _, _, text in played.report.trips)) is not counts


def resolved_by(then: Answer, author: str = OTHER, preset: Preset = Preset.DEFAULT) -> tuple[Play, Resolution]:
    """What becomes of a finding that CORR is shown whole."""
    played = Play(finding_in("SEC", finding(domain="null-safety", model=author), then=then)).run(preset=preset)
    return played, played.report.resolved[0].resolution


@pytest.mark.rule("R37")
@pytest.mark.parametrize("stance", [Stance.AGREE, Stance.CHALLENGE])
@pytest.mark.parametrize("missing", ["quoted", "holds"])
def test_positions_for_and_against_need_the_same_backing_or_abstain(stance: Stance, missing: str) -> None:
    def said(backing: Backing) -> Answer:
        def answer(task: ReviewTask) -> ReviewReply:
            if task.work is not Work.CHALLENGE or task.specialist.code != "CORR":
                return quiet(task) if task.work is not Work.CHALLENGE else ReviewReply(task.agent_id)
            return ReviewReply(task.agent_id, positions=(position("CORR", stance, backing=backing),))

        return answer

    played, became = resolved_by(said(replace(FULL, **{missing: False})))
    assert became is Resolution.SINGLE
    assert any("does not count" in text for _, _, text in played.report.trips)
    assert resolved_by(said(FULL))[1] is (Resolution.CONSENSUS if stance is Stance.AGREE else Resolution.ESCALATED)


@pytest.mark.rule("R36")
def test_an_analysts_disputed_finding_fails_the_run() -> None:
    played, became = resolved_by(against, author="")
    assert (became, played.exit) == (Resolution.DISPUTED, Exit.FINDINGS)
    assert played.report.agreement is not Agreement.FULL


@pytest.mark.rule("R38")
def test_a_defence_reaches_the_challenger_and_who_does_not_answer_it_has_withdrawn() -> None:
    def once(task: ReviewTask) -> ReviewReply:
        return ReviewReply(task.agent_id) if task.work is Work.CHALLENGE and task.iteration > 1 else against(task)

    played, became = resolved_by(once)
    told = next(
        task for task in played.asked if task.work is Work.CHALLENGE and task.iteration == 2 and task.specialist.code == "CORR"
    )
    assert [each.finding_id for each in told.against] == ["SEC-001"]
    assert [each.text for each in told.defences] == ["it stands"]
    assert became is Resolution.SINGLE
    assert any("did not reply to the defence" in text for _, _, text in played.report.trips)
    assert resolved_by(against)[1] is Resolution.ESCALATED  # who answers keeps its challenge


@pytest.mark.rule("R38")
def test_the_last_round_takes_no_new_challenge() -> None:
    def late(task: ReviewTask) -> ReviewReply:
        if task.work is Work.CHALLENGE and task.iteration == 1:
            return ReviewReply(
                task.agent_id,
                findings=(finding(1, "CORR", domain="io", place=at("app.py", 70)),) * (task.specialist.code == "CORR"),
            )
        return against(task)

    played, became = resolved_by(late)
    assert became is Resolution.SINGLE
    assert not any(task.work is Work.DEFEND for task in played.asked)
    assert any("in the last round" in text for _, _, text in played.report.trips)


class Beside(Play):
    """A review in which models play all seats: `answer` is the model's, and the analysts find what `own` says."""

    def __init__(self, answer: Answer, *own: ReviewFinding) -> None:
        super().__init__(answer)
        self.own = own

    def _answers(self, command: Command) -> list[object]:
        if not isinstance(command, AskSpecialist):
            return super()._answers(command)
        task = command.task
        self.asked.append(task)
        mine = tuple(each for each in self.own if each.specialist == task.specialist.code)
        analysts = ReviewReply(task.agent_id, findings=mine, no_findings=not mine) if task.work is Work.REFINE else quiet(task)
        if task.alone:
            return [ReplyTaken(command.id, analysts)]
        reply = self.answer(task)
        if reply is None:
            return [ReplyFailed(command.id, "the output was cut off", beside=analysts)]
        return [ReplyTaken(command.id, reply, beside=analysts)]


def failing(task: ReviewTask) -> None:
    return None


@pytest.mark.rule("R39", "F19")
def test_a_model_that_fails_loses_its_own_part_and_nobody_elses() -> None:
    alone = Play(finding_in("SEC", finding())).run()
    played = Beside(failing, finding()).run()
    assert [(each.finding.id, each.severity) for each in played.report.resolved] == [
        (each.finding.id, each.severity) for each in alone.report.resolved
    ]
    assert played.report.unreviewed == tuple(f"{code}: the output was cut off" for code in ("SEC", "CORR", "PERF"))
    assert [task.attempt for task in played.asked if task.specialist.code == "SEC" and not task.alone] == [1, 2, 3]
    assert Exit.INCOMPLETE in [reason.code for reason in played.state.outcome.reasons]  # type: ignore[union-attr]


@pytest.mark.rule("R39", "F19")
def test_a_finding_outside_the_domains_costs_itself_alone() -> None:
    strange = finding(1, kind="CWE-89 x", domain="sql-injection", place=at("app.py", 40), model=ONE)
    good = finding(2, kind="CWE-78 y", place=at("app.py", 60), model=ONE)
    played = Beside(finding_in("SEC", strange, good), finding()).run()
    assert sorted(each.finding.location.start for each in played.report.resolved) == [9, 60]
    assert any("is not a domain of the profile" in text for _, _, text in played.report.trips)


@pytest.mark.rule("R38")
def test_a_seats_model_neither_withdraws_nor_judges_what_its_analysts_found() -> None:
    def giving_up(task: ReviewTask) -> ReviewReply:
        if task.work is Work.DEFEND:
            gone = tuple(Defence(each.id, False, "I was wrong", model=ONE) for each in task.own)
            return ReviewReply(task.agent_id, defences=gone)
        return against(task)

    (one,) = Beside(giving_up, finding(domain="null-safety")).run().report.resolved
    assert (one.resolution, one.withdrawn) == (Resolution.DISPUTED, False)


@pytest.mark.rule("R25")
def test_a_used_up_share_ends_one_specialists_part_and_keeps_what_it_found() -> None:
    found = finding(1, kind="CWE-89 x", place=at("app.py", 40), model=ONE)

    class Spent(Beside):
        def _answers(self, command: Command) -> list[object]:
            if isinstance(command, AskSpecialist) and command.task.specialist.code == "SEC" and command.task.iteration > 1:
                beside = ReviewReply(command.task.agent_id, findings=(finding(),))
                return [ReplyFailed(command.id, "the share of SEC is used up", exhausted=True, beside=beside)]
            return super()._answers(command)

    played = Spent(finding_in("SEC", found), finding()).run()
    assert [each.finding.location.start for each in played.report.resolved] == [9, 40]
    assert played.report.truncated == ""
    assert played.report.unreviewed == ("SEC: the share of SEC is used up",)


@pytest.mark.rule("R41")
def test_a_file_that_gives_orders_keeps_findings_that_one_provider_opposes() -> None:
    class Ordered(Play):
        addressed: tuple[str, ...] = ()

        def _answers(self, command: Command) -> list[object]:
            if isinstance(command, ResolveScope):
                return [ScopeResolved(command.id, self.scope, addressed=self.addressed, remarks=("app.py:1 gives orders",))]
            return super()._answers(command)

    both = finding(domain="io", model=OTHER)
    plain = Ordered(finding_in("SEC", both, then=against)).run()
    assert plain.report.resolved[0].resolution is Resolution.DISMISSED
    ordered = Ordered(finding_in("SEC", both, then=against))
    ordered.addressed = ("app.py",)
    assert ordered.run().report.resolved[0].kept
    assert ordered.report.notes == ("app.py:1 gives orders",)


@pytest.mark.rule("R40", "X20")
def test_source_that_nobody_read_ends_incomplete_unless_it_was_accepted() -> None:
    scope = Scope(ScopeKind.PATHS, (ScopeFile("app.py", 100), ScopeFile("Main.java", 100)))

    class Unread(Play):
        accepted: tuple[str, ...] = ()
        addressed: tuple[str, ...] = ()

        def _answers(self, command: Command) -> list[object]:
            if isinstance(command, ResolveScope):
                unread = (("Main.java", "nobody reads Java"),)
                return [ScopeResolved(command.id, self.scope, addressed=self.addressed, unread=unread, accepted=self.accepted)]
            return super()._answers(command)

    def reading(task: ReviewTask) -> ReviewReply:
        return replace(quiet(task), read=("Main.java",))

    plain = Unread(quiet, scope).run()
    assert (plain.exit, plain.report.unread) == (Exit.INCOMPLETE, (("Main.java", "nobody reads Java"),))
    let = Unread(quiet, scope)
    let.accepted = ("Main.java",)
    assert (let.run().exit, let.report.accepted) == (Exit.CLEAN, ("Main.java",))
    assert Unread(reading, scope).run().exit is Exit.CLEAN
    ordered = Unread(reading, scope)
    ordered.addressed = ("Main.java",)
    assert ordered.run().exit is Exit.INCOMPLETE


@pytest.mark.rule("R15")
def test_in_the_last_round_a_position_without_a_line_is_a_retraction() -> None:
    def vague(task: ReviewTask) -> ReviewReply:
        if task.work is Work.CHALLENGE:
            place = at("app.py", 9) if task.iteration == 1 else None
            shown = tuple(
                Position(task.specialist.code, each.id, Stance.CHALLENGE, evidence="no", at=place) for each in task.shown
            )
            return ReviewReply(task.agent_id, positions=shown)
        return quiet(task)

    filed = finding(domain="null-safety")
    played = Play(finding_in("SEC", filed, then=vague)).run()
    assert played.report.resolved[0].pool == ("SEC",)


@pytest.mark.rule("R15")
def test_new_findings_enter_before_the_last_round_only() -> None:
    def late(task: ReviewTask) -> ReviewReply:
        if task.work is Work.CHALLENGE and task.specialist.code == "CORR":
            found = finding(1, "CORR", kind=f"new-{task.iteration}", domain="logic", place=at("app.py", 40 * task.iteration))
            return ReviewReply(task.agent_id, findings=(found,), positions=(position("CORR", Stance.CHALLENGE),))
        return quiet(task)

    played = Play(finding_in("SEC", finding(model=OTHER), then=late)).run()
    assert [each.finding.kind for each in played.report.resolved] == ["sql-injection", "new-1"]
    assert any(guardrail == "late" for guardrail, _, _ in played.report.trips)


@pytest.mark.rule("R17")
def test_a_single_specialist_meets_the_devils_advocate_who_has_no_vote() -> None:
    alone = Profile("code", (SEC,), ("SEC",))
    played = Play(finding_in("SEC", finding(), then=against)).run(alone)
    assert [task.work for task in played.asked][-2:] == [Work.ADVOCATE, Work.DEFEND]
    resolved = played.report.resolved[0]
    assert (resolved.resolution, resolved.pool) == (Resolution.SINGLE, ("SEC",))
    assert resolved.defence is not None


@pytest.mark.rule("R7", "R8")
def test_a_failed_output_is_tried_by_fresh_agents_and_then_excluded() -> None:
    def broken(task: ReviewTask) -> ReviewReply | None:
        return ReviewReply("somebody else", no_findings=True) if task.specialist.code == "PERF" else quiet(task)

    played = Play(broken).run()
    assert [task.attempt for task in played.asked if task.specialist.code == "PERF"] == [1, 2, 3]
    assert played.report.unreviewed[0].startswith("PERF")
    assert played.exit is Exit.INCOMPLETE


@pytest.mark.rule("R7")
def test_an_output_that_failed_the_scan_is_not_taken() -> None:
    state, _ = machine.step(ReviewState(), ReviewStarted(ReviewRequest(".", TEAM, yes=True), "1"))
    state, commands = machine.step(state, ScopeResolved("resolve-scope", SCOPE))
    task = commands[0].task  # type: ignore[union-attr]
    reply = ReviewReply(task.agent_id, findings=(finding(),))
    state, again = machine.step(state, ReplyTaken(task.id, reply, problems=("instruction override in a title",)))
    assert state.histories[0].iterations == ()
    assert again[0].task.attempt == 2  # type: ignore[union-attr]


@pytest.mark.rule("R12")
def test_a_specialist_that_keeps_changing_is_stopped_by_the_cap() -> None:
    def wandering(task: ReviewTask) -> ReviewReply:
        if task.work is Work.REFINE:
            return ReviewReply(
                task.agent_id,
                findings=(finding(1, task.specialist.code, place=at("app.py", 9 + 20 * task.iteration), domain="logic"),),
            )
        return quiet(task)

    played = Play(wandering).run(preset=Preset.THOROUGH)
    assert max(task.iteration for task in played.asked if task.work is Work.REFINE) == 3


@pytest.mark.rule("R25")
def test_an_exhausted_budget_ends_the_iteration_and_the_report_says_truncated() -> None:
    played = Play(finding_in("SEC", finding()), tokens=60).run(budget=100)
    assert {task.iteration for task in played.asked} == {1, 2}
    assert not any(task.work is Work.CHALLENGE for task in played.asked)
    assert played.report.truncated
    assert [each.finding.id for each in played.report.resolved] == ["SEC-001"]
    assert Exit.OVER_BUDGET in [reason.code for reason in played.state.outcome.reasons]  # type: ignore[union-attr]
    unlimited = Play(finding_in("SEC", finding()), tokens=60).run(budget=100, unlimited=True)
    assert unlimited.report.truncated == ""
    assert sum(each.tokens for each in unlimited.report.spending) > 100


@pytest.mark.rule("R4")
def test_the_scope_waits_for_consent_and_a_refusal_spends_nothing() -> None:
    waiting = Play(quiet).run(yes=False)
    assert waiting.state.stage is Stage.CONFIRMATION
    assert waiting.asked == []
    declined, commands = machine.step(waiting.state, ScopeAnswered("confirm-scope", False))
    assert commands == ()
    assert declined.outcome is not None
    assert declined.outcome.exit is Exit.REFUSED
    large = Scope(ScopeKind.PATHS, tuple(ScopeFile(f"f{number}.py", 1) for number in range(201)))
    assert Play(quiet, large).run().exit is Exit.REFUSED
    secret = Scope(ScopeKind.PATHS, (ScopeFile(".env", 1, secret=True),))
    assert Play(quiet, secret).run().exit is Exit.REFUSED
    assert Play(quiet, secret).run(secrets=True).exit is Exit.CLEAN


@pytest.mark.rule("R30")
def test_no_finding_is_filed_against_the_impact_graph_or_unchanged_lines() -> None:
    scope = Scope(
        ScopeKind.DIFF,
        (ScopeFile("app.py", 100, changed=((1, 12),)),),
        neighbours=(Neighbour("caller", "calls", at("other.py", 3)),),
    )
    found = (finding(1), finding(2, place=at("other.py", 3)), finding(3, place=at("app.py", 50)))
    played = Play(finding_in("SEC", *found), scope).run()
    assert [each.finding.id for each in played.report.resolved] == ["SEC-001"]
    assert {guardrail for guardrail, _, _ in played.report.trips} == {"impact graph", "unchanged code", "severity inflation"}


@pytest.mark.rule("R29")
def test_a_delta_carries_over_compares_and_rejects_unverified_reviews() -> None:
    kept = finding(1, place=at("untouched.py", 4))
    stays = finding(2, place=at("app.py", 8), kind="stays")
    gone = finding(3, place=at("app.py", 30), kind="gone")
    prior = PriorReview("r1", "c0", "d", (kept, stays, gone))
    scope = replace(SCOPE, kind=ScopeKind.DELTA, prior=prior)
    now = (finding(1, place=at("app.py", 10), kind="stays"), finding(2, place=at("app.py", 60), kind="fresh"))
    played = Play(finding_in("SEC", *now), scope).run(delta=True)
    assert dict(played.report.changes) == {"SEC-001": Change.PERSISTS, "SEC-002": Change.NEW}
    assert (played.report.carried, played.report.fixed) == ((kept,), (gone,))
    assert [each.code for each in played.report.profile.specialists] == ["SEC", "CORR"]
    tampered = Play(quiet, scope)
    tampered.prior_verified = False
    assert tampered.run(delta=True).exit is Exit.REFUSED
    assert Play(quiet).run(delta=True).exit is Exit.REFUSED


@pytest.mark.rule("R21", "R48")
def test_documents_get_a_verdict_from_votes_findings_and_orders() -> None:
    strategy = Profile("strategy", TEAM.specialists, TEAM.quick, verdicts=True)

    def approving(task: ReviewTask) -> ReviewReply:
        reply = quiet(task)
        return replace(reply, verdicts=(("app.py", DocumentVerdict.APPROVE),)) if task.work is Work.REFINE else reply

    class Ordered(Play):
        def _answers(self, command: Command) -> list[object]:
            given = ScopeResolved(command.id, self.scope, addressed=("app.py",))
            return [given] if isinstance(command, ResolveScope) else super()._answers(command)

    assert Play(approving).run(strategy).report.verdicts == (("app.py", DocumentVerdict.APPROVE),)
    assert Ordered(approving).run(strategy).report.verdicts == (("app.py", DocumentVerdict.REVISE),)
    played = Play(quiet).run(strategy)
    assert played.report.verdicts == (("app.py", DocumentVerdict.REVISE),)
    assert played.exit is Exit.FINDINGS


@pytest.mark.rule("R28")
def test_challengers_are_warned_of_inflated_severities() -> None:
    loud = tuple(finding(number, severity=Severity.CRITICAL, place=at("app.py", 20 * number)) for number in range(1, 4))
    played = Play(finding_in("SEC", *loud)).run()
    warned = [task.warnings for task in played.asked if task.work is Work.CHALLENGE]
    assert all(any("SEC" in each for each in warnings) for warnings in warned)


@pytest.mark.rule("R44")
@pytest.mark.parametrize("of", ["its specialist", "its context"])
def test_a_finding_that_an_earlier_task_showed_is_opened(of: str) -> None:
    state = Play(finding_in("SEC", finding())).run().state
    seen = ("CORR" if of == "its specialist" else intake.context("talk"), "SEC-001")
    said = replace(position("CORR", Stance.AGREE, backing=Backing(quoted=True, holds=True)), context="talk")
    task = ReviewTask("t", "t", Work.CHALLENGE, CORR, 2, 1, others=(finding(),))
    for opened, stance in (((seen,), Stance.AGREE), ((("PERF", "SEC-001"),), Stance.ABSTAIN)):
        kept, _ = intake.positions(replace(state, opened=opened), task, ReviewReply("t", positions=(said,)))
        assert [each.stance for each in kept] == [stance]


@pytest.mark.rule("R22")
def test_seeing_the_same_alone_is_agreeing_once() -> None:
    def both(task: ReviewTask) -> ReviewReply:
        if task.work is Work.REFINE and task.specialist.code in ("SEC", "CORR"):
            twice = tuple(finding(number, task.specialist.code, place=at("app.py", 9)) for number in (1, 2))
            return ReviewReply(task.agent_id, findings=twice)
        return quiet(task) if task.work is not Work.CHALLENGE else ReviewReply(task.agent_id)

    resolved = Play(both).run().report.resolved
    assert [(each.finding.sources, each.label) for each in resolved] == [(("CORR", "SEC"), "Consensus (2/3)")]


def test_events_out_of_turn_are_bugs_except_from_agents() -> None:
    with pytest.raises(EngineBug):
        machine.step(ReviewState(), ScopeResolved("resolve-scope", SCOPE))
    done = Play(quiet).run().state
    after, commands = machine.step(done, ReplyTaken("late", ReviewReply("late", no_findings=True)))
    assert (after.stage, commands) == (Stage.ENDED, ())


def test_time_up_resolves_the_results_so_far() -> None:
    state, _ = machine.step(ReviewState(), ReviewStarted(ReviewRequest(".", TEAM, yes=True), "1"))
    state, commands = machine.step(state, ScopeResolved("resolve-scope", SCOPE))
    task = commands[0].task  # type: ignore[union-attr]
    state, _ = machine.step(state, ReplyTaken(task.id, ReviewReply(task.agent_id, findings=(finding(),))))
    state, commands = machine.step(state, ReviewTimeUp(9))
    report = commands[0].report  # type: ignore[union-attr]
    assert [each.finding.id for each in report.resolved] == ["SEC-001"]
    assert state.outcome is not None
    assert Exit.INCOMPLETE in [reason.code for reason in state.outcome.reasons]


@st.composite
def answers(draw: st.DrawFn, task: ReviewTask) -> ReviewReply | None:
    """Anything a specialist could do."""
    if draw(st.integers(0, 7)) == 0:
        return None
    code = task.specialist.code
    places = draw(st.lists(st.tuples(st.integers(1, 60), st.sampled_from(Severity), st.sampled_from(["a", "b"])), max_size=4))
    found = tuple(
        finding(number, code if draw(st.integers(0, 9)) else "SEC", severity, at("app.py", line), kind, "logic")
        for number, (line, severity, kind) in enumerate(places, 1)
    )
    found = tuple({each.id: each for each in found}.values())
    known = [each.id for each in task.shown] + [line.split()[0] for line in task.lines] + ["SEC-777"]
    positions = tuple(
        Position(
            code, draw(st.sampled_from(known)), stance, Severity.LOW, "because", draw(st.sampled_from([None, at("app.py", 9)]))
        )
        for stance in draw(st.lists(st.sampled_from(Stance), max_size=4))
    )
    return ReviewReply(
        task.agent_id,
        findings=found,
        no_findings=not found,
        positions=positions if task.work is not Work.REFINE else (),
        opened=tuple(draw(st.lists(st.sampled_from(known), max_size=2))),
        defences=tuple(Defence(each.id, draw(st.booleans()), "so") for each in task.own) if task.work is Work.DEFEND else (),
        ended=draw(st.integers(0, 9)) > 0,
    )


@pytest.mark.rule("R1", "R24")
@settings(max_examples=examples(120), deadline=None)
@given(st.data())
def test_every_review_ends_within_its_bounds_whatever_specialists_do(data: st.DataObject) -> None:
    preset = data.draw(st.sampled_from(Preset))
    played = Play(lambda task: data.draw(answers(task))).run(preset=preset, budget=data.draw(st.sampled_from([10_000, 40])))
    assert played.state.stage is Stage.ENDED
    assert max((task.iteration for task in played.asked), default=0) <= 3
    report = played.report
    for resolved in report.resolved:
        if resolved.label.startswith("Consensus"):
            assert all(each.stance is Stance.AGREE for each in resolved.positions)
        assert len(set(resolved.pool)) == len(resolved.pool)
    ids = [each.finding.id for each in report.resolved]
    assert len(ids) == len(set(ids))


@pytest.mark.rule("R36", "R39")
@settings(max_examples=examples(150), deadline=None)
@given(st.data())
def test_no_model_takes_away_or_lowers_what_analysts_found(data: st.DataObject) -> None:
    """Whatever the models of all seats do, or fail to do, without a confirmed defence."""
    own = (finding(1, severity=Severity.CRITICAL), finding(1, "CORR", Severity.HIGH, at("app.py", 30), "a", "logic"))

    def model(task: ReviewTask) -> ReviewReply | None:
        reply = data.draw(answers(task))
        if reply is None:
            return None
        backing = data.draw(st.builds(Backing, st.booleans(), st.booleans(), st.booleans()))
        return replace(
            reply,
            findings=tuple(replace(each, model=ONE) for each in reply.findings),
            positions=tuple(replace(each, model=ONE, backing=backing) for each in reply.positions),
            defences=tuple(replace(each, model=ONE) for each in reply.defences),
        )

    played = Beside(model, *own).run(preset=data.draw(st.sampled_from(Preset)))
    kept = {(each.finding.location.start, each.finding.kind): each for each in played.report.resolved if not each.finding.model}
    for each in own:
        resolved = kept[each.location.start, each.kind]
        assert resolved.kept
        assert resolved.severity.rank >= each.severity.rank
    assert played.exit is Exit.FINDINGS


@pytest.mark.rule("R1")
@settings(max_examples=examples(40), deadline=None)
@given(st.randoms(use_true_random=False))
def test_the_order_of_replies_does_not_matter(random) -> None:
    """The same replies, answered in any order, give the same report."""

    def reply(task: ReviewTask) -> ReviewReply:
        if task.work is Work.REFINE:
            lines = {"SEC": (9, 30), "CORR": (11, 50), "PERF": (70,)}[task.specialist.code]
            domain = {"SEC": "injection", "CORR": "null-safety", "PERF": "io"}[task.specialist.code]
            found = tuple(
                finding(
                    number, task.specialist.code, place=at("app.py", line), kind="same" if line < 20 else "own", domain=domain
                )
                for number, line in enumerate(lines, 1)
            )
            return ReviewReply(task.agent_id, findings=found)
        return against(task)

    def played(shuffle: bool) -> ReviewReport:
        state, commands = machine.step(ReviewState(), ReviewStarted(ReviewRequest(".", TEAM, yes=True), "1"))
        waiting: list[object] = [ScopeResolved("resolve-scope", SCOPE)]
        while waiting:
            if shuffle:
                random.shuffle(waiting)
            state, commands = machine.step(state, waiting.pop(0))  # type: ignore[arg-type]
            for command in commands:
                if isinstance(command, WriteReviewReport):
                    return command.report
                assert isinstance(command, AskSpecialist)
                waiting.append(ReplyTaken(command.id, reply(command.task)))
        raise AssertionError("no report")

    assert played(True) == played(False)


@pytest.mark.rule("R46")
def test_a_models_finding_on_an_unchanged_line_is_older_and_one_on_a_changed_line_counts() -> None:
    scope = Scope(
        ScopeKind.DIFF,
        (ScopeFile("app.py", 100, changed=((1, 12),)),),
        neighbours=(Neighbour("caller", "calls", at("other.py", 3)),),
    )
    places = (at("app.py", 9), at("app.py", 50), at("other.py", 3), at("far.py", 1))
    found = [replace(finding(number, place=place), model=ONE) for number, place in enumerate(places, 1)]
    said = replace(finding(5, place=at("app.py", 11), kind="said"), model=ONE, older=True)
    played = Play(finding_in("SEC", *found, said), scope).run()
    assert [str(each.finding.location) for each in played.report.resolved] == ["app.py:9"]
    assert sorted(str(each.location) for each in played.report.older) == ["app.py:11", "app.py:50", "far.py:1", "other.py:3"]
    assert all(each.severity is Severity.HIGH for each in played.report.older), "nothing demotes what is reported apart"
    shown = {each.id for task in played.asked if task.work is not Work.REFINE for each in (*task.shown, *task.others)}
    assert shown == {"SEC-001"}, "nobody is asked about what is older"
    ids = [each.finding.id for each in played.report.resolved] + [each.id for each in played.report.older]
    assert len(ids) == len(set(ids))


@pytest.mark.rule("R46")
def test_older_defects_alone_leave_the_run_clean_and_ask_for_no_second_look() -> None:
    scope = replace(SCOPE, kind=ScopeKind.DIFF, files=(ScopeFile("app.py", 100, changed=((1, 12),)),))
    grave = replace(finding(place=at("app.py", 50), severity=Severity.CRITICAL), model=ONE)
    played = Play(finding_in("SEC", grave), scope).run()
    assert (played.exit, played.report.resolved, len(played.report.older)) == (Exit.CLEAN, (), 1)
    assert [task.iteration for task in played.asked] == [1] * len(played.asked)


@pytest.mark.rule("R46")
def test_a_review_of_paths_takes_every_line_in_scope_as_changed() -> None:
    said = replace(finding(place=at("app.py", 50)), model=ONE, older=True)
    outside = replace(finding(2, place=at("far.py", 1)), model=ONE)
    played = Play(finding_in("SEC", said, outside)).run()
    assert played.report.older == ()
    assert [(str(each.finding.location), each.finding.shown.value) for each in played.report.resolved] == [
        ("app.py:50", "Important"),
        ("far.py:1", "Minor"),
    ]
    strict = Play(finding_in("SEC", said, outside), replace(SCOPE, kind=ScopeKind.DIFF)).run(strict_scope=True)
    assert [str(each.location) for each in strict.report.older] == ["app.py:50"], "outside a strict scope nothing is reported"
