"""The toolbox of a recorded run: the run can no longer read anything, so the engine attaches the cited line and runs the
analysers.

Invariant: a recorded run's claims are marked `unquoted`, whatever the run states; only surveyed files are opened; the record
contains only the analysers' work, because the run's reads are unknown (A16).
"""

from dataclasses import replace

from counterproof.analysis.project import OutOfTime
from counterproof.analysis.secrets.outgoing_text import safe_line
from counterproof.model.contract import AgentReply, AgentTask
from counterproof.model.finding import Corroboration, Finding
from counterproof.model.ledger import Ledger
from counterproof.model.location import Location
from counterproof.protocols.guard import witnesses
from counterproof.protocols.guard.citations import Checks, Citation
from counterproof.toolbox.recording import RecordingToolbox
from counterproof.toolbox.workspace import Workspace

MAX_QUOTE = 400
MAX_LINES = 200
"""The most cited lines that are searched for one with text."""


class RecordedTools:
    """Bound to one task. `analysts` is the toolbox of the analysts that work along with the recorded runs."""

    def __init__(self, workspace: Workspace, task: AgentTask) -> None:
        self._workspace = workspace
        self._corroborations: dict[str, Corroboration] = {}
        self.analysts = RecordingToolbox(workspace, task)

    def quote(self, place: Location) -> str:
        """The first non-blank line of a location, redacted; '' if there is none."""
        project = self._workspace.project
        file = project.files.get(place.path)
        if file is None or place.end > file.lines:
            return ""
        with self._workspace.turn:
            numbers = range(place.start, min(place.end, place.start + MAX_LINES) + 1)
            lines = (safe_line(project, place.path, number).strip() for number in numbers)
            return next((line[:MAX_QUOTE] for line in lines if line), "")

    def witness(self, claim: Finding) -> Corroboration:
        """The analysers' judgement of a location, by analysis from the sink or by re-reading."""
        try:
            return witnesses.corroboration_of(self.analysts.judge(claim, 4))
        except OutOfTime:
            return Corroboration.AGENT_ALONE

    def remember(self, words: dict[str, Corroboration]) -> None:
        """Store the second witness's results, by the number of the finding."""
        self._corroborations = dict(words)

    def checks(self, reply: AgentReply) -> Checks:
        return self.analysts.checks(reply)

    def ledger(self) -> Ledger:
        return self.analysts.ledger()

    def citations(self, reply: AgentReply) -> tuple[Citation, ...]:
        """Re-read every citation. The analysers' own findings carry their rule; everything else is a recorded claim."""
        found: list[Citation] = []
        for each, finding in zip(self.analysts.citations(reply), reply.findings, strict=True):
            word = self._corroborations.get(finding.id, Corroboration.UNCHECKED)
            found.append(replace(each, corroboration=word, unquoted=not finding.rule))
        return tuple(found)
