"""Which paths are in scope before they are opened: the user's globs, `.gitignore`, and the origin of the code.

Precedence: a user's exclude wins; then an include that names a place; then ignore files, but only for files that git does not
track; then vendored and generated names. A broad include such as `*.py` narrows the scope and does not bring virtual environments
back.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from counterproof.analysis.source.git_index import Tracked
from counterproof.analysis.source.gitignore import IgnoreFile, Ignoring
from counterproof.analysis.source.globs import Glob, parse_glob
from counterproof.analysis.source.origin import folder_reason, generated_by_name
from counterproof.model.errors import UserError
from counterproof.model.survey import SkipReason

Parts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder on the way down. `ignored`: a rule excluded it and it is entered only for its tracked files."""

    path: str
    parts: Parts = ()
    ignore_files: tuple[IgnoreFile, ...] = ()
    ignored: bool = False
    included: bool = False


@dataclass(frozen=True, slots=True)
class Out:
    """An excluded path with its reason. `reason` None: not among the paths that the user requested."""

    reason: SkipReason | None
    detail: str = ""


@dataclass(slots=True)
class Scope:
    """The rules of one survey. `tracked` is None if the index is unknown; then `.gitignore` is not applied."""

    include: tuple[Glob, ...]
    exclude: tuple[Glob, ...]
    tracked: Tracked | None
    accept: tuple[Glob, ...] = ()
    ignoring: Ignoring = field(default_factory=Ignoring)
    used: set[str] = field(default_factory=set[str])
    """The texts of the user's globs that matched something."""

    def enter(self, parent: Folder, name: str) -> Folder | Out:
        """The folder to enter, or why not. `foreign` judges its content after listing."""
        path = f"{parent.path}/{name}" if parent.path else name
        parts = (*parent.parts, name)
        if self._match(self.exclude, parts, directory=True):
            return Out(SkipReason.EXCLUDED)
        included = parent.included or self._match(self.include, parts, directory=True)
        ignored = parent.ignored or self._ignored(parent, parts, directory=True)
        if ignored and not included and not self._named(parts) and not (self.tracked and path in self.tracked.folders):
            return Out(SkipReason.IGNORED)
        return Folder(path, parts, parent.ignore_files, ignored, included)

    def foreign(self, folder: Folder, contents: tuple[str, ...]) -> Out | None:
        """The reason why the listed folder is excluded as a whole."""
        if not folder.parts or folder.included or self._named(folder.parts):
            return None
        found = folder_reason(folder.parts[-1], contents)
        return Out(*found) if found else None

    def leave_out(self, folder: Folder, name: str) -> Out | None:
        """The reason why a file in the folder is excluded by its path; None if it is to be opened."""
        parts = (*folder.parts, name)
        if self._match(self.exclude, parts, directory=False):
            return Out(SkipReason.EXCLUDED)
        if self.include:
            chosen = folder.included or self._match(self.include, parts, directory=False)
            return None if chosen else Out(None)
        path = "/".join(parts)
        if self.tracked and path not in self.tracked.files and (folder.ignored or self._ignored(folder, parts, directory=False)):
            return Out(SkipReason.IGNORED)
        return Out(SkipReason.GENERATED, "by its name") if generated_by_name(path) else None

    def accepts(self, path: str) -> bool:
        """Return True if the user accepts that a file, or one of its folders, is not read."""
        return accepted(path, self.accept)

    def _match(self, globs: tuple[Glob, ...], parts: Parts, directory: bool) -> bool:
        hit = [glob.text for glob in globs if glob.matches(parts, directory)]
        self.used.update(hit)
        return bool(hit)

    def _ignored(self, folder: Folder, parts: Parts, directory: bool) -> bool:
        if not folder.ignore_files or self.tracked is None:
            return False
        return self.ignoring.ignored(folder.ignore_files, parts, directory)

    def _named(self, parts: Parts) -> bool:
        """Return True if an include names this place or one inside it."""
        return any(glob.names_a_place and glob.reaches_into(parts) for glob in self.include)


def accepted(path: str, globs: Iterable[Glob]) -> bool:
    """Return True if a glob matches a path or one of its folders."""
    parts = tuple(path.split("/"))
    return any(glob.matches(parts[:count], directory=count < len(parts)) for glob in globs for count in range(1, len(parts) + 1))


def user_globs(option: str, patterns: tuple[str, ...]) -> tuple[Glob, ...]:
    """Globs from the command line; an invalid one is reported to the user."""
    globs: list[Glob] = []
    for pattern in patterns:
        glob = parse_glob(pattern.removeprefix("./"))
        if glob is None or glob.negated:
            raise UserError(f"{option} {pattern!r} is not a glob", "write it like a .gitignore line, for example src/**/*.py")
        globs.append(glob)
    return tuple(globs)
