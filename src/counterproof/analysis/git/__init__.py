"""Reading the history of an untrusted repository without running any of its code.

Invariant: git never sees the target's configuration, hooks, attributes, index or work tree. It works on a bare repository that we
create, which borrows the target's objects; we read the refs ourselves and pass git only hashes. Not handled here: the meaning of
a change.
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
    "Brought", "Commit", "Departed", "Diff", "History", "HistoryError", "Log", "NoHistory", "Stretch", "open_bare",
    "open_history",
]  # fmt: skip
