"""Files excluded by `.gitignore`: the last match of the deepest file wins, a negated match includes a path again.

The files come from the target, so their total work is bounded; beyond that they are ignored, which can only bring more code into
scope. Not handled here: whether an excluded file is tracked.
"""

from dataclasses import dataclass

from counterproof.analysis.source.globs import Glob, parse_glob

MAX_IGNORE_BYTES = 256_000
_MAX_PATTERNS = 20_000
_MAX_COMPARISONS = 60_000_000


@dataclass(frozen=True, slots=True)
class IgnoreFile:
    """The patterns of one file. They apply to paths beneath the file's folder, at level `depth`."""

    depth: int
    globs: tuple[Glob, ...]


class Ignoring:
    """All ignore files of one survey, and their remaining work."""

    def __init__(self, max_patterns: int = _MAX_PATTERNS, max_comparisons: int = _MAX_COMPARISONS) -> None:
        self._patterns_left = max_patterns
        self._comparisons_left = max_comparisons
        self._limitations: dict[str, None] = {}

    @property
    def limitations(self) -> tuple[str, ...]:
        return tuple(self._limitations)

    def refuse(self, path: str, why: str) -> None:
        """Record that an ignore file is not applied."""
        self._limitations[f"{path} was not honoured: {why}"] = None

    def parse(self, path: str, text: str) -> IgnoreFile | None:
        """The ignore file at `path`; None if it is empty or the work limit is reached."""
        lines = text.split("\n")
        if len(lines) > self._patterns_left:
            self.refuse(path, "there are too many ignore patterns in this tree")
            return None
        self._patterns_left -= len(lines)
        globs = tuple(glob for glob in map(parse_glob, lines) if glob)
        return IgnoreFile(path.count("/"), globs[::-1]) if globs else None

    def ignored(self, files: tuple[IgnoreFile, ...], parts: tuple[str, ...], directory: bool) -> bool:
        """Return True if these files, shallowest first, exclude the path. Its parent folders were tested before."""
        for file in reversed(files):
            below = parts[file.depth :]
            self._comparisons_left -= len(file.globs)
            if self._comparisons_left < 0:
                self._limitations["Matching .gitignore took too long; from some point on it was not honoured"] = None
                return False
            for glob in file.globs:
                if glob.matches(below, directory):
                    return not glob.negated
        return False
