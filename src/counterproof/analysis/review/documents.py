"""Document checks: unfilled templates, citations of missing files, and statements that the repository contradicts.

Invariant: a claim names the line. Only an explicit form is a citation: a link to a file, or a path with a line. What else a
document states about code is read as in a plan. Not handled here: the meaning of sentences, which readers judge.
"""

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import PurePosixPath

from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.ground import Ground
from counterproof.analysis.plans.stated import false_statements
from counterproof.analysis.plans.understanding import understand
from counterproof.analysis.review.claims import Check, Claim, View
from counterproof.analysis.review.empty_templates import is_unfilled
from counterproof.model.counting import counted
from counterproof.model.location import at
from counterproof.model.severity import Severity
from counterproof.model.text import real_name

MAX_CLAIMS = 5
MAX_LINE = 2_000
_LINK = re.compile(r"(?<!!)\[[^\]\n]{1,200}\]\((?P<path>[\w./-]{1,200}\.\w{1,8})(?:#L(?P<line>\d{1,6}))?(?:#[\w-]{0,100})?\)")
_CITED = re.compile(r"(?<![\w./:@-])(?P<path>[\w.-]{1,60}(?:/[\w.-]{1,60}){1,8}\.\w{1,8}):(?P<line>\d{1,6})(?!\w)")


def find_unfilled(view: View) -> Iterator[Claim]:
    """One claim for each unfilled template."""
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
    """Cited files that do not exist, and cited lines beyond the end of their file."""
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


def find_false_statements(view: View) -> Iterator[Claim]:
    """Lines, names and signatures that the code contradicts (R48), read as in plans."""
    for path in view.files:
        text = view.project.text(path)
        case = Case(understand(path, text), text, Ground(view.project, path))
        doubts = (each for each in false_statements(case) if view.touches(path, each.lines[0], each.lines[0]))
        for each in islice(doubts, MAX_CLAIMS):
            place, why = at(path, each.lines[0]), f"{each.concern}. {each.scenario}."
            yield Claim("false statement about the code", each.claim, Severity.HIGH, place, why, fix=each.alternative)


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
    """Why the cited location does not exist; '' if it does, or if it may be another project's file."""
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
    (("technical-risk",), find_false_statements),
)
