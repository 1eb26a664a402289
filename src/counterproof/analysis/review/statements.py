"""What a document says that does not hold: files that stand elsewhere, lines and figures that contradict the code or each other.

Always: a path is only held against the repository where the sentence speaks of what is there, not of what is to come, and where
the document does not list it as a part of what it plans; two figures
contradict each other only if the same words stand before both and the units are the same.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.sections import sections
from counterproof.model.location import at
from counterproof.model.severity import Confidence, Severity
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
_FIGURE = re.compile(
    r"\b((?:[a-z-]{3,20} ){0,2}(?:timeout|limit|quota|size|budget|retention|latency|deadline|interval|retries|replicas))\b"
    r"[^.\n\d]{0,25}?\b(\d{1,9}(?:\.\d{1,3})?)\s{0,2}(ms|milliseconds|s|sec|seconds|minutes|min|hours|days|weeks|MB|GB|KB|%|times)?\b",
    re.IGNORECASE,
)
_LEADING = re.compile(r"^(?:the|a|an|with|of|our|its|to|is|and|for|that|this) ", re.IGNORECASE)


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


def contradictions(view: View) -> Iterator[Claim]:
    """The same quantity with two figures in one document."""
    seen: dict[tuple[str, str, str], tuple[str, int]] = {}
    told: set[tuple[str, str, str]] = set()
    for path, number, line in _lines(view):
        for found in _FIGURE.finditer(line):
            key = (path, _subject(found[1]), (found[3] or "").lower())
            value, first = seen.setdefault(key, (found[2], number))
            if value != found[2] and key not in told and " " in key[1] and view.touches(path, number, number):
                told.add(key)
                yield _contradiction(path, number, first, key, (value, found[2]))


def _subject(words: str) -> str:
    plain = words.lower().strip()
    while _LEADING.match(plain):
        plain = _LEADING.sub("", plain, count=1)
    return plain


def _contradiction(path: str, number: int, first: int, key: tuple[str, str, str], values: tuple[str, str]) -> Claim:
    _, subject, unit = key
    figures = [f"{value} {unit}".strip() for value in values]
    why = (
        f"Line {first} gives the {subject} as {figures[0]}, and this line as {figures[1]}. Only one of them can be built, and "
        "whoever reads one part alone builds the wrong one."
    )
    return Claim(
        "the document contradicts itself", f"two figures for the {subject}", Severity.HIGH, at(path, number), why,
        confidence=Confidence.MEDIUM,
    )  # fmt: skip
