"""The user's file of recorded runs: added to a request, turned into a hunter, and checked on resume.

Invariant: a file inside the target is rejected, because the code under review could then dictate its own findings; a resumed
run reads the same bytes as before. Not handled here: the confidence of a recorded claim.
"""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from counterproof.model.contract import Role
from counterproof.model.errors import JournalError, UserError
from counterproof.model.recorded import RecordedRuns
from counterproof.protocols.audit.request import AuditRequest

if TYPE_CHECKING:
    from counterproof.agents.recorded.hunter import RecordedHunter
    from counterproof.agents.recorded.runs import RecordedRun

MAX_NAMED = 5


def named(file: Path, target: Path, models: tuple[Role, ...]) -> RecordedRuns:
    """The runs on this target: those stored under the folder's name, or all if the file has only one target."""
    from counterproof.agents.recorded.runs import read_runs  # imported only if there are recorded runs

    place = file.absolute()
    if place.resolve().is_relative_to(target.resolve()):
        raise UserError(f"--recorded: {file} is inside the target", "keep recorded runs outside the code under review")
    if Role.HUNTER in models:
        raise UserError(
            "a model and recorded runs cannot both be hunters",
            "give --agents other roles, such as validator=…, or no hunter",
        )
    known = tuple(dict.fromkeys(run.target for run in read_runs(place)))
    name = target.resolve().name
    if name not in known and len(known) != 1:
        shown = ", ".join(known[:MAX_NAMED]) + (", …" if len(known) > MAX_NAMED else "")
        raise UserError(f"--recorded: {file} holds no run on {name}", f"it knows {shown or 'no target'}")
    chosen = RecordedRuns(str(place), _digest(place), name if name in known else known[0])
    hunter(chosen)  # so that errors in the recorded runs are reported before a run exists
    return chosen


def hunter(given: RecordedRuns) -> "RecordedHunter":
    from counterproof.agents.recorded.hunter import RecordedHunter

    return RecordedHunter(_runs(given))


def _runs(given: RecordedRuns) -> "tuple[RecordedRun, ...]":
    from counterproof.agents.recorded.runs import read_runs

    return tuple(run for run in read_runs(Path(given.path)) if run.target == given.target)


def _digest(file: Path) -> str:
    """The digest of a file whose size `read_runs` bounds; '' if the file is gone."""
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError:
        return ""


def refuse_changed(request: AuditRequest) -> None:
    """Reject a resume if the recorded runs have changed since the run began."""
    given = request.recorded
    if given is not None and _digest(Path(given.path)) != given.sha256:
        raise JournalError("the recorded runs changed since the run began", "restore the file, or start a new audit")


def receipt(request: AuditRequest | None) -> dict[str, str] | None:
    """The recorded runs that took part, for the receipt; None without any."""
    given = request.recorded if request else None
    return {"path": given.path, "sha256": given.sha256, "target": given.target} if given else None
