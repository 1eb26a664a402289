"""Dependencies from a URL or branch whose content can change.

## What it finds
A requirement with a URL and no hash, or with a repository and no full commit hash.

## Why it matters
Anyone who controls that source, or the network path to it, decides what code is installed.

## What is safe
A full commit hash, a sha256 hash, a path inside the repository, or a release from the package index.

## Limits
Lock files pin what they fetch and are not checked here.
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
    consequence="Anyone who controls that source, or the network path to it, decides what code is installed.",
    remedy="Pin a full commit hash or a sha256 hash, or use a release from the package index.",
    check=_check,
)
