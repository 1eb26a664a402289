"""What is judged about the supply chain without any database of vulnerabilities. One function per question.

Quiet by design: a library need not lock, a test's requirements need not be exact, one manifest gives one finding per
question and not one per line.
"""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.dependencies.ecosystems import LOCKED_ECOSYSTEMS
from counterproof.analysis.dependencies.look_alikes import looks_like
from counterproof.analysis.dependencies.manifest import Declared, IndexOption, Manifest, Origin, Role
from counterproof.analysis.dependencies.references import Reference
from counterproof.model.severity import Complexity, Confidence, Impact, Rating, Reach, Severity

LOW = (Severity.LOW, Rating(Reach.ADMIN, Impact.FULL, Complexity.STRONG_PRECONDITIONS, stringent_conditions=1))
MEDIUM = (Severity.MEDIUM, Rating(Reach.ANONYMOUS, Impact.FULL, Complexity.STRONG_PRECONDITIONS))

_PUBLIC_INDEXES = ("pypi.org", "files.pythonhosted.org", "download.pytorch.org", "pypi.nvidia.com", "data.pyg.org")
_LOCKERS = {
    "pypi": "uv, poetry, pip-compile with hashes",
    "npm": "package-lock.json, yarn.lock or pnpm-lock.yaml, with npm ci",
    "packagist": "composer.lock",
    "rubygems": "Gemfile.lock, with a frozen bundle",
}
_DEPLOYED = re.compile(
    r"dockerfile.*|containerfile|(?:docker-)?compose.*\.ya?ml|procfile|manage\.py|wsgi\.py|asgi\.py|app\.yaml|serverless\.ya?ml"
    r"|fly\.toml|railway\.json|render\.yaml|vercel\.json|zappa_settings\.json",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Concern:
    """Something wrong at a line of a manifest, before it becomes a finding."""

    rule: str
    cwe: int
    line: int
    title: str
    impact: str
    remedy: str
    weight: tuple[Severity, Rating] = LOW
    confidence: Confidence = Confidence.HIGH


def deployed_folders(paths: tuple[str, ...]) -> frozenset[str]:
    """Folders with a sign that what they hold is run somewhere and not only imported."""
    return frozenset(posixpath.dirname(path) for path in paths if _DEPLOYED.fullmatch(posixpath.basename(path)))


def _above(folder: str) -> tuple[str, ...]:
    """The folder and those above it; "" is the top."""
    found = [folder]
    while folder:
        folder = posixpath.dirname(folder)
        found.append(folder)
    return tuple(found)


def unpinned(
    manifest: Manifest, manifests: tuple[Manifest, ...], deployed: frozenset[str], unread_locks: tuple[str, ...] = ()
) -> Iterator[Concern]:
    """An application whose next installation may differ from the one that was tested.

    `manifests` are those of the same ecosystem; `unread_locks` are lock files that exist but could not be read.
    """
    if manifest.ecosystem not in LOCKED_ECOSYSTEMS:
        return
    folder = posixpath.dirname(manifest.path)
    loose = [each for each in manifest.declared if not each.pinned and not each.development and each.origin is Origin.INDEX]
    if manifest.role is Role.LOCKS or not loose or not _is_application(folder, manifests, deployed):
        return
    above = _above(folder)
    if any(each.role is Role.LOCKS and posixpath.dirname(each.path) in above for each in manifests):
        return
    if any(posixpath.dirname(path) in above for path in unread_locks):
        return
    if _constrained(manifest, manifests, loose):
        return
    total = sum(1 for each in manifest.declared if not each.development)
    names = ", ".join(each.name for each in loose[:8]) + (" …" if len(loose) > 8 else "")
    yield Concern(
        "unpinned-dependencies",
        1357,
        loose[0].line,
        f"Dependencies of an application are not pinned: {len(loose)} of {total}",
        f"The next installation may bring other code than was tested, also a release that an attacker published: {names}.",
        f"Pin exact versions in a lock file ({_LOCKERS[manifest.ecosystem]}) and install from it.",
    )


def _is_application(folder: str, manifests: tuple[Manifest, ...], deployed: frozenset[str]) -> bool:
    above = _above(folder)
    if any(each in deployed for each in above):
        return True
    return not any(each.packaged and posixpath.dirname(each.path) in above for each in manifests)


def _constrained(manifest: Manifest, manifests: tuple[Manifest, ...], loose: list[Declared]) -> bool:
    """Whether another file of the same folder fixes all the loose ones, as constraints and compiled files do."""
    folder = posixpath.dirname(manifest.path)
    fixed = {
        each.name
        for other in manifests
        if other is not manifest and posixpath.dirname(other.path) == folder
        for each in other.declared
        if each.pinned
    }
    return all(each.name in fixed for each in loose)


def unverified(manifest: Manifest) -> Iterator[Concern]:
    """Code fetched from an address or a branch that can change under the same name."""
    if manifest.role is Role.LOCKS:
        return
    for each in manifest.declared:
        if each.verified or each.origin not in (Origin.URL, Origin.REPOSITORY):
            continue
        plain = each.address.lower().startswith(("http://", "git+http://", "git://", "git+git://"))
        what = "a repository without a commit" if each.origin is Origin.REPOSITORY else "an address without a hash"
        yield Concern(
            "unverified-source",
            494,
            each.line,
            f"{each.name} is installed from {what}" + (", over an unencrypted connection" if plain else ""),
            "Whoever controls that place, or the way to it, decides what code is installed.",
            "Name a full commit or a sha256 hash, or use a release from the package index.",
            MEDIUM if plain or not each.development else LOW,
        )


def deceptive_names(manifest: Manifest) -> Iterator[Concern]:
    """Names one slip away from a well-known package of the Python index."""
    if manifest.ecosystem != "pypi":
        return
    for each in manifest.declared:
        found = looks_like(each.name) if each.origin is Origin.INDEX else None
        if found:
            known, plain = found
            yield Concern(
                "look-alike-name",
                1357,
                each.line,
                f"{each.name} looks like {known}, but is another package",
                f"A mistyped or planted name installs a stranger's code in place of {known}.",
                f"Check that {each.name} is meant; if not, write {known}.",
                MEDIUM if plain else LOW,
                Confidence.MEDIUM if plain else Confidence.PATTERN,
            )


def index_options(options: tuple[IndexOption, ...]) -> Iterator[Concern]:
    """Where packages come from, and whether that can be trusted."""
    for option in options:
        if option.kind == "trusted host":
            yield Concern(
                "trusted-host",
                295,
                option.line,
                "Packages are installed without checking the server's certificate",
                "Anyone on the way can replace a package while it is downloaded.",
                "Remove the exception and give the server a valid certificate.",
                MEDIUM,
            )
        elif option.value.lower().startswith("http://"):
            yield Concern(
                "plain-http-index",
                494,
                option.line,
                "Packages are fetched over an unencrypted connection",
                "Anyone on the way can replace a package while it is downloaded.",
                "Use https.",
                MEDIUM,
            )
        elif option.kind == "extra index" and not any(host in option.value.lower() for host in _PUBLIC_INDEXES):
            yield Concern(
                "extra-index",
                427,
                option.line,
                "A second package index is searched beside the public one",
                "Whoever publishes a package under the name of an internal one, with a higher version, gets it installed.",
                "Use one index that serves both, or bind each internal package to its index.",
                MEDIUM,
                Confidence.MEDIUM,
            )


def mutable_references(references: tuple[Reference, ...]) -> Iterator[Concern]:
    """Actions and images that can change without a change here; one concern per kind and file."""
    for kind, cwe, title, remedy in (
        ("action", 829, "Third-party actions are used by a tag or branch", "Name the full commit of each action."),
        ("image", 1357, "Container images are used without a fixed version", "Name a version, better a sha256 digest."),
    ):
        moving = [each for each in references if each.kind == kind and not each.fixed]
        if moving:
            names = ", ".join(each.text for each in moving[:5]) + (" …" if len(moving) > 5 else "")
            yield Concern(
                f"mutable-{kind}",
                cwe,
                moving[0].line,
                f"{title}: {len(moving)}",
                f"Their owner, or whoever takes over the account, can change what the build runs: {names}.",
                remedy,
            )
