"""The beginning of any run: a folder that says what the run is about, or a sentence why there is none.

Invariant: a run that cannot begin leaves nothing behind. Not handled here: what a job does.
"""

import json
import os
from typing import Final

from counterproof.app import leased
from counterproof.app.files import write_whole
from counterproof.model.errors import StorageError, UserError
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import Home, RunFolder
from counterproof.runtime.journal import SqliteJournal
from counterproof.runtime.kept import RunJournal
from counterproof.supervision import progress

JOB: Final = "COUNTERPROOF_JOB"
"""The environment variable that names the job of a batch for which a run is begun; noted, so that the run is found again."""


def begun(home: Home, facts: dict[str, str]) -> RunFolder:
    """A new run with its facts written down. Raises `UserError` where the disk takes none."""
    try:
        run = leased.folder(home) or home.create()
        try:
            write_whole(run.path / "request.json", json.dumps({**facts, **_job()}))
        except BaseException:
            home.remove(run)
            raise
    except OSError as error:
        hint = "free disk space, or set COUNTERPROOF_HOME to a folder with room"
        raise UserError(f"no run can begin in {home.root}: {error.strerror or error}", hint) from error
    if home.root == Home().root:
        progress.began(run.id)
    return run


def _job() -> dict[str, str]:
    named = os.environ.get(JOB, "")
    return {"batch_job": named} if named else {}


def runs_of_jobs(home: Home) -> dict[str, RunFolder]:
    """The newest run of each job of a batch."""
    return {name: run for run in home.runs() if (name := noted_job(run))}


def run_of_job(home: Home, name: str) -> RunFolder | None:
    """The newest run that was begun for a job of a batch."""
    return next((run for run in reversed(home.runs()) if noted_job(run) == name), None)


def noted_job(run: RunFolder) -> str:
    """The job that a run was begun for; "" where there is none, or the process died before it was noted."""
    try:
        return str(json.loads((run.path / "request.json").read_bytes()).get("batch_job", ""))
    except (OSError, ValueError, AttributeError):
        return ""


def interrupted() -> RunFolder | None:
    """The run that an earlier process of the same command had begun when it was ended over a limit."""
    began = progress.interrupted()
    return Home().find(began) if began else None


def first_journal(home: Home, run: RunFolder) -> RunJournal:
    """The journal of a new run: empty, unless another worker of a fleet had begun it. Raises `UserError` where the disk takes
    none: nothing has begun, so there is nothing to pause and nothing to resume."""
    try:
        return leased.journal(run) or SqliteJournal.create(run, WallClock())
    except StorageError as error:
        home.remove(run)
        hint = "free disk space, or set COUNTERPROOF_HOME to a folder with room"
        raise UserError(f"no run can begin in {home.root}: {error}", hint) from error
