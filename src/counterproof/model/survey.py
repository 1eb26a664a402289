"""The files in scope and the files left out, with reasons."""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.location import checked_path


class Language(StrEnum):
    """Languages counted as source. Other files are listed as content, not as code."""

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
    LANGUAGE = "in a language that is not analysed"


class FileRole(StrEnum):
    """The purpose of a file. Decided once, in the survey, with a reason; files that running code reaches are runtime."""

    RUNTIME = "runtime"
    TEST = "test"
    CI = "continuous integration"
    DEVELOPMENT = "development"
    SAMPLE = "sample"
    DOCUMENTATION = "documentation"
    GENERATED = "generated"
    VENDORED = "vendored"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A text file in scope. `language` is None for configuration, templates and other text; `loc` is then 0.

    `role` says what it is for and `role_reason` why, "" if nothing suggests a role other than runtime. `reached_from` is the file
    that imports, includes or starts it, if that decided whether or in which role it is read.
    """

    path: str
    language: Language | None
    loc: int
    lines: int
    size: int
    sha256: str
    role: FileRole = FileRole.RUNTIME
    role_reason: str = ""
    reached_from: str = ""

    def __post_init__(self) -> None:
        checked_path(self.path)

    @property
    def test(self) -> bool:
        """True if it only runs in tests."""
        return self.role is FileRole.TEST


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file or, with `files` > 1, a whole directory that is left out."""

    path: str
    reason: SkipReason
    files: int = 1
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Unread:
    """Code in scope that was not read to its end. `path` "." means the whole tree; `accepted`: the user accepted this on the
    command line. `internal`: the cause is an error of this program, not of the file. `packed`: an archive, which hides no other
    file. `files` are those that a model can read instead."""

    path: str
    why: str
    reached_from: str = ""
    accepted: bool = False
    internal: bool = False
    packed: bool = False
    files: tuple[str, ...] = ()

    def __str__(self) -> str:
        reached = f", which {self.reached_from} reaches" if self.reached_from else ""
        return f"{self.path}{reached}: {self.why}"


@dataclass(frozen=True, slots=True)
class Survey:
    """The frozen scope of a run. `digest` changes when any file in scope does. `unread` is code in scope that could not be read;
    `accepted` are the globs that the user accepts as unread."""

    name: str
    files: tuple[SourceFile, ...]
    skipped: tuple[Skipped, ...]
    directories: int
    digest: str
    limitations: tuple[str, ...] = ()
    unread: tuple[Unread, ...] = ()
    accepted: tuple[str, ...] = ()

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
