"""What a plan says, read without judging it: steps, things it names, and where in the text (P2)."""

from dataclasses import dataclass
from enum import StrEnum


class Mention(StrEnum):
    """What kind of thing a plan names."""

    FILE = "file"
    FOLDER = "folder"
    OPTION = "option"
    SYMBOL = "symbol"
    COMMAND = "command"
    DEPENDENCY = "dependency"
    ENDPOINT = "endpoint"
    TABLE = "table"
    SETTING = "setting"
    VERSION = "version"
    NUMBER = "number"
    CLAIM = "claim"
    TEST = "test"
    CODE = "code"


class Intent(StrEnum):
    """What the plan means to do with a thing. What it will create does not count as missing."""

    USES = "uses"
    CREATES = "creates"
    CHANGES = "changes"
    REMOVES = "removes"


@dataclass(frozen=True, slots=True)
class Named:
    """One thing named in the plan. `line` is the plan's own; `step` the number of the step it stands in, 0 outside steps."""

    kind: Mention
    text: str
    line: int
    step: int
    intent: Intent = Intent.USES
    detail: str = ""


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One step, with its lines in the plan."""

    number: int
    title: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PlanOutline:
    """A plan as data. `signals` are its own words of doubt, `systems` external ones, `compliance` the regimes it names."""

    path: str
    digest: str
    lines: int
    words: int
    title: str
    steps: tuple[PlanStep, ...]
    named: tuple[Named, ...]
    domains: tuple[str, ...]
    systems: tuple[str, ...]
    compliance: tuple[str, ...]
    signals: tuple[str, ...]
    has_goal: bool
    has_verification: bool

    @property
    def files(self) -> tuple[str, ...]:
        """The files it names, each once, in the order of the text."""
        return tuple(dict.fromkeys(each.text for each in self.named if each.kind is Mention.FILE))
