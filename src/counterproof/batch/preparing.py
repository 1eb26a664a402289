"""Turns a target into a job: determines the state of its code, and provides a folder with exactly that.

A path without a revision is read in place; its state is its commit and a digest of its files. Otherwise the files of a commit
are written to a private folder: directly from the objects of a bare repository or another revision, or fetched from an
address. Invariant: nothing of a target is run and none of its settings is used; our folders are created empty and removed
after the job. Not handled here: the audit.
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
"""Options of a target that need more than the last commit."""


class FetchFailed(CounterproofError):
    """The code could not be fetched at the moment."""


class Preparation:
    """Creates jobs. `addresses` maps a target's id to the part of its address that only git may see."""

    def __init__(self, addresses: Mapping[str, str]) -> None:
        self._addresses = addresses

    def job(self, target: Target) -> Job:
        """The target in its current state. Raises `CounterproofError` if there is nothing to audit."""
        commit = self._commit(target)
        return Job(job_key(target, commit, engine_for(target.options)), target, commit)

    def confirm(self, job: Job) -> None:
        """Raises `UserError` if this machine has different files at that location, or would audit them differently."""
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
        """The folder to audit, and the parts that could not be fetched. `private` is the folder for fetched code."""
        target = job.target
        address = self._address(target)
        if not address and not is_kept_elsewhere(path := _existing(target), target):
            return path, ()
        folder = _folder(target, private)
        whole = folder.parent / "commit"
        if whole.is_file() and whole.read_text(encoding="ascii") == job.commit:
            return folder, ()  # an earlier process fetched it, and the resumed run started with it
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
    """Delete the code fetched for a job."""
    shutil.rmtree(_folder(target, private).parent, ignore_errors=True)


def _folder(target: Target, private: Path) -> Path:
    """Named like the repository, because reports use that name."""
    plain = "".join(each if each.isascii() and (each.isalnum() or each in "._-") else "-" for each in target.name)
    return private / target.id / (plain[:80].strip(".-") or "code")


def is_kept_elsewhere(path: Path, target: Target) -> bool:
    """True if the files to audit are not the ones at the path."""
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
    """The digest of every file, and of the current commit; a unique value if there is no digest."""
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
