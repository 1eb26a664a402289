"""One OSV record as we use it. The data come from outside: every field is checked and bounded, what does not fit is absent.

Does not belong here: whether a version is affected.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.dependencies.osv.scores import severity_of
from counterproof.analysis.dependencies.plain_data import Table, as_list, as_table
from counterproof.analysis.dependencies.requirement import normal_name
from counterproof.analysis.dependencies.versions import MAX_VERSION
from counterproof.model.severity import Severity

MAX_ID = 100
MAX_ALIASES = 200
MAX_AFFECTED = 5_000
MAX_RANGES = 500
MAX_EVENTS = 2_000
MAX_VERSIONS = 50_000
ECOSYSTEMS = {"PyPI": "pypi", "npm": "npm", "Maven": "maven", "Go": "go", "Packagist": "packagist", "RubyGems": "rubygems"}
"""OSV's names for the ecosystems that we read, and ours."""
EVENTS = ("introduced", "fixed", "last_affected", "limit")


@dataclass(frozen=True, slots=True)
class Event:
    """A turn in a range: at this version it begins or ends."""

    kind: str
    version: str


@dataclass(frozen=True, slots=True)
class Affected:
    """One package and which of its versions are affected: those listed, and those inside a range."""

    ecosystem: str
    name: str
    versions: tuple[str, ...]
    ranges: tuple[tuple[Event, ...], ...]


@dataclass(frozen=True, slots=True)
class Advisory:
    """`severity` is None where the record gives none that can be read. `malicious`: the package itself is an attack."""

    id: str
    aliases: tuple[str, ...]
    summary: str
    severity: Severity | None
    affected: tuple[Affected, ...]
    malicious: bool = False


def ecosystem_of(name: str) -> str:
    """Our name for OSV's, which may carry a suffix as in 'Maven:https://…'; '' for those that we do not read."""
    return ECOSYSTEMS.get(name.partition(":")[0], "")


def package_name(ecosystem: str, name: str) -> str:
    """The one spelling under which a package is compared."""
    if ecosystem == "pypi":
        return normal_name(name)
    return name.lower() if ecosystem == "packagist" else name


def advisories_in(content: bytes) -> Iterator[Advisory] | None:
    """The records of a document: one, a list, or a list under 'vulns'. None where it is no JSON. Withdrawn ones are left out."""
    try:
        data: object = json.loads(content)
    except (ValueError, RecursionError):
        return None
    listed = as_list(data) or as_list(as_table(data).get("vulns"))
    rows = listed or [data]
    return (found for row in rows if (found := _advisory(as_table(row))) is not None)


def _advisory(row: Table) -> Advisory | None:
    identity = row.get("id")
    if not isinstance(identity, str) or not identity.strip() or len(identity) > MAX_ID or row.get("withdrawn"):
        return None
    affected = [_affected(as_table(each)) for each in as_list(row.get("affected"))[:MAX_AFFECTED]]
    summary = row.get("summary")
    return Advisory(
        identity,
        _texts(row.get("aliases"), MAX_ALIASES, MAX_ID),
        " ".join(summary.split())[:200] if isinstance(summary, str) else "",
        severity_of(row),
        tuple(each for each in affected if each is not None),
        identity.startswith("MAL-"),
    )


def _affected(row: Table) -> Affected | None:
    package = as_table(row.get("package"))
    name, ecosystem = package.get("name"), package.get("ecosystem")
    if not isinstance(name, str) or not isinstance(ecosystem, str):
        return None
    ours = ecosystem_of(ecosystem)
    if not ours:
        return None
    ranges = [_events(as_table(each)) for each in as_list(row.get("ranges"))[:MAX_RANGES]]
    return Affected(
        ours,
        package_name(ours, name),
        _texts(row.get("versions"), MAX_VERSIONS, MAX_VERSION),
        tuple(each for each in ranges if each),
    )


def _events(row: Table) -> tuple[Event, ...]:
    """The events of a range of versions; ranges of commits say nothing about a release."""
    if row.get("type") not in ("SEMVER", "ECOSYSTEM"):
        return ()
    found: list[Event] = []
    for each in as_list(row.get("events"))[:MAX_EVENTS]:
        for kind, version in as_table(each).items():
            if kind in EVENTS and isinstance(version, str) and 0 < len(version) <= MAX_VERSION:
                found.append(Event(kind, version))
    return tuple(found)


def _texts(value: object, count: int, length: int) -> tuple[str, ...]:
    return tuple(each for each in as_list(value)[:count] if isinstance(each, str) and 0 < len(each) <= length)
