"""The toolbox of a recorded run: it can read nothing any more, so the engine attaches the cited line and asks the analysers.

Invariant: what a recorded run claims is marked `unquoted`, whatever the run says of itself; only surveyed files are opened;
the record of the work holds what the analysers did and nothing else, because nobody can tell what the run once read (A16).
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
"""So many cited lines are looked through for one that holds text."""


class RecordedTools:
    """Bound to one task. `analysts` is the toolbox of those who work beside the recorded runs."""

    def __init__(self, workspace: Workspace, task: AgentTask) -> None:
        self._workspace = workspace
        self._corroborations: dict[str, Corroboration] = {}
        self.analysts = RecordingToolbox(workspace, task)

    def quote(self, place: Location) -> str:
        """The first line of a place that holds text, as it stands in the file, redacted; '' where there is none."""
        project = self._workspace.project
        file = project.files.get(place.path)
        if file is None or place.end > file.lines:
            return ""
        with self._workspace.turn:
            numbers = range(place.start, min(place.end, place.start + MAX_LINES) + 1)
            lines = (safe_line(project, place.path, number).strip() for number in numbers)
            return next((line[:MAX_QUOTE] for line in lines if line), "")

    def witness(self, claim: Finding) -> Corroboration:
        """What the analysers say of a place when they come to it from the sink, or read it again."""
        try:
            return witnesses.corroboration_of(self.analysts.judge(claim, 4))
        except OutOfTime:
            return Corroboration.AGENT_ALONE

    def remember(self, words: dict[str, Corroboration]) -> None:
        """What the second witness said, by the number of the finding."""
        self._corroborations = dict(words)

    def checks(self, reply: AgentReply) -> Checks:
        return self.analysts.checks(reply)

    def ledger(self) -> Ledger:
        return self.analysts.ledger()

    def citations(self, reply: AgentReply) -> tuple[Citation, ...]:
        """Every citation re-read. The analysers' own findings carry their rule; everything else is a recorded claim."""
        found: list[Citation] = []
        for each, finding in zip(self.analysts.citations(reply), reply.findings, strict=True):
            word = self._corroborations.get(finding.id, Corroboration.UNCHECKED)
            found.append(replace(each, corroboration=word, unquoted=not finding.rule))
        return tuple(found)
