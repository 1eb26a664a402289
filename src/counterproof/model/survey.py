"""What there is to review: the files in scope and those left out, with reasons."""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.location import checked_path


class Language(StrEnum):
    """Languages counted as source. Others are listed as content, not as code."""

    PYTHON = "python"
    JAVASCRIPT = "javascript"
    TYPESCRIPT = "typescript"
    JAVA = "java"
    GO = "go"
    PHP = "php"
    RUBY = "ruby"


class SkipReason(StrEnum):
    """Why a file is not reviewed."""

    IGNORED = "ignored by .gitignore"
    VENDORED = "vendored"
    GENERATED = "generated"
    BINARY = "binary"
    TOO_LARGE = "too large"
    LONG_LINES = "one giant line"
    UNREADABLE = "unreadable"
    ENCODING = "broken encoding"
    SPECIAL = "not a regular file"
    SYMLINK = "symbolic link"
    EXCLUDED = "excluded by the user"
    LIMIT = "file limit reached"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A text file in scope. `language` is None for configuration, templates and other text; `loc` is 0 then."""

    path: str
    language: Language | None
    loc: int
    lines: int
    size: int
    sha256: str
    test: bool = False

    def __post_init__(self) -> None:
        checked_path(self.path)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file or, with `files` > 1, a whole directory that is left out."""

    path: str
    reason: SkipReason
    files: int = 1
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Survey:
    """The frozen scope of a run. `digest` changes when any file in scope does."""

    name: str
    files: tuple[SourceFile, ...]
    skipped: tuple[Skipped, ...]
    directories: int
    digest: str
    limitations: tuple[str, ...] = ()

    @property
    def loc(self) -> int:
        return sum(file.loc for file in self.files)

    def languages(self) -> tuple[tuple[Language, int], ...]:
        """Languages with their lines of code, largest first."""
        totals: dict[Language, int] = {}
        for file in self.files:
            if file.language:
                totals[file.language] = totals.get(file.language, 0) + file.loc
        return tuple(sorted(totals.items(), key=lambda pair: (-pair[1], pair[0])))
