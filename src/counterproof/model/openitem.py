"""The open items of a hunter's task: entry points, settings and components that no finding or statement covers yet (A61, A63)."""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.dimension import Dimension
from counterproof.model.errors import InvalidValue
from counterproof.model.location import Location


class ItemKind(StrEnum):
    ENTRY = "entry point"
    SETTING = "setting"
    COMPONENT = "component"


@dataclass(frozen=True, slots=True)
class OpenItem:
    """One open item of a task. `name` identifies it in answers; `text` describes it in terms of the code."""

    name: str
    kind: ItemKind
    at: Location
    dimensions: tuple[Dimension, ...] = ()
    text: str = ""

    def __post_init__(self) -> None:
        if not self.name:
            raise InvalidValue("an open item has a name")


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer to an open item: the line that decides, and the agent's verdict ("safe", "finding", "unclear")."""

    name: str
    at: Location
    verdict: str
    reason: str = ""
