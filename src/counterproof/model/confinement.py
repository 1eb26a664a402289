"""What protects the machine from the foreign programs that a run starts: the layers in force, and those missing here."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Confinement:
    """Layers in words. Nothing is listed as active that was not tried."""

    active: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


NOT_TRIED = Confinement()
