"""Runs the analysts again and compares the result with a journal (X23).

Invariant: only deterministic results are compared: recon, and replies of embedded analysts that finished. An unfinished reply
already makes the report incomplete; a model's reply cannot be repeated.
"""

import asyncio
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from counterproof.analysis.source.survey import SurveyOptions
from counterproof.app.audit import analysts
from counterproof.app.workbench.audit import analyst_tools, answered
from counterproof.model.errors import OutOfTime
from counterproof.protocols.audit.commands import Reconnoitre, RunAgent
from counterproof.protocols.audit.events import AgentFinished, ReconReported, Surveyed
from counterproof.protocols.audit.request import AuditRequest
from counterproof.toolbox.workspace import Workspace


def first_invented(request: AuditRequest, root: Path, commands: Mapping[str, Any], events: Iterable[tuple[int, Any]]) -> int:
    """The first row of the journal that differs from the analysts' result; 0 if none does."""
    workspace = Workspace(root, SurveyOptions())
    workspace.vulnerability_data = request.vulnerability_data
    team = analysts(request)
    for seq, event in events:
        command = commands.get(getattr(event, "answers", ""))
        if isinstance(event, Surveyed):
            workspace.adopt(event.survey)
        elif isinstance(event, ReconReported) and isinstance(command, Reconnoitre):
            recon = workspace.take_recon(command.attempt)
            workspace.entry_points, workspace.recon = recon.entry_points, recon
            if event.recon != recon:
                return seq
        elif isinstance(event, AgentFinished) and isinstance(command, RunAgent) and not command.task.model:
            if not event.reply.ended or event.reply.unread:
                continue
            tools = analyst_tools(workspace, command.task, request.recorded is not None)
            reply, citations, checks = asyncio.run(answered(command.task, team[command.task.role], tools))
            if not reply.ended:
                raise OutOfTime("the analysts could not finish on this machine", "check it on a larger one")
            if (event.reply, event.ledger, event.citations, event.checks) != (reply, tools.ledger(), citations, checks):
                return seq
    return 0
