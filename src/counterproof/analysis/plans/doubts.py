"""A doubt: one reason, found in plan and code, why a plan may fail. Agents turn doubts into challenges.

Always: a doubt's claim opens with the words of its kind and its subject in backticks, so that whoever checks it later knows what
to look at without having seen how it was found. Finding doubts does not belong here.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from counterproof.analysis.plans.ground import Ground
from counterproof.analysis.plans.packages import imported_as
from counterproof.model.plan.challenge import Confidence, Weight
from counterproof.model.plan.outline import Intent, Mention, Named, PlanOutline

MAX_SUBJECT = 150


class Kind(StrEnum):
    """What is doubted; the value opens the claim."""

    FILE = "The plan works on the file"
    PLACE = "The plan points past the end of"
    SYMBOL = "The plan relies on the name"
    IMPORT = "The plan imports"
    TEST = "The plan relies on the test"
    COMMAND = "The plan runs"
    DEPENDENCY = "The plan relies on the package"
    VERSION = "The plan takes for granted a version of"
    ENDPOINT = "The plan relies on the endpoint"
    TABLE = "The plan relies on the table"
    SETTING = "The plan relies on the setting"
    OPTION = "The plan relies on the option"
    ORDER = "The plan uses too early"
    REMOVAL = "The plan removes"
    RENAME = "The plan renames or moves"
    SIGNATURE = "The plan asks more of the callers of"
    UNUSED = "The plan says that nothing uses"
    COUNT = "The plan counts the callers of"
    PROPERTY = "The plan takes for granted something about"
    UNTOUCHED = "The plan checks the change with"
    COMPATIBLE = "The plan says that nobody is broken by the change of"
    CALL = "The plan calls with other arguments"
    ROLLBACK = "The plan changes stored data without a way back"
    FAILURE = "The plan expects an outside system to answer"
    CERTAIN = "The plan promises"
    DECISION = "The plan goes against a decision on"


@dataclass(frozen=True, slots=True)
class Doubt:
    """One doubt. `lines` are the plan's, `places` the repository's as `file:line`."""

    kind: Kind
    subject: str
    rest: str
    concern: str
    scenario: str
    alternative: str
    weight: Weight
    confidence: Confidence = Confidence.HIGH
    lines: tuple[int, ...] = ()
    places: tuple[str, ...] = ()

    @property
    def claim(self) -> str:
        where = f" (plan line {self.lines[0]})" if self.lines else ""
        subject = self.subject[:MAX_SUBJECT].replace("`", "'")
        return f"{self.kind} `{subject}`{f' {self.rest}' if self.rest else ''}{where}"


_CLAIM = re.compile(r"(?P<lead>[A-Z][^`]{3,80}) `(?P<subject>[^`]{1,200})`(?P<rest>.{0,300})", re.DOTALL)
_LINE = re.compile(r"\(plan line (\d{1,6})\)")


@dataclass(frozen=True, slots=True)
class Read:
    """A claim read back: kind, subject, and the plan's line (0 if none)."""

    kind: Kind
    subject: str
    line: int


def read_claim(claim: str) -> Read | None:
    """What a claim in our own form is about; None for any other sentence."""
    match = _CLAIM.match(claim)
    kind = next((kind for kind in Kind if match and match["lead"] == kind.value), None)
    if match is None or kind is None:
        return None
    line = _LINE.search(match["rest"])
    return Read(kind, match["subject"], int(line[1]) if line else 0)


class Case:
    """A plan beside its repository. What the plan creates is known by its name, whatever the step."""

    def __init__(self, outline: PlanOutline, text: str, ground: Ground) -> None:
        self.outline = outline
        self.text = text
        self.lines = text.split("\n")
        self.ground = ground

    def line(self, number: int) -> str:
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def of(self, *kinds: Mention) -> tuple[Named, ...]:
        return tuple(each for each in self.outline.named if each.kind in kinds)

    @cached_property
    def created(self) -> frozenset[str]:
        """Names and files that the plan brings, and what a code block of it defines. Parts of dotted names count too."""
        names = [each.text for each in self.outline.named if each.intent is Intent.CREATES]
        names += re.findall(r"(?m)^[ \t]{0,40}(?:async[ \t]+)?(?:def|class|function)[ \t]+(\w{1,80})", self.text)
        names += re.findall(r"(?im)\bcreate[ \t]+table[ \t]+(?:if not exists[ \t]+)?[\"`]?(\w{1,80})", self.text)
        return frozenset([*names, *(name.rpartition(".")[2] for name in names if "/" not in name)])

    def creates(self, name: str) -> bool:
        return name in self.created or name.rpartition(".")[2] in self.created

    @cached_property
    def touched(self) -> frozenset[str]:
        """Real paths of the files that the plan names, unless it says that they stay as they are: its author looked at them."""
        named = (each for each in self.of(Mention.FILE) if not _LEFT_ALONE.search(self.line(each.line)))
        paths = (self.ground.resolve(each.text) for each in named)
        return frozenset(path for path in paths if path)

    @cached_property
    def minds_callers(self) -> bool:
        """Whether the plan says that whoever uses a thing is changed along."""
        return _MINDS.search(self.text) is not None


_LEFT_ALONE = re.compile(
    r"\b(?:stays?|remains?) as (?:it is|they are)\b|\b(?:unchanged|untouched|out of scope|for reference|left alone)\b",
    re.IGNORECASE,
)
_MINDS = re.compile(
    r"\b(?:update|updates|adapt|fix|migrate|change|adjust|convert|replace|switch|port)\w{0,3} (?:[\w`-]{1,30} ){0,3}"
    r"(?:callers?|call sites?|usages?|uses|references|imports|importers|users of|occurrences)\b",
    re.IGNORECASE,
)


def shown(places: Iterable[tuple[str, int]], most: int = 5) -> str:
    """Places for a sentence."""
    listed = [f"{path}:{line}" for path, line in places]
    return ", ".join(listed[:most]) + (f" and {len(listed) - most} more" if len(listed) > most else "")


def in_files(places: Iterable[tuple[str, int]]) -> str:
    """In how many files, in words."""
    count = len({path for path, _ in places})
    return "1 file" if count == 1 else f"{count} files"


def names_to_look_up(outline: PlanOutline) -> tuple[str, ...]:
    """Every name whose places the checks will ask for."""
    found: list[str] = []
    for each in outline.named:
        if each.kind in (Mention.SYMBOL, Mention.TEST, Mention.SETTING, Mention.TABLE, Mention.CODE):
            found += [each.text.rpartition(".")[2], each.text.partition(".")[0]]
        elif each.kind is Mention.ENDPOINT:
            found += segments(each.text)
        elif each.kind is Mention.FILE:
            found.append(each.text.rpartition("/")[2].partition(".")[0])
            found += [each.detail.rpartition("::")[2]] if each.detail else []
        elif each.kind is Mention.DEPENDENCY:
            found.append(imported_as(each.text))
        elif each.kind is Mention.FOLDER:
            found.append(each.text.rstrip("/").rpartition("/")[2])
        elif each.kind is Mention.OPTION:
            found += [each.text, each.text.strip("-").replace("-", "_")]
    return tuple(found)


def segments(endpoint: str) -> list[str]:
    """The fixed parts of a path, without parameters and versions."""
    parts = [part for part in endpoint.strip("/").split("/") if re.fullmatch(r"[A-Za-z][\w-]{2,80}", part)]
    return [part for part in parts if part not in ("api", "rest")]
