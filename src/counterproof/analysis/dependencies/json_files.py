"""Manifests and locks in JSON: package.json, package-lock.json, composer.json, composer.lock, Pipfile.lock.

Invariant: a version counts as exact only if it is written exactly, and nothing is run. A value of an unexpected type is treated
as absent. Not handled here: problems in a manifest.
"""

import re
from collections.abc import Iterator
from itertools import islice

from counterproof.analysis.dependencies.manifest import Declared, FetchedFrom, Manifest, Role
from counterproof.analysis.dependencies.plain_data import Spots, Table, as_list, as_table, parsed
from counterproof.analysis.dependencies.requirement import normal_name

MAX_LOCKED = 50_000
_EXACT = re.compile(r"[=v]{0,2}(\d{1,9}(?:\.\d{1,9}){2,3}(?:[-+][\w.+-]{1,100})?)")
_REPOSITORY = re.compile(
    r"(?:git(?:\+\w{2,8})?|github|gitlab|bitbucket|gist|ssh):|git@|[\w.-]{1,100}/[\w.-]{1,100}(?:#.{0,100})?$|.{1,300}\.git(?:#.{0,100})?$"
)
_COMMIT = re.compile(r"#[0-9a-f]{40}$")
_NPM_LOCK = ("npm", Role.LOCKS, (("packages", False), ("dependencies", False)))
SECTIONS = {
    "package.json": (
        "npm",
        Role.DECLARES,
        (("dependencies", False), ("optionalDependencies", False), ("peerDependencies", True), ("devDependencies", True)),
    ),
    "package-lock.json": _NPM_LOCK,
    "npm-shrinkwrap.json": _NPM_LOCK,
    "composer.json": ("packagist", Role.DECLARES, (("require", False), ("require-dev", True))),
    "composer.lock": ("packagist", Role.LOCKS, (("packages", False), ("packages-dev", True))),
    "Pipfile.lock": ("pypi", Role.LOCKS, (("default", False), ("develop", True))),
}
"""By file name: the ecosystem, the role, and the keys with the dependencies, each with whether they are for development."""


def read_json(path: str, text: str) -> Manifest:
    """Any of these files, by its name."""
    ecosystem, role, sections = SECTIONS[path.rpartition("/")[2]]
    data = parsed(text)
    if data is None:
        return Manifest(path, role, problems=(f"{path} is not valid JSON and was not read",), ecosystem=ecosystem)
    spots = Spots(text)
    read = _locked if role is Role.LOCKS else _declared
    declared = (
        found
        for section, development in sections
        if spots.enter(section) and not (section == "dependencies" and "packages" in data)  # the same again, for old programs
        for name, row, line in _rows(data.get(section), spots)
        if (found := read(ecosystem, name, row, line, development))
    )
    return Manifest(path, role, tuple(islice(declared, MAX_LOCKED)), ecosystem=ecosystem)


def _rows(section: object, spots: Spots) -> Iterator[tuple[str, Table, int]]:
    """Names with their tables and lines, in the order of the file; a lock of npm may nest them."""
    for each in map(as_table, as_list(section)):
        if name := str(each.get("name", "")):
            yield name, each, spots.line(name, value=True)
    pending = list(reversed(as_table(section).items()))
    while pending:
        name, detail = pending.pop()
        row: Table = {"version": detail} if isinstance(detail, str) else as_table(detail)
        if name:
            yield name, row, spots.line(name)
        inner = as_table(row.get("dependencies"))
        pending.extend((key, inner[key]) for key in reversed(inner) if isinstance(inner[key], dict))


def _locked(ecosystem: str, key: str, row: Table, line: int, development: bool) -> Declared | None:
    name, version = key.rpartition("node_modules/")[2], row.get("version")
    if not name or not isinstance(version, str) or row.get("link") is True:
        return None
    origin = FetchedFrom.REPOSITORY if str(row.get("resolved", "")).startswith("git") else FetchedFrom.INDEX
    name = normal_name(name) if ecosystem == "pypi" else name
    development = development or row.get("dev") is True
    return Declared(name, version.lstrip("=v"), True, line, origin, verified=True, development=development)


def _declared(ecosystem: str, name: str, row: Table, line: int, development: bool) -> Declared | None:
    version = row.get("version")
    if not isinstance(version, str) or (ecosystem == "packagist" and "/" not in name):  # php itself, and its extensions
        return None
    wanted = version.strip()[:500]
    if wanted.startswith("npm:"):
        wanted = wanted.rpartition("@")[2]
    if wanted.startswith(("file:", "link:", "workspace:", "portal:", "catalog:", ".", "/")):
        return Declared(name, wanted, False, line, FetchedFrom.PATH, wanted, True, development)
    if wanted.startswith(("http://", "https://")) and not wanted.endswith(".git"):
        return Declared(name, wanted, False, line, FetchedFrom.URL, wanted, False, development)
    if _REPOSITORY.match(wanted):
        fixed = _COMMIT.search(wanted) is not None
        return Declared(name, wanted, fixed, line, FetchedFrom.REPOSITORY, wanted, fixed, development)
    exact = _EXACT.fullmatch(wanted)
    return Declared(name, exact[1] if exact else wanted or "*", exact is not None, line, development=development)
