"""The markers of a run (A2), with exactly the fields that the protocol names.

Some fields contain names from the reviewed code. In the text form each is a single line, so that none can imitate a marker.
"""

from dataclasses import dataclass
from typing import Final

_LISTED: Final = ("recon", "plan")
"""Markers with a line for each field."""
_BARE: Final = ("mode", "loaded", "plan_ack")
"""Markers with one field, whose name is not printed."""


@dataclass(frozen=True, slots=True)
class Marker:
    """One marker with its (name, value) fields."""

    kind: str
    fields: tuple[tuple[str, str], ...]

    def __getitem__(self, name: str) -> str:
        return dict(self.fields)[name]


def mode(name: str) -> Marker:
    return Marker("mode", (("mode", name),))


def loaded(documents: tuple[str, ...]) -> Marker:
    return Marker("loaded", (("documents", ", ".join(documents)),))


def plan_ack(ack: str) -> Marker:
    return Marker("plan_ack", (("ack", ack),))


def phase(name: str, status: str, following: str, evidence: tuple[tuple[str, str], ...]) -> Marker:
    """A finished phase, in whatever state."""
    figures = ",".join(f"{each}={value}" for each, value in evidence)
    return Marker("phase", (("phase", name), ("status", status), ("next", following), ("evidence", figures)))


def halt(trigger: str, recovery: str) -> Marker:
    """A closed gate: what tripped and how the run continues (A49)."""
    return Marker("halt", (("trigger", trigger), ("recovery", recovery)))


def text(marker: Marker) -> str:
    """The marker as it is printed and logged."""
    head = f"[{marker.kind.upper()}]"
    if marker.kind in _LISTED:
        return _one_line_each(head, *(f"{name}: {value}" for name, value in marker.fields))
    bare = marker.kind in _BARE
    return _one_line_each(" ".join((head, *(value if bare else f"{name}:{value}" for name, value in marker.fields))))


def _one_line_each(*lines: str) -> str:
    return "\n".join(" ".join(line.split()) for line in lines)
