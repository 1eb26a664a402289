"""What came of running the target to see a finding's effect (A66).

Invariant: only an effect that the engine's oracle saw, with a control that stayed quiet, is `SHOWN`; everything else is a
note. Not handled here: how something is run.
"""

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """SHOWN: the effect was seen. UNSEEN: the target ran and nothing was seen. NO_LONGER: an effect that was seen before does not
    happen any more. NOT_RUN: nothing was run, or the target did not start."""

    SHOWN = "demonstrated"
    UNSEEN = "not seen"
    NO_LONGER = "no longer happens"
    NOT_RUN = "not run"


@dataclass(frozen=True, slots=True)
class Demonstration:
    """One finding's. `text` says what was seen or why nothing was; `steps` are the exact requests or calls, for people; `again`
    is the same for the engine, as JSON; `tree` is the digest of the files that ran."""

    fingerprint: str
    number: str
    outcome: Outcome
    text: str
    steps: str = ""
    again: str = ""
    tree: str = ""
