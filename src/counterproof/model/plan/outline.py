"""The content of a plan as data, without judgement: steps, named things, and their lines (P2)."""

from dataclasses import dataclass
from enum import StrEnum


class Mention(StrEnum):
    """The kinds of things that a plan names."""

    FILE = "file"
    FOLDER = "folder"
    SYMBOL = "symbol"
    COMMAND = "command"


class Intent(StrEnum):
    """The plan's action on a subject (P21). USES is not an intent: the plan names the subject without an action on it."""

    USES = "uses"
    CREATES = "creates"
    CHANGES = "changes"
    REMOVES = "removes"
    RENAMES = "renames"
    MOVES = "moves"
    KEEPS = "keeps"


@dataclass(frozen=True, slots=True)
class Named:
    """One thing named in the plan. `line` is a line of the plan; `step` the number of its step, 0 outside steps. `to` is the new
    name or location of a renamed or moved thing, `home` the file of a symbol if the plan states it."""

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
    """A plan as data. `signals` are expressions of doubt in its text, `systems` the external systems and `compliance` the
    regulations that it names; `no_plan` says why no intended change could be read from it (P16)."""

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
        """The plan's intents, in line order."""
        return tuple(each for each in self.named if each.intent is not Intent.USES)

    @property
    def files(self) -> tuple[str, ...]:
        """The files named in the plan, each once, in text order."""
        return tuple(dict.fromkeys(each.text for each in self.named if each.kind is Mention.FILE))
