"""Recorded runs of other agents that are the input of an audit, identified by the file's digest.

Not handled here: the content of the runs. They are read when the hunters start, and the accepted part is journalled.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RecordedRuns:
    """`target` is the name under which the file stores the runs on this code."""

    path: str
    sha256: str
    target: str
