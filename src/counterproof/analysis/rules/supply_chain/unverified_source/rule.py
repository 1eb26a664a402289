"""Dependencies from an address or a branch that can change under the same name.

## What it finds
A requirement that names an address without a hash, or a repository without a full commit.

## Why it matters
Whoever controls that place, or the way to it, decides what code is installed.

## What is safe
A full commit, a sha256 hash, a path inside the tree, or a release from the package index.

## Limits
Lock files fix what they fetch and are not judged here.
"""

from collections.abc import Iterator

from counterproof.analysis.dependencies.manifest import FetchedFrom, Role
from counterproof.analysis.dependencies.supplies import Concern, Supplies
from counterproof.analysis.ruleset import Impact, Severity, SupplyRule

_PLAIN = ("http://", "git+http://", "git://", "git+git://")


def _check(supplies: Supplies) -> Iterator[Concern]:
    manifest = supplies.manifest
    if manifest is None or manifest.role is Role.LOCKS:
        return
    for each in manifest.declared:
        if each.verified or each.origin not in (FetchedFrom.URL, FetchedFrom.REPOSITORY):
            continue
        plain = each.address.lower().startswith(_PLAIN)
        what = "a repository without a commit" if each.origin is FetchedFrom.REPOSITORY else "an address without a hash"
        yield Concern(
            each.line,
            f"{each.name} is installed from {what}" + (", over an unencrypted connection" if plain else ""),
            severity=Severity.MEDIUM if plain or not each.development else Severity.LOW,
        )


RULE = SupplyRule(
    title="Dependency from a source that can change",
    kind="source",
    cwe=494,
    severity=Severity.MEDIUM,
    posture=True,
    impact=Impact.FULL,
    consequence="Whoever controls that place, or the way to it, decides what code is installed.",
    remedy="Pin a full commit or a sha256 hash, or use a release from the package index.",
    check=_check,
)
