"""A run of a fleet, copied to this machine: then everything that reads runs can read it.

Invariant: what is copied is checked as a whole, and against its receipt; a copy that does not hold is removed.
"""

import json

from counterproof.app.files import write_whole
from counterproof.app.leased import copied
from counterproof.fleet.queue import Queue
from counterproof.model.errors import UserError
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import RUN_ID, Home, RunFolder
from counterproof.runtime.postgres.database import Database
from counterproof.runtime.postgres.journal import PostgresJournal
from counterproof.runtime.verification import refuse_broken


def fetched(address: str, run_id: str) -> RunFolder:
    """The run's folder on this machine."""
    if not RUN_ID.fullmatch(run_id):
        raise UserError(f"{run_id} is not a run id", "a batch's report lists its runs")
    home = Home()
    with Database(address, patience=10) as database:
        run = RunFolder(run_id, home.root / "runs" / run_id)
        if run.path.exists():
            raise UserError(f"run {run_id} is already on this machine", f"`counterproof log verify {run_id}` checks it")
        journal = PostgresJournal(database, run, WallClock())
        files = Queue(database).files(run_id)
        run = home.adopt(run_id)
        try:
            receipt = json.loads(files.get("receipt.json", b"{}"))
            facts = {"job": "audit", "target": str(receipt.get("target", "")), "mode": str(receipt.get("mode", ""))}
            write_whole(run.path / "request.json", json.dumps(facts))
            for name, body in files.items():
                write_whole(run.path / name, body.decode("utf-8"))
            copied(run, journal)
            refuse_broken(run)
        except BaseException:
            home.remove(run)
            raise
    return run
