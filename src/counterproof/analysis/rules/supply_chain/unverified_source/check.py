"""The check of `unverified-source`."""

from collections.abc import Iterator

from counterproof.analysis.dependencies.manifest import FetchedFrom, Role
from counterproof.analysis.dependencies.supplies import Concern, Supplies
from counterproof.analysis.ruleset import Severity

_PLAIN = ("http://", "git+http://", "git://", "git+git://")


def check(supplies: Supplies) -> Iterator[Concern]:
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
