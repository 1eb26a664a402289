"""One OSV record as used here. The data are untrusted: every field is checked and bounded, and an invalid one is treated as
absent.

Not handled here: whether a version is affected.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from counterproof.analysis.dependencies.plain_data import Table, as_list, as_table
from counterproof.analysis.dependencies.requirement import normal_name
from counterproof.analysis.dependencies.versions import MAX_VERSION
from counterproof.model.severity import Severity

_WORDS = {
    "critical": Severity.CRITICAL,
    "high": Severity.HIGH,
    "important": Severity.HIGH,
    "moderate": Severity.MEDIUM,
    "medium": Severity.MEDIUM,
    "low": Severity.LOW,
}
_VECTOR = {"N": 0.85, "A": 0.62, "L": 0.55, "P": 0.2}
_COMPLEXITY = {"L": 0.77, "H": 0.44}
_PRIVILEGES = {"N": 0.85, "L": 0.62, "H": 0.27}
_PRIVILEGES_CHANGED = {"N": 0.85, "L": 0.68, "H": 0.5}
_INTERACTION = {"N": 0.85, "R": 0.62}
_IMPACT = {"H": 0.56, "L": 0.22, "N": 0.0}
MAX_VECTOR = 300

MAX_ID = 100
MAX_ALIASES = 200
MAX_AFFECTED = 5_000
MAX_RANGES = 500
MAX_EVENTS = 2_000
MAX_VERSIONS = 50_000
ECOSYSTEMS = {"PyPI": "pypi", "npm": "npm", "Maven": "maven", "Go": "go", "Packagist": "packagist", "RubyGems": "rubygems"}
"""OSV's names for the supported ecosystems, and ours."""
EVENTS = ("introduced", "fixed", "last_affected")


@dataclass(frozen=True, slots=True)
class Event:
    """The start or end of a range, at this version."""

    kind: str
    version: str


@dataclass(frozen=True, slots=True)
class Affected:
    """One package and its affected versions: those listed, and those inside a range."""

    ecosystem: str
    name: str
    versions: tuple[str, ...]
    ranges: tuple[tuple[Event, ...], ...]


@dataclass(frozen=True, slots=True)
class Advisory:
    """`severity` is None if the record contains no readable one. `malicious`: the package itself is an attack."""

    id: str
    aliases: tuple[str, ...]
    summary: str
    severity: Severity | None
    affected: tuple[Affected, ...]
    malicious: bool = False


def ecosystem_of(name: str) -> str:
    """Our name for OSV's, which may carry a suffix as in 'Maven:https://…'; '' for unsupported ecosystems."""
    return ECOSYSTEMS.get(name.partition(":")[0], "")


def package_name(ecosystem: str, name: str) -> str:
    """The normalised name for comparing packages."""
    if ecosystem == "pypi":
        return normal_name(name)
    return name.lower() if ecosystem == "packagist" else name


def advisories_in(content: bytes) -> Iterator[Advisory] | None:
    """The records of a document: one, a list, or a list under 'vulns'. None if it is not JSON. Withdrawn ones are left out."""
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
    """The events of a version range; commit ranges say nothing about a release."""
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


def severity_of(record: Table) -> Severity | None:
    """The highest severity of the record's version 3 vectors, by the standard's formula; else the database's own severity.
    Version 4 has no formula, only a table of expert judgements."""
    given = [as_table(each) for each in as_list(record.get("severity"))[:20]]
    for affected in as_list(record.get("affected"))[:200]:
        given += [as_table(each) for each in as_list(as_table(affected).get("severity"))[:20]]
    exact = [score for each in given if (score := base_score(str(each.get("score", "")))) is not None]
    if exact:
        return level_of(max(exact))
    word = as_table(record.get("database_specific")).get("severity")
    return _WORDS.get(word.lower()) if isinstance(word, str) else None


def level_of(score: float) -> Severity:
    """The severity for a score, by the standard's scale."""
    if score >= 9.0:
        return Severity.CRITICAL
    if score >= 7.0:
        return Severity.HIGH
    return Severity.MEDIUM if score >= 4.0 else Severity.LOW


def base_score(vector: str) -> float | None:
    """The base score of a version 3.0 or 3.1 vector; None for anything else."""
    if not vector.startswith(("CVSS:3.0/", "CVSS:3.1/")):
        return None
    metrics = {name: value for name, _, value in (part.partition(":") for part in vector[:MAX_VECTOR].split("/")[1:])}
    changed = metrics.get("S") == "C"
    try:
        reach = _VECTOR[metrics["AV"]] * _COMPLEXITY[metrics["AC"]] * _INTERACTION[metrics["UI"]]
        reach *= (_PRIVILEGES_CHANGED if changed else _PRIVILEGES)[metrics["PR"]]
        kept = (1 - _IMPACT[metrics["C"]]) * (1 - _IMPACT[metrics["I"]]) * (1 - _IMPACT[metrics["A"]])
    except KeyError:
        return None
    lost = 1 - kept
    impact = 7.52 * (lost - 0.029) - 3.25 * (lost - 0.02) ** 15 if changed else 6.42 * lost
    total = min((impact + 8.22 * reach) * (1.08 if changed else 1), 10.0) if impact > 0 else 0.0
    whole = round(total * 100_000)  # rounded up to one decimal, without binary fraction errors, as the standard prescribes
    return whole / 100_000 if whole % 10_000 == 0 else ceil(whole / 10_000) / 10
