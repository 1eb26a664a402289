"""The only place that reads the wall clock for the journal."""

from datetime import UTC, datetime


class WallClock:
    """UTC to the millisecond."""

    def now(self) -> str:
        return datetime.now(UTC).isoformat(timespec="milliseconds")
