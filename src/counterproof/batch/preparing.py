"""From a target to a job: which state of its code there is, and a folder that holds just that.

A path without a revision is read in place; its state is its commit together with a digest of its files. All else is a commit
whose files are written into a private folder: a bare repository or another revision straight from its objects, an address by a
fetch. Invariant: nothing of a target is run and none of its settings is used; a folder of ours is made empty and removed when
the job has ended. Not handled here: the audit.
"""

import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Final, TypeVar

from counterproof.analysis.git import History, HistoryError, NoHistory, open_bare, open_history, remote
from counterproof.analysis.git.checkout import CheckedOut, check_out
from counterproof.analysis.git.layout import NotUsable, find_layout
from counterproof.analysis.git.refs import Refs
from counterproof.analysis.git.remote import Address
from counterproof.batch.identity import engine_for
from counterproof.batch.targets import is_bare
from counterproof.batch.tree_state import tree_digest
from counterproof.model.batch import Job, Target, job_key
from counterproof.model.canonical import canonical, digest
from counterproof.model.errors import CounterproofError, UserError
from counterproof.model.text import real_name

T = TypeVar("T")
_NEEDS_HISTORY: Final = ("--since", "--agents", "--trust-ref", "deep")
"""What in a target's options asks for more than the last commit."""


class FetchFailed(CounterproofError):
    """The code could not be had, for now."""


class Preparation:
    """Makes jobs. `addresses` has, by a target's id, what only git may see of its address."""

    def __init__(self, addresses: Mapping[str, str]) -> None:
        self._addresses = addresses

    def job(self, target: Target) -> Job:
        """The target as it is now. Raises `CounterproofError` where there is nothing to audit."""
        commit = self._commit(target)
        return Job(job_key(target, commit, engine_for(target.options)), target, commit)

    def confirm(self, job: Job) -> None:
        """Raises `UserError` where this machine has other files in that place, or would audit them in another way."""
        target = job.target
        elsewhere = self._address(target) or is_kept_elsewhere(_existing(target), target)
        if not elsewhere and self._commit(target) != job.commit:
            raise UserError(f"the files in {target.source} are not those that were queued", "queue the batch again")
        if job_key(target, job.commit, engine_for(target.options)) != job.key:
            raise UserError(
                "this worker's program, rules, settings or vulnerability data are not those of the machine that queued the batch",
                "install the same version with the same settings on both",
            )

    def _commit(self, target: Target) -> str:
        address = self._address(target)
        if address:
            with tempfile.TemporaryDirectory(prefix="counterproof-look-") as folder:
                return _fetching(lambda: remote.remote_commit(address, target.revision, Path(folder)))
        path = _existing(target)
        return _resolved(path, target) if is_kept_elsewhere(path, target) else _in_place(path)

    def place(self, job: Job, private: Path) -> tuple[Path, tuple[str, ...]]:
        """The folder to audit, and what could not be brought there. `private` is where code is brought to."""
        target = job.target
        address = self._address(target)
        if not address and not is_kept_elsewhere(path := _existing(target), target):
            return path, ()
        folder = _folder(target, private)
        whole = folder.parent / "commit"
        if whole.is_file() and whole.read_text(encoding="ascii") == job.commit:
            return folder, ()  # an earlier process brought it, and the run that goes on has begun with it
        remove(target, private)
        folder.mkdir(mode=0o700, parents=True)
        written = _fetching(lambda: self._brought(address, job, folder))
        whole.write_text(job.commit, encoding="ascii")
        left = f"{written.left_out:,} files could not be written to this disk and were not audited."
        return folder, (left,) if written.left_out else ()

    def _brought(self, address: Address | None, job: Job, folder: Path) -> CheckedOut:
        if address:
            whole = any(each in option for option in job.target.options for each in _NEEDS_HISTORY)
            remote.fetch(address, job.target.revision, job.commit, folder / ".git", whole)
            opened = open_history(folder)
        else:
            opened = _opened(_existing(job.target))
        with closing(_readable(opened)) as history:
            return check_out(history, job.commit, folder)

    def _address(self, target: Target) -> Address | None:
        return remote.address_of(self._addresses.get(target.id, target.source)) if not target.source.startswith("/") else None


def remove(target: Target, private: Path) -> None:
    """What was brought for a job is not needed any more."""
    shutil.rmtree(_folder(target, private).parent, ignore_errors=True)


def _folder(target: Target, private: Path) -> Path:
    """Named like the repository, because reports call it by that."""
    plain = "".join(each if each.isascii() and (each.isalnum() or each in "._-") else "-" for each in target.name)
    return private / target.id / (plain[:80].strip(".-") or "code")


def is_kept_elsewhere(path: Path, target: Target) -> bool:
    """True if the files to audit are not those that lie at the path."""
    return bool(target.revision) or (is_bare(path) and not os.path.lexists(path / ".git"))


def _existing(target: Target) -> Path:
    path = Path(real_name(target.source))
    if not path.is_dir():
        raise UserError(f"there is no folder {target.source}", "correct the list")
    return path


def _resolved(path: Path, target: Target) -> str:
    with closing(_readable(_opened(path))) as history:
        commit = history.resolve(target.revision or "HEAD")
    if not commit:
        raise UserError(f"there is no revision {target.revision[:80] or 'HEAD'!r} in {target.source}", "correct the list")
    return commit


def _opened(path: Path) -> History | NoHistory:
    return open_history(path) if os.path.lexists(path / ".git") else open_bare(path)


def _readable(opened: History | NoHistory) -> History:
    if isinstance(opened, NoHistory):
        raise FetchFailed(f"the repository cannot be read: {opened.reason}")
    return opened


def _in_place(path: Path) -> str:
    """The digest of every file, and of the commit that history is seen from; one that no other is like where there is none."""
    try:
        head = Refs(find_layout(path)).find("HEAD")
    except (NotUsable, OSError):
        head = ""
    return digest(canonical([head, tree_digest(path) or secrets.token_hex()]))


def _fetching(work: Callable[[], T]) -> T:
    try:
        return work()
    except HistoryError as error:
        raise FetchFailed(str(error)) from error
    except OSError as error:
        raise FetchFailed(f"the code could not be fetched: {error.strerror or error}") from error
