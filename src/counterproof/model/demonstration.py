"""The result of running the target to observe a finding's effect (A66).

Invariant: a result is `SHOWN` only if the engine's oracle observed the effect and a benign control had none; all other results
are notes. Not handled here: how the target is run.
"""

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """SHOWN: the effect was observed. UNSEEN: the target ran and no effect was observed. NO_LONGER: an effect that was observed
    before no longer occurs, and a harmless input is answered as before. UNCLEAR: it is not, so the change may have broken the
    function. NOT_RUN: nothing was run, or the target did not start."""

    SHOWN = "demonstrated"
    UNSEEN = "not seen"
    NO_LONGER = "no longer happens"
    UNCLEAR = "could not tell"
    NOT_RUN = "not run"


@dataclass(frozen=True, slots=True)
class Demonstration:
    """The demonstration of one finding. `text` says what was observed or why nothing was; `steps` are the exact requests or
    calls, for display; `again` is the same for the engine, as JSON; `tree` is the digest of the files that ran."""

    fingerprint: str
    number: str
    outcome: Outcome
    text: str
    steps: str = ""
    again: str = ""
    tree: str = ""
