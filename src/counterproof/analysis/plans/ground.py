"""The repository that a plan is compared with: existing files, definitions and uses of names, and decision records.

Invariant: only surveyed files are read, each at most once for all names together; results are bounded and in path order. Names
are searched as words in the text, so every language counts and nothing is reported as missing that is only written differently.
"""

import difflib
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from counterproof.analysis.git import Departed, History, HistoryError, NoHistory
from counterproof.analysis.project import Project
from counterproof.model.errors import CounterproofError, InvalidValue
from counterproof.model.survey import SourceFile
from counterproof.model.text import real_name

MAX_TEXT = 1_000_000
"""Larger files are not searched for names."""
MAX_DEPARTED = 20
"""Paths for which the history is searched."""
MAX_PLACES, MAX_COMPARED = 200, 3_000

DOCUMENT = re.compile(r"\.(?:md|mdx|rst|txt|adoc|po|svg|csv|log)\Z", re.IGNORECASE)
"""Documents, which mention names that do not exist yet; requirements are read as manifests."""
_DEFINING = (
    r"(?:export|default|public|private|protected|internal|static|async|abstract|final|def|class|function|const|let|var|type"
    r"|interface|struct|enum|trait|module|fn|pub|impl|func(?:\s+\([^()]{0,80}\))?)\s+"
)
_COMMENT = re.compile(r"\s*(?:#|//|\*|/\*|--|<!--)")
_WORD = re.compile(r"\w+")


@dataclass(slots=True)
class Occurrences:
    """The occurrences of a name, as (path, line); tests are separate."""

    definitions: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    uses: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    test_uses: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])

    @property
    def known(self) -> bool:
        return bool(self.definitions or self.uses or self.test_uses)

    @property
    def full(self) -> bool:
        """Return True at the limit of collected occurrences; a name that common is no evidence anyway."""
        return len(self.definitions) + len(self.uses) + len(self.test_uses) >= MAX_PLACES


class Ground:
    """One repository, searched for the names of one plan. `plan` is its own path: a plan is not evidence for itself. `past` opens
    the history, which is used only for missing paths."""

    def __init__(self, project: Project, plan: str = "", past: Callable[[], History | NoHistory] | None = None) -> None:
        self.project = project
        self.plan = plan
        self._past = past
        self.limitations: list[str] = []
        self._found: dict[str, Occurrences] = {}

    @cached_property
    def _paths(self) -> frozenset[str]:
        return frozenset(self.project.files)

    @cached_property
    def _by_name(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {}
        for path in self.project.files:
            found.setdefault(path.rpartition("/")[2], []).append(path)
        return {name: tuple(paths) for name, paths in found.items()}

    def resolve(self, path: str) -> str:
        """The real path of a file that a plan mentions, from the root or from a folder inside; '' if there is none."""
        path = path.rpartition("../")[2].removeprefix("./").strip("/")
        if path in self._paths:
            return path
        ending = f"/{path}"
        inside = [each for each in self._by_name.get(path.rpartition("/")[2], ()) if each.endswith(ending)]
        if inside:
            return inside[0]
        root, _, rest = path.partition("/")
        return rest if root == self.project.root.name and rest in self._paths else ""

    def count(self, path: str) -> int:
        """The number of files that a path may refer to."""
        return (
            1
            if path in self._paths
            else sum(f"/{each}".endswith(f"/{path}") for each in self._by_name.get(path.rpartition("/")[2], ()))
        )

    def exists(self, path: str) -> bool:
        """Return True if the tree contains it, reviewed or not. Files ignored by version control count."""
        path = path.removeprefix("./").strip("/")
        if not path or ".." in path.split("/"):
            return True  # paths outside the tree are unknown
        if self.resolve(path) or any(
            each.path == path or path.startswith(f"{each.path}/") for each in self.project.survey.skipped
        ):
            return True
        if path.rpartition("/")[2].startswith(".env"):
            return True
        return self._on_disk(path)

    def _on_disk(self, path: str) -> bool:
        try:
            os.lstat(self.project.root / real_name(path))
        except (OSError, ValueError):
            return False
        return True

    def departed(self, paths: tuple[str, ...]) -> dict[str, Departed]:
        """The paths that a commit deleted or renamed; empty without a history that responds in time."""
        history = self._past() if self._past and paths else None
        try:
            return history.departed(paths[:MAX_DEPARTED]) if isinstance(history, History) else {}
        except (HistoryError, InvalidValue):
            return {}

    def nearest_file(self, path: str) -> str:
        """The file of the same name whose folders agree most, or of nearly the same path; '' if there is none."""
        folder, _, name = path.rpartition("/")
        same = self._by_name.get(name, ())
        if same:
            return min(same, key=lambda each: (-len({*each.split("/")} & {*path.split("/")}), each))
        beside = [each for each in sorted(self._paths) if each.rpartition("/")[0] == folder]
        return next(iter(difflib.get_close_matches(path, beside[:MAX_COMPARED], n=1, cutoff=0.9)), "")

    @cached_property
    def _words(self) -> dict[str, set[str]]:
        """The paths of the files that contain a word, by word."""
        found: dict[str, set[str]] = {}
        for file in self.project.survey.files:
            self.project.checkpoint()
            if file.size <= MAX_TEXT and file.path != self.plan:
                for word in set(_WORD.findall(self.text(file.path))):
                    found.setdefault(word, set()).add(file.path)
        return found

    def holding(self, phrases: tuple[str, ...]) -> Iterator[tuple[SourceFile, list[str]]]:
        """The files that may contain some of these phrases, with those phrases; without the plan itself."""
        paths: dict[str, set[str]] = {}
        for phrase in phrases:
            held = [self._words.get(word, set[str]()) for word in _WORD.findall(phrase)]
            paths[phrase] = set[str].intersection(*held) if held else set()
        for path in sorted(set[str]().union(*paths.values())):
            yield self.project.files[path], [phrase for phrase in phrases if path in paths[phrase]]

    def occurrences(self, name: str) -> Occurrences:
        """The occurrences of the last part of a dotted name in code and configuration."""
        short = name.rpartition(".")[2]
        if short not in self._found:
            self._found[short] = self._look_up(short) if re.fullmatch(r"[\w$-]{2,100}", short) else Occurrences()
        return self._found[short]

    def _look_up(self, name: str) -> Occurrences:
        found = Occurrences()
        pattern = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
        for file, _ in self.holding((name,)):
            if found.full:
                break
            if not DOCUMENT.search(file.path):
                _collect(found, file, self.text(file.path), name, pattern)
        return found

    def holds(self, name: str) -> bool:
        """Return True if any code or configuration file contains the last part of a dotted name."""
        short = name.rpartition(".")[2]
        return any(not DOCUMENT.search(path) for path in self._words.get(short, ())) or self.occurrences(short).known

    def text(self, path: str) -> str:
        """A file's text; '' if it is not in the survey or, with a limitation, if it cannot be read."""
        if path not in self._paths:
            return ""
        try:
            return self.project.text(path)
        except CounterproofError as error:
            if len(self.limitations) < 20:
                self.limitations.append(f"{path} was not read: {error}")
            return ""


def _collect(found: Occurrences, file: SourceFile, text: str, name: str, word: re.Pattern[str]) -> None:
    defining = re.compile(
        rf"^\s*(?:{_DEFINING}){{1,5}}{re.escape(name)}(?!\w)|^\s*(?:self\.)?{re.escape(name)}\s*(?::(?!:)[^=]{{1,80}})?=(?![=>])"
    )
    for number, line in enumerate(text.split("\n"), 1):
        if name not in line or not word.search(line):
            continue
        if found.full:
            return
        place = (file.path, number)
        if defining.match(line[:400]):
            (found.test_uses if file.test else found.definitions).append(place)
        elif not _COMMENT.match(line):
            (found.test_uses if file.test else found.uses).append(place)
