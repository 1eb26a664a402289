"""Finding and reading the plan's file (P1). A file that cannot be a plan is rejected with a reason.

Invariant: at most `MAX_BYTES` are read, and only from a regular file. Not handled here: the meaning of the text.
"""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from counterproof.app.named_file import plain_bytes
from counterproof.model.errors import UserError

MAX_BYTES, MAX_LINES, MAX_LINE = 400_000, 8_000, 20_000
TEXT_PER_NUL = 1_000
"""Bytes of text per NUL from which a file is text with a stray NUL."""
MAX_LISTED = 2_000

FOLDERS = ("docs/plans", "plans", ".claude/plans", ".cursor/plans", "doc/plans", ".plans")
FILES = ("PLAN.md", "plan.md", "docs/PLAN.md", "docs/plan.md", "PLAN.txt", "IMPLEMENTATION_PLAN.md")
ENDINGS = (".md", ".markdown", ".mdx", ".txt", ".text")

_HINT = "a plan is a Markdown or text file: `counterproof verify PLAN.md`"


@dataclass(frozen=True, slots=True)
class Document:
    """A plan's file as read."""

    path: Path
    text: str


def newest_plan(folder: Path) -> Path:
    """The newest file in the usual locations; the name decides between files of the same time."""
    found = [path for name in FILES if _is_plain(path := folder / name)]
    for name in FOLDERS:
        found += _listed(folder / name)
    if not found:
        raise UserError(f"no plan was named and {folder} has none in {', '.join(FOLDERS[:4])} or PLAN.md", _HINT)
    return max(found, key=lambda path: (path.stat().st_mtime_ns, str(path)))


def _listed(folder: Path) -> list[Path]:
    if not folder.is_dir() or folder.is_symlink():
        return []
    names = sorted(os.listdir(folder))[:MAX_LISTED]
    return [folder / name for name in names if name.lower().endswith(ENDINGS) and _is_plain(folder / name)]


def _is_plain(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def read_document(path: Path) -> Document:
    """The plan's text; an error for a missing, empty, binary or too long file."""
    try:
        data = plain_bytes(path, MAX_BYTES)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", "") or "the name cannot be used"
        raise UserError(f"the plan {path} cannot be read: {why}", _HINT) from error
    if len(data) > MAX_BYTES:
        raise UserError(f"the plan {path} is longer than {MAX_BYTES:,} bytes", "split it, or name the part that matters")
    if data.count(0) * TEXT_PER_NUL > len(data):
        raise UserError(f"the plan {path} is binary", _HINT)
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    except UnicodeDecodeError as error:
        raise UserError(f"the plan {path} is not UTF-8 text (byte {error.start})", _HINT) from error
    if not text.strip():
        raise UserError(f"the plan {path} is empty", _HINT)
    lines = text.split("\n")
    if len(lines) > MAX_LINES or max(map(len, lines)) > MAX_LINE:
        raise UserError(f"the plan {path} has too many lines or a line that is too long", "a plan is meant to be read by people")
    return Document(path, text)
