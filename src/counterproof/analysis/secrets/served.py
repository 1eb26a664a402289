"""Whether a password opens a publicly reachable store: its address is next to it and a public network name.

Invariant: only the same line counts, or a setting of the same store in the same file; names of this machine, of a private network
or without meaning do not count. Not handled here: whether the value is a password.
"""

import re
from collections.abc import Iterable

from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.secrets.candidate import Candidate
from counterproof.analysis.secrets.secret_names import Kind
from counterproof.model.location import Location, at

_NAME = r"((?:[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?\.){1,8}[a-z]{2,24})(?![\w.-])"
_ADDRESS = re.compile(rf"\b[a-z][a-z0-9+]{{1,30}}://[^\s\"'@/]{{1,100}}:[^\s\"'@/]{{1,200}}@{_NAME}", re.IGNORECASE)
_SETTING = re.compile(
    rf"^\s*(?:export\s+|const\s+|let\s+|var\s+)?[\"']?([\w.-]{{1,60}})[\"']?\s*[:=]\s*([\"']?){_NAME}", re.IGNORECASE
)
_STORE = re.compile(r"db$|^pg|sql|database|postgres|mongo|redis")
_PLACES = vocabulary("host hostname server endpoint address")
_NOT_PUBLIC = vocabulary(
    "local localhost localdomain internal lan home corp intranet svc default cluster test example invalid docker"
)
_MADE_UP = vocabulary("your yours my host hostname server domain example xxx xxxx xxxxx changeme company")
_AROUND = 12
"""Lines that form one group of settings."""


def served_at(project: Project, candidate: Candidate) -> Location | None:
    """The location of the address."""
    if candidate.kind is not Kind.PASSWORD:
        return None
    written = _ADDRESS.search(project.line(candidate.path, candidate.line)[:2_000])
    if written is not None:
        known = candidate.value[:200] in written[0] and _is_public(written[1])
        return at(candidate.path, candidate.line) if known else None
    return _beside(project, candidate) if _of_a_store(words(candidate.name)) else None


def _beside(project: Project, candidate: Candidate) -> Location | None:
    """A nearby setting with the store's address; without quotation marks, the value is a field in code."""
    code = project.files[candidate.path].language is not None
    for number in range(max(1, candidate.line - _AROUND), candidate.line + _AROUND + 1):
        found = _SETTING.match(project.line(candidate.path, number)[:500])
        said = words(found[1]) if found else ()
        if found and (found[2] or not code) and _of_a_store(said) and set(said) & _PLACES and _is_public(found[3]):
            return at(candidate.path, number)
    return None


def _of_a_store(said: Iterable[str]) -> bool:
    return any(_STORE.search(each) for each in said)


def _is_public(name: str) -> bool:
    labels = name.lower().split(".")
    return not set(labels) & _NOT_PUBLIC and not any(set(words(each)) & _MADE_UP for each in labels[:-1])
