"""How bad a finding is, how sure we are of it, and the facts the calibration (A40) adds up."""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.errors import InvalidValue


class Severity(StrEnum):
    """Ordered by `rank`, Critical highest."""

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"

    @property
    def rank(self) -> int:
        return _SEVERITY_RANK[self]


_SEVERITY_RANK = {Severity.CRITICAL: 3, Severity.HIGH: 2, Severity.MEDIUM: 1, Severity.LOW: 0}


class Confidence(StrEnum):
    """PATTERN is a textual match with no flow behind it; VERIFIED was re-derived by a second method."""

    VERIFIED = "verified"
    HIGH = "high"
    MEDIUM = "medium"
    PATTERN = "pattern"

    @property
    def rank(self) -> int:
        return _CONFIDENCE_RANK[self]


_CONFIDENCE_RANK = {Confidence.VERIFIED: 3, Confidence.HIGH: 2, Confidence.MEDIUM: 1, Confidence.PATTERN: 0}


class Reach(StrEnum):
    """Who can trigger it. UNKNOWN is what was not settled; it is never taken for anonymous (A55)."""

    ANONYMOUS = "anonymous"
    UNKNOWN = "unknown"
    LOW_PRIVILEGE = "low privilege"
    ADMIN = "admin"


class Impact(StrEnum):
    """What an attacker gains."""

    FULL = "code execution, all data or other tenants"
    PARTIAL = "part of the sensitive data"
    LOCAL = "local effect"


class Complexity(StrEnum):
    """What it takes."""

    SINGLE_REQUEST = "single request"
    MULTI_STEP = "several steps"
    STRONG_PRECONDITIONS = "strong preconditions"


@dataclass(frozen=True, slots=True)
class Rating:
    """The inputs of the calibration, judged by whoever found the problem. `default_config` is None where it plays no part."""

    reach: Reach
    impact: Impact
    complexity: Complexity = Complexity.SINGLE_REQUEST
    stringent_conditions: int = 0
    default_config: bool | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.stringent_conditions <= 20:
            raise InvalidValue(f"stringent_conditions is {self.stringent_conditions}, expected 0 to 20")
