"""Packages installed without certificate validation.

## What it finds
`trusted-host` in requirement files, pip settings and commands, and `strict-ssl=false` in npm settings.

## Why it matters
Anyone on the network path can replace a package while it is downloaded.

## What is safe
Validated certificates, also those of a private authority.

## Limits
Settings of the build machine outside the repository are not seen.
"""

from collections.abc import Iterator

from counterproof.analysis.dependencies.supplies import Concern, Supplies
from counterproof.analysis.ruleset import Impact, Severity, SupplyRule


def _check(supplies: Supplies) -> Iterator[Concern]:
    for option in supplies.options:
        if option.kind == "trusted host":
            yield Concern(
                option.line,
                "Packages installed without certificate validation",
                defence="Certificate validation is disabled at this line.",
                reach="An attacker must be on the network path between the build and the server.",
            )


RULE = SupplyRule(
    title="Packages installed without certificate validation",
    kind="index",
    cwe=295,
    severity=Severity.MEDIUM,
    posture=True,
    impact=Impact.FULL,
    consequence="Anyone on the network path can replace a package while it is downloaded.",
    remedy="Remove the exception and give the server a valid certificate.",
    check=_check,
)
