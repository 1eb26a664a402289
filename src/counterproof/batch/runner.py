"""One job on this machine: an audit in a separate process, started or resumed, supervised to its end.

Invariant: the process ends with ours, even if ours is killed; it may spend only its reservation; it always has an outcome,
even after a crash. A run that had started is resumed, so no answer is paid for twice. Not handled here: choosing the next job.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from counterproof.app import beginning
from counterproof.batch import outcomes
from counterproof.batch.preparing import FetchFailed, Preparation, remove
from counterproof.model.batch import Job, Order, Outcome, Row, Target, run_name
from counterproof.model.budget import Limit, dollars
from counterproof.model.errors import CounterproofError, JournalError
from counterproof.model.receipt import Exit
from counterproof.runtime import lock
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import Home, RunFolder
from counterproof.runtime.journal import NeverStarted, SqliteJournal
from counterproof.supervision.supervisor import TIED

LOOK: Final = 0.2
PATIENCE: Final = 30.0
"""The seconds that a process has to pause on request; then it is killed, and its run resumes from the journal."""


class LocalRunner:
    """Runs jobs. `environment` is the environment of the processes, `addresses` maps a target's id to the part of its address
    that only git may see."""

    def __init__(
        self, home: Path, environment: Mapping[str, str] | None = None, addresses: Mapping[str, str] | None = None
    ) -> None:
        self._home = Home(home)
        self._environment = dict(os.environ if environment is None else environment)
        self._preparation = Preparation(addresses or {})
        self._earlier: dict[str, RunFolder] | None = None
        """Runs started before this process, by their job."""
        self._turn = threading.Lock()
        self._running: list[subprocess.Popen[bytes]] = []
        self._stopped = 0.0
        """The time of the request to stop; 0 without one."""

    def prepare(self, target: Target) -> Job:
        return self._preparation.job(target)

    def confirm(self, job: Job) -> None:
        self._preparation.confirm(job)

    def run(self, row: Row, order: Order, folder: Path, tell: Callable[[str], None]) -> Outcome:
        assert row.job is not None
        began, private = time.monotonic(), self._folder(order) / "code"
        tell("fetching the code")
        try:
            place, notes = self._preparation.place(row.job, private)
        except CounterproofError as error:
            return failed_before(error)
        tell("starting the audit")
        outcome = self._audited(row, order, place, folder, notes, tell, began)
        if outcome.exit_code != Exit.PAUSED:
            remove(row.target, private)
        return outcome

    def _audited(
        self, row: Row, order: Order, place: Path, folder: Path, notes: tuple[str, ...], tell: Callable[[str], None], began: float
    ) -> Outcome:
        name, reports = run_name(order, row), folder / row.target.folder
        run = self._begun(name)
        if run:
            wait_for(run)
        shutil.rmtree(reports, ignore_errors=True)
        words = resumed(run, reports) if run else audited(row, order, place, reports)
        log = self._log(order, row)
        code = self._ended(words, name, log, tell)
        if run and code == Exit.REFUSED and not row.target.is_paid:  # it cannot be gone on with, and nothing was paid for
            code = self._ended(audited(row, order, place, reports), name, log, tell)
        found = outcomes.of_report(reports, code, row.target.folder, notes) if code != Exit.PAUSED else None
        if found:
            return found
        latest, why = beginning.run_of_job(self._home, name), outcomes.last_words(log, code)
        if self._stopped:  # whatever it was doing when asked to stop
            code, why = int(Exit.PAUSED), "paused with the batch"
        return outcomes.of_failure(code, why, row.reserved, time.monotonic() - began, latest.id if latest else "")

    def _begun(self, name: str) -> RunFolder | None:
        """The started run of a job; before the first journal row nothing was spent or is lost."""
        with self._turn:
            if self._earlier is None:
                self._earlier = beginning.runs_of_jobs(self._home)
        run = self._earlier.get(name)
        return run if run and _has_rows(run) else None

    def _folder(self, order: Order) -> Path:
        return self._home.root / "batches" / order.id

    def _log(self, order: Order, row: Row) -> Path:
        folder = self._folder(order) / "logs"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder / f"{row.position + 1}.log"

    def _ended(self, words: tuple[str, ...], name: str, log: Path, tell: Callable[[str], None]) -> int:
        """The exit code of the command, negative for a signal."""
        environment = {**self._environment, beginning.JOB: name, TIED: "1"}
        with open(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600), "wb") as stream:
            process = self._started(words, environment, stream.fileno())
            if process is None:
                return int(Exit.PAUSED)
            try:
                while process.poll() is None:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        process.wait(LOOK)
                    self._end_late(process)
                    tell("".join(outcomes.tail(log)[-1:]))
            finally:
                self._forget(process)
        return process.returncode

    def _started(self, words: tuple[str, ...], environment: dict[str, str], log: int) -> "subprocess.Popen[bytes] | None":
        with self._turn:
            if self._stopped:
                return None
            command = (sys.executable, "-m", "counterproof", *words)
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=log, env=environment, start_new_session=True
            )
            self._running.append(process)
            return process

    def _forget(self, process: "subprocess.Popen[bytes]") -> None:
        with self._turn:
            self._running.remove(process)
        if process.stdin:
            process.stdin.close()

    def stop(self) -> None:
        """Pause running jobs, and start no more; on a second call, kill them: runs resume from the journal either way."""
        with self._turn:
            again, self._stopped = bool(self._stopped), self._stopped or time.monotonic()
            for process in self._running:
                process.send_signal(signal.SIGKILL if again else signal.SIGINT)

    def _end_late(self, process: "subprocess.Popen[bytes]") -> None:
        if self._stopped and time.monotonic() - self._stopped > PATIENCE:
            process.kill()


def _has_rows(run: RunFolder) -> bool:
    """True also for a damaged journal: resuming it is rejected with instructions."""
    try:
        with contextlib.closing(SqliteJournal(run, WallClock(), writable=False)) as journal:
            return journal.head[0] > 0
    except NeverStarted:
        return False
    except JournalError:
        return True


def wait_for(run: RunFolder) -> None:
    """Wait for a run whose batch was killed: it ends a moment later."""
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        try:
            with lock.held(run):
                return
        except JournalError:
            time.sleep(LOOK)


def audited(row: Row, order: Order, place: Path, reports: Path) -> tuple[str, ...]:
    """The arguments of the command that starts the audit."""
    seconds = ("--max-time", str(order.target_seconds)) if order.target_seconds else ()
    budget = _budget(row.reserved) if row.target.is_paid else ()
    return ("audit", *seconds, *row.target.options, *budget, "--yes", "--out", str(reports), "--", str(place))


def resumed(run: RunFolder, reports: Path) -> tuple[str, ...]:
    """The arguments of the command that resumes; limits are those that the run started with."""
    return ("resume", run.id, "--yes", "--out", str(reports))


def _budget(reserved: Limit) -> tuple[str, ...]:
    tokens = ("--budget-tokens", str(reserved.tokens)) if reserved.tokens is not None else ()
    money = ("--budget-usd", dollars(reserved.micros).removeprefix("$")) if reserved.micros is not None else ()
    return (*tokens, *money)


def failed_before(error: CounterproofError) -> Outcome:
    """A target that could not be audited: the list is wrong (2), or its code is unavailable at the moment (3)."""
    code = Exit.INCOMPLETE if isinstance(error, FetchFailed) else Exit.USAGE
    return outcomes.of_failure(int(code), str(error), Limit(), 0.0)
