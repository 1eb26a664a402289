"""Creates the folder of a new run, or explains why it cannot.

Invariant: a run that cannot start leaves nothing behind. Not handled here: the work of a job.
"""

import contextlib
import json
import os
from pathlib import Path
from typing import Final

from counterproof.app import leased
from counterproof.app.files import write_whole
from counterproof.model.errors import StorageError, UserError
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import STARTED_IN, Home, RunFolder
from counterproof.runtime.journal import SqliteJournal
from counterproof.runtime.kept import RunJournal
from counterproof.supervision import progress

JOB: Final = "COUNTERPROOF_JOB"
"""The environment variable with the batch job for which a run is started; stored, so that the run is found again."""


def begun(home: Home, facts: dict[str, str]) -> RunFolder:
    """Create a run and store its facts. Raises `UserError` if the disk cannot be written."""
    try:
        run = leased.folder(home) or home.create()
        try:
            write_whole(run.path / "request.json", json.dumps({**facts, **_origin()}))
        except BaseException:
            home.remove(run)
            raise
    except OSError as error:
        hint = "free disk space, or set COUNTERPROOF_HOME to a folder with room"
        raise UserError(f"cannot start a run in {home.root}: {error.strerror or error}", hint) from error
    if home.root == Home().root:
        progress.began(run.id)
    return run


def _origin() -> dict[str, str]:
    facts = {"batch_job": os.environ.get(JOB, "")}
    with contextlib.suppress(OSError):  # the working folder was removed
        facts[STARTED_IN] = str(Path.cwd())
    return {name: fact for name, fact in facts.items() if fact}


def runs_of_jobs(home: Home) -> dict[str, RunFolder]:
    """The newest run of each job of a batch."""
    return {name: run for run in home.runs() if (name := noted_job(run))}


def run_of_job(home: Home, name: str) -> RunFolder | None:
    """The newest run started for a batch job."""
    return next((run for run in reversed(home.runs()) if noted_job(run) == name), None)


def noted_job(run: RunFolder) -> str:
    """The batch job for which a run was started; "" if there is none, or the process died before it was stored."""
    return run.facts().get("batch_job", "")


def interrupted() -> RunFolder | None:
    """The run that an earlier process of the same command started before it was killed for exceeding a limit."""
    began = progress.interrupted()
    return Home().find(began) if began else None


def first_journal(home: Home, run: RunFolder) -> RunJournal:
    """The journal of a new run: empty, unless another fleet worker started it. Raises `UserError` if the disk cannot be
    written: nothing has started, so there is nothing to pause or resume."""
    try:
        return leased.journal(run) or SqliteJournal.create(run, WallClock())
    except StorageError as error:
        home.remove(run)
        hint = "free disk space, or set COUNTERPROOF_HOME to a folder with room"
        raise UserError(f"cannot start a run in {home.root}: {error}", hint) from error
