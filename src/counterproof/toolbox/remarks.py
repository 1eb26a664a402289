"""Finds text in the target that addresses a model, once for everything that a model could be shown (X1, X4, X5).

Covers files, their names and the newest commits. Invariant: bounded; files too large to scan are counted. Remarks are shown in
the report, and a model's statements in favour of the code after meeting such text do not count.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from counterproof.analysis.project import Project
from counterproof.analysis.source.reading import TargetChanged
from counterproof.analysis.text.suspicion import suspicions
from counterproof.model.survey import SourceFile
from counterproof.toolbox.bench import Bench
from counterproof.toolbox.refusal import ToolRefused

MAX_BYTES = 16_000_000
MAX_COMMITS = 50
MAX_SHOWN = 20
AROUND = 30
"""Lines before and after a change in which an order may begin or end."""
COMMITS = "commit messages"


@dataclass(frozen=True, slots=True)
class Remark:
    """One location. `path` is a file, or COMMITS; `line` is 0 if the text is in the file's name."""

    path: str
    line: int
    what: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else f"the name of {self.path}"
        return f"{place} {self.what}"


@dataclass(frozen=True, slots=True)
class Remarks:
    """All remarks, by location; `unseen` files exceeded the limit."""

    found: tuple[Remark, ...]
    unseen: int = 0

    def about(self, paths: frozenset[str]) -> tuple[Remark, ...]:
        return tuple(each for each in self.found if each.path in paths)

    def notes(self) -> tuple[str, ...]:
        """Notes for the report. The files' own words are not repeated."""
        lines = [f"Text that addresses a model: {each}." for each in self.found[:MAX_SHOWN]]
        if len(self.found) > MAX_SHOWN:
            lines.append(f"Text that addresses a model is at {len(self.found) - MAX_SHOWN} more places.")
        if self.unseen:
            lines.append(f"{self.unseen} files were not searched for text that addresses a model.")
        return tuple(lines)


def remarks_of(bench: Bench) -> Remarks:
    """The remarks of a project, computed once."""
    return bench.project.once("remarks", lambda: _look(bench))


def _look(bench: Bench) -> Remarks:
    files = remarks_in(bench.project, bench.project.survey.files)
    return Remarks((*files.found, *_in_commits(bench)), files.unseen)


def remarks_in(
    project: Project, files: Iterable[SourceFile], changed: Mapping[str, tuple[tuple[int, int], ...]] = MappingProxyType({})
) -> Remarks:
    """The remarks in these files and their names; for files with `changed` lines only in and around those."""
    found: list[Remark] = []
    seen = unseen = 0
    for file in files:
        project.checkpoint()
        found += [Remark(file.path, 0, str(each)) for each in suspicions(_spoken(file.path))]
        if seen + file.size > MAX_BYTES:
            unseen += 1
            continue
        seen += file.size
        found += _in_file(project, file.path, changed.get(file.path, ()))
    return Remarks(tuple(found), unseen)


def _spoken(path: str) -> str:
    """A path as words: the parts between slashes, dots and dashes."""
    return path.replace("/", " ").replace("_", " ").replace("-", " ").replace(".", " ")


def _in_file(project: Project, path: str, changed: tuple[tuple[int, int], ...]) -> list[Remark]:
    try:
        text = project.text(path)
    except TargetChanged:
        return []  # readers of the file get the error
    return [Remark(path, each.line, str(each)) for each in suspicions(_around(text, changed) if changed else text)]


def _around(text: str, changed: tuple[tuple[int, int], ...]) -> str:
    """The text with all lines blanked except those around a change, so that line numbers stay."""
    lines = text.split("\n")
    kept = [""] * len(lines)
    for start, end in changed:
        near = slice(max(0, start - 1 - AROUND), end + AROUND)
        kept[near] = lines[near]
    return "\n".join(kept)


def _in_commits(bench: Bench) -> tuple[Remark, ...]:
    try:
        log = bench.history().log("", MAX_COMMITS)
    except ToolRefused:
        return ()  # no history, so no commit messages
    said = "\n".join(f"{commit.author} {commit.subject}" for commit in log.commits)
    return tuple(Remark(COMMITS, each.line, str(each)) for each in suspicions(said))
