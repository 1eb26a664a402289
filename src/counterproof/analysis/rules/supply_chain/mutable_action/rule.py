"""Third-party actions referenced by tag or branch in privileged workflows.

## What it finds
A workflow that gives secrets or write permissions to its jobs, or runs on `pull_request_target`, and uses third-party actions
by tag or branch. Reports one finding that lists every such workflow.

## Why it matters
The action's owner, or anyone who takes over the account, can move the tag to code that reads the secrets or alters a release.

## What is safe
A full commit hash, the platform's own actions, and actions inside the repository. A workflow that only reads public code has
little to lose.

## Limits
Default permissions of the repository are not visible in its files, and the actions' own dependencies are not read.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.dependencies.supplies import Concern, Supplies
from counterproof.analysis.ruleset import Impact, Severity, SupplyRule

_AT_STAKE = (
    (re.compile(r"secrets\.(?!GITHUB_TOKEN\b)\w", re.IGNORECASE), "it is given secrets"),
    (re.compile(r"^\s{0,40}(?:[\w-]{1,40}:\s{0,10}write|permissions:\s{0,10}write-all)\b", re.MULTILINE), "it may write"),
    (re.compile(r"\bpull_request_target\b"), "it runs on changes of strangers with the rights of the project"),
)
_NAMED = 5


def _check(supplies: Supplies) -> Iterator[Concern]:
    moving = [each for each in supplies.references if each.kind == "action" and not each.fixed]
    stake = next((why for pattern, why in _AT_STAKE if pattern.search(supplies.text)), "") if moving else ""
    if stake:
        names = ", ".join(each.text for each in moving[:_NAMED]) + (" …" if len(moving) > _NAMED else "")
        yield Concern(
            moving[0].line,
            f"Third-party actions not pinned to a commit: {len(moving)}",
            f"Their owner, or anyone who takes over the account, can change what the workflow runs, and {stake}: {names}.",
        )


RULE = SupplyRule(
    title="Third-party actions not pinned to a commit",
    kind="reference",
    cwe=829,
    severity=Severity.LOW,
    posture=True,
    impact=Impact.FULL,
    consequence="Their owner, or anyone who takes over the account, can change what the build runs.",
    remedy="Pin each action to a full commit hash.",
    check=_check,
)
