"""Paths that a document relies on and the repository does not have: files that are elsewhere, lines beyond a file's end.

Always: a path is only checked against the repository where the sentence speaks of what exists, not of what is planned, and where
the document does not list it as a part of what it plans.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.sections import sections
from counterproof.model.location import at
from counterproof.model.severity import Severity
from counterproof.model.text import real_name

MAX_EACH = 5
_PATH = re.compile(r"`([\w.-]{1,60}(?:/[\w.-]{1,60}){1,8}\.(?:py|js|ts|tsx|go|rb|java|php|toml|ya?ml|json|sql))(?::(\d{1,6}))?`")
_LINE = re.compile(r"[ \t]{0,2},?[ \t]{0,2}\(?(?:at |on |in )?lines? (?:\d{1,6} ?(?:-|–|to|and) ?)?(\d{1,6})\b", re.IGNORECASE)
"""A line that is named after the file."""
_COMING = re.compile(
    r"\b(?:new|add|create|will|introduce|would|should|generate|rename|move|propose|copy|copies|optional|your|if)\w{0,3}\b"
    r"|\b(?:delet|remov|drop|retir|deprecat|obsolet|replac|former|legacy|old|was|were|gone)\w{0,5}\b"
    r"|\b(?:write|build|implement|extract|draft|develop|scaffold)\b",
    re.IGNORECASE,
)
_PRESENT = re.compile(
    r"\b(?:is|are|has|have|does|reads?|writes?|lives?|stands?|holds?|contains?|defines?|calls?|uses?|handles?|imports?|returns?|makes?"
    r"|made|loads?|provides?|implements|see|look|currently|today|existing|already)\b",
    re.IGNORECASE,
)


def _lines(view: View) -> Iterator[tuple[str, int, str]]:
    """Every line of every document, fenced blocks aside."""
    for path in view.files:
        fenced = False
        for number, line in enumerate(view.project.text(path).split("\n"), 1):
            fenced ^= line.lstrip().startswith("```")
            if not fenced:
                yield path, number, line[:2_000]


def _comes_or_goes(line: str) -> bool:
    """By its words, not by the names of files in it."""
    return _COMING.search(_PATH.sub("", line)) is not None


def _speaks(line: str) -> bool:
    """Whether a line says something of what is there; a list of files, or a label before one, may name what is to be made."""
    return _PRESENT.search(_PATH.sub("", line)) is not None


def _apart(view: View) -> set[tuple[str, int]]:
    """Lines under a heading that speaks of what is to come or to go."""
    found: set[tuple[str, int]] = set()
    for path in view.files:
        coming = 0
        for each in sections(view.project.text(path)):
            if _comes_or_goes(each.title):
                coming = coming or each.level
            elif each.level <= coming:
                coming = 0
            if coming:
                found |= {(path, each.line + offset) for offset in range(len(each.lines) + 1)}
    return found


def refuted(view: View) -> Iterator[Claim]:
    """Files and lines that the document speaks of and the repository does not have, unless they are to come or optional."""
    told = {
        (path, found[1])
        for path, _, line in _lines(view)
        if _comes_or_goes(line) or not _speaks(line)
        for found in _PATH.finditer(line)
    }
    apart = _apart(view)
    count = 0
    for path, number, line in _lines(view):
        if (path, number) in apart or _comes_or_goes(line) or not _speaks(line) or not view.touches(path, number, number):
            continue
        for found in _PATH.finditer(line):
            key = (path, found[1])
            spoken = _LINE.match(line, found.end())
            named = int(found[2] or (spoken[1] if spoken else 0))
            why = "" if key in told and not named else _missing(view, found[1], named)
            if why and count < MAX_EACH:
                count += 1
                told.add(key)
                yield _refuted(path, number, found[1], why)


def _refuted(path: str, number: int, named: str, why: str) -> Claim:
    return Claim(
        kind="the repository says otherwise",
        title=f"{named} is not as the document says",
        severity=Severity.HIGH,
        at=at(path, number),
        why=f"Line {number} speaks of `{named}` as something that is there. {why} What rests on it has to be looked at anew.",
    )


def _missing(view: View, named: str, line: int) -> str:
    """Why a file is not as the document says; '' where a path may be meant from another folder, or where nobody can tell whether
    the file is gone or still to come: only one that stands elsewhere now is certainly meant otherwise."""
    fitting = [each for each in view.project.files if each == named or each.endswith(f"/{named}")]
    if not fitting:
        name = named.rpartition("/")[2]
        elsewhere = [each for each in view.project.files if each.rpartition("/")[2] == name]
        if len(elsewhere) != 1 or not _of_this_repository(view, named) or (view.project.root / real_name(named)).exists():
            return ""
        return f"The repository has no such file; the one of that name is `{elsewhere[0]}`."
    longest = max(view.project.files[each].lines for each in fitting)
    return f"The file has {longest} lines, and the document names line {line}." if line > longest else ""


def _of_this_repository(view: View, named: str) -> bool:
    """Whether the folder of a path is one of this repository, and holds nothing else by the name of the file."""
    folder, _, name = named.rpartition("/")
    stem = name.rpartition(".")[0]
    near = [each for each in view.project.files if each.startswith(f"{folder}/") or f"/{folder}/" in each]
    return bool(near) and not any(f"{folder}/{stem}/" in each for each in near)
