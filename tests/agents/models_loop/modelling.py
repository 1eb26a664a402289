"""Audits driven by scripted models, for tests: the real machine, driver, journal and toolboxes; only the channel is a script."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

from counterproof.agents.analysts import ANALYSTS
from counterproof.agents.models.agent import Manner, ModelAgent
from counterproof.agents.models.audit import AuditDialogue
from counterproof.agents.models.channel import Channel
from counterproof.agents.models.scripted import Script, ScriptedChannel
from counterproof.analysis.source.survey import SurveyOptions
from counterproof.app.executor import RunExecutor
from counterproof.app.jobs import AUDIT
from counterproof.app.machines import audit_machine
from counterproof.app.team import Staff
from counterproof.app.workbench.audit import AuditWorkbench
from counterproof.knowledge import modules
from counterproof.model.baseline import Baseline, skipped
from counterproof.model.contract import AgentReply, AgentTask, Limits, Role
from counterproof.model.dimension import Dimension
from counterproof.model.recon import Recon
from counterproof.model.report import Report
from counterproof.model.survey import Language
from counterproof.ports import Entry
from counterproof.protocols.audit import report as reports
from counterproof.protocols.audit.events import Event, Started
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.request import UNNAMED_MODEL, AuditRequest, ModelTerms
from counterproof.protocols.audit.state import AuditState
from counterproof.runtime.driver import Driver
from counterproof.runtime.home import Home
from counterproof.toolbox.bench import Bench
from counterproof.toolbox.recording import RecordingToolbox
from counterproof.toolbox.witnessed import WitnessedTools
from counterproof.toolbox.workspace import Workspace

VULNERABLE = {
    "app.py": (
        "import os\nimport sqlite3\n\nfrom flask import Flask, request\n\napp = Flask(__name__)\n\n\n"
        "@app.route('/ping')\ndef ping():\n    host = request.args['host']\n    os.system('ping -c 1 ' + host)\n"
        "    return 'ok'\n\n\n"
        "@app.route('/user')\ndef user():\n    connection = sqlite3.connect('shop.db')\n"
        "    return str(connection.execute(\"SELECT * FROM users WHERE name = '\" + request.args['name'] + \"'\").fetchall())\n"
    ),
    "requirements.txt": "flask==3.0.0\n",
}
"""A small application with a command injection and an SQL injection."""

FILLER = {
    "filler.py": "".join(
        f"def area_{n}(width, height):\n    size = width * height\n    return size + {n}\n\n\n" for n in range(180)
    )
}
"""Enough plain code for a standard audit, which needs 500 lines."""


class Words:
    """A journal in memory."""

    def __init__(self) -> None:
        self.rows: list[Entry] = []

    def append(self, kind: str, *bodies: str) -> None:
        self.rows += [Entry(len(self.rows) + 1, "", kind, body, "") for body in bodies]

    def entries(self) -> list[Entry]:
        return self.rows


class Quiet:
    def narrate(self, text: str) -> None: ...

    def progress(self, who: str, text: str) -> None: ...


class Agreeing:
    async def confirm(self, question: str) -> bool | None:
        return True


def a_target(folder: Path, files: Mapping[str, str] | None = None) -> Path:
    root = folder / "target"
    for path, text in {**VULNERABLE, **(files or {})}.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return root


def model_agent(channel: Channel, manner: Manner | None = None) -> ModelAgent[AgentTask, WitnessedTools, AgentReply]:
    """An audit's agent on this channel."""
    return ModelAgent(channel, AuditDialogue(), manner)


def audited(
    root: Path,
    script: Script | Channel,
    mode: Mode = Mode.STANDARD,
    roles: tuple[Role, ...] = tuple(Role),
    hits: Baseline | None = None,
) -> tuple[Report, AuditState]:
    """A whole audit with a model in these roles. Small targets are quick, whatever is asked."""
    channel = script if not callable(script) or isinstance(script, ScriptedChannel) else ScriptedChannel(script)
    request = AuditRequest(str(root), mode=mode, yes=True, models=roles, terms=ModelTerms("scripted"))
    workspace = Workspace(root, SurveyOptions())
    staff = Staff(channels={UNNAMED_MODEL: channel})
    scan = hits or skipped("not wanted")
    bench = AuditWorkbench(workspace, ANALYSTS, Agreeing(), lambda: scan, knowledge=modules.shipped())
    executor = RunExecutor(Home().create(), AUDIT, bench, staff, Quiet())
    driver = Driver(audit_machine(), Words(), executor, Quiet())

    async def drive() -> None:
        try:
            await driver.run(Started(request, "test"))
        finally:
            bench.close()

    asyncio.run(drive())
    return reports.build(driver.state), driver.state


def a_model_task(role: Role = Role.HUNTER, *dimensions: Dimension, **fields: object) -> AgentTask:
    given: dict[str, object] = {
        "id": "model-r1-01/attempt-1",
        "agent_id": "model-r1-01",
        "role": role,
        "round": 1,
        "attempt": 1,
        "dimensions": dimensions or (Dimension.D1,),
        "languages": (Language.PYTHON,),
        "limits": Limits(25, 60),
        "model": UNNAMED_MODEL,
        **fields,
    }
    return AgentTask(**given)  # type: ignore[arg-type]


def _surveyed(root: Path) -> tuple[Workspace, Recon]:
    workspace = Workspace(root, SurveyOptions())
    recon = workspace.take_recon(1)
    workspace.entry_points, workspace.recon = recon.entry_points, recon
    return workspace, recon


def toolbox_for(root: Path, task: AgentTask) -> RecordingToolbox:
    """What an analyst gets for a task."""
    return RecordingToolbox(_surveyed(root)[0], task)


def tools_for(root: Path, task: AgentTask) -> WitnessedTools:
    workspace, recon = _surveyed(root)
    return WitnessedTools(workspace, Bench(workspace.project, recon.entry_points), task, recon, modules.shipped())


def events_of(journal: Words) -> list[Event]:
    machine = audit_machine()
    return [machine.decode(entry.body) for entry in journal.rows if entry.kind == "event"]
