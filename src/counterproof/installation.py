"""What belongs to this installation and this user: the data directory, the log of internal errors, and a key that is in nobody
else's hands.

Invariant: the key is made once, from chance, readable by the user alone, and lies beside runs and results, never among them;
what uses it gets a key of its own, derived from it. Where it cannot be kept, a key holds for this process. Not handled here:
what the keys are for.
"""

import contextlib
import hmac
import os
import secrets
import stat
import sys
import traceback
from functools import cache
from pathlib import Path

_NAME = "key"
_SIZE = 32

ERROR_LOG = "internal-errors.log"
MAX_LOG = 1_000_000
"""Bytes of earlier tracebacks that are kept."""


def data_home() -> Path:
    """The data directory of this user."""
    override = os.environ.get("COUNTERPROOF_HOME")
    if override:
        return Path(override).expanduser()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "counterproof"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "counterproof"


def keep_traceback(error: BaseException, doing: str) -> Path | None:
    """Append the traceback of an internal error to the log that a user attaches to a report; None where that is impossible."""
    path = data_home() / ERROR_LOG
    text = f"{doing}\n{''.join(traceback.format_exception(error))}\n"
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        kept = path.read_bytes()[-MAX_LOG:] if path.exists() else b""
        path.touch(mode=0o600)
        path.write_bytes(kept + text.encode("utf-8", "replace"))
    except OSError:
        return None
    return path


def derived_key(purpose: str) -> bytes:
    """The key for one purpose."""
    return _derived(purpose, _given or _kept(data_home()))


@cache
def _derived(purpose: str, master: bytes) -> bytes:
    return hmac.digest(master, f"counterproof {purpose}".encode(), "sha256")


_given = b""


def adopt(master: bytes) -> None:
    """Use the key of the process that started this one."""
    global _given
    _given = master


@cache
def _kept(home: Path) -> bytes:
    place = home / _NAME
    try:
        return _read(place) or _made(home, place)
    except OSError:
        return secrets.token_bytes(_SIZE)


def _read(place: Path) -> bytes:
    """What is kept; b"" where there is nothing, or nothing that only the user could have written."""
    try:
        handle = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        return b""
    with open(handle, "rb") as file:
        found = os.fstat(file.fileno())
        private = stat.S_ISREG(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077
        read = file.read(_SIZE + 1) if private else b""
    if len(read) != _SIZE:
        raise PermissionError(f"{place} is not a key that only this user can read")
    return read


def _made(home: Path, place: Path) -> bytes:
    """Written beside its place and linked there: two processes that begin at once end with one key."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = home / f".{_NAME}-{secrets.token_hex(8)}"
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with open(handle, "wb") as file:
            file.write(secrets.token_bytes(_SIZE))
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(draft, place)
    finally:
        draft.unlink(missing_ok=True)
    return _read(place)
