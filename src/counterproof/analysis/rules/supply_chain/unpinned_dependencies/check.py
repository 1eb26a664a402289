"""The check of `unpinned-dependencies`."""

import posixpath
from collections.abc import Iterator

from counterproof.analysis.dependencies.inventory import LOCKS
from counterproof.analysis.dependencies.manifest import Role
from counterproof.analysis.dependencies.supplies import Concern, Supplies, loose

_LOCKERS = {
    "pypi": "uv, poetry, pip-compile with hashes",
    "npm": "package-lock.json, yarn.lock or pnpm-lock.yaml, with npm ci",
    "packagist": "composer.lock",
    "rubygems": "Gemfile.lock, with a frozen bundle",
}
_NAMED = 8
_COMPILED_FROM = ".in"
"""Input of a lock compiler is loose by design; its output is checked."""


def check(supplies: Supplies) -> Iterator[Concern]:
    manifest = supplies.manifest
    if manifest is None or manifest.ecosystem not in LOCKS or manifest.role is Role.LOCKS:
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
        f"The next installation may contain untested code, including a release that an attacker published: {names}.",
        f"Pin exact versions in a lock file ({_LOCKERS[manifest.ecosystem]}) and install from it.",
    )


def _is_fixed_beside(supplies: Supplies) -> bool:
    """Return True if another file in the same folder pins all the loose dependencies, like constraints and compiled files."""
    manifest = supplies.manifest
    assert manifest is not None
    beside = [each for each in supplies.siblings if each is not manifest and posixpath.dirname(each.path) == supplies.folder]
    fixed = {each.name for other in beside for each in other.declared if each.pinned}
    return all(each.name in fixed for each in loose(manifest))
