"""An attack chain: findings of which each gives the attacker what the next one needs."""

from dataclasses import dataclass

from counterproof.model.errors import InvalidValue
from counterproof.model.severity import Severity


@dataclass(frozen=True, slots=True)
class Link:
    """`first` yields `capability`, which `then` needs. Findings are named by their merged id."""

    first: str
    then: str
    capability: str


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
