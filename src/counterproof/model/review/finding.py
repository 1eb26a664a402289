"""What a specialist claims (R10). Severity is the one scale of all jobs; a review shows it in three words (R35)."""

import re
from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.errors import InvalidValue
from counterproof.model.location import Location
from counterproof.model.severity import Confidence, Severity

MAX_TITLE, MAX_EVIDENCE, MAX_CHAIN, MAX_FIX = 200, 2_000, 500, 1_000
_NUMBERED = re.compile(r"[A-Z][A-Z0-9]{1,7}-[0-9]{3,5}\Z")


class Shown(StrEnum):
    """How a review words a severity."""

    CRITICAL = "Critical"
    IMPORTANT = "Important"
    MINOR = "Minor"

    @property
    def rank(self) -> int:
        """Critical highest."""
        return 2 - list(Shown).index(self)


def shown(severity: Severity) -> Shown:
    """High and Medium are Important; Low is Minor."""
    if severity is Severity.CRITICAL:
        return Shown.CRITICAL
    return Shown.MINOR if severity is Severity.LOW else Shown.IMPORTANT


class Trust(StrEnum):
    """Where the data behind a finding comes from. NONE: no data flow is involved."""

    EXTERNAL = "External"
    AUTHENTICATED = "Authenticated"
    PRIVILEGED = "Privileged"
    INTERNAL = "Internal"
    NONE = "N/A"


@dataclass(frozen=True, slots=True)
class ReviewFinding:
    """One claim. `kind` is what sort of problem it is; with the place it makes the identity, so that renumbering changes nothing
    (R12). `flow` says that it is about data reaching a place, and so needs a traced source (R13). `sources` are all who saw it.
    `function` is the enclosing function where the audit's analysis named it. `conversion` gives it as the finding of every job.
    """

    id: str
    specialist: str
    kind: str
    title: str
    domain: str
    severity: Severity
    confidence: Confidence
    trust: Trust
    location: Location
    evidence: str
    impact_chain: str = ""
    fix: str = ""
    quote: str = ""
    flow: bool = False
    traced_source: Location | None = None
    verified_at: Location | None = None
    sources: tuple[str, ...] = ()
    function: str = ""

    def __post_init__(self) -> None:
        if not _NUMBERED.match(self.id) or not self.id.startswith(f"{self.specialist}-"):
            raise InvalidValue(f"{self.id[:40]!r} is not an id of {self.specialist[:10]}, such as {self.specialist[:10]}-001")
        if not self.kind.strip() or len(self.kind) > MAX_TITLE:
            raise InvalidValue("a finding says what kind it is")
        _checked(self.title, "title", MAX_TITLE, True)
        _checked(self.evidence, "evidence", MAX_EVIDENCE, True)
        _checked(self.impact_chain, "impact chain", MAX_CHAIN, False)
        _checked(self.fix, "fix", MAX_FIX, False)
        if self.flow and (self.traced_source is None or self.trust is Trust.NONE):
            raise InvalidValue(f"{self.id} is about data reaching a place, without a traced source")

    @property
    def identity(self) -> tuple[str, int, str]:
        """Place and kind, not the agent's numbering."""
        return (self.location.path, self.location.start, self.kind)

    @property
    def shown(self) -> Shown:
        return shown(self.severity)


def _checked(text: str, field: str, most: int, needed: bool) -> None:
    if needed and not text.strip():
        raise InvalidValue(f"{field} is blank")
    if len(text) > most:
        raise InvalidValue(f"{field} is longer than {most} characters")
