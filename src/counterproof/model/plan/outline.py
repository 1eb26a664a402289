"""What a plan says, read without judging it: steps, things it names, and where in the text (P2)."""

from dataclasses import dataclass
from enum import StrEnum


class Mention(StrEnum):
    """What kind of thing a plan names."""

    FILE = "file"
    FOLDER = "folder"
    SYMBOL = "symbol"
    COMMAND = "command"
    VERSION = "version"
    CLAIM = "claim"


class Intent(StrEnum):
    """What the plan means to do with a thing. What it will create does not count as missing."""

    USES = "uses"
    CREATES = "creates"
    CHANGES = "changes"
    REMOVES = "removes"


@dataclass(frozen=True, slots=True)
class Named:
    """One thing named in the plan. `line` is the plan's own; `step` the number of the step it stands in, 0 outside steps. `firm`
    says that the plan itself leaves no doubt of its intent."""

    kind: Mention
    text: str
    line: int
    step: int
    intent: Intent = Intent.USES
    detail: str = ""
    firm: bool = False


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One step, with its lines in the plan."""

    number: int
    title: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PlanOutline:
    """A plan as data. `signals` are its own words of doubt, `systems` external ones, `compliance` the regimes it names; `no_plan`
    says why no intended change can be read from it (P16)."""

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
    no_plan: str = ""

    @property
    def files(self) -> tuple[str, ...]:
        """The files it names, each once, in the order of the text."""
        return tuple(dict.fromkeys(each.text for each in self.named if each.kind is Mention.FILE))
