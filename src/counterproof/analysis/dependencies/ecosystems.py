"""Which files of other ecosystems are manifests or locks, and their readers. One line per file name."""

from collections.abc import Callable

from counterproof.analysis.dependencies.jvm import read_gradle, read_gradle_lock, read_pom
from counterproof.analysis.dependencies.manifest import Manifest
from counterproof.analysis.dependencies.npm import (
    read_bun_lock,
    read_npmrc,
    read_package_json,
    read_package_lock,
    read_pnpm_lock,
    read_yarn_lock,
)
from counterproof.analysis.dependencies.other_ecosystems import (
    read_composer_json,
    read_composer_lock,
    read_gemfile,
    read_gemfile_lock,
    read_go_mod,
    read_go_sum,
)

READERS: dict[str, Callable[[str, str], Manifest]] = {
    "package.json": read_package_json,
    "package-lock.json": read_package_lock,
    "npm-shrinkwrap.json": read_package_lock,
    "yarn.lock": read_yarn_lock,
    "pnpm-lock.yaml": read_pnpm_lock,
    "bun.lock": read_bun_lock,
    ".npmrc": read_npmrc,
    "pom.xml": read_pom,
    "build.gradle": read_gradle,
    "build.gradle.kts": read_gradle,
    "gradle.lockfile": read_gradle_lock,
    "go.mod": read_go_mod,
    "go.sum": read_go_sum,
    "composer.json": read_composer_json,
    "composer.lock": read_composer_lock,
    "Gemfile": read_gemfile,
    "gems.rb": read_gemfile,
    "Gemfile.lock": read_gemfile_lock,
    "gems.locked": read_gemfile_lock,
}

LOCKS = {
    "npm": ("package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb"),
    "packagist": ("composer.lock",),
    "rubygems": ("Gemfile.lock", "gems.locked"),
    "pypi": ("poetry.lock", "uv.lock", "pdm.lock", "Pipfile.lock"),
}
"""Lock files by ecosystem. A lock file too large to be read still counts."""

LOCKED_ECOSYSTEMS = tuple(LOCKS)
"""Ecosystems whose applications should have a lock file. Maven and Go manifests contain exact versions."""
