"""An attack chain: findings of which each gives the attacker a thing that the next one uses (A57)."""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.errors import InvalidValue
from counterproof.model.location import Location
from counterproof.model.severity import Severity


class ThingKind(StrEnum):
    """What an attacker can carry from one weakness to the next."""

    CREDENTIAL = "credential"
    FILE = "file"
    ROW = "row"
    SESSION = "session"
    HOST = "host"
    VALUE = "value"


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing, by the name that the code gives it and the place where the attacker comes by it. `literal`: the name is written
    out in a text, as that of a table, a file or a host."""

    kind: ThingKind
    name: str
    at: Location
    literal: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """`first` yields `thing`, and `then` uses just that, at `used_at`. Findings are named by their merged id."""

    first: str
    then: str
    thing: Thing
    used_at: Location

    @property
    def capability(self) -> str:
        return f"the {self.thing.kind.value} {self.thing.name} from {self.thing.at}, used at {self.used_at}"


@dataclass(frozen=True, slots=True)
class Chain:
    """Links from the root to the end, with a severity of their own."""

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
