"""The list of excluded files. Nothing is dropped silently: each path is listed, or counted under its folder.

A folder with very many skipped files of one kind becomes one entry, so that the list stays readable and bounded.
"""

from counterproof.analysis.source.listing import Count
from counterproof.model.survey import Skipped, SkipReason

_LISTED_PER_FOLDER = 50

_DOUBTFUL = (
    SkipReason.TOO_LARGE,
    SkipReason.LONG_LINES,
    SkipReason.ENCODING,
    SkipReason.UNREADABLE,
    SkipReason.BINARY,
    SkipReason.IGNORED,
)
"""Reasons for excluding source files that the user did not choose; the report mentions them in a sentence."""


class SkipList:
    """Collects skipped paths during a walk."""

    def __init__(self) -> None:
        self.not_included = 0
        self.files_over_limit = 0
        self._inexact_limit = False
        self._groups: dict[tuple[str, SkipReason], list[Skipped]] = {}
        self._group_sizes: dict[tuple[str, SkipReason], int] = {}
        self._folders: list[Skipped] = []
        self._sources: dict[SkipReason, int] = {}

    def add(self, skipped: Skipped, source: bool = False) -> None:
        """Add one file. `source`: it is written in a recognised language."""
        key = (skipped.path.rpartition("/")[0], skipped.reason)
        self._group_sizes[key] = self._group_sizes.get(key, 0) + 1
        group = self._groups.setdefault(key, [])
        if len(group) <= _LISTED_PER_FOLDER:
            group.append(skipped)
        if source and skipped.reason in _DOUBTFUL:
            self._sources[skipped.reason] = self._sources.get(skipped.reason, 0) + 1

    def discard(self, path: str) -> None:
        """Remove a file that is read after all."""
        folder = path.rpartition("/")[0]
        for reason in SkipReason:
            key = (folder, reason)
            group = self._groups.get(key, [])
            if any(each.path == path for each in group):
                group[:] = [each for each in group if each.path != path]
                self._group_sizes[key] -= 1

    def cut_off(self) -> tuple[tuple[Skipped, str], ...]:
        """The code beyond a limit of the walk, which was not read."""
        if not self.files_over_limit and not self._inexact_limit:
            return ()
        return ((Skipped(".", SkipReason.LIMIT, detail=f"{self._limit_detail()} beyond the file limit"), ""),)

    def add_folder(self, path: str, reason: SkipReason, detail: str, count: Count) -> None:
        """Add a whole folder; an empty one is not listed."""
        if count.files or not count.exact:
            text = f"{detail}, {count}" if detail else str(count)
            self._folders.append(Skipped(path, reason, max(1, count.files), text))

    def over_limit(self, count: Count) -> None:
        """Add a folder that the walk did not enter because of a limit."""
        self._inexact_limit = self._inexact_limit or not count.exact
        self.files_over_limit += count.files

    def listed(self) -> tuple[Skipped, ...]:
        """All entries, sorted by path."""
        entries = list(self._folders)
        for (folder, reason), group in self._groups.items():
            size = self._group_sizes[folder, reason]
            if size <= _LISTED_PER_FOLDER:
                entries.extend(group)
            else:
                entries.append(Skipped(folder or ".", reason, size, f"{size:,} files directly in this folder"))
        if self.not_included:
            entries.append(Skipped(".", SkipReason.EXCLUDED, self.not_included, "not matched by --include"))
        if self.files_over_limit or self._inexact_limit:
            entries.append(Skipped(".", SkipReason.LIMIT, max(1, self.files_over_limit), self._limit_detail()))
        return tuple(sorted(entries, key=lambda entry: (entry.path, entry.reason)))

    def _limit_detail(self) -> str:
        return str(Count(self.files_over_limit, not self._inexact_limit))

    def limitations(self) -> tuple[str, ...]:
        """Sentences for the report."""
        sentences: list[str] = []
        if self.files_over_limit or self._inexact_limit:
            sentences.append(f"The file limit was reached; {self._limit_detail()} were not reviewed")
        if self._sources:
            parts = ", ".join(f"{count:,} {reason}" for reason, count in sorted(self._sources.items()))
            sentences.append(f"Source files left out of the review: {parts}")
        return tuple(sentences)
