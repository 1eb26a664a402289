"""Lines of code that the change adds although the project already has them.

Always: what documents the code, and samples, which stand for themselves, repeat nothing.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.impact import is_python
from counterproof.model.location import Location
from counterproof.model.severity import Severity
from counterproof.model.survey import FileRole, Language

WINDOW = 10
"""Lines in a row that must be the same, blank lines and comments not counted."""
MAX_CLAIMS = 10

_DOCUMENTED = re.compile(r"^[ \t]*[rR]?(\"{3}|'{3})[\s\S]*?\1", re.MULTILINE)
Lines = list[tuple[int, str]]


def repeated(view: View) -> Iterator[Claim]:
    """Blocks of new Python code that stand elsewhere too. Without a change there is nothing new, and nothing is said."""
    fresh = {path: _windows(view.project.text(path)) for path in view.files if _concerned(view, path)}
    wanted = {text for path, windows in fresh.items() for start, end, text in windows if _new(view, path, start, end)}
    if not wanted:
        return
    elsewhere = _places(view, wanted)
    count = 0
    for path, windows in fresh.items():
        last = 0
        for start, end, text in windows:
            other = next(
                (each for each in elsewhere.get(text, ()) if each.path != path or each.start > end or each.end < start), None
            )
            if other is None or start <= last or not _new(view, path, start, end) or (other.path == path and other.start > start):
                continue
            last, count = end, count + 1
            if count <= MAX_CLAIMS:
                yield _claim(Location(path, start, end), other)


def _concerned(view: View, path: str) -> bool:
    aside = view.project.files[path].role in (FileRole.TEST, FileRole.SAMPLE, FileRole.DOCUMENTATION)
    return bool(view.files[path].changed) and is_python(view.project, path) and not aside


def _new(view: View, path: str, start: int, end: int) -> bool:
    return any(low <= start and end <= high for low, high in view.files[path].changed)


def _places(view: View, wanted: set[str]) -> dict[str, list[Location]]:
    found: dict[str, list[Location]] = {}
    first = frozenset(text.partition("\n")[0] for text in wanted)
    for file in view.project.of_language(Language.PYTHON):
        if file.test:
            continue
        view.project.checkpoint()
        for start, end, text in _windows(view.project.text(file.path), first):
            if text in wanted:
                found.setdefault(text, []).append(Location(file.path, start, end))
    return found


def _windows(text: str, first: frozenset[str] | None = None) -> list[tuple[int, int, str]]:
    """All of a text, or those that begin with one of these lines."""
    text = _DOCUMENTED.sub(lambda found: "\n" * found[0].count("\n"), text)
    lines: Lines = [
        (number, line.strip())
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip() and not line.lstrip().startswith(("#", "import ", "from ", '"""', "'''"))
    ]
    return [
        (lines[at][0], lines[at + WINDOW - 1][0], joined)
        for at in range(len(lines) - WINDOW + 1)
        if (first is None or lines[at][1] in first)
        and len(joined := "\n".join(line for _, line in lines[at : at + WINDOW])) >= 200
    ]


def _claim(place: Location, other: Location) -> Claim:
    return Claim(
        kind="repeated code",
        title=f"these lines stand at {other} already"[:200],
        severity=Severity.LOW,
        at=place,
        why=f"{WINDOW} lines in a row are the same as at {other}. A mistake that is mended in one place stays in the other.",
        fix="Move the lines into one function that both places call",
    )
