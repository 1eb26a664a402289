"""A changed file as a diff: removed and added lines in place, each with its line number.

Invariant: kept lines show their newer number, removed ones their older one; a hunk is extended to the whole surrounding unit if
that is small enough, so that no one judges half a function. The newer text is under review; secrets in the lines of both are
redacted.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from counterproof.analysis.facts.units import unit_at
from counterproof.analysis.project import Project
from counterproof.analysis.review.line_diff import lines_of, replaced
from counterproof.analysis.secrets.outgoing_text import safe_text
from counterproof.analysis.source.languages import language_of
from counterproof.model.survey import SourceFile

WHOLE_UNIT = 120
"""Lines up to which the unit around a change is shown completely."""
AROUND = 3
MAX_LINE = 400


@dataclass(frozen=True, slots=True)
class Row:
    """One line. `sign` is '+', '-' or ' '; `number` counts in the older text for removed lines, in the newer one for the rest."""

    sign: str
    number: int
    text: str

    def __str__(self) -> str:
        return f"{self.sign}{self.number:>6}  {self.text[:MAX_LINE]}".rstrip()


@dataclass(frozen=True, slots=True)
class Hunk:
    """A range of the newer text, with the lines removed from it. `first` and `last` are lines of the newer text."""

    first: int
    last: int
    unit: str
    rows: tuple[Row, ...]

    @property
    def text(self) -> str:
        where = f" in {self.unit}" if self.unit else ""
        return "\n".join([f"@@ lines {self.first}-{self.last}{where} @@", *map(str, self.rows)])


def rows_of(old: str | None, new: str) -> tuple[Row, ...]:
    """Every line of both texts, in diff order."""
    before, after = lines_of(old or ""), lines_of(new)
    rows: list[Row] = []
    place = 0
    for first, last, low, high in replaced(before, after):
        rows += [Row(" ", number + 1, after[number]) for number in range(place, low)]
        rows += [Row("-", number + 1, before[number]) for number in range(first, last)]
        rows += [Row("+", number + 1, after[number]) for number in range(low, high)]
        place = high
    return (*rows, *(Row(" ", number + 1, after[number]) for number in range(place, len(after))))


def older_project(project: Project, before: Mapping[str, str | None]) -> Project:
    """The tree before the change: with the older texts and deleted files, without added ones."""
    texts = {path: text for path, text in before.items() if text is not None}
    files = {path: file for path, file in project.files.items() if path not in before}
    files |= {path: _older_file(project, path, text) for path, text in texts.items()}
    older = project.variant(tuple(files[path] for path in sorted(files)), texts)
    older.results = None  # results stored between runs are for the newer tree
    return older


def _older_file(project: Project, path: str, text: str) -> SourceFile:
    data = text.encode("utf-8", "replace")
    now = project.files.get(path) or SourceFile(path, language_of(path), 0, 0, 0, "")
    lines = len(lines_of(text))
    return replace(now, loc=lines, lines=lines, size=len(data), sha256=hashlib.sha256(data).hexdigest())


def hunks(project: Project, older: Project, path: str, before: str | None, widest: int = WHOLE_UNIT) -> tuple[Hunk, ...]:
    """The change of a file in hunks, extended to whole units of up to `widest` lines; a new file is one hunk."""
    rows = rows_of(before, project.text(path))
    shown: set[int] = set()
    place = 0
    for row in rows:
        place = row.number if row.sign != "-" else place
        if row.sign != " ":
            shown.update(_around(project, path, max(1, place), widest))
            shown.update(range(max(1, place - AROUND), place + AROUND + 1))
    texts = {"+": lines_of(safe_text(project, path)), "-": lines_of(safe_text(older, path)) if before is not None else []}
    safe = tuple(replace(row, text=_line(texts["-" if row.sign == "-" else "+"], row.number)) for row in rows)
    return tuple(_stretches(project, path, safe, shown))


def _line(lines: list[str], number: int) -> str:
    return lines[number - 1] if 0 < number <= len(lines) else ""


def _around(project: Project, path: str, line: int, widest: int) -> range:
    unit = unit_at(project, path, line, widest)
    return range(unit.first, unit.last + 1) if unit else range(0)


def _stretches(project: Project, path: str, rows: tuple[Row, ...], shown: set[int]) -> Iterator[Hunk]:
    current: list[Row] = []
    for row in rows:
        if row.sign != " " or row.number in shown:
            current.append(row)
        elif current:
            yield _hunk(project, path, current)
            current = []
    if current:
        yield _hunk(project, path, current)


def _hunk(project: Project, path: str, rows: list[Row]) -> Hunk:
    numbers = [row.number for row in rows if row.sign != "-"] or [max(1, rows[0].number - 1)]
    unit = unit_at(project, path, numbers[0])
    return Hunk(numbers[0], numbers[-1], unit.name if unit else "", tuple(rows))
