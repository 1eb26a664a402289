"""Store that is open to the network beside its application.

## What it finds
In compose files: a port of a database, cache or search engine that is published on every address of the machine. Which one it is
is told by the number that the container listens on.

## Why it matters
The application needs the store on the network of the containers alone. Published, it stands open to whoever reaches the machine,
past the application and past most firewalls, with the password of the file or with none.

## What is safe
No `ports` at all, `expose`, or `127.0.0.1:` before the number.

## Limits
Numbers that are put together from variables are not judged, nor what a firewall outside lets through. Compose files that are
called after development or tests are left out.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Match, Severity
from counterproof.model.survey import FileRole

_SERVICES = re.compile(r"^services\s*:", re.M)
_PUBLISHED = re.compile(r"^\s*-\s*[\"']?(?:0\.0\.0\.0:|\[::\]:)?\d{1,5}:(\d{1,5})(?:/tcp)?[\"']?\s*$")
_STORES = frozenset({"1433", "1521", "3306", "5432", "5984", "6379", "8086", "9042", "9200", "11211", "26257", "27017"})
"""Numbers on which stores listen unless they are told otherwise."""
_COMPOSE = re.compile(r"(?:.*/)?(?:docker-)?compose[\w.-]*\.ya?ml")


def _check(project: Project, path: str) -> Iterator[Match]:
    text = project.text(path)
    file = project.files.get(path)
    if not _SERVICES.search(text) or file is None or file.role is not FileRole.RUNTIME:
        return
    for number, line in enumerate(text.split("\n"), 1):
        published = _PUBLISHED.match(re.split(r"\s#", line, maxsplit=1)[0].rstrip())
        if published and published[1] in _STORES:
            yield Match(number, number, "port of a store", "published on every address", True, Confidence.MEDIUM)


RULE = CheckRule(
    title="Store open to the network",
    kind="container",
    cwe=668,
    severity=Severity.LOW,
    posture=True,
    consequence="Whoever reaches the machine can talk to the store, past the application.",
    remedy="Publish no port of the store, or only on 127.0.0.1.",
    check=_check,
    applies=lambda path: _COMPOSE.fullmatch(path) is not None,
    query="published ports",
)
