"""npm, Yarn, pnpm and Bun: package.json, package-lock.json, yarn.lock, pnpm-lock.yaml, bun.lock, .npmrc.

Invariant: a version counts as exact only if it is written exactly; lock files are read by line or as JSON, never run through a
package manager. Not handled here: problems in a manifest.
"""

import re
from collections.abc import Iterator
from itertools import islice

from counterproof.analysis.dependencies.manifest import Declared, FetchedFrom, IndexOption, Manifest, Role
from counterproof.analysis.dependencies.plain_data import Spots, Table, as_table, parsed

ECOSYSTEM = "npm"
MAX_LOCKED = 50_000
_EXACT = re.compile(r"[=v]{0,2}(\d{1,9}\.\d{1,9}\.\d{1,9}(?:[-+][\w.+-]{1,100})?)")
_REPOSITORY = re.compile(
    r"(?:git(?:\+\w{2,8})?|github|gitlab|bitbucket|gist|ssh):|git@|[\w.-]{1,100}/[\w.-]{1,100}(?:#.{0,100})?$|.{1,300}\.git(?:#.{0,100})?$"
)
_COMMIT = re.compile(r"#[0-9a-f]{40}$")
_SECTIONS = (("dependencies", False), ("optionalDependencies", False), ("peerDependencies", True), ("devDependencies", True))
_YARN_ENTRY = re.compile(r"\"?(@?[^@\"\s]{1,214})@[^:]{0,500}.{0,2000}:$")
_YARN_VERSION = re.compile(r"  version:? \"?([^\"\s]{1,200})\"?$")
_BUN_ENTRY = re.compile(r"    \"[^\"\n]{1,300}\": \[\"(@?[^@\"\s]{1,214})@(\d[^\"\s]{0,100})\"")
_PNPM_ENTRY = re.compile(r"  ['\"]?/?(@?[^@'\"\s/]{1,214}(?:/[^@'\"\s/]{1,214})?)[@/](\d[^('\":\s]{0,100})")


def read_package_json(path: str, text: str) -> Manifest:
    data = parsed(text)
    if data is None:
        return Manifest(path, Role.DECLARES, problems=(f"{path} is not valid JSON and was not read",), ecosystem=ECOSYSTEM)
    declared: list[Declared] = []
    for section, development in _SECTIONS:
        spots = Spots(text)
        if spots.enter(section):
            declared += [
                _declared(name, version, spots.line(name), development)
                for name, version in as_table(data.get(section)).items()
                if isinstance(version, str)
            ]
    return Manifest(path, Role.DECLARES, tuple(declared), packaged=_is_package(data), ecosystem=ECOSYSTEM)


def _is_package(data: Table) -> bool:
    """Return True for a library package: not private, with exports, and not started as a program."""
    if data.get("private") is True or "start" in as_table(data.get("scripts")):
        return False
    return any(key in data for key in ("main", "module", "exports", "files", "types", "bin"))


def _declared(name: str, version: str, line: int, development: bool) -> Declared:
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


def read_package_lock(path: str, text: str) -> Manifest:
    data = parsed(text)
    if data is None:
        return Manifest(path, Role.LOCKS, problems=(f"{path} is not valid JSON and was not read",), ecosystem=ECOSYSTEM)
    spots = Spots(text)
    packages = as_table(data.get("packages"))
    spots.enter("packages" if packages else "dependencies")
    rows = packages.items() if packages else _flat(as_table(data.get("dependencies")))
    declared: list[Declared] = []
    for key, detail in rows:
        row = as_table(detail)
        name = key.rpartition("node_modules/")[2]
        version = row.get("version")
        if not name or not isinstance(version, str) or row.get("link") is True or len(declared) >= MAX_LOCKED:
            continue
        line = spots.line(key)
        resolved = str(row.get("resolved", ""))
        origin = FetchedFrom.REPOSITORY if resolved.startswith("git") else FetchedFrom.INDEX
        verified = "integrity" in row or _COMMIT.search(resolved) is not None
        declared.append(Declared(name, version, True, line, origin, resolved, verified, row.get("dev") is True))
    options = tuple(IndexOption("index", each.address, each.line) for each in declared if each.address.startswith("http://"))
    return Manifest(path, Role.LOCKS, tuple(declared), options[:1], ecosystem=ECOSYSTEM)


def _flat(dependencies: Table) -> Iterator[tuple[str, object]]:
    """The nested tables of an old lock file, in file order."""
    pending = list(reversed(list(dependencies.items())))
    while pending:
        name, detail = pending.pop()
        yield name, detail
        pending.extend(reversed(list(as_table(as_table(detail).get("dependencies")).items())))


def read_yarn_lock(path: str, text: str) -> Manifest:
    declared: list[Declared] = []
    name, line = "", 0
    for number, row in enumerate(text.split("\n"), start=1):
        if row and not row[0].isspace() and not row.startswith("#"):
            found = _YARN_ENTRY.match(row[:3_000])
            name, line = (found[1], number) if found else ("", 0)
            if "@workspace:" in row or row.startswith("__metadata"):
                name = ""
        elif name and (version := _YARN_VERSION.match(row[:400])) and len(declared) < MAX_LOCKED:
            declared.append(Declared(name, version[1], True, line, verified=True))
            name = ""
    return Manifest(path, Role.LOCKS, tuple(declared), ecosystem=ECOSYSTEM)


def read_pnpm_lock(path: str, text: str) -> Manifest:
    declared: list[Declared] = []
    inside = False
    for number, row in enumerate(text.split("\n"), start=1):
        if row and not row[0].isspace():
            inside = row.startswith("packages:")
        elif inside and (found := _PNPM_ENTRY.match(row[:800])) and len(declared) < MAX_LOCKED:
            declared.append(Declared(found[1], found[2].partition("_")[0], True, number, verified=True))
    return Manifest(path, Role.LOCKS, tuple(declared), ecosystem=ECOSYSTEM)


def read_bun_lock(path: str, text: str) -> Manifest:
    rows = enumerate(text.split("\n"), start=1)
    found = ((number, match) for number, row in rows if (match := _BUN_ENTRY.match(row[:800])))
    locked = (Declared(match[1], match[2], True, number, verified=True) for number, match in found)
    return Manifest(path, Role.LOCKS, tuple(islice(locked, MAX_LOCKED)), ecosystem=ECOSYSTEM)


def read_npmrc(path: str, text: str) -> Manifest:
    """Registries and their certificate validation; tokens are not kept."""
    options: list[IndexOption] = []
    for number, row in enumerate(text.split("\n"), start=1):
        key, _, value = row.strip().partition("=")
        key, value = key.strip(), value.strip().strip("\"'")
        if key == "registry" or key.endswith(":registry"):
            options.append(IndexOption("index", value[:300], number))
        elif key == "strict-ssl" and value.lower() == "false":
            options.append(IndexOption("trusted host", "", number))
    return Manifest(path, Role.DECLARES, options=tuple(options), ecosystem=ECOSYSTEM)
