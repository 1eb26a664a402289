"""Packages published to attack their users, according to the user's OSV data.

## What it finds
An exact version that a record of malicious packages (`MAL-…`) in the data given with `--osv` lists or includes in a range.

## Why it matters
Its code ran during installation, on every machine that installed it.

## What is safe
Versions that no such record lists.

## Limits
Only exact versions can be compared.
"""

from collections.abc import Iterator

from counterproof.analysis.dependencies.supplies import Concern, Supplies
from counterproof.analysis.ruleset import SupplyRule
from counterproof.model.severity import Complexity, Impact, Rating, Reach, Severity


def _check(supplies: Supplies) -> Iterator[Concern]:
    for known in supplies.known:
        ids = [each.id for each in known.vulnerabilities if each.malicious]
        if ids:
            declared = known.declared
            yield Concern(
                declared.line,
                f"{declared.name} {declared.version} is a malicious package: {', '.join(ids[:3])}",
                rating=Rating(Reach.ANONYMOUS, Impact.FULL, Complexity.SINGLE_REQUEST, default_config=True),
                defence="No other version of it is declared here.",
                reach="It runs where the dependencies of this file are installed.",
                also=known.also[:50],
                package=declared.name,
                advisory=", ".join(ids[:3]),
            )


RULE = SupplyRule(
    title="Known malicious package",
    kind="known vulnerabilities",
    cwe=506,
    severity=Severity.CRITICAL,
    impact=Impact.FULL,
    consequence="Its code ran on every machine that installed it.",
    remedy="Remove it, treat every machine and secret it could reach as compromised, and replace those secrets.",
    check=_check,
)
