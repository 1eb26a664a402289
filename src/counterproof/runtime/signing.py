"""Signs a log with the user's own SSH key, so that even a completely rewritten journal is detected: its forger lacks the key.

The signed statement contains the run, the number of its rows and the head of its chain, which covers every row, including the
receipt. OpenSSH signs, with the user's key or agent. Invariant: a signature is valid only for this purpose, and only if it
covers the last row.
"""

import json
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from counterproof.model.canonical import canonical
from counterproof.model.errors import UserError
from counterproof.runtime.chain import FORMAT, Damage

PURPOSE = "counterproof-log"
SUFFIX = ".sig"
_SECONDS = 120
_MAX_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class Signed:
    """The signed statement, and the signature in OpenSSH's format."""

    entries: int
    head: str
    signature: str


def _statement(run_id: str, entries: int, head: str) -> bytes:
    return canonical({"counterproof": PURPOSE, "format": FORMAT, "run": run_id, "entries": entries, "head": head}).encode("ascii")


def sign(run_id: str, entries: int, head: str, key: Path, place: Path) -> None:
    """Sign the head of a verified log, with a private key, or a public one whose private half is in an agent."""
    if not key.is_file():
        raise UserError(f"there is no key {key}", "give the path of an SSH key, such as ~/.ssh/id_ed25519")
    done = _ssh_keygen("-Y", "sign", "-n", PURPOSE, "-f", str(key), given=_statement(run_id, entries, head))
    if done.returncode:
        raise UserError(
            f"{key} did not sign: {_last_line(done.stderr)}", "give an SSH key of yours; `ssh-keygen -t ed25519` creates one"
        )
    row = {"entries": entries, "head": head, "signature": done.stdout.decode("ascii")}
    try:
        place.write_text(json.dumps(row, indent=2, sort_keys=True) + "\n", encoding="ascii")
        place.chmod(0o600)
    except OSError as error:
        raise UserError(f"cannot write {place}: {error.strerror}") from error


def disagreement(run_id: str, entries: int, head: str, public: Path, place: Path) -> Damage | None:
    """How a log differs from what the owner of a public key signed; None if it does not."""
    signed = _read(place)
    if signed is None:
        return Damage(0, f"there is no signature at {place}")
    if signed.entries < entries:
        return Damage(signed.entries + 1, f"rows were written after row {signed.entries}, the last signed one")
    if (signed.entries, signed.head) != (entries, head):
        return Damage(0, "the signature is for another log, or rows were removed since")
    with tempfile.TemporaryDirectory(prefix="counterproof-signature-") as private:
        signers, signature = Path(private) / "signers", Path(private) / "signature"
        signers.write_text(f'{PURPOSE} namespaces="{PURPOSE}" {_public_key(public)}\n', encoding="ascii")
        signature.write_text(signed.signature, encoding="ascii")
        arguments = ("-Y", "verify", "-n", PURPOSE, "-I", PURPOSE, "-f", str(signers), "-s", str(signature))
        done = _ssh_keygen(*arguments, given=_statement(run_id, entries, head))
    return Damage(0, "the signature was not made with this key, or not for this log") if done.returncode else None


def _read(place: Path) -> Signed | None:
    try:
        with place.open("rb") as file:
            row: Any = json.loads(file.read(_MAX_BYTES))
        signature = str(row["signature"])
        return Signed(int(row["entries"]), str(row["head"]), signature) if signature.isascii() else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _public_key(path: Path) -> str:
    """Type and key of a `.pub` file, without the rest of its line."""
    try:
        with path.open("rb") as file:
            parts = file.read(_MAX_BYTES).decode("ascii").split()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot read the public key {path}", "give the .pub file of the key that signed") from error
    if len(parts) < 2 or not parts[0].startswith(("ssh-", "ecdsa-", "sk-")):
        raise UserError(f"{path} is not a public SSH key", "give the .pub file of the key that signed")
    return f"{parts[0]} {parts[1]}"


def _ssh_keygen(*arguments: str, given: bytes) -> "subprocess.CompletedProcess[bytes]":
    program = shutil.which("ssh-keygen")
    if program is None:
        raise UserError("ssh-keygen, which signs logs, is not installed", "install OpenSSH 8.2 or newer")
    try:
        return subprocess.run([program, *arguments], input=given, capture_output=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UserError(f"ssh-keygen did not answer: {error}", "try the same signature by hand") from error


def _last_line(said: bytes) -> str:
    return said.decode("utf-8", "replace").strip().rpartition("\n")[2] or "ssh-keygen failed"
