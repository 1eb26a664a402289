"""Why a run pauses for a provider or for a coding agent, and the commands that continue or end it."""

from counterproof.model.errors import HostGone, ProviderPause
from counterproof.runtime.driver import Paused


class ProviderPaused(Paused):
    """The user must act before the provider's models can be used again."""


def paused(pause: ProviderPause, again: str) -> Paused:
    """The pause of a run; `again` is the command that continues it, ending with the run's id."""
    how = f"`{again}` goes on; it asks only what has no stored reply"
    if isinstance(pause, HostGone):
        return Paused(str(pause), f"{pause.hint}; then {how}")
    run = again.rpartition(" ")[2]
    end = f"`counterproof resume {run} --without-models` ends the run on what is there"
    return ProviderPaused(str(pause), f"{pause.hint}; then {how}. {end}")
