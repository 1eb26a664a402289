"""What a plan says, read without judging it: steps, things it names, and where in the text (P2)."""

from dataclasses import dataclass
from enum import StrEnum


class Mention(StrEnum):
    """What kind of thing a plan names."""

    FILE = "file"
    FOLDER = "folder"
    SYMBOL = "symbol"
    COMMAND = "command"


class Intent(StrEnum):
    """What the plan does to a thing (P21). USES is no intent: the plan names the thing and does not say what happens to it."""

    USES = "uses"
    CREATES = "creates"
    CHANGES = "changes"
    REMOVES = "removes"
    RENAMES = "renames"
    MOVES = "moves"
    KEEPS = "keeps"


@dataclass(frozen=True, slots=True)
class Named:
    """One thing named in the plan. `line` is the plan's own; `step` the number of its step, 0 outside steps. `to` is the new name
    or place of what is renamed or moved, `home` the file of a symbol where the plan states it."""

    kind: Mention
    text: str
    line: int
    step: int
    intent: Intent = Intent.USES
    detail: str = ""
    to: str = ""
    home: str = ""

    @property
    def short(self) -> str:
        """The last part of a dotted name, without a call's parentheses."""
        return self.text.removesuffix("()").rpartition(".")[2]


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
    no_plan: str = ""

    @property
    def intents(self) -> tuple[Named, ...]:
        """What the plan does, in the order of its lines."""
        return tuple(each for each in self.named if each.intent is not Intent.USES)

    @property
    def files(self) -> tuple[str, ...]:
        """The files it names, each once, in the order of the text."""
        return tuple(dict.fromkeys(each.text for each in self.named if each.kind is Mention.FILE))
