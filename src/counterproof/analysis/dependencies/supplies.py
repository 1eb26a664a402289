"""The input and output of a supply rule: one file that lists downloads, and a concern about it.

Invariant: a rule receives files that were already read and opens nothing itself. Not handled here: problems in a file.
"""

import posixpath
import re
from dataclasses import dataclass

from counterproof.analysis.dependencies.manifest import Declared, FetchedFrom, IndexOption, Manifest, Role
from counterproof.analysis.dependencies.osv import Vulnerable
from counterproof.analysis.dependencies.references import Reference
from counterproof.model.location import Location
from counterproof.model.severity import Complexity, Confidence, Impact, Rating, Reach, Severity

RATINGS = {
    Severity.CRITICAL: Rating(Reach.ANONYMOUS, Impact.FULL),
    Severity.HIGH: Rating(Reach.ANONYMOUS, Impact.PARTIAL),
    Severity.MEDIUM: Rating(Reach.ANONYMOUS, Impact.FULL, Complexity.STRONG_PRECONDITIONS),
    Severity.LOW: Rating(Reach.ADMIN, Impact.FULL, Complexity.STRONG_PRECONDITIONS, stringent_conditions=1),
}
"""The calibration inputs for a concern of this severity."""

_DEPLOYED = re.compile(
    r"dockerfile.*|containerfile|(?:docker-)?compose.*\.ya?ml|procfile|manage\.py|wsgi\.py|asgi\.py|app\.yaml|serverless\.ya?ml"
    r"|fly\.toml|railway\.json|render\.yaml|vercel\.json|zappa_settings\.json",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Concern:
    """A problem at a line, before it becomes a finding. Empty fields are taken from the rule.

    `defence` and `reach` are the sentences of those two validation steps."""

    line: int
    title: str
    impact: str = ""
    remedy: str = ""
    severity: Severity | None = None
    rating: Rating | None = None
    confidence: Confidence = Confidence.HIGH
    defence: str = "No hash, commit, lock or fixed version was found for it."
    reach: str = "An attacker must first control where the code comes from."
    also: tuple[Location, ...] = ()
    package: str = ""
    advisory: str = ""
    """For known vulnerabilities: the package as the file names it, and their ids."""


@dataclass(frozen=True, slots=True)
class Known:
    """A dependency with its known vulnerabilities, and the other places that name the same version."""

    declared: Declared
    vulnerabilities: tuple[Vulnerable, ...]
    also: tuple[Location, ...] = ()


@dataclass(frozen=True, slots=True)
class Supplies:
    """One file: a manifest or lock, or a file that downloads actions, images or packages by name.

    `siblings` are the manifests of the same ecosystem; `unread_locks` lock files that exist but could not be read; `deployed` the
    folders with a sign that their content is run somewhere."""

    path: str
    text: str = ""
    manifest: Manifest | None = None
    references: tuple[Reference, ...] = ()
    options: tuple[IndexOption, ...] = ()
    siblings: tuple[Manifest, ...] = ()
    unread_locks: tuple[str, ...] = ()
    deployed: frozenset[str] = frozenset()
    known: tuple[Known, ...] = ()

    @property
    def folder(self) -> str:
        return posixpath.dirname(self.path)

    def is_deployed(self) -> bool:
        """Return True if a file in the manifest's folder, or above it, shows that its dependencies are deployed."""
        return any(folder in self.deployed for folder in above(self.folder))

    def is_locked(self) -> bool:
        """Return True if a lock file of the same ecosystem is in the same folder or above it."""
        folders = above(self.folder)
        locks = [each.path for each in self.siblings if each.role is Role.LOCKS]
        return any(posixpath.dirname(path) in folders for path in (*locks, *self.unread_locks))


def loose(manifest: Manifest) -> list[Declared]:
    """Runtime dependencies without an exact version."""
    return [each for each in manifest.declared if not each.pinned and not each.development and each.origin is FetchedFrom.INDEX]


def deployed_folders(paths: tuple[str, ...]) -> frozenset[str]:
    """Folders with a sign that their content is run somewhere and not only imported."""
    return frozenset(posixpath.dirname(path) for path in paths if _DEPLOYED.fullmatch(posixpath.basename(path)))


def above(folder: str) -> tuple[str, ...]:
    """The folder and its parents; "" is the top."""
    found = [folder]
    while folder:
        folder = posixpath.dirname(folder)
        found.append(folder)
    return tuple(found)
