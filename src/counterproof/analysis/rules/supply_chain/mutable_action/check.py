"""The check of `mutable-action`."""

import re
from collections.abc import Iterator

from counterproof.analysis.dependencies.supplies import Concern, Supplies

_AT_STAKE = (
    (re.compile(r"secrets\.(?!GITHUB_TOKEN\b)\w", re.IGNORECASE), "it is given secrets"),
    (re.compile(r"^\s{0,40}(?:[\w-]{1,40}:\s{0,10}write|permissions:\s{0,10}write-all)\b", re.MULTILINE), "it may write"),
    (re.compile(r"\bpull_request_target\b"), "it runs on changes of strangers with the rights of the project"),
)
_NAMED = 5


def check(supplies: Supplies) -> Iterator[Concern]:
    moving = [each for each in supplies.references if each.kind == "action" and not each.fixed]
    stake = next((why for pattern, why in _AT_STAKE if pattern.search(supplies.text)), "") if moving else ""
    if stake:
        names = ", ".join(each.text for each in moving[:_NAMED]) + (" …" if len(moving) > _NAMED else "")
        yield Concern(
            moving[0].line,
            f"Third-party actions not pinned to a commit: {len(moving)}",
            f"Their owner, or anyone who takes over the account, can change what the workflow runs, and {stake}: {names}.",
        )
