"""Names one slip away from a well-known package.

## What it finds
A requirement of the Python index whose name differs from that of a well-known package by one letter, two swapped letters, or
a digit that looks like a letter.

## Why it matters
A mistyped or planted name installs a stranger's code in place of the package that was meant.

## What is safe
The well-known names themselves, and names that only share a beginning or differ in a version number.

## Limits
The list of well-known names is short and our own. Names under six letters are not judged, nor are those of other ecosystems.
"""

from collections.abc import Iterator

from counterproof.analysis.dependencies.look_alikes import looks_like
from counterproof.analysis.dependencies.manifest import FetchedFrom, Manifest, Role
from counterproof.analysis.dependencies.supplies import Concern, Supplies
from counterproof.analysis.ruleset import Confidence, Impact, Severity, SupplyRule


def _check(supplies: Supplies) -> Iterator[Concern]:
    manifest = supplies.manifest
    if manifest is None or manifest.ecosystem != "pypi":
        return
    elsewhere = {each.name for other in supplies.siblings if _before(other, manifest) for each in other.declared}
    for each in manifest.declared:
        found = looks_like(each.name) if each.origin is FetchedFrom.INDEX and each.name not in elsewhere else None
        if found:
            known, plain = found
            yield Concern(
                each.line,
                f"{each.name} looks like {known}, but is another package",
                f"A mistyped or planted name installs a stranger's code in place of {known}.",
                f"Check that {each.name} is meant; if not, write {known}.",
                severity=Severity.MEDIUM if plain else Severity.LOW,
                confidence=Confidence.MEDIUM if plain else Confidence.PATTERN,
                defence=f"The name is not that of {known}, and nothing here says that it is meant.",
            )


def _before(other: Manifest, manifest: Manifest) -> bool:
    """A name is told once, where it is declared rather than where it is locked."""
    return (other.role is Role.LOCKS, other.path) < (manifest.role is Role.LOCKS, manifest.path)


RULE = SupplyRule(
    title="Possible typosquatting of a well-known package",
    kind="name",
    cwe=1357,
    severity=Severity.LOW,
    impact=Impact.FULL,
    consequence="A mistyped or planted name installs a stranger's code.",
    remedy="Check that this is the package you meant.",
    check=_check,
)
