"""Findings known before a run: those of an earlier run, and those that somebody accepted until a date."""

from dataclasses import dataclass

from counterproof.model.errors import InvalidValue
from counterproof.model.severity import Severity


@dataclass(frozen=True, slots=True)
class KnownFinding:
    """A finding of an earlier run, identified by its fingerprint."""

    fingerprint: str
    title: str
    place: str
    severity: Severity


@dataclass(frozen=True, slots=True)
class Acceptance:
    """A finding that somebody accepted until a day. `expires` is a date such as 2027-01-31."""

    fingerprint: str
    reason: str
    author: str
    expires: str

    def __post_init__(self) -> None:
        if not self.reason.strip() or not self.author.strip():
            raise InvalidValue(f"the exception for {self.fingerprint} needs a reason and an author")
        year, _, rest = self.expires.partition("-")
        month, _, day = rest.partition("-")
        if not (len(self.expires) == 10 and year.isdigit() and month.isdigit() and day.isdigit()):
            raise InvalidValue(f"the exception for {self.fingerprint} needs an expiry date such as 2027-01-31")

    def holds(self, today: str) -> bool:
        """Dates in this form compare as text; the acceptance is valid through its last day."""
        return today <= self.expires
