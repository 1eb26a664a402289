"""Unfilled templates (R40): documents of headings and prompts, in which almost no section has content.

A prompt asks the author for text: a blank in brackets, a question, an instruction to describe or list, a word such as TBD. A
section has content if a paragraph, a list item, a table row or a block of code in it is more than a prompt. A plan with some open
sections is not a template.

Invariant: pure; work is bounded by the text's length.
"""

import re
from collections.abc import Iterator

SHARE = 4
"""At most one section in this many may be filled in, such as the title, for a document to count as a template."""
MIN_SECTIONS = 3
MIN_WORDS = 3

_HEADING = re.compile(r"#{1,6}\s|[^\n|`-]{1,120}\n(?:={3,}|-{3,})\s*$")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_FRONT = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_LINK = re.compile(r"\[([^\]\n]{0,300})\](?:\([^)\n]{0,1000}\)|\[[^\]\n]{0,200}\])")
_LEADER = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)]|>)\s+(?:\[[ xX]\]\s*)?")
_LABEL = re.compile(r"^\W{0,3}[A-Z][\w /-]{0,30}:\W{0,3}\s*")
_BLANK = re.compile(
    r"\[[^\]\n]{0,200}\]|\{\{?[^}\n]{0,200}\}\}?|<[^>\n]{1,200}>|_{3,}|\.{3,}|…"
    r"|\b(?:TBD|TODO|FIXME|XXX|TBC|N/A|YYYY(?:-MM(?:-DD)?)?|DD/MM/YYYY)\b|\blorem ipsum\b.*",
    re.IGNORECASE,
)
_PROMPT = re.compile(
    r"(?:please\s+|briefly\s+|in (?:one|a few) \w+,?\s+)*"
    r"(?:describe|explain|list|provide|summari[sz]e|outline|insert|fill|enter|discuss|specify|state|replace this|write"
    r"|add (?:a|any|your)|give (?:a|an|some)|include (?:a|any)|who|what|why|how|when|where|which)\b",
    re.IGNORECASE,
)
_RULE = re.compile(r"^[\s|:=+-]*$")


def is_unfilled(text: str) -> bool:
    """Return True if a document is a form with almost no content."""
    sections = list(_sections(_FRONT.sub("", _COMMENT.sub("", text))))
    filled = sum(any(_says_something(block) for block in section) for section in sections)
    return len(sections) >= MIN_SECTIONS and filled * SHARE <= len(sections)


def _sections(text: str) -> Iterator[list[str]]:
    """The blocks under each heading; a code block counts as content."""
    blocks: list[str] = []
    headed = False
    for block in _blocks(text):
        if _HEADING.match(block):
            if headed:
                yield blocks
            headed, blocks = True, []
        else:
            blocks.append(block)
    if headed:
        yield blocks


def _blocks(text: str) -> Iterator[str]:
    """Headings, items, rows, paragraphs and code, each as one string."""
    gathered: list[str] = []
    fence = ""
    for line in text.split("\n"):
        bare = line.strip()
        if fence:
            gathered.append(line)
            if bare.startswith(fence):
                yield "\n".join(gathered)
                gathered, fence = [], ""
            continue
        alone = bool(re.match(r"#{1,6}\s", line)) or bare.startswith(("```", "~~~", "|")) or _LEADER.match(line)
        if gathered and (alone or not bare):
            yield "\n".join(gathered)
            gathered = []
        if bare:
            gathered.append(line)
            fence = bare[:3] if bare.startswith(("```", "~~~")) else ""
        if re.match(r"#{1,6}\s", line):
            yield line
            gathered = []
    if gathered:
        yield "\n".join(gathered)


def _says_something(block: str) -> bool:
    if block.lstrip().startswith(("```", "~~~")):
        return any(_BLANK.sub("", line).strip() for line in block.split("\n")[1:-1])
    if _RULE.match(block):
        return False
    joined = _LABEL.sub("", _LEADER.sub("", " ".join(_LINK.sub(r"\1", block).split())))
    bare = _BLANK.sub(" ", joined).strip(" *_|>()\"'")
    if _PROMPT.match(bare) and (bare.endswith(("?", ".", ":")) or joined.startswith(("_", "*"))):
        return False
    return len(re.findall(r"\w{2,}", bare)) >= MIN_WORDS
