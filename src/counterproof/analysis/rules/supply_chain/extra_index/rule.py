"""A second package index in addition to the public one.

## What it finds
`--extra-index-url` with an index that is not one of the well-known public ones.

## Why it matters
The installer queries both indexes and takes the higher version. Anyone who publishes a package under an internal name gets it
installed.

## What is safe
One index that serves both, or packages pinned to their index.

## Limits
Whether internal names are reserved on the public index is not known.
"""

from collections.abc import Iterator

from counterproof.analysis.dependencies.supplies import Concern, Supplies
from counterproof.analysis.ruleset import Confidence, Impact, Severity, SupplyRule

_PUBLIC = ("pypi.org", "files.pythonhosted.org", "download.pytorch.org", "pypi.nvidia.com", "data.pyg.org")


def _check(supplies: Supplies) -> Iterator[Concern]:
    for option in supplies.options:
        address = option.value.lower()
        if option.kind == "extra index" and not address.startswith("http://") and not any(host in address for host in _PUBLIC):
            yield Concern(
                option.line,
                "Dependency confusion: second package index",
                confidence=Confidence.MEDIUM,
                defence="No package is pinned to one of the two indexes.",
                reach="An attacker must know the name of an internal package.",
            )


RULE = SupplyRule(
    title="Dependency confusion: second package index",
    kind="index",
    cwe=427,
    severity=Severity.MEDIUM,
    posture=True,
    impact=Impact.FULL,
    consequence="Anyone who publishes a package with the name of an internal package and a higher version gets it installed.",
    remedy="Use one index that serves both, or pin each internal package to its index.",
    check=_check,
)
