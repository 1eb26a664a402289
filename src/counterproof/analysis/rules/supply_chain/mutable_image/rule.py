"""Container images without a fixed version.

## What it finds
Base images and services with no tag or with `latest`. Reports one finding that lists every such file.

## Why it matters
The same build produces a different system tomorrow, possibly with an image that an attacker published.

## What is safe
A version in the tag, better a sha256 digest; images that the project builds itself.

## Limits
Names built from variables are not checked.
"""

from collections.abc import Iterator

from counterproof.analysis.dependencies.supplies import Concern, Supplies
from counterproof.analysis.ruleset import Impact, Severity, SupplyRule

_NAMED = 5


def _check(supplies: Supplies) -> Iterator[Concern]:
    moving = [each for each in supplies.references if each.kind == "image" and not each.fixed]
    if moving:
        names = ", ".join(each.text for each in moving[:_NAMED]) + (" …" if len(moving) > _NAMED else "")
        yield Concern(
            moving[0].line,
            f"Container images not pinned: {len(moving)}",
            f"Their owner, or anyone who takes over the account, can change what the build runs: {names}.",
        )


RULE = SupplyRule(
    title="Container images not pinned",
    kind="reference",
    cwe=1357,
    severity=Severity.LOW,
    posture=True,
    impact=Impact.FULL,
    consequence="Their owner, or anyone who takes over the account, can change what the build runs.",
    remedy="Pin a version, or better a sha256 digest.",
    check=_check,
)
