"""Definitions and uses of names, by grammar, in every supported language.

Invariant: the text is searched first and only files with a possible match are parsed, so that a large tree costs a search and not
a parse; a result is a grammar node, never a mere word. A name is compared by its last part: the reader decides between units with
the same name. Bounded.
"""

import re
from collections.abc import Collection, Iterable, Iterator

from counterproof.analysis.facts.syntax_index import index_of
from counterproof.analysis.facts.units import Unit, unit_at, units_of
from counterproof.analysis.project import Project
from counterproof.model.fact import Operation

MAX_PARSED = 150
"""Files parsed for one query."""
_DEFINES = r"(?:class|interface|type|enum|struct|trait|module|record|def|function|func|const|let|var)\s+(?:\([^)\n]{0,80}\)\s*)?"


def definitions(
    project: Project, names: Collection[str], near: Collection[str] = (), tests: bool = False
) -> dict[str, list[Unit]]:
    """The units with these names, those of files near `near` first."""
    table: dict[str, list[Unit]] = {}
    if not names:
        return table
    words = "|".join(map(re.escape, sorted(names)))
    shaped = re.compile(rf"{_DEFINES}(?:{words})\b|^[ \t]*(?:[\w<>\[\],.?]+[ \t]+){{0,5}}(?:{words})[ \t]*[(:=]", re.MULTILINE)
    parsed = 0
    for path in _by_nearness(project, near):
        file = project.files[path]
        if file.language is None or (file.test and not tests) or parsed >= MAX_PARSED or not shaped.search(project.text(path)):
            continue
        project.checkpoint()
        parsed += 1
        for unit in units_of(project, path):
            if unit.short in names:
                table.setdefault(unit.short, []).append(unit)
    return table


def uses(project: Project, names: Collection[str], tests: bool | None = None) -> Iterator[tuple[str, int, str]]:
    """Path, line and name of every place in code that calls one of these names or passes it on; `tests` restricts to tests or to
    other files."""
    if not names:
        return
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b")
    for file in project.survey.files:
        if file.language is None or (tests is not None and file.test is not tests):
            continue
        project.checkpoint()
        if pattern.search(project.text(file.path)):
            yield from ((file.path, line, name) for line, name in _uses_in(project, file.path, names))


def _uses_in(project: Project, path: str, names: Collection[str]) -> Iterator[tuple[int, str]]:
    """Each use at its first line; definitions and imports are not uses."""
    before: set[str] = set()
    for line, entries in sorted(index_of(project, path).items()):
        here = {
            name.rpartition(".")[2]
            for operation, name in entries
            if operation in (Operation.CALL, Operation.READ) and name.rpartition(".")[2] in names
        }
        made = {name for operation, name in entries if operation in (Operation.DEFINE, Operation.IMPORT)}
        yield from ((line, name) for name in sorted(here - before - made))
        before = here - made


def around(project: Project, path: str, line: int, beside: int = 3) -> Unit:
    """The unit around a line; outside every unit, the line with its neighbours."""
    found = unit_at(project, path, line)
    return found or Unit(path, "", "", max(1, line - beside), min(project.files[path].lines, line + beside))


def _by_nearness(project: Project, near: Iterable[str]) -> list[str]:
    folders = {tuple(path.split("/")[:-1]) for path in near}
    return sorted(project.files, key=lambda path: (-max((_shared(path, each) for each in folders), default=0), path))


def _shared(path: str, folders: tuple[str, ...]) -> int:
    """The number of folders that two paths share."""
    count = 0
    for one, other in zip(path.split("/")[:-1], folders, strict=False):
        if one != other:
            break
        count += 1
    return count
