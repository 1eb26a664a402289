"""Tools about runs: start, follow, read, explain, resume; and verifying one claim without a run.

Invariant: only paths and runs below the user's named folders are accessible; a report is read only once it exists.
"""

import posixpath
from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from counterproof.app.host_line import Claim
from counterproof.app.host_runs import HostRuns, Play
from counterproof.mcp import words
from counterproof.model.errors import UserError
from counterproof.model.map import Part
from counterproof.model.text import name_form
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.guard.isolation import Category
from counterproof.runtime.home import RunFolder

Text = Annotated[str, Field(max_length=1_024)]
Globs = Annotated[list[Annotated[str, Field(max_length=500)]], Field(max_length=50)]
Run = Annotated[str, Field(max_length=100, description="A run's id, the beginning of it, or `latest`.")]


def status_of(host_runs: HostRuns, run: RunFolder) -> list[str]:
    """The status of a run, in words."""
    from counterproof.app import jobs, stored_runs

    return words.status(host_runs.live(run), run.id, jobs.receipt_of(run), stored_runs.reported(run))


def _begun(run: str, hosted: bool) -> list[str]:
    then = "Take tasks with next_task." if hosted else "audit_status says when it has ended."
    return [f"Run {run} has begun. {then}"]


class RunTools:
    """Each public method is one tool; its docstring is what the coding agent reads."""

    def __init__(self, host_runs: HostRuns) -> None:
        self._runs = host_runs

    def start_audit(
        self,
        path: Text = ".",
        mode: Literal["quick", "standard", "deep"] = "quick",
        agents: Annotated[str, Field(max_length=300)] = "analyst",
        include: Globs | None = None,
        exclude: Globs | None = None,
        window: Annotated[int, Field(ge=0, le=10_000_000)] = 0,
        hunts: Annotated[int, Field(ge=1, le=9)] = 1,
        context: Annotated[str, Field(max_length=40_000)] = "",
    ) -> list[str]:
        """Start a security audit of a folder. It runs in the background.

        agents="analyst": the embedded analysts do everything, nothing is asked of you; follow with audit_status.
        agents="host": you play every role; take tasks with next_task until the audit is over.
        agents="hunter=host,analyst": you hunt, the analysts do the rest. Roles are hunter, chain-checker, deep-diver, validator
        and hit-verifier. Analysts work beside you in every role and check every claim. Quick audits start at once; standard and
        deep ones wait for the user to confirm the plan unless the server was started with --yes.
        `window`: the tokens that one conversation of yours holds, 200000 if not given. `hunts`: so many hunts, each for a context
        of its own. `context`: what the user, not the code, says about the program; every agent is told.
        """
        today = f"{date.today():%Y-%m-%d}"
        run = self._runs.start(
            path, Mode(mode), agents, tuple(include or ()), tuple(exclude or ()), today, Play(window, hunts, context)
        )
        return _begun(run, "host" in agents)

    def map(
        self,
        path: Text = ".",
        only: Annotated[list[Part], Field(max_length=8)] | None = None,
        route: Annotated[str, Field(max_length=300)] = "",
    ) -> list[str]:
        """What is certain about a folder, as JSON: entry points with their guards as written and as understood, entry points that
        ask for other rights than their siblings, sinks with the entry points that reach them, settings, requests, file writes,
        sessions, and what was not read. Facts, no findings; seconds, no model.

        `only` keeps some parts; `route` keeps entry points whose path matches a glob, such as /api/*, and what they reach.
        """
        from counterproof.app.map import map_of_folder
        from counterproof.reports import map as reports

        made = map_of_folder(self._runs.roots.target(path))
        return [reports.render_json(reports.document(made, tuple(only or ()), route))]

    def start_review(
        self,
        path: Text = ".",
        files: Globs | None = None,
        diff: Annotated[str, Field(max_length=200)] = "",
        profile: Literal["code", "strategy"] = "code",
        depth: Literal["quick", "default", "thorough"] = "default",
        agents: Annotated[str, Field(max_length=300)] = "analyst",
        intent: Annotated[str, Field(max_length=20_000)] = "",
        team: Literal["", "compact", "full"] = "",
    ) -> list[str]:
        """Start a review of a change, of whole files or of documents. It runs in the background.

        Without `files` it reviews the change in the work tree of `path`; `diff` names another one, such as main...HEAD; `files`
        are whole files or folders relative to `path`; `intent` is what the change is for, such as a pull request's text.
        profile="strategy" reviews designs, plans and notes and gives a verdict.
        agents="analyst": the embedded specialists do everything; follow with audit_status. agents="host": you play every
        specialist beside them; agents="SEC=host,analyst": only that one. Take tasks with next_task until the review is over.
        team="compact": one reviewer and one challenger, which one agent that plays all gets anyway; "full": every specialist. The
        scope waits for the user's confirmation unless the server was started with --yes: audit_status then names the command.
        """
        from counterproof.app.team import review_seats
        from counterproof.knowledge.profiles import load_profile
        from counterproof.protocols.review import presets
        from counterproof.protocols.review.request import ReviewRequest

        preset = presets.Preset(depth)
        chosen = tuple(posixpath.normpath(each) for each in files or ())
        specialists = presets.team(load_profile(profile), preset)
        terms = self._runs.terms(review_seats(each.code for each in specialists.specialists), agents, "review")
        named, prompts = (terms.team, terms.prompts) if terms else ("", "")
        target = name_form(str(self._runs.roots.target(path)))
        told = ReviewRequest(target, specialists, preset, chosen, diff, agents=named, prompts=prompts, intent=intent, team=team)
        return _begun(self._runs.start_review(told), terms is not None)

    def start_verification(
        self, plan: Text, path: Text = ".", agents: Annotated[str, Field(max_length=300)] = "analyst"
    ) -> list[str]:
        """Start a verification of an implementation plan against its repository, in the background.

        `plan` is a file inside the served folders, `path` the repository. agents="analyst": the embedded agents do everything.
        agents="host": you play every role beside them; agents="challenger=host,analyst": only that one; roles are challenger,
        domain-expert, devils-advocate, researcher and synthesizer. Take tasks with next_task until the run ends. Questions to
        the user wait for the user, unless the server was started with --yes: audit_status then names the command.
        """
        from counterproof.app.team import PLAN_SEATS
        from counterproof.protocols.plan.request import VerifyRequest

        roots = self._runs.roots
        terms = self._runs.terms(PLAN_SEATS, agents, "verify")
        request = VerifyRequest(str(roots.document(plan)), name_form(str(roots.target(path))), None, None, terms=terms)
        return _begun(self._runs.start_verification(request), terms is not None)

    def audit_status(self, run: Run = "latest") -> list[str]:
        """Where an audit, a review or a verification is: phase, tasks that wait, and how it ended."""
        return status_of(self._runs, self._runs.find(run))

    def resume_audit(self, run: Run = "latest") -> list[str]:
        """Go on with an audit, review or verification that paused or was left. Answers already given are not asked again."""
        return [f"Run {self._runs.resume(run).id} continues. audit_status and next_task work as before."]

    def list_findings(self, run: Run = "latest", offset: Annotated[int, Field(ge=0, le=100_000)] = 0) -> list[str]:
        """The findings of a finished audit or review, most severe first, with file:line; or the challenges to a verified plan."""
        from counterproof.app import jobs, stored_runs

        found = self._ready(run)
        stored_runs.refuse_changed(found)
        told = {jobs.AUDIT.name: words.findings, jobs.REVIEW.name: words.review_findings}
        return told.get(jobs.job_of(found).name, words.challenges)(stored_runs.report_of(found), found.id, offset)

    def explain_finding(self, finding: Annotated[str, Field(max_length=100)], run: Run = "latest") -> list[str]:
        """One finding in full: flow, guards, validation, severity line by line; in a review the votes; or one challenge.

        Named by its number (H-01, in a review SEC-001, a challenge C1) or by its fingerprint.
        """
        from counterproof.app import stored_runs

        found = self._ready(run)
        text = stored_runs.explained(found, finding)
        return words.page_of(text, 1, f"{found.id} {finding}", Category.REPORT)

    def read_report(self, run: Run = "latest", page: Annotated[int, Field(ge=1, le=10_000)] = 1) -> list[str]:
        """The report of a finished run in Markdown, in pages: coverage, findings, limitations, evidence. A verification that
        waits for an answer has a provisional one."""
        from counterproof.app import jobs, provisional, stored_runs

        paused = self._runs.find(run)
        live = self._runs.live(paused)
        if jobs.job_of(paused) is jobs.VERIFY and not (live and live.going) and (draft := provisional.text(paused)):
            return words.page_of(draft, page, f"{paused.id} provisional report", Category.REPORT)
        found = self._ready(run)
        return words.page_of(stored_runs.text(found, "markdown"), page, f"{found.id} report", Category.REPORT)

    def verify_claim(
        self,
        file: Text,
        line: Annotated[int, Field(ge=1, le=10_000_000)],
        quote: Annotated[str, Field(max_length=2_000)],
        cwe: Annotated[int, Field(ge=1, le=9_999)],
        description: Annotated[str, Field(max_length=2_000)] = "",
        path: Text = ".",
    ) -> list[str]:
        """Check one claim about the code without an audit: whether file, line and quote are there, and what the analysers say.

        `file` is relative to `path`; `quote` is one to three lines of code beginning at `line`; `cwe` is the weakness's number.
        """
        root = name_form(str(self._runs.roots.target(path)))
        claim = Claim(root, file, line, quote, cwe, description)
        return words.assessment(self._runs.assess(claim), f"{file}:{line} {cwe}")

    def _ready(self, name: str) -> RunFolder:
        """A run with a readable report. While agents work they must not read others' findings (R9)."""
        from counterproof.app import stored_runs

        run = self._runs.find(name)
        live = self._runs.live(run)
        if live and live.going:
            raise UserError(f"run {run.id} is still in progress", "audit_status shows its progress; the report comes at its end")
        if not stored_runs.reported(run):
            raise UserError(f"run {run.id} has no report", "resume_audit continues it")
        return run
