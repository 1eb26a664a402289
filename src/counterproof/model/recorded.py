"""Recorded runs of other agents that an audit was given: which file, fixed by its digest.

Not handled here: what the runs say. They are read when the hunters start, and what stands of it is journalled.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RecordedRuns:
    """`target` is the name under which the file keeps the runs on this code."""

    path: str
    sha256: str
    target: str
