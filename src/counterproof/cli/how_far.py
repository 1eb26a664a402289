"""How far a run is, in percent, and the file that is being read: an estimate for whoever waits.

Invariant: the figure never falls, and reaches 100 only with the report. What a phase has done is decided by the files that
were looked at since the phase began. Nothing is decided by it.
"""

from typing import Final

from counterproof.supervision import progress

_SPANS: Final = (
    ("survey", 0, 3),
    ("recon", 3, 30),
    ("[PHASE] phase:1 ", 30, 75),
    ("[PHASE] phase:2 ", 75, 88),
    ("[PHASE] phase:3 ", 88, 97),
    ("[PHASE] phase:4 ", 97, 99),
    ("scope", 0, 5),
    ("[SCOPE]", 5, 65),
    ("[PHASE] 1 ", 65, 85),
    ("[PHASE] 2 ", 85, 97),
    ("[PLAN] quality", 5, 70),
    ("[ITERATION", 70, 97),
    ("report", 99, 99),
)
"""What is heard, and between which figures a run is from then on; as long runs of real projects divide their time."""


class HowFar:
    """Listens to a run."""

    def __init__(self) -> None:
        self._low, self._high = 0, 3
        self._shown = 0
        self._files = 0

    def hear(self, text: str) -> None:
        """A marker, or the name of a step."""
        span = next(((low, high) for opening, low, high in _SPANS if text.startswith(opening)), None)
        if span is None or span[0] < self._low:
            return
        self._low, self._high = span
        self._files = max(self._files, progress.files_looked_at())
        progress.look_anew()

    def percent(self) -> int:
        done = progress.files_looked_at() / self._files if self._files else 0.0
        self._shown = max(self._shown, self._low + int((self._high - self._low) * min(1.0, done)))
        return self._shown

    def line(self) -> str:
        """The figure and what is being read."""
        path = progress.looked_at()
        return f"{self.percent():3d} %{f'  {path}' if path else ''}"
