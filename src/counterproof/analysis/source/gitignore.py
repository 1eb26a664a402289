"""What `.gitignore` files leave out: the last match of the deepest file wins, a negated match brings a path back.

The files are the target's own, so they cost a bounded amount of work in all; when it is spent they are no longer honoured,
which only ever brings more code into scope. Whether an ignored file is tracked is asked elsewhere.
"""

from dataclasses import dataclass

from counterproof.analysis.source.globs import Glob, parse_glob

MAX_IGNORE_BYTES = 256_000
_MAX_PATTERNS = 20_000
_MAX_COMPARISONS = 60_000_000


@dataclass(frozen=True, slots=True)
class IgnoreFile:
    """The patterns of one file. They speak of paths beneath the folder `depth` levels down, where the file stands."""

    depth: int
    globs: tuple[Glob, ...]


class Ignoring:
    """All ignore files of one survey, and the work they may still cost."""

    def __init__(self, max_patterns: int = _MAX_PATTERNS, max_comparisons: int = _MAX_COMPARISONS) -> None:
        self._patterns_left = max_patterns
        self._comparisons_left = max_comparisons
        self._limitations: dict[str, None] = {}

    @property
    def limitations(self) -> tuple[str, ...]:
        return tuple(self._limitations)

    def refuse(self, path: str, why: str) -> None:
        """Records that an ignore file is not honoured."""
        self._limitations[f"{path} was not honoured: {why}"] = None

    def parse(self, path: str, text: str) -> IgnoreFile | None:
        """The ignore file at `path`; None when it has nothing to say or may not speak any more."""
        lines = text.split("\n")
        if len(lines) > self._patterns_left:
            self.refuse(path, "there are too many ignore patterns in this tree")
            return None
        self._patterns_left -= len(lines)
        globs = tuple(glob for glob in map(parse_glob, lines) if glob)
        return IgnoreFile(path.count("/"), globs[::-1]) if globs else None

    def ignored(self, files: tuple[IgnoreFile, ...], parts: tuple[str, ...], directory: bool) -> bool:
        """Whether these files, shallowest first, leave the path out. Folders above it were asked before."""
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
