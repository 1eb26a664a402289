"""The history of a repository that someone hostile made, read without running anything of theirs.

Invariant: git never sees the target's configuration, hooks, attributes, index or work tree. It works on a bare repository that
we write ourselves, which borrows the target's objects; refs are read by us, and git is only ever given hashes. Not handled
here: what a change means.
"""

from counterproof.analysis.git.history import (
    Brought,
    Commit,
    Departed,
    Diff,
    History,
    HistoryError,
    Log,
    NoHistory,
    open_bare,
    open_history,
)
from counterproof.analysis.git.patches import Stretch

__all__ = [
    "Brought",
    "Commit",
    "Departed",
    "Diff",
    "History",
    "HistoryError",
    "Log",
    "NoHistory",
    "Stretch",
    "open_bare",
    "open_history",
]
