"""The layers that protect this machine from the external programs that a run starts: those active, and those unavailable here."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Confinement:
    """Layer names for display. A layer is listed as active only after it was tried."""

    active: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


NOT_TRIED = Confinement()
