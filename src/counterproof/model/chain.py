"""Attack chains: sequences of findings in which each gives the attacker something that the next one needs (A57)."""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.errors import InvalidValue
from counterproof.model.location import Location
from counterproof.model.severity import Severity


class ThingKind(StrEnum):
    """The kinds of things that an attacker can carry from one weakness to the next."""

    CREDENTIAL = "credential"
    FILE = "file"
    ROW = "row"
    SESSION = "session"
    HOST = "host"
    VALUE = "value"


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing: the name that it has in the code, and the location where the attacker obtains it. `literal`: the name is a
    literal in the code, such as the name of a table, a file or a host."""

    kind: ThingKind
    name: str
    at: Location
    literal: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """`first` yields `thing`, and `then` uses exactly that thing at `used_at`. Findings are identified by their merged id."""

    first: str
    then: str
    thing: Thing
    used_at: Location

    @property
    def capability(self) -> str:
        return f"the {self.thing.kind.value} {self.thing.name} from {self.thing.at}, used at {self.used_at}"


@dataclass(frozen=True, slots=True)
class Chain:
    """The links in order from first to last finding, with a severity of their own."""

    links: tuple[Link, ...]
    severity: Severity
    points: int

    def __post_init__(self) -> None:
        if not self.links:
            raise InvalidValue("a chain has at least one link")
        if any(one.then != two.first for one, two in zip(self.links, self.links[1:], strict=False)):
            raise InvalidValue("the links of a chain must follow on each other")

    @property
    def members(self) -> tuple[str, ...]:
        return (self.links[0].first, *(link.then for link in self.links))
