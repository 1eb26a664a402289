"""The nouns of the backward method: where the values in a sink come from, by which way, and what they met on it.

Always holds: a way names its origin; a way that had to be guessed anywhere says what broke it. Does not belong here: how
ways are found, and what they mean for a verdict.
"""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.analysis.flow.hits import APPENDED, TRUST_BOUNDARY, closed
from counterproof.analysis.flow.sources import MODEL
from counterproof.analysis.libraries.concepts import Sink
from counterproof.analysis.ruleset import FlowRule
from counterproof.model.flow import Break, Flow, StepKind
from counterproof.model.location import Location


class OriginKind(StrEnum):
    """Who decides about a value."""

    REQUEST = "request data"
    ENTRY = "parameter of an entry point"
    LOCAL = "command line"
    LITERAL = "literal"
    SETTING = "setting"
    STORED = "stored data"
    INTERNAL = "the program itself"
    UNKNOWN = "unknown"


REMOTE = (OriginKind.REQUEST, OriginKind.ENTRY)
"""Origins that an attacker on the network decides about."""


@dataclass(frozen=True, slots=True)
class Origin:
    """One end of the walk. `text` says in words what it is, `channel` and `parameter` how a sender fills it in."""

    kind: OriginKind
    at: Location
    text: str
    channel: str = ""
    parameter: str = ""


@dataclass(frozen=True, slots=True)
class Defence:
    """Something on the way that may take the harm out of the value. `label` is the name that rules know it by."""

    label: str
    at: Location
    text: str


@dataclass(frozen=True, slots=True)
class Hop:
    """One step of a way; `after` is the step nearer to the sink. `symbol` is the name that the code has for it, '' where there is
    none; `note` is for readers alone."""

    kind: StepKind
    path: str
    line: int
    note: str
    after: "Hop | None" = None
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class Way:
    """From one origin to the sink."""

    origin: Origin
    first: Hop
    defences: tuple[Defence, ...] = ()
    broken: Break | None = None
    appended: bool = False
    """The value stands behind other text."""

    @property
    def remote(self) -> bool:
        return self.origin.kind in REMOTE

    @property
    def hops(self) -> tuple[Hop, ...]:
        found: list[Hop] = []
        current: Hop | None = self.first
        while current is not None:
            found.append(current)
            current = current.after
        return tuple(found)


_ABOUT_FORM = ("word characters", "safe pattern", "harmless form")
"""What makes a text harmless, but not true: no defence where the program believes it."""
ALWAYS_SAFE = ("allow-list", "numeric", "word characters", "safe pattern", "fixed choice", "harmless result", "harmless form")
"""Defences that are enough for every rule."""

_BY_KIND = {"path": ("upload object",), "upload": ("extension check",)}
"""Defences that are enough for one kind of sink."""


@dataclass(frozen=True, slots=True)
class Derivation:
    """What the backward walk from one sink found. `certain` is False where the sink's receiver could not be identified.

    `flows` are the ways of attackers as flows, undefended ones first; `broken` is the first open edge on any way.
    """

    rule: FlowRule
    sink: Sink | None
    at: Location
    function: str
    call: str
    ways: tuple[Way, ...]
    flows: tuple[Flow, ...] = ()
    broken: Break | None = None
    certain: bool = True

    @property
    def origins(self) -> tuple[Origin, ...]:
        return tuple(dict.fromkeys(way.origin for way in self.ways))

    def enough(self, way: Way) -> Defence | None:
        """The first defence on a way that stops this kind of attack."""
        if self.rule.private:  # whose a thing is, its number does not say
            return next((each for each in way.defences if each.label in self.rule.sanitisers), None)
        always = [each for each in ALWAYS_SAFE if self.rule.cwe != TRUST_BOUNDARY or each not in _ABOUT_FORM]
        safe = (*always, *self.rule.sanitisers, *_BY_KIND.get(self.rule.kind, ()))
        stand = closed(frozenset({each.label for each in way.defences} | ({APPENDED} if way.appended else set[str]())))
        return next((each for each in way.defences if each.label in stand.intersection(safe)), None)

    @property
    def open_ways(self) -> tuple[Way, ...]:
        """Ways of an attacker that nothing stops, unbroken ones first, then the shortest."""
        ways = [way for way in self.ways if self._counts(way) and self.enough(way) is None]
        return tuple(sorted(ways, key=_preference))

    @property
    def stopped_ways(self) -> tuple[Way, ...]:
        return tuple(way for way in self.ways if self._counts(way) and self.enough(way) is not None)

    def _counts(self, way: Way) -> bool:
        """Whether an attacker goes this way, and the rule minds what comes by it."""
        return way.remote and (way.origin.channel != MODEL or self.rule.models)


def _preference(way: Way) -> tuple[bool, int, Location]:
    return way.broken is not None, len(way.hops), way.origin.at
