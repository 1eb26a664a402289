"""The severity of a finding, and the facts that the calibration adds up (A40)."""

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


class Ground(StrEnum):
    """The basis of a finder's claim: HIGH on what the code shows, MEDIUM on a guess, PATTERN on a text or a name alone. The
    confidence of a finding is separate and decided by the protocol (`model.confidence`)."""

    HIGH = "high"
    MEDIUM = "medium"
    PATTERN = "pattern"

    @classmethod
    def _missing_(cls, value: object) -> "Ground | None":
        """Accept the values of earlier versions."""
        return cls.HIGH if value == "verified" else None

    @property
    def rank(self) -> int:
        return _GROUND_RANK[self]


_GROUND_RANK = {Ground.HIGH: 2, Ground.MEDIUM: 1, Ground.PATTERN: 0}
Confidence = Ground


class Reach(StrEnum):
    """Who can trigger it. If that is unknown, the value that the code supports best; the proof then lists it as open."""

    ANONYMOUS = "anonymous"
    LOW_PRIVILEGE = "low privilege"
    ADMIN = "admin"

    @classmethod
    def _missing_(cls, value: object) -> "Reach | None":
        """Accept the values of earlier versions."""
        return cls.ANONYMOUS if value == "unknown" else None


class Impact(StrEnum):
    """The attacker's gain. FULL: code execution, all data, another account or tenant; MINOR: such as a leaked path."""

    FULL = "code execution, all data, or another account or tenant"
    PARTIAL = "part of the sensitive data, or actions on behalf of others"
    LOCAL = "limited"
    MINOR = "minor"

    @classmethod
    def _missing_(cls, value: object) -> "Impact | None":
        """Accept the values of earlier versions."""
        return {
            "code execution, all data or other tenants": cls.FULL,
            "part of the sensitive data": cls.PARTIAL,
            "local effect": cls.LOCAL,
        }.get(str(value))


class Complexity(StrEnum):
    """How hard the attack is."""

    SINGLE_REQUEST = "single request"
    MULTI_STEP = "several steps"
    STRONG_PRECONDITIONS = "strong preconditions"


@dataclass(frozen=True, slots=True)
class Rating:
    """The inputs of the calibration, as judged by the finder. `default_config` is None if it is irrelevant. `entry` is the entry
    point that decides the reach, if a validator named it and the map confirms it."""

    reach: Reach
    impact: Impact
    complexity: Complexity = Complexity.SINGLE_REQUEST
    stringent_conditions: int = 0
    default_config: bool | None = None
    entry: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.stringent_conditions <= 20:
            raise InvalidValue(f"stringent_conditions is {self.stringent_conditions}, expected 0 to 20")
