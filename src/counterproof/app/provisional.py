"""The provisional report of a paused run: the same run, finished in memory without its models (F2, F21).

Invariant: nothing is written to the run's journal, and nothing is sent; `resume` continues the real run. A run that waits for a
confirmation or for a coding agent has no provisional report.
"""

import asyncio
import shutil
from collections.abc import Callable, Coroutine, Iterator, Mapping
from typing import Any, Final

from counterproof.app.files import write_whole
from counterproof.app.jobs import Job, job_of
from counterproof.model.errors import StorageError
from counterproof.model.receipt import Outcome
from counterproof.ports import Emit, Entry, Executor, Journal, Observer
from counterproof.runtime.driver import Driver, Paused
from counterproof.runtime.home import RunFolder

FOLDER: Final = "provisional"
"""The subfolder of a run with its provisional report until the real one is written."""
BY_USER: Final = "ended by the user without waiting for the models"


def reason(why: str) -> str:
    """The failure reason for the models' tasks."""
    return f"the run paused: {why}"


def finish(
    job: Job,
    executor: Executor,
    drive: Callable[[Driver], Coroutine[Any, Any, None]],
    mark: Callable[[Any, str, Outcome], Any],
    run: RunFolder,
    journal: Journal,
    observer: Observer,
    pause: Outcome,
    hint: str,
) -> tuple[Any, Outcome] | None:
    """The marked report, stored in the run's folder, with its outcome; None if the run cannot be finished that far. `executor`
    calls no model; `drive` runs a driver to the end; `mark` adds a sentence and the outcome to a report."""
    observer.progress("provisional report", "the embedded analysts finish the run without models")
    draft = _Draft(job, executor)
    driver = Driver(job.machine(), _Copy(journal), draft, _Silent())
    try:
        asyncio.run(drive(driver))
    except (Paused, StorageError, KeyboardInterrupt):
        return None
    finally:
        observer.progress("provisional report", "")
    if draft.report is None:
        return None
    outcome = Outcome((*pause.reasons, *driver.state.outcome.reasons))
    sentence = f"Provisional: the run paused before its end ({pause.reasons[0].text.rstrip('.')}). To continue: {hint}."
    report = mark(draft.report, sentence, outcome)
    texts = {file: job.render(report, name, "") for name, file in job.files.items()}
    return (report, outcome) if _kept(run, texts) else None


def _kept(run: RunFolder, texts: Mapping[str, str]) -> bool:
    """True if the files could be written."""
    folder = run.path / FOLDER
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        for name, text in texts.items():
            write_whole(folder / name, text)
    except OSError:
        return False
    return True


def text(run: RunFolder) -> str:
    """The provisional report in Markdown; '' if there is none."""
    try:
        return (run.path / FOLDER / job_of(run).files["markdown"]).read_text(encoding="utf-8")
    except OSError:
        return ""


def remove(run: RunFolder) -> None:
    """Delete the provisional report once the run has its own."""
    shutil.rmtree(run.path / FOLDER, ignore_errors=True)


class _Draft:
    """Executes every command except writing the report."""

    def __init__(self, job: Job, executor: Executor) -> None:
        self._job, self._executor = job, executor
        self.report: Any = None

    async def execute(self, command: Any, emit: Emit) -> None:
        if command.id == self._job.command:
            self.report = command.report
            await emit(self._job.answered(command.id, ()))
        else:
            await self._executor.execute(command, emit)


class _Copy:
    """A run's journal in memory; appended rows stay there."""

    def __init__(self, journal: Journal) -> None:
        self._entries = list(journal.entries())

    def append(self, kind: str, *bodies: str) -> None:
        self._entries += [Entry(len(self._entries) + place, "", kind, body, "") for place, body in enumerate(bodies, 1)]

    def entries(self) -> Iterator[Entry]:
        return iter(tuple(self._entries))


class _Silent:
    """Reports no markers: the real run has already done so."""

    def narrate(self, text: str) -> None: ...

    def progress(self, who: str, text: str) -> None: ...
