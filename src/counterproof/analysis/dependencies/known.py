"""Every dependency with an exact version, compared with the user's vulnerability data.

Invariant: a dependency that cannot be compared (no data for the ecosystem, no exact version, a version without an order) is a
limitation, and an unchecked item; the same data give the same results. Not handled here: wording of findings.
"""

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from counterproof.analysis.dependencies import osv
from counterproof.analysis.dependencies.manifest import Declared, FetchedFrom, Manifest, Role
from counterproof.analysis.dependencies.osv.record import package_name
from counterproof.analysis.dependencies.supplies import Known, loose
from counterproof.analysis.project import Project
from counterproof.model.counting import counted
from counterproof.model.dimension import Dimension
from counterproof.model.ledger import Item, Search
from counterproof.model.location import Location, at
from counterproof.model.vulnerabilities import KNOWN_VULNERABILITIES, VulnerabilityData

STALE_DAYS = 30
SHOWN = 8

Exact = tuple[str, str, str]
"""Ecosystem, name and version."""


@dataclass(frozen=True, slots=True)
class Compared:
    """The result of the comparison, by the path of the manifest for the finding."""

    known: dict[str, tuple[Known, ...]]
    items: tuple[Item, ...] = ()
    searches: tuple[Search, ...] = ()
    limitations: tuple[str, ...] = ()


def compared(project: Project, manifests: tuple[Manifest, ...]) -> Compared:
    """Compare all manifests with the user's data; without data nothing is claimed."""
    data = project.vulnerability_data
    if data is None:
        return Compared({})
    places = _places(manifests)
    wanted = frozenset((ecosystem, name) for ecosystem, name, _ in places)
    try:
        if osv.digest_of(Path(data.path)) != data.sha256:
            return Compared({}, limitations=("Known CVEs were not checked: the vulnerability data changed during the run",))
        selection = osv.select(Path(data.path), wanted, project.checkpoint)
    except osv.UnreadableData as error:
        return Compared({}, limitations=(f"Known CVEs were not checked: {error}",))
    known, unclear = _vulnerable(places, selection)
    relevant = [each for each in manifests if each.declared]
    exact = frozenset((ecosystem, name) for ecosystem, name, _ in places)
    return Compared(
        known,
        tuple(_item(each, selection, known, _unsettled(each, exact)) for each in relevant),
        (_search(selection, known),),
        (*_about_data(data, selection, relevant), *_about_versions(relevant, selection, exact, unclear)),
    )


def _places(manifests: tuple[Manifest, ...]) -> dict[Exact, list[tuple[Manifest, Declared]]]:
    """The locations of each exact version; a declaration precedes the lock derived from it."""
    found: dict[Exact, list[tuple[Manifest, Declared]]] = {}
    for manifest in sorted(manifests, key=lambda each: (each.role is Role.LOCKS, each.path)):
        for declared in manifest.declared:
            if declared.pinned and declared.origin is FetchedFrom.INDEX:
                name = package_name(manifest.ecosystem, declared.name)
                found.setdefault((manifest.ecosystem, name, declared.version), []).append((manifest, declared))
    return found


def _vulnerable(
    places: dict[Exact, list[tuple[Manifest, Declared]]], selection: osv.Selection
) -> tuple[dict[str, tuple[Known, ...]], list[str]]:
    found: dict[str, list[Known]] = {}
    unclear: list[str] = []
    for (ecosystem, name, version), named in places.items():
        advisories = selection.advisories.get((ecosystem, name), [])
        vulnerabilities, partly = osv.matches((ecosystem, name), version, advisories)
        if partly:
            unclear.append(f"{name} {version}"[:120])
        if vulnerabilities:
            manifest, declared = _nearest(named)
            rest = tuple(dict.fromkeys(_place(*each) for each in named if each[1] is not declared))
            found.setdefault(manifest.path, []).append(Known(declared, vulnerabilities, rest))
    return {path: tuple(sorted(rows, key=lambda row: row.declared.line)) for path, rows in found.items()}, unclear


def _nearest(named: list[tuple[Manifest, Declared]]) -> tuple[Manifest, Declared]:
    """The location to report: a runtime dependency, if there is one."""
    return next((each for each in named if not each[1].development), named[0])


def _place(manifest: Manifest, declared: Declared) -> Location:
    return at(manifest.path, declared.line)


def _unsettled(manifest: Manifest, exact: frozenset[tuple[str, str]]) -> list[str]:
    """Dependencies without a known version: neither this file nor a lock contains one."""
    if manifest.role is Role.LOCKS:
        return []
    return [
        each.name for each in loose(manifest) if (manifest.ecosystem, package_name(manifest.ecosystem, each.name)) not in exact
    ]


def _item(manifest: Manifest, selection: osv.Selection, known: dict[str, tuple[Known, ...]], unsettled: list[str]) -> Item:
    judged = manifest.ecosystem in selection.records and not unsettled
    hits = len(known.get(manifest.path, ()))
    verdict = f"{hits} of its versions have known vulnerabilities" if judged else ""
    return Item(Dimension.D10, KNOWN_VULNERABILITIES, at(manifest.path, 1), judged, verdict)


def _search(selection: osv.Selection, known: dict[str, tuple[Known, ...]]) -> Search:
    query = "OSV records: " + (", ".join(f"{name} {count}" for name, count in sorted(selection.records.items())) or "none")
    hits = sum(len(rows) for rows in known.values())
    return Search(Dimension.D10, KNOWN_VULNERABILITIES, query, hits, tuple(sorted(known)))


def _about_data(data: VulnerabilityData, selection: osv.Selection, manifests: list[Manifest]) -> list[str]:
    sentences: list[str] = []
    present = sorted({each.ecosystem for each in manifests})
    for ecosystem in present:
        if ecosystem not in selection.records:
            sentences.append(f"Known CVEs of {ecosystem} packages were not checked: the vulnerability data hold no such records")
            continue
        days = _age(selection.newest.get(ecosystem, ""), data.judged_on)
        if days is not None and days > STALE_DAYS:
            sentences.append(f"The vulnerability data for {ecosystem} are {days} days old; newer CVEs were not checked")
    if selection.unread:
        first = "; ".join(selection.problems)
        sentences.append(f"{counted(selection.unread, 'document')} of the vulnerability data could not be used: {first}")
    return sentences


def _age(newest: str, today: str) -> int | None:
    try:
        return (date.fromisoformat(today) - date.fromisoformat(newest)).days
    except ValueError:
        return None


def _about_versions(
    manifests: list[Manifest], selection: osv.Selection, exact: frozenset[tuple[str, str]], unclear: list[str]
) -> list[str]:
    sentences: list[str] = []
    names = [name for each in manifests if each.ecosystem in selection.records for name in _unsettled(each, exact)]
    if names:
        sentences.append(f"Known CVEs were not checked for dependencies without an exact version: {_listed(names)}")
    if unclear:
        sentences.append(f"Some versions could not be compared with the vulnerability data: {_listed(unclear)}")
    return sentences


def _listed(names: list[str]) -> str:
    every = list(dict.fromkeys(names))
    more = f" and {len(every) - SHOWN} more" if len(every) > SHOWN else ""
    return ", ".join(every[:SHOWN]) + more
