"""Judges one claim about the code without an audit: does the quote exist, and what do the analysers say about the location?

Invariant: the same verification and the same analysts as in an audit (A29, A38); assertions have no effect; the analysers
report only what they can determine. Nothing is stored: there is no run, and the verdict is in no report.
"""

from pathlib import Path

from counterproof.analysis.cache import results_in
from counterproof.analysis.source.survey import SurveyOptions
from counterproof.analysis.text.hidden import visible
from counterproof.app.host_line import Assessed, Claim
from counterproof.model.contract import AgentReply, AgentTask, Limits, Role
from counterproof.model.dimension import ALL_DIMENSIONS, Dimension
from counterproof.model.errors import InvalidValue, UserError
from counterproof.model.finding import MAX_EVIDENCE_LINES, Finding
from counterproof.model.location import Location
from counterproof.model.severity import Confidence, Impact, Rating, Reach, Severity
from counterproof.model.text import real_name
from counterproof.model.weaknesses import dimension_of
from counterproof.protocols.guard.citations import refusal
from counterproof.runtime.home import Home
from counterproof.toolbox.recorded import RecordedTools
from counterproof.toolbox.workspace import Workspace

MAX_QUOTE = 2_000
MAX_TEXT = 1_000


def assess(claim: Claim) -> Assessed:
    """Verify a claim and run the analysers on it. Raises `UserError` for a claim without a location or weakness."""
    finding = _finding(claim)
    workspace = Workspace(Path(real_name(claim.root)), SurveyOptions(), results_in(Home().root / "results"))
    workspace.take_survey()
    task = _task(finding)
    toolbox = RecordedTools(workspace, task)
    citation = toolbox.analysts.citations(AgentReply(task.agent_id, 1, task.dimensions, (), (finding,)))[0]
    refused = refusal(finding, citation, frozenset({finding.location.path}))
    if refused:
        return Assessed(finding, refused)
    recon = workspace.take_recon(1)
    workspace.entry_points, workspace.recon = recon.entry_points, recon
    return Assessed(finding, "", toolbox.witness(finding), toolbox.analysts.judge(finding))


def _finding(claim: Claim) -> Finding:
    if len(claim.quote) > MAX_QUOTE:
        raise UserError(f"the quote is longer than {MAX_QUOTE:,} characters", f"quote at most {MAX_EVIDENCE_LINES} lines")
    lines = claim.quote.strip("\n").splitlines()
    said = visible(" ".join(claim.description.split())).text[:MAX_TEXT]
    try:
        return Finding(
            id="claim",
            rule="",
            title=(said or f"CWE-{claim.cwe}")[:120],
            dimension=dimension_of(claim.cwe) or Dimension.D9,
            cwe=claim.cwe,
            severity=Severity.MEDIUM,
            confidence=Confidence.MEDIUM,
            location=Location(claim.file.removeprefix("./"), claim.line, claim.line + max(0, len(lines) - 1)),
            evidence="\n".join(lines),
            impact=said,
            rating=Rating(Reach.LOW_PRIVILEGE, Impact.PARTIAL),
        )
    except InvalidValue as error:
        raise UserError(
            f"the claim cannot be checked: {error}", "name a file of the target, a line, a quote and a CWE"
        ) from error


def _task(finding: Finding) -> AgentTask:
    return AgentTask(
        id="claim/attempt-1",
        agent_id="claim",
        role=Role.VALIDATOR,
        round=1,
        attempt=1,
        dimensions=ALL_DIMENSIONS,
        languages=(),
        limits=Limits(turns=0, tool_calls=0),
        findings=(finding,),
    )
