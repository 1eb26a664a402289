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
from counterproof.model.location import at
from counterproof.model.severity import Severity
from counterproof.model.text import real_name

MAX_CLAIMS = 5
MAX_LINE = 2_000
_LINK = re.compile(r"(?<!!)\[[^\]\n]{1,200}\]\((?P<path>[\w./-]{1,200}\.\w{1,8})(?:#[\w-]{0,100})?\)")
_CITED = re.compile(r"(?<![\w./:@-])(?P<path>[\w.-]{1,60}(?:/[\w.-]{1,60}){1,8}\.\w{1,8}):\d{1,6}(?!\w)")


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
    """Cited files that do not exist."""
    for path in view.files:
        found = [each for each in _places(view, path) if view.touches(path, each[0], each[0])]
        for number, named in found[:MAX_CLAIMS]:
            yield Claim(
                "contradicted by the repository",
                f"{named} does not exist",
                Severity.HIGH,
                at(path, number),
                f"Line {number} cites `{named}`. The repository has no such file. What rests on it has to be looked at anew.",
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


def _places(view: View, path: str) -> Iterator[tuple[int, str]]:
    fenced = False
    seen: set[str] = set()
    for number, line in enumerate(view.project.text(path).split("\n"), 1):
        fenced ^= line.lstrip().startswith("```")
        for pattern in (_LINK, _CITED) if not fenced else ():
            for match in pattern.finditer(line[:MAX_LINE]):
                named = match["path"]
                if named not in seen and _is_missing(view, path, named):
                    seen.add(named)
                    yield number, named


def _is_missing(view: View, document: str, named: str) -> bool:
    """Return True if the cited file does not exist, and cannot be another project's."""
    folder, bare = PurePosixPath(document).parent, named.lstrip("./")
    if any(f"/{each}".endswith(f"/{bare}") for each in view.project.files):
        return False
    root, name = view.project.root, real_name(named.lstrip("/"))
    own = named.startswith(".") or any(each.startswith(f"{named.partition('/')[0]}/") for each in view.project.files)
    return own and not (root / name).exists() and not (root / folder / name).exists()


DOCUMENT_CHECKS: tuple[tuple[tuple[str, ...], Check], ...] = (
    (("completeness",), find_unfilled),
    (("technical-risk",), find_missing_places),
    (("technical-risk",), find_false_statements),
)
