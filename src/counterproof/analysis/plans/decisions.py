"""Decisions that stand in a repository's own documents, and plans that go against them.

Always: a rule is a sentence that forbids, found in a document that is there to hold decisions, about a thing it names in code
marks or by a proper name. The documents are untrusted: their words are compared, never followed.
"""

import re
from dataclasses import dataclass

from counterproof.model.plan.outline import Intent, PlanOutline

MAX_RULES = 300

DOCUMENTS = re.compile(
    r"(?:^|/)(?:CLAUDE|AGENTS|CONTRIBUTING|ARCHITECTURE|DECISIONS|GEMINI)\.(?:md|rst|txt)\Z"
    r"|(?:^|/)(?:adrs?|decisions|architecture-decisions)/[^/]{1,120}\.(?:md|rst|txt)\Z|(?:^|/)\.cursorrules\Z",
    re.IGNORECASE,
)
FORBIDDING = (
    "never",
    "must not",
    "do not",
    "don't",
    "avoid",
    "forbidden",
    "not allowed",
    "instead of",
    "decided against",
    "rejected",
    "Never",
    "Do not",
    "Don't",
    "Avoid",
)
_FORBIDS = re.compile(
    r"\b(?i:never|must not|do not|don't|avoid|forbidden|not allowed|decided against|rejected)\b[ \t]+"
    r"(?:(?:use|add|import|introduce|depend on|using|adding|"
    r"importing|call|calling|write|create|edit|touch|modify|change|new|direct|any|the|a|an|to)[ \t]+){0,4}"
    r"(?P<thing>`[^`\n]{2,80}`|[A-Z][A-Za-z0-9]{3,40}|[a-z]{2,30}[-_/][a-z_/-]{2,40})"
    r"|instead of[ \t]+(?P<other>`[^`\n]{2,80}`|[A-Z]\w{3,40})"
)
_AFFIRMS = re.compile(
    r"\b(?:use|uses|using|add|adds|adding|introduce|introduces|import|switch to|migrate to|move to|adopt|create|write|call"
    r"|edit|store|modify|change|replace|with|via|through)\b",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\b(?:not|never|without|no longer|remove|drop|avoid|instead of|don't|stop using|away from|replace)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Rule:
    """A decision: the document's place, the thing that it is about, the sentence."""

    place: str
    thing: str
    sentence: str


def rules_in(place: str, line: str) -> list[Rule]:
    """The rules of one line of a document."""
    found: list[Rule] = []
    for match in _FORBIDS.finditer(line[:1_000]):
        thing = (match["thing"] or match["other"] or "").strip("`")
        if len(thing) >= 3:
            found.append(Rule(place, thing, " ".join(line.split())[:300]))
    return found


_THING = r"(?:`[^`\n]{2,60}`|[A-Za-z][\w.-]{2,40})"
_TURNED = re.compile(
    rf"\b(?i:replac(?:e|es|ed|ing)|swap(?:ped|s)?) (?P<one>{_THING}) (?i:with|by|for) "
    rf"|\b(?i:switch|migrate|move|port)\w{{0,3}} (?i:away )?(?i:from) (?P<two>{_THING}) (?i:to) "
    rf"|\b(?i:drop|remove|abandon|ditch)\w{{0,4}} (?P<three>{_THING}) (?i:in favou?r of) "
)


def turned_from(place: str, subject: str) -> Rule | None:
    """What a commit's subject says was given up for something else."""
    match = _TURNED.search(subject[:500])
    if match is None:
        return None
    thing = (match["one"] or match["two"] or match["three"]).strip("`")
    return Rule(place, thing, " ".join(subject.split())[:300])


def forbids(text: str) -> bool:
    """Whether somebody's answer says that a thing stays as it is."""
    return _STAYS.search(text) is not None


_STAYS = re.compile(
    r"\b(?:keep|keeps|do not|don't|must not|never|must stay|has to stay|leave (?:it|them|this)|stays|not to be|no,|hands off)\b",
    re.IGNORECASE,
)


def taken_up(rule: Rule, outline: PlanOutline, lines: list[str]) -> int:
    """The line of the plan that takes up a thing once given up: as code, or as a package. Ordinary words are none."""
    marked = f"`{rule.thing}`"
    line = against(rule, outline, lines)
    return line if line and marked in lines[line - 1] else 0


def against(rule: Rule, outline: PlanOutline, lines: list[str]) -> int:
    """The first line of the plan that does what a rule forbids; 0 if none does."""
    word = re.compile(rf"(?<![\w./-]){re.escape(rule.thing)}(?![\w/-])")
    for number, line in enumerate(lines, 1):
        match = word.search(line)
        if match and _AFFIRMS.search(line[: match.start()]) and not _DENIES.search(line[: match.start()]):
            return number
    named = [each for each in outline.named if each.text == rule.thing and each.intent is Intent.CREATES]
    return named[0].line if named else 0
