"""Writes the files of a run: atomically, readable by the user alone. Not handled here: their contents."""

import json
import os
from pathlib import Path
from typing import Any

from counterproof.model.errors import UserError
from counterproof.runtime.home import RunFolder


def write_whole(path: Path, text: str) -> None:
    """Replace a file atomically, synced, readable by the user alone."""
    temporary = path.with_name(path.name + ".tmp")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def delivered_files(run: RunFolder | None, texts: dict[str, str], out: Path) -> tuple[Path, ...]:
    """Write texts by file name, and the run's receipt if there is one, to a folder given by the user."""
    receipt = run.receipt if run else None
    try:
        if receipt and receipt.is_file():
            texts = {**texts, receipt.name: receipt.read_text(encoding="utf-8")}
        out.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            write_whole(out / name, text)
    except OSError as error:
        again = f"; `counterproof show {run.id} --out FOLDER` tries again" if run else ""
        raise UserError(f"cannot write to {out}: {error.strerror}", f"nothing is lost; give another --out{again}") from error
    return tuple(out / name for name in texts)


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object in a file; empty if there is no file."""
    try:
        value: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]
