"""A protocol of three pieces: a list of yes/no questions about a tree, each answered with a line as evidence.

`protocol.py` decides, `workbench.py` reads the tree, `document.py` says what a reader gets; the last lines here bind them.
"""

from pathlib import Path
from typing import Any

from counterproof.analysis.ceiling import Ceiling
from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import SurveyOptions, survey
from counterproof.app import jobs, recovery
from counterproof.app.delivery import Ended
from counterproof.app.jobs import Job
from counterproof.app.machines import ProtocolMachine
from counterproof.app.run import Setup, begin, no_receipt
from counterproof.app.run import resume as go_on
from counterproof.model.receipt import Outcome
from counterproof.ports import Observer
from counterproof.reports.html.document import write_page
from counterproof.reports.inert import json_text
from counterproof.reports.markdown.sections import write_markdown
from counterproof.runtime.home import Home, RunFolder

from . import protocol
from .document import document, explain
from .protocol import Checklist, Report, Request, Row, Started, TimeUp
from .workbench import ChecklistWorkbench

FILES = {"markdown": "checklist.md", "html": "checklist.html", "json": "checklist.json"}


def render(report: Report, name: str, folder: str) -> str:
    if name == "json":
        return json_text(protocol.as_plain(report)) + "\n"
    return (write_page if name == "html" else write_markdown)(document(report))


def find(report: Report, name: str) -> tuple[Row, ...]:
    return tuple(row for row in report.rows if row.question.id == name.upper() or (not name and not row.holds))


def reasons(_: Report, outcome: Outcome) -> str:
    return "; ".join(reason.text for reason in outcome.reasons) or "every answer is yes"


MACHINE: ProtocolMachine[Any, Any, Any] = ProtocolMachine(Checklist, protocol.step, protocol.Stage.ENDED, protocol.Event)
JOB = Job(
    name="checklist",
    machine=lambda: MACHINE,
    command="write-report",
    written="checklist_report_written",
    answered=protocol.ReportWritten,
    formats=FILES,
    render=render,
    find=find,
    explain=lambda _, row: explain(row),
    number=lambda row: row.question.id,
    told=lambda report: f"with {len(report.rows)} answers",
    summary=lambda report, _: document(report).summary,
    why=reasons,
    noun="question",
    names="questions are named Q1, Q2, …",
)
jobs.JOBS.append(JOB)


def start(request: Request, observer: Observer, home: Home) -> Ended:
    """A new run."""
    facts = {"job": JOB.name, "target": request.target, "mode": JOB.name}
    return begin(home, facts, None, setup(request), observer)


def resume(run: RunFolder, observer: Observer) -> Ended:
    """Go on with a run; tell how one ended."""
    return go_on(
        run, JOB, no_receipt, lambda run, journal: setup(recovery.first_event(run, journal, JOB, Started).request), observer
    )


def setup(request: Request) -> Setup:
    root, ceiling = Path(request.target), Ceiling()
    project = Project(root, survey(root, SurveyOptions(documents=True)))
    project.checkpoint = ceiling.checkpoint
    bench = ChecklistWorkbench(project)
    return Setup(JOB, Started(request), TimeUp, request.max_seconds, ceiling, lambda _: bench)
