"""Select the records that name a package of the project from an export of hundreds of thousands.

Invariant: every document is examined, but only those with such a package are parsed; ecosystems and dates are counted over all.
Not handled here: whether a version is affected.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from counterproof.analysis.dependencies.osv.archive import documents
from counterproof.analysis.dependencies.osv.record import Advisory, advisories_in, ecosystem_of, package_name

_NAME = re.compile(rb'"name"\s{0,50}:\s{0,50}"((?:[^"\\]|\\.){1,400})"')
_ECOSYSTEM = re.compile(rb'"ecosystem"\s{0,50}:\s{0,50}"([^"\\]{1,200})"')
_MODIFIED = re.compile(rb'"modified"\s{0,50}:\s{0,50}"(\d{4}-\d{2}-\d{2})')
MAX_PROBLEMS = 5
_EVERY = 500

Package = tuple[str, str]
"""Ecosystem and name."""


@dataclass(slots=True)
class Selection:
    """The records for the wanted packages. `newest` gives, per ecosystem, the date of its latest record."""

    advisories: dict[Package, list[Advisory]] = field(default_factory=dict[Package, list[Advisory]])
    records: dict[str, int] = field(default_factory=dict[str, int])
    newest: dict[str, str] = field(default_factory=dict[str, str])
    unread: int = 0
    problems: list[str] = field(default_factory=list[str])


def select(path: Path, wanted: frozenset[Package], checkpoint: Callable[[], None]) -> Selection:
    """Read the export once."""
    selection = Selection()
    for number, document in enumerate(documents(path)):
        if number % _EVERY == 0:
            checkpoint()
        found = advisories_in(document.content) if not document.problem and _names_any(document.content, wanted) else iter(())
        if document.problem or found is None or not _counted(selection, document.content):
            _left_out(selection, document.name, document.problem or "it is not an OSV record")
            continue
        for advisory in found:
            _keep(selection, advisory, wanted)
    return selection


def _left_out(selection: Selection, name: str, why: str) -> None:
    selection.unread += 1
    if len(selection.problems) < MAX_PROBLEMS:
        selection.problems.append(f"{name[:100]}: {why}")


def _counted(selection: Selection, content: bytes) -> bool:
    """Record the ecosystems and date of a document; False if it is not in the format at all."""
    dates = _MODIFIED.findall(content)
    if not dates:
        return False
    latest = max(dates).decode("ascii")
    for name in sorted({each.decode("utf-8", "replace") for each in _ECOSYSTEM.findall(content)}):
        ecosystem = ecosystem_of(name)
        if ecosystem:
            selection.records[ecosystem] = selection.records.get(ecosystem, 0) + 1
            selection.newest[ecosystem] = max(selection.newest.get(ecosystem, ""), latest)
    return True


def _names_any(content: bytes, wanted: frozenset[Package]) -> bool:
    """Return True if a document names a wanted package in any ecosystem; cheaper than parsing it."""
    ecosystems = {ecosystem_of(each.decode("utf-8", "replace")) for each in _ECOSYSTEM.findall(content)}
    names = {_text(each) for each in _NAME.findall(content)}
    return any((ecosystem, package_name(ecosystem, name)) in wanted for ecosystem in ecosystems for name in names)


def _text(raw: bytes) -> str:
    if b"\\" not in raw:
        return raw.decode("utf-8", "replace")
    try:
        return str(json.loads(b'"' + raw + b'"'))
    except ValueError:
        return ""


def _keep(selection: Selection, advisory: Advisory, wanted: frozenset[Package]) -> None:
    packages = {(each.ecosystem, each.name) for each in advisory.affected}
    for package in sorted(packages & wanted):
        selection.advisories.setdefault(package, []).append(advisory)
