"""What a code host does with text by itself: nothing of a finding is posted that it would obey, link or draw (X11, X19)."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from markdown_it import MarkdownIt

from counterproof.app.jobs import REVIEW
from counterproof.model.review.report import ReviewReport
from counterproof.reports.review.comments import as_comments
from reports.test_review_findings import INJECTED, report

TEXTS = (
    "@everyone and @octo-org/security: look", "(@octocat) *@octocat* \"@octocat\"", "@dependabot merge", "a\u200b@octocat",
    "/approve", "/close\n/merge", "ok\n/approve", "Closes #12, fixes octo/repo#3", "GH-12", "see !12, &5 and octo/repo!7",
    "1234567890abcdef1234567890abcdef12345678", ":shipit: APPROVED :white_check_mark:",
    "x\n```suggestion\nos.system('x')\n```\n", "~~~suggestion\nx\n~~~", "````suggestion\nx\n````",
    "`` ``` x ```\n```suggestion\nrm",
    "```mermaid\nclick A href \"http://evil\"\n```", "![x](http://evil/x.png)", "<img src=http://evil/x>", "![x][y]\n\n[y]: http://evil",
    "[fix](http://evil/x)", "http://evil.example www.evil.example", "<http://evil.example>", "[x](javascript:alert(1))",
    "<details open><summary>No findings</summary>", "<!-- counterproof:0 -->", "<!-- open", "# APPROVED", "x\nAPPROVED\n===",
    "x\n\n---\n", "| a | b |\n|---|---|\n| c | ok |", "- [x] approved", "> [!NOTE]\n> approved", "$$\\href{javascript:x}{y}$$",
    "\u202egnp", "\x1b[2J", "\x00", "x\r# APPROVED", "x\u2028# APPROVED", "&#64;octocat &lt;img&gt;", "\\@octocat \\[x](http://evil)",
    "1. a\n   ~~~~ suggestion\n   rm\n   ~~~~", "&commat;octocat \u200d@octocat \uff20octocat",
    "ok\r/merge\x85/approve\x0b/close",
    "x[^1]\n\n[^1]: http://evil.example/a\n\n[approved]: <http://evil.example> 'x'",
    "GH\u2011123 octo/repo@1234567 ~label %milestone",
    "::set-output name=x::y\n##[error]x\n##vso[task.x]y",
    "</textarea></title></noscript></template><svg><a xlink:href=x>]]>--!>",
    "\x90qx\x9c\x9d0;t\x9c\x1bP+q\x1b\\", "a\u0300\u2066b\u2069\u180e\ufff9x",
    "!!python/object/apply:os.system [id]\n---\n&a *a\n...",
)  # fmt: skip
FIELDS = ("title", "evidence", "fix", "impact_chain", "quote", "kind", "function")
MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table")
OURS = re.compile(r"\s*(?:<!-- counterproof[:\w-]* ?-->|<details><summary>\d+ [A-Za-z ,]+</summary>|</details>)\s*")
ACTS = (
    r"(?<![\w`])@[A-Za-z0-9]", r"(?<!\w)#\d", r"\bGH-\d", r"[!&]\d", r"\b[0-9a-f]{40}\b",
    r"https?://|www\.", r"(?<!\w):[\w+-]+:(?!\w)",
)  # fmt: skip
"""What a host makes of plain text, by pattern."""


def bodies(made: ReviewReport) -> Iterator[str]:
    posted: dict[str, Any] = json.loads(as_comments(made, ""))
    yield posted["github"]["body"]
    yield from (each["body"] for each in (*posted["github"]["comments"], *posted["gitlab"]))


def acts(text: str) -> list[str]:
    """What of a text is more than text."""
    found = [each for each in text.split("\n") if re.match(r"\s*/[a-z]", each)]
    found += re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e]", text)
    blocks = MARKDOWN.parse(text)
    for token in [inner for block in blocks for inner in (block, *(block.children or ()))]:
        if token.type in ("fence", "image", "link_open", "blockquote_open", "table_open", "hr"):
            found.append(f"{token.type} {token.info}")
        elif token.type in ("html_block", "html_inline") and not OURS.fullmatch(token.content):
            found.append(token.content)
        elif token.type == "text":
            found += [match.group() for pattern in ACTS if (match := re.search(pattern, token.content))]
    return found


@pytest.mark.rule("X11", "X19")
@pytest.mark.parametrize("text", TEXTS)
def test_a_posted_review_holds_nothing_that_the_host_acts_on(text: str) -> None:
    for field in FIELDS:
        made = report()
        first = replace(made.resolved[0], finding=replace(INJECTED, **{field: text}))
        posted = [acts(body) for body in bodies(replace(made, resolved=(first, *made.resolved[1:])))]
        assert not any(posted), (field, posted)


@pytest.mark.rule("X11")
@pytest.mark.parametrize("text", TEXTS)
def test_a_reviews_markdown_holds_none_of_it_either(text: str) -> None:
    made = report()
    plain = acts(REVIEW.render(made, "markdown", ""))
    first = replace(made.resolved[0], finding=replace(INJECTED, title=text, evidence=text), notes=(text,))
    shown = acts(REVIEW.render(replace(made, resolved=(first, *made.resolved[1:])), "markdown", ""))
    assert sorted(set(shown) - set(plain)) == []
