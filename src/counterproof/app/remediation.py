"""Patches for the findings of an audit or a review: our own, or written by a model; checked, written to a patch file on
request (R32).

Invariant: the target is never written to; the only output is one patch file named by the user. A patch is offered only if
analysing the patched tree no longer finds the flaw and finds nothing new, a demonstrated effect no longer occurs, and the
user's own command still passes. A model's replies are stored in the run's journal, so that no question is paid for twice.
"""

import asyncio
import contextlib
import difflib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from counterproof.analysis.project import Project
from counterproof.analysis.remediation.diffs import Misfit, applied
from counterproof.analysis.remediation.patches import (
    CHANGED,
    NO_PATCH,
    Flaw,
    Judge,
    Remedied,
    Said,
    remedied,
    said_of,
    with_texts,
)
from counterproof.analysis.review.claims import View
from counterproof.analysis.review.line_diff import changed_lines
from counterproof.analysis.source.survey import survey
from counterproof.app import demonstration
from counterproof.app.jobs import AUDIT, REVIEW, Job, job_of, noted
from counterproof.app.recovery import first_event
from counterproof.app.stored_runs import audit_report, refuse_changed, report_of
from counterproof.app.team import Seating, assemble, refuse_absent_host, team_of
from counterproof.app.workbench.review import Plan, planned
from counterproof.demonstration.course import Subject, failed_check
from counterproof.demonstration.sandbox.running import NoSandbox
from counterproof.demonstration.subjects import PYTHON, Setting
from counterproof.demonstration.targets import python_for
from counterproof.model.demonstration import Demonstration, Outcome
from counterproof.model.errors import CounterproofError, JournalError, StorageError, UserError
from counterproof.model.location import Location
from counterproof.model.report import ReportedFinding
from counterproof.model.text import real_name
from counterproof.protocols.guard.budget import Cost, ModelTerms
from counterproof.protocols.review.events import ReviewStarted
from counterproof.runtime import lock
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import Home, RunFolder
from counterproof.runtime.journal import SqliteJournal
from counterproof.runtime.replies import JournalReplies
from counterproof.toolbox.review_bench import ReviewBench

if TYPE_CHECKING:
    from counterproof.agents.models.fixing import Objection

FIX_SEATS = Seating(("fixer",), "role of a fix", lambda: "", fixed=False)
CHECK_SECONDS = 600


@dataclass(frozen=True, slots=True)
class Wish:
    """The user's request: findings by number, models that write patches, the command that must still pass, and with what the
    target runs."""

    wanted: tuple[str, ...] = ()
    terms: ModelTerms | None = None
    check: str = ""
    means: demonstration.Means = field(default_factory=demonstration.Means)
    tell: Callable[[str], None] = lambda _: None


@dataclass(frozen=True, slots=True)
class Proposal:
    """`patch` is a unified diff of the verified patches, '' without any; numbers are the report's."""

    patch: str
    remedied: Remedied
    cost: Cost = field(default_factory=Cost)

    @property
    def settled(self) -> tuple[str, ...]:
        """Findings with all locations patched."""
        open_ones = {flaw.number for flaw, _ in self.remedied.unsettled}
        return tuple(dict.fromkeys(each.number for each in self.remedied.settled if each.number not in open_ones))


@dataclass(frozen=True, slots=True)
class _Case:
    """A run's findings, their tree, and the analysis of a patched tree."""

    run: RunFolder
    job: Job
    report: Any
    project: Project
    scope: frozenset[str]
    said: Callable[[Project], Said]
    shown: Mapping[str, Demonstration]
    wish: Wish
    setting: Setting

    def text(self, path: str) -> str | None:
        """The text of a file that a patch may change, None for others."""
        allowed = path in self.scope and path in self.project.files and not self.project.files[path].test
        return self.project.text(path) if allowed else None

    def with_texts(self, texts: Mapping[str, str]) -> "_Case":
        """The case after a patch is accepted: the next patch is based on it."""
        return replace(self, project=with_texts(self.project, texts))

    def failure(self, numbers: Iterable[str], texts: Mapping[str, str]) -> tuple[str, str]:
        """Why the patched copy fails when run, in our words and in text of the target; both '' if it does not."""
        changed = {**self.project.frozen, **texts}
        for row in (each for number in numbers for each in self.job.find(self.report, number)):
            if earlier := self.shown.get(getattr(row, "fingerprint", "")):
                setting = replace(self.setting, dead={})  # what one patch keeps from starting another may start
                came = demonstration.tried(row, setting, earlier, 90.0, tuple(changed.items()))
                if came.outcome is not Outcome.NO_LONGER:
                    return (
                        f"{self.job.number(row)} was demonstrated, and the patched copy does not show that it is gone",
                        came.text,
                    )
        why = self.checked(changed)
        return (f"`{self.wish.check}` no longer passes", why) if why else ("", "")

    def checked(self, texts: Mapping[str, str]) -> str:
        """Why the user's command fails with these texts; '' if it passes."""
        if not self.wish.check:
            return ""
        setting = self.setting
        interpreter = python_for(setting.root, setting.python, setting.fetched and setting.fetched.python)
        instead = tuple(texts.items())
        subject = Subject(setting.root, interpreter, PYTHON, {}, (), (), prepare=setting.prepare, instead=instead)
        return failed_check(subject, self.wish.check, CHECK_SECONDS)


def proposed(run: RunFolder, wish: Wish, home: Home) -> Proposal:
    """Propose patches for a run's findings: all of them, or the named ones. Models write patches only for named findings
    without a patch of our own."""
    refuse_changed(run)
    case = _case(run, wish)
    flaws = _flaws(case)
    with demonstration.prepared(run, case.setting, wish.means, wish.tell) as setting:
        return _proposed(replace(case, setting=setting), flaws, home)


def _proposed(case: _Case, flaws: list[Flaw], home: Home) -> Proposal:
    _refuse_failing(case)
    run, wish = case.run, case.wish
    mine = [each for each in flaws if each.place.path in case.project.files]
    done = _embedded(case, mine) if case.job is AUDIT else Remedied({}, (), tuple((each, NO_PATCH) for each in mine))
    cost = Cost()
    if wish.terms is not None:
        with lock.held(run), contextlib.closing(SqliteJournal(run, WallClock())) as journal:
            done, cost = asyncio.run(_modelled(case, done, wish.terms, JournalReplies(journal), home))
    settled = tuple(sorted(done.settled, key=flaws.index))
    unsettled = tuple(sorted(done.unsettled, key=lambda each: flaws.index(each[0])))
    return Proposal(_unified(case.project, done.texts), Remedied(done.texts, settled, unsettled), cost)


def _case(run: RunFolder, wish: Wish) -> _Case:
    job, root = job_of(run), Path(real_name(str(noted(run).get("target", ""))))
    if job not in (AUDIT, REVIEW):
        raise UserError(f"run {run.id} is neither an audit nor a review", "patches are made for their findings")
    if not root.is_dir():
        raise UserError(f"the folder of run {run.id} is not there any more", "run it again where the code is now")
    if job is AUDIT:
        project = Project(root, survey(root))
        shown = demonstration.shown_before(run)
        report = audit_report(run)
        setting = Setting(root, project.survey, report.entry_points)
        return _Case(run, job, report, project, frozenset(project.files), said_of, shown, wish, setting)
    with contextlib.closing(SqliteJournal(run, WallClock(), writable=False)) as journal:
        request = first_event(run, journal, REVIEW, ReviewStarted).request
    plan = planned(Project(root, survey(root)), replace(request, delta=False), None)
    scope = frozenset(plan.resolved.scope.paths)
    setting = Setting(root, plan.project.survey, ())
    return _Case(run, job, report_of(run), plan.project, scope, lambda project: _claimed(plan, project), {}, wish, setting)


def _claimed(plan: Plan, project: Project) -> Said:
    """The claims of a review's analysts on the change with these texts."""
    before = plan.resolved.before
    files = tuple(
        replace(each, changed=changed_lines(before.get(each.path), project.text(each.path))) if each.changed else each
        for each in plan.resolved.scope.files
    )
    view = View(project, replace(plan.resolved.scope, files=files), before, intent=plan.view.intent)
    with contextlib.closing(ReviewBench(view, plan.request.profile, plan.request.context)) as bench:
        claims = [claim for each in plan.request.profile.specialists for claim in bench.claims(each)]
    return Counter({(each.at.path, each.kind, each.at.start) for each in claims})


def _flaws(case: _Case) -> list[Flaw]:
    if case.job is AUDIT:
        rows = [(each.number, each.finding.rule, (each.finding.location, *each.finding.also)) for each in case.report.findings]
        rows += [(each.number, each.rule, each.places) for each in case.report.posture]
    else:
        rows = [(each.finding.id, each.finding.kind, (each.finding.location,)) for each in case.report.resolved if each.kept]
    unknown = [name for name in case.wish.wanted if name not in {number for number, _, _ in rows}]
    if unknown:
        raise UserError(
            f"run {case.run.id} has no finding {unknown[0][:40]}", f"{case.job.names}; `counterproof show` lists them"
        )
    if case.wish.terms is not None and not case.wish.wanted:
        raise UserError(
            "a model is asked for a patch of one finding at a time", "name the findings: counterproof fix H-01 --agents …"
        )
    wanted = case.wish.wanted or [number for number, _, _ in rows]
    return [Flaw(place, rule, number) for number, rule, places in rows if number in wanted for place in places]


def _refuse_failing(case: _Case) -> None:
    """Reject a command that fails without a patch, because it says nothing about patches."""
    try:
        why = case.checked(case.project.frozen)
    except NoSandbox as refused:
        raise UserError(
            f"--check-with needs a sandbox: {refused}", "leave it out, and run your tests on the patch yourself"
        ) from refused
    if why:
        raise UserError(f"`{case.wish.check}` fails without any patch: {why[-600:]}", "name a command that passes now")


def _embedded(case: _Case, flaws: list[Flaw]) -> Remedied:
    """Our own patches. If running the result rejects them, they are made again without those that fail alone, or without any."""
    against: dict[Flaw, str] = {}
    while True:
        done = remedied(case.project, [each for each in flaws if each not in against])
        together, _ = case.failure(dict.fromkeys(each.number for each in done.settled), done.texts) if done.texts else ("", "")
        if not together:
            return replace(done, unsettled=(*done.unsettled, *against.items()))
        alone = {each: case.failure([each.number], remedied(case.project, [each]).texts)[0] for each in done.settled}
        against |= {each: why for each, why in alone.items() if why} or dict.fromkeys(done.settled, together)


async def _modelled(case: _Case, done: Remedied, terms: ModelTerms, replies: JournalReplies, home: Home) -> tuple[Remedied, Cost]:
    """A model's patches for the findings without one, each based on the previous ones."""
    from counterproof.agents.models.fixing import Wanted, fix_of

    refuse_absent_host(FIX_SEATS, terms, None)
    if not team_of(FIX_SEATS, terms).models:
        raise UserError("--agents does not name a model", "write PROVIDER:MODEL")
    staff = assemble(FIX_SEATS, terms, replies, home.root, lambda: ())
    texts, settled = dict(done.texts), list(done.settled)
    why = dict(done.unsettled)
    first = case.said(case.project)
    try:
        for number in dict.fromkeys(each.number for each in why):
            flaws = [each for each in why if each.number == number]
            case.wish.tell(f"{number}: asking {staff.team.models[0]} for a patch")
            now = case.with_texts(texts)
            wanted = Wanted(number, *_told(case, number, flaws))
            known = [each for each in flaws if (each.place.path, each.rule, each.place.start) in first]
            found: dict[str, str] = {}
            try:
                if not known and not _is_shown(case, number):
                    raise UserError(CHANGED, "audit again")
                judge = Judge(case.said, now.project, case.said(now.project) if texts else first)
                channel = staff.channels[str(staff.team.models[0])]
                objection = _objection(now, number, partial(judge.objection, known), found)
                await fix_of(channel, wanted, now.project, staff.team.tuning("fixer"), objection)
            except (StorageError, JournalError):
                raise
            except CounterproofError as error:
                why |= dict.fromkeys(flaws, str(error))
                continue
            texts |= found
            settled += flaws
            why = {flaw: reason for flaw, reason in why.items() if flaw not in flaws}
    finally:
        await staff.close()
    return Remedied(texts, tuple(settled), tuple(why.items())), staff.purse.budget.used if staff.purse else Cost()


def _told(case: _Case, number: str, flaws: Iterable[Flaw]) -> tuple[str, tuple[Location, ...]]:
    """The explanation of a finding, and its locations with those on its data flow."""
    rows = case.job.find(case.report, number)
    text = "\n".join(case.job.explain(case.report, row) for row in rows)
    flows = [row.finding.flow for row in rows if isinstance(row, ReportedFinding) and row.finding.flow]
    steps = [each.location for flow in flows for each in flow.steps]
    return text, (*(each.place for each in flaws), *steps)


def _is_shown(case: _Case, number: str) -> bool:
    return any(getattr(row, "fingerprint", "") in case.shown for row in case.job.find(case.report, number))


def _objection(case: _Case, number: str, judge: Callable[[Mapping[str, str]], str], found: dict[str, str]) -> "Objection":
    """The function that tests a diff; `found` receives the texts of a valid one."""

    def objection(diff: str) -> tuple[str, str]:
        try:
            texts = applied(diff, case.text)
        except Misfit as misfit:
            return str(misfit), ""
        if not texts:
            return "the patch changes nothing", ""
        if words := judge(texts):
            return words, ""
        failure = case.failure([number], texts)
        if not failure[0]:
            found.update(texts)
        return failure

    return objection


def _unified(project: Project, texts: Mapping[str, str]) -> str:
    """A diff in the form that `git apply` accepts."""
    parts: list[str] = []
    for path in sorted(texts):
        for line in difflib.unified_diff(_lines(project.text(path)), _lines(texts[path]), f"a/{path}", f"b/{path}"):
            parts.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(parts)


def _lines(text: str) -> list[str]:
    """The lines with their line endings; only a newline ends a line."""
    *whole, rest = text.split("\n")
    return [*(f"{line}\n" for line in whole), *([rest] if rest else [])]
