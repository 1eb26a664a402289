"""Checks the folder of --out before the work begins. Nothing is written here."""

import os
from pathlib import Path

from counterproof.model.errors import UserError


def refuse_unusable(out: Path | None) -> None:
    """Reject a file, and a folder that this user cannot write to. A missing folder is created later."""
    if out is None:
        return
    there = next((each for each in (out, *out.absolute().parents) if each.exists()), Path("/"))
    if not there.is_dir():
        raise UserError(f"--out {out}: {there} is a file", "name a folder")
    if not os.access(there, os.W_OK | os.X_OK):
        raise UserError(f"--out {out}: {there} cannot be written to", "name a folder that you may write to")
