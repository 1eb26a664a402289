"""Applications whose next installation may differ from the one that was tested.

## What it finds
A manifest of an application that is deployed from this tree (a container file, a process file, a settings module beside it) and
that no lock or constraints file fixes, where at least half of what it needs to run has no exact version, or where all but a tenth
have one and the rest was forgotten. One finding that names every such manifest.

## Why it matters
The next installation may bring other code than was tested, also a release that an attacker published yesterday.

## What is safe
A lock file, exact versions, or a constraints file. Libraries are meant to be loose, and so is what a lock compiler reads (`.in`).

## Limits
Whether the deployment really installs from this manifest is judged by the files beside it. Manifests that are partly
exact by choice are recorded with the count and not reported.
"""

import posixpath
from collections.abc import Iterator

from counterproof.analysis.dependencies.ecosystems import LOCKED_ECOSYSTEMS
from counterproof.analysis.dependencies.manifest import Role
from counterproof.analysis.dependencies.supplies import Concern, Supplies, loose
from counterproof.analysis.ruleset import Impact, Severity, SupplyRule

_LOCKERS = {
    "pypi": "uv, poetry, pip-compile with hashes",
    "npm": "package-lock.json, yarn.lock or pnpm-lock.yaml, with npm ci",
    "packagist": "composer.lock",
    "rubygems": "Gemfile.lock, with a frozen bundle",
}
_NAMED = 8
_COMPILED_FROM = ".in"
"""What a lock compiler reads is loose by design; what it writes is judged."""


def _check(supplies: Supplies) -> Iterator[Concern]:
    manifest = supplies.manifest
    if manifest is None or manifest.ecosystem not in LOCKED_ECOSYSTEMS or manifest.role is Role.LOCKS:
        return
    if manifest.path.endswith(_COMPILED_FROM):
        return
    found = loose(manifest)
    total = sum(1 for each in manifest.declared if not each.development)
    telling = 2 * len(found) >= total or 10 * len(found) <= total
    if not found or not telling or not supplies.is_deployed() or supplies.is_locked() or _is_fixed_beside(supplies):
        return
    names = ", ".join(each.name for each in found[:_NAMED]) + (" …" if len(found) > _NAMED else "")
    yield Concern(
        found[0].line,
        f"Dependencies not pinned: {len(found)} of {total}",
        f"The next installation may bring other code than was tested, also a release that an attacker published: {names}.",
        f"Pin exact versions in a lock file ({_LOCKERS[manifest.ecosystem]}) and install from it.",
    )


def _is_fixed_beside(supplies: Supplies) -> bool:
    """Whether another file of the same folder fixes all the loose ones, as constraints and compiled files do."""
    manifest = supplies.manifest
    assert manifest is not None
    beside = [each for each in supplies.siblings if each is not manifest and posixpath.dirname(each.path) == supplies.folder]
    fixed = {each.name for other in beside for each in other.declared if each.pinned}
    return all(each.name in fixed for each in loose(manifest))


RULE = SupplyRule(
    title="Dependencies not pinned",
    kind="version",
    cwe=1357,
    severity=Severity.LOW,
    posture=True,
    impact=Impact.FULL,
    consequence="The next installation may bring other code than was tested.",
    remedy="Pin exact versions in a lock file and install from it.",
    check=_check,
    once=True,
)
