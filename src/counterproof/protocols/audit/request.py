"""The user's request. Fixed at the start of a run; nothing read later changes it."""

from dataclasses import dataclass

from counterproof.model.confidence import Confidence
from counterproof.model.contract import Role
from counterproof.model.dimension import ALL_DIMENSIONS, Dimension
from counterproof.model.errors import InvalidValue
from counterproof.model.known import Acceptance, KnownFinding
from counterproof.model.recorded import RecordedRuns
from counterproof.model.severity import Severity
from counterproof.model.since import Since
from counterproof.model.user_context import UserContext
from counterproof.model.vulnerabilities import VulnerabilityData
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.guard.budget import ModelTerms

USUAL_WINDOW = 200_000
MAX_HUNTS = 9
UNNAMED_MODEL = "model"
"""The name of a model that the terms do not name."""


@dataclass(frozen=True, slots=True)
class AuditRequest:
    """The parameters of one audit. `yes`: the user confirmed the plan in advance.

    `known` are the findings of an earlier run to compare with (None: no comparison), `since` its revision and the changes
    since, if it is a revision; `accepted` are the accepted findings and `today` the date on which acceptances are checked.
    `vulnerability_data` is the user's data on known vulnerabilities; `models` are the roles that a model plays, `terms` their
    terms; `recorded` are runs of other agents that take part; `fail_on` and `min_confidence` decide what fails the run (A69);
    `accept_unread` are globs of code that need not be read, `min_coverage` is the number of covered dimensions that the user
    accepts; `source_url` is the web address of a line, with `{path}` and `{line}` as placeholders. `hunts`: how often models
    hunt, in independent contexts (A67); `context` is what the user says about the program (A65).
    """

    target: str
    mode: Mode = Mode.QUICK
    only: tuple[Dimension, ...] = ALL_DIMENSIONS
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    fail_on: Severity = Severity.HIGH
    min_confidence: Confidence = Confidence.VALIDATED
    fail_on_posture: Severity | None = None
    yes: bool = False
    max_seconds: int = 0
    known: tuple[KnownFinding, ...] | None = None
    accepted: tuple[Acceptance, ...] = ()
    today: str = ""
    vulnerability_data: VulnerabilityData | None = None
    models: tuple[Role, ...] = ()
    terms: ModelTerms | None = None
    recorded: RecordedRuns | None = None
    since: Since | None = None
    accept_unread: tuple[str, ...] = ()
    min_coverage: int | None = None
    source_url: str = ""
    hunts: int = 1
    context: UserContext | None = None

    @property
    def window(self) -> int:
        """The tokens of one conversation of a model's hunter (A61)."""
        return (self.terms.window if self.terms else 0) or USUAL_WINDOW

    def modelled(self, role: Role) -> bool:
        """True if a model plays this role; otherwise it is an embedded analyst."""
        return role in self.models

    def model_of(self, role: Role) -> str:
        """The model that plays this role; '' for an embedded analyst."""
        players = dict(self.terms.players) if self.terms else {}
        return players.get(role, UNNAMED_MODEL) if self.modelled(role) else ""

    def judge_of(self, finders: frozenset[str]) -> str:
        """The model that judges these models' findings: another one if the user named several (A53)."""
        own = self.model_of(Role.VALIDATOR)
        others = [model for role in self.models if (model := self.model_of(role)) not in finders] if own in finders else []
        return others[0] if others else own

    def __post_init__(self) -> None:
        if not self.only or tuple(sorted(set(self.only), key=lambda dimension: dimension.order)) != self.only:
            raise InvalidValue("dimensions must be in order, without repeats, and at least one")
        if self.max_seconds < 0:
            raise InvalidValue("the time limit cannot be negative")
        if not 1 <= self.hunts <= MAX_HUNTS:
            raise InvalidValue(f"an audit has from 1 to {MAX_HUNTS} hunts")
