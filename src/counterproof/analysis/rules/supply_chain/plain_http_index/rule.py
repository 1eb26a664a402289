"""Package indexes accessed over plain HTTP.

## What it finds
A package index, registry or repository whose URL starts with `http://`.

## Why it matters
Anyone on the network path can replace a package while it is downloaded.

## What is safe
URLs with `https://`.

## Limits
Settings of the build machine outside the repository are not seen.
"""

from collections.abc import Iterator

from counterproof.analysis.dependencies.supplies import Concern, Supplies
from counterproof.analysis.ruleset import Impact, Severity, SupplyRule

_LOCAL = ("http://localhost", "http://127.0.0.1", "http://[::1]")


def _check(supplies: Supplies) -> Iterator[Concern]:
    for option in supplies.options:
        address = option.value.lower()
        if option.kind != "trusted host" and address.startswith("http://") and not address.startswith(_LOCAL):
            yield Concern(
                option.line,
                "Packages fetched over plain HTTP",
                defence="The URL at this line is not encrypted, and no hash was found for its packages.",
                reach="An attacker must be on the network path between the build and the server.",
            )


RULE = SupplyRule(
    title="Packages fetched over plain HTTP",
    kind="index",
    cwe=494,
    severity=Severity.MEDIUM,
    posture=True,
    impact=Impact.FULL,
    consequence="Anyone on the network path can replace a package while it is downloaded.",
    remedy="Use https.",
    check=_check,
)
