"""Checks before resuming: is the journal intact, and are the run's inputs unchanged? (F16, F17)

Invariant: a damaged journal is never appended to; it is rejected, or cut to its last intact row at the user's choice. A run
never mixes answers about different code, rules, prompts or versions: the changes are named, and the run is rejected or, at the
user's choice, starts a new course that reuses old answers only if none of their inputs changed.
"""

import contextlib
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from counterproof import __version__
from counterproof.analysis.source.survey import SurveyOptions, survey
from counterproof.app import basis, leased
from counterproof.app.files import write_whole
from counterproof.app.jobs import AUDIT, Job, noted
from counterproof.model.errors import CounterproofError, JournalError
from counterproof.model.text import real_name
from counterproof.protocols.audit.dependence import Part, reusable
from counterproof.protocols.audit.events import Started, Surveyed
from counterproof.protocols.audit.request import AuditRequest
from counterproof.runtime import repair
from counterproof.runtime.chain import Damage
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import RunFolder
from counterproof.runtime.journal import NeverStarted, OtherFormat, SqliteJournal
from counterproof.runtime.kept import RunJournal
from counterproof.runtime.replaying import RERUN, Course, Recorded, course, replay, rerun_body
from counterproof.runtime.replies import KIND, described
from counterproof.runtime.verification import verify

First = TypeVar("First")


@dataclass(frozen=True, slots=True)
class Choices:
    """The user's choices for runs that cannot simply continue."""

    cut_damage: bool = False
    rerun_changed: bool = False
    without_models: bool = False


CAREFUL = Choices()
"""Reject the run instead of cutting or rerunning."""


def opened(run: RunFolder, choices: Choices) -> RunJournal:
    """The run's journal, intact and ready for appending. The caller must hold the run's lock."""
    if shared := leased.journal(run):
        return shared
    damage = _damage(run)
    if damage and not choices.cut_damage:
        raise JournalError(
            f"the journal of run {run.id} is damaged: {damage.text}",
            f"`counterproof resume {run.id} --cut-damage` continues from the last intact row; the damaged file is kept",
        )
    if damage:
        repair.cut(run, damage, WallClock())
    return SqliteJournal(run, WallClock())


def _damage(run: RunFolder) -> Damage | None:
    unfinished = (run.path / repair.NEW).exists()
    if not run.journal.exists() and not unfinished:
        return None
    try:
        found = verify(run).damages
    except (NeverStarted, OtherFormat):
        raise
    except JournalError as error:
        return Damage(0, str(error))
    return found[0] if found else None


def settle_changes(run: RunFolder, journal: RunJournal, choices: Choices, place: str = "") -> None:
    """Compare the current inputs with those at the start of the run; start a new course if the user chose so. `place` is the
    target's current location, if it has moved."""
    now, started = course(journal), first_event(run, journal, AUDIT, Started)
    changed = basis.changed(started.basis or ((Part.PROGRAM.value, started.version),))
    if _target_changed(now, replace(started.request, target=place or started.request.target)):
        changed = (Part.TARGET, *changed)
    if not changed:
        return
    if not choices.rerun_changed:
        raise JournalError(_refusal(run, changed, started), _REFUSAL_HINT.format(run=run.id))
    start = AUDIT.machine().encode(replace(started, version=__version__, basis=basis.present()))
    kept = _reusable(journal, now, changed)
    journal.append(RERUN, rerun_body(start, kept, tuple(part.value for part in changed)))


_REFUSAL_HINT = "`counterproof resume {run} --rerun-changed` runs the affected steps again; stored replies are reused"


def _refusal(run: RunFolder, changed: tuple[Part, ...], started: Started) -> str:
    words = {
        Part.TARGET: "the code changed",
        Part.PROGRAM: f"the program is now version {__version__}; the run was made with {started.version}",
        Part.RULES: "the rules changed",
        Part.PROMPTS: "the prompts changed",
        Part.DOCUMENTS: "the protocol documents changed",
    }
    return f"{', '.join(words[part] for part in changed)} since run {run.id} began"


def _target_changed(now: Course, request: AuditRequest) -> bool:
    taken = next((event for event in _decoded(now.events) if isinstance(event, Surveyed)), None)
    if taken is None:
        return False
    options = SurveyOptions(include=request.include, exclude=request.exclude, accept_unread=request.accept_unread)
    return survey(Path(real_name(request.target)), options).digest != taken.survey.digest


def _reusable(journal: RunJournal, now: Course, changed: tuple[Part, ...]) -> tuple[int, ...]:
    """The rows whose answers are still valid. Rows that this version cannot read are not."""
    models = tuple({described(entry)[0].task for entry in journal.entries() if entry.kind == KIND})
    found: list[int] = []
    for recorded in now.events[1:]:
        events = _decoded((recorded,))
        if events and reusable(events[0], changed, models):
            found.append(recorded.seq)
    return tuple(found)


def first_event(run: RunFolder, journal: RunJournal, job: Job, kind: type[First]) -> First:
    """The run's first event."""
    now = course(journal)
    if not now.events:
        raise NeverStarted(run)
    begun = job.machine().decode(now.events[0].body)
    if not isinstance(begun, kind):
        raise JournalError(f"the journal of run {run.id} does not begin with a start event event event")
    return begun


def settle(run: RunFolder, journal: RunJournal, job: Job, start: Any, changed: str, choices: Choices, tree: str) -> None:
    """Start a new course of a review or a verification from `start`, if something changed (named in `changed`) and the user
    chose so. Answers of the earlier course are not reused, but stored replies to the same questions are. `tree` is the
    target's current digest."""
    if not changed and _is_decided_alike(job, journal):
        return
    if not choices.rerun_changed:
        what = changed or "the program"
        raise JournalError(f"{what} changed since run {run.id} began", _REFUSAL_HINT.format(run=run.id))
    journal.append(RERUN, rerun_body(job.machine().encode(start), (), (Part.TARGET.value,)))
    write_whole(run.path / "request.json", json.dumps({**noted(run), "tree": tree}))


def _is_decided_alike(job: Job, journal: RunJournal) -> bool:
    """True if this version decides like the version that wrote the journal."""
    try:
        replay(job.machine(), journal)
    except JournalError:
        return False
    return True


def paid_events(journal: RunJournal, job: Job = AUDIT) -> list[Any]:
    """Every event of the journal once, in all courses: its cost was spent. A reused answer appears with the same bytes and
    counts once; events that this version cannot read are left out."""
    bodies = dict.fromkeys(entry.body for entry in journal.entries() if entry.kind == "event")
    return _decoded(tuple(Recorded(0, body) for body in bodies), job)


def _decoded(events: tuple[Recorded, ...], job: Job = AUDIT) -> list[Any]:
    """The events that this version can still read."""
    machine = job.machine()
    found: list[Any] = []
    for recorded in events:
        with contextlib.suppress(CounterproofError):
            found.append(machine.decode(recorded.body))
    return found
