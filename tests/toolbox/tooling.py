"""Trees, tasks and tools for tests: real files, a real survey, real ripgrep and git."""

import os
import subprocess
from pathlib import Path

from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import SurveyOptions, survey
from counterproof.model.contract import AgentReply, AgentTask, Limits, Role
from counterproof.model.dimension import Dimension
from counterproof.model.finding import Finding
from counterproof.model.location import Location, at
from counterproof.model.severity import Confidence, Impact, Rating, Reach, Severity
from counterproof.model.survey import Language
from counterproof.protocols.audit.repetition import RoundRules
from counterproof.toolbox.bench import Bench
from counterproof.toolbox.tools import Tools

SHOP = {
    "app.py": "import os\n\n\ndef run(name):\n    os.system('ls ' + name)\n\n\n"
    "class Store:\n    def find(self, key):\n        return key\n",
    "lib/db.py": "def query(connection, text):\n    return connection.execute(text)\n",
    "lib/views.py": "from app import run\n\n\ndef index(request):\n    return run(request.args['name'])\n",
    "settings.toml": "[web]\ndebug = true\n",
}


def a_tree(folder: Path, files: dict[str, str] | None = None) -> Path:
    """The files beneath a new folder."""
    root = folder / "target"
    for path, text in (SHOP if files is None else files).items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return root


def a_project(root: Path, options: SurveyOptions | None = None) -> Project:
    return Project(root, survey(root, options))


def a_task(*dimensions: Dimension, role: Role = Role.HUNTER, limits: Limits | None = None) -> AgentTask:
    return AgentTask(
        id="agent-r1-01/attempt-1",
        agent_id="agent-r1-01",
        role=role,
        round=1,
        attempt=1,
        dimensions=dimensions or (Dimension.D1,),
        languages=(Language.PYTHON,),
        limits=limits or Limits(25, 60),
    )


def tools_on(root: Path, task: AgentTask | None = None, rules: RoundRules | None = None) -> Tools:
    return Tools(Bench(a_project(root)), task or a_task(), rules)


def a_claim(path: str = "app.py", line: int = 5, evidence: str = "os.system('ls ' + name)") -> Finding:
    return claim_at(at(path, line), evidence)


def claim_at(place: Location, evidence: str) -> Finding:
    return Finding(
        id="F001",
        rule="",
        title="A shell command is built from an argument",
        dimension=Dimension.D1,
        cwe=78,
        severity=Severity.HIGH,
        confidence=Confidence.MEDIUM,
        location=place,
        evidence=evidence,
        impact="A caller runs any program.",
        rating=Rating(Reach.ANONYMOUS, Impact.FULL),
    )


def a_reply(*findings: Finding) -> AgentReply:
    return AgentReply("agent-r1-01", 1, (Dimension.D1,), (), findings)


GIT_ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A. Nyone",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z",
    "GIT_COMMITTER_NAME": "A. Nyone",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
}


def git(root: Path, *arguments: str) -> str:
    """Plain git, as the author of a repository uses it. Only for building fixtures."""
    ran = subprocess.run(("git", *arguments), cwd=root, env=GIT_ENVIRONMENT, capture_output=True, check=True, timeout=60)
    return ran.stdout.decode().strip()


def a_repository(root: Path, *init: str) -> Path:
    """Makes the tree a repository with one commit on `main`."""
    git(root, "init", "-q", "-b", "main", *init)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "First version")
    return root
