"""Checks of documents: templates that nobody filled in, and places that the document cites and the repository does not have.

Always: a claim names the line. Only an explicit form cites a place: a link to a file, or a path with a line. What the sentences
of a document say is a reader's judgement, and no check here.
"""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from counterproof.analysis.review.claims import Check, Claim, View
from counterproof.analysis.review.empty_templates import is_unfilled
from counterproof.model.counting import counted
from counterproof.model.location import at
from counterproof.model.severity import Severity
from counterproof.model.text import real_name

MAX_CLAIMS = 5
MAX_LINE = 2_000
_LINK = re.compile(r"(?<!!)\[[^\]\n]{1,200}\]\((?P<path>[\w./-]{1,200}\.\w{1,8})(?:#L(?P<line>\d{1,6}))?(?:#[\w-]{0,100})?\)")
_CITED = re.compile(r"`(?P<path>[\w.-]{1,60}(?:/[\w.-]{1,60}){1,8}\.\w{1,8}):(?P<line>\d{1,6})`")


def find_unfilled(view: View) -> Iterator[Claim]:
    """One claim for each template that is still a form."""
    for path in view.files:
        text = view.project.text(path)
        if is_unfilled(text):
            headings = (number for number, line in enumerate(text.split("\n"), 1) if line.startswith("##"))
            yield Claim(
                "template is not filled in",
                "the document is a template that nobody filled in",
                Severity.HIGH,
                at(path, next(headings, 1)),
                "Nearly all of its sections hold nothing but placeholders and what the template tells its author. There is "
                "nothing yet that anybody could agree to.",
                fix="Fill the sections in, or take out those that do not apply",
            )


def find_missing_places(view: View) -> Iterator[Claim]:
    """Cited files that are not there, and cited lines beyond the end of their file."""
    for path in view.files:
        found = [each for each in _places(view, path) if view.touches(path, each[0], each[0])]
        for number, named, why in found[:MAX_CLAIMS]:
            yield Claim(
                "contradicted by the repository",
                f"{named} is not as the document says",
                Severity.HIGH,
                at(path, number),
                f"Line {number} cites `{named}`. {why} What rests on it has to be looked at anew.",
            )


def _places(view: View, path: str) -> Iterator[tuple[int, str, str]]:
    fenced = False
    seen: set[str] = set()
    for number, line in enumerate(view.project.text(path).split("\n"), 1):
        fenced ^= line.lstrip().startswith("```")
        for pattern in (_LINK, _CITED) if not fenced else ():
            for match in pattern.finditer(line[:MAX_LINE]):
                why = _contradicted(view, path, match["path"], int(match["line"] or 0))
                if why and match[0] not in seen:
                    seen.add(match[0])
                    yield number, match["path"], why


def _contradicted(view: View, document: str, named: str, line: int) -> str:
    """Why the cited place is not there; '' where it is, or where another project's file may be meant."""
    folder, bare = PurePosixPath(document).parent, named.lstrip("./")
    fitting = [each for each in view.project.files if f"/{each}".endswith(f"/{bare}")]
    if not fitting:
        root, name = view.project.root, real_name(named.lstrip("/"))
        there = (root / name).exists() or (root / folder / name).exists()
        own = named.startswith(".") or any(each.startswith(f"{named.partition('/')[0]}/") for each in view.project.files)
        return "" if there or not own else "The repository has no such file."
    longest = max(view.project.files[each].lines for each in fitting)
    return f"The file has {counted(longest, 'line')}, and the document names line {line}." if line > longest else ""


DOCUMENT_CHECKS: tuple[tuple[tuple[str, ...], Check], ...] = (
    (("completeness",), find_unfilled),
    (("technical-risk",), find_missing_places),
)
