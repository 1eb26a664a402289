"""A document by its sections: a template that nobody filled in, and empty sections of a document that is otherwise written.

Always: what a template tells its author (comments, placeholders) is no content. A heading with headings below it is not empty.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.empty_templates import is_unfilled
from counterproof.model.location import at
from counterproof.model.severity import Severity

MAX_EACH = 5
MIN_SECTIONS = 4
"""Sections from which on a document can be told from a template."""

_HEADING = re.compile(r"(#{1,6})\s+(.{1,300})")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_PLACEHOLDER = re.compile(
    r"\{\{.{0,200}?\}\}|<(?!https?:|/?(?:br|p|b|i|em|img|a|details|summary|su[bp]|code|div|kbd)\b)[A-Za-z][^>\n]{2,80}>"
    r"|\[(?:TODO|TBD|insert|describe|your|add|name|date|link)[^\]\n]{0,120}\](?!\()|\b(?:TODO|TBD|lorem ipsum)\b"
    r"|_{4,}|\.{4,}",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w")


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
