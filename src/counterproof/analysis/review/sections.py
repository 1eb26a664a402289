"""A document by its sections: a template that nobody filled in, sections without a word, decisions without alternatives, risks
without an answer.

Always: what a template tells its author (comments, placeholders) is no content. A heading with headings below it is not empty.
Only long texts are asked for alternatives; a note may decide without them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.empty_templates import is_unfilled
from counterproof.analysis.review.prose import Form, read
from counterproof.model.location import at
from counterproof.model.severity import Confidence, Severity

MAX_EACH = 5
MIN_SECTIONS = 4
"""Sections from which on a document can be told from a template."""
LONG = 300
"""Words from which on a decision is expected to name what else was thought of."""

_HEADING = re.compile(r"(#{1,6})\s+(.{1,300})")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_PLACEHOLDER = re.compile(
    r"\{\{.{0,200}?\}\}|<(?!https?:|/?(?:br|p|b|i|em|img|a|details|summary|su[bp]|code|div|kbd)\b)[A-Za-z][^>\n]{2,80}>"
    r"|\[(?:TODO|TBD|insert|describe|your|add|name|date|link)[^\]\n]{0,120}\](?!\()|\b(?:TODO|TBD|lorem ipsum)\b"
    r"|_{4,}|\.{4,}",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w")
_DECIDES = re.compile(r"\b(?:decision|proposal|proposed solution|design|approach)\b", re.IGNORECASE)
_ALTERNATIVES = re.compile(
    r"\balternativ|\bconsidered\b|\brejected\b|\binstead of\b|\bother options?\b|\boptions?\b|\btrade-?offs?\b|\bwhy not\b"
    r"|\brather than\b|\bcompared (?:to|with)\b|\bversus\b|\bprior art\b|\bdrawbacks?\b|\bpros and cons\b",
    re.IGNORECASE,
)
_RISKS = re.compile(r"\brisks?\b", re.IGNORECASE)
_ANSWERED = re.compile(
    r"\bmitigat|\bavoid|\breduc|\bprevent|\bfall ?back|\bmonitor|\bguard|\bprotect|\blimit|\btests?\b|\breview"
    r"|\bwe (?:will|accept|can|do)\b|\bso that\b|\bif\b.{0,80}\bthen\b|\broll ?back|\bshould\b|\bmust\b|\bwill be\b"
    r"|\bno(?:ne)? (?:known|risks?)\b|\bhandled\b|\bby \w+ing\b",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Section:
    """A heading with the lines under it, up to the next heading. `parent` says that headings of a lower level follow."""

    line: int
    level: int
    title: str
    lines: list[str] = field(default_factory=list[str])
    parent: bool = False

    @property
    def content(self) -> str:
        """What its author wrote."""
        return _PLACEHOLDER.sub(" ", "\n".join(self.lines))

    @property
    def empty(self) -> bool:
        """Whether nothing at all is said; "none" and "not applicable" are answers."""
        return not self.parent and not _WORD.search(self.content)


def sections(text: str) -> list[Section]:
    """In order; fenced blocks and tables count as content, comments do not."""
    bare = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
    found: list[Section] = []
    fence = ""
    for number, line in enumerate(bare.split("\n"), 1):
        mark = line.lstrip()[:3]
        fence = "" if fence and mark == fence else mark if not fence and mark in ("```", "~~~") else fence
        heading = None if fence else _HEADING.match(line[:400])
        if heading:
            level = len(heading[1])
            if found and found[-1].level < level:
                found[-1].parent = True
            found.append(Section(number, level, heading[2].strip("# ")))
        elif found:
            found[-1].lines.append(line[:2_000])
    return found


def unfilled(view: View) -> Iterator[Claim]:
    """One claim for each template."""
    for path in view.files:
        text = view.project.text(path)
        if is_unfilled(text):
            leaves = [each for each in sections(text) if not each.parent]
            first = next((each for each in leaves if each.empty), Section(1, 1, "the first"))
            why = (
                f"{sum(each.empty for each in leaves)} of its {len(leaves)} sections hold nothing but what the template "
                f"tells its author, "
                f"the first of them {first.title[:80]!r} at line {first.line}. There is nothing yet that anybody could agree to."
            )
            yield Claim(
                "template is not filled in", "the document is a template that nobody filled in", Severity.HIGH,
                at(path, first.line), why, fix="Fill the sections in, or take out those that do not apply",
            )  # fmt: skip


def empty(view: View) -> Iterator[Claim]:
    """Sections without a word in a document that is otherwise written."""
    for path in view.files:
        text = view.project.text(path)
        if is_unfilled(text):
            continue
        found = [each for each in sections(text) if each.empty and view.touches(path, each.line, each.line)]
        for each in found[:MAX_EACH] if len(sections(text)) >= MIN_SECTIONS else ():
            why = (
                f"The heading {each.title[:80]!r} announces something, and nothing is written under it. A reader cannot "
                f"tell whether there is "
                "nothing to say or whether it was forgotten."
            )
            yield Claim(
                "empty section", f"nothing is written under {each.title[:80]!r}", Severity.LOW, at(path, each.line), why,
                fix="Write it, or say that it does not apply",
            )  # fmt: skip


def undecided(view: View) -> Iterator[Claim]:
    """Long plans that decide something and name nothing else that was thought of."""
    for path in view.files:
        text = view.project.text(path)
        prose = read(text)
        words = sum(len(each.text.split()) for each in prose.sentences)
        if (
            words < LONG
            or not prose.plans
            or is_unfilled(text)
            or any(_ALTERNATIVES.search(each.text) for each in prose.sentences)
        ):
            continue
        titled = next((each for each in prose.sentences if each.form is Form.HEADING and _DECIDES.search(each.text)), None)
        if titled is not None and view.touches(path, titled.line, titled.line):
            why = (
                f"Line {titled.line} opens {titled.text[:80]!r}, and no sentence of the document names another way or "
                f"says why this one is "
                "better. Whoever asks later cannot tell whether the others were looked at."
            )
            yield Claim(
                "decision without alternatives", "no alternative is named", Severity.LOW, at(path, titled.line), why,
                confidence=Confidence.MEDIUM, fix="Name what else was thought of, and why it was not chosen",
            )  # fmt: skip


def risks(view: View) -> Iterator[Claim]:
    """Sections about risks that name no answer to any of them."""
    for path in view.files:
        for each in sections(view.project.text(path)):
            if not _RISKS.search(each.title) or each.parent or each.empty or _ANSWERED.search(f"{each.title} {each.content}"):
                continue
            if view.touches(path, each.line, each.line):
                why = (
                    f"The section {each.title[:80]!r} at line {each.line} names risks, and nothing in it says what is "
                    f"done about any of them: "
                    "how they are avoided, noticed or borne."
                )
                yield Claim(
                    "risk without a measure", "risks are named and nothing is done about them", Severity.LOW, at(path, each.line),
                    why, confidence=Confidence.MEDIUM, fix="Say for each what is done, or that it is accepted",
                )  # fmt: skip
