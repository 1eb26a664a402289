"""Why a run pauses for a provider or for a coding agent, and the commands that continue or end it."""

from counterproof.model.errors import HostGone, ProviderPause
from counterproof.runtime.driver import Paused


class ReportedPause(Paused):
    """A pause with a provisional report: the user must act before a provider's models can be used again, or answer a question."""


def paused(pause: ProviderPause, again: str) -> Paused:
    """The pause of a run; `again` is the command that continues it, ending with the run's id."""
    how = f"`{again}` continues; requests that already have a stored reply are not sent again"
    if isinstance(pause, HostGone):
        return Paused(str(pause), f"{pause.hint}; then {how}")
    run = again.rpartition(" ")[2]
    end = f"`counterproof resume {run} --without-models` ends the run with the results so far"
    return ReportedPause(str(pause), f"{pause.hint}; then {how}. {end}")
