"""One requirement as pip and PEP 508 write it: `name[extra] >=1,<2 ; marker`, `name @ url`, or a URL alone."""

import re

from counterproof.analysis.dependencies.manifest import Declared, FetchedFrom

MAX_REQUIREMENT = 4_000

_NAMED = re.compile(
    r"([A-Za-z0-9](?:[A-Za-z0-9._-]{0,100}[A-Za-z0-9])?)[ \t]{0,10}(?:\[[^\[\]]{0,300}\])?[ \t]{0,10}(.*)", re.DOTALL
)
_EXACT = re.compile(r"={2,3}[ \t]{0,5}([A-Za-z0-9.!+_-]{1,100})")
_CONSTRAINT = re.compile(r"[<>=!~^]")
_ADDRESS = re.compile(r"(?:(?:git|hg|svn|bzr)\+)?[a-z][a-z0-9+.-]{1,20}:(?://)?\S*", re.IGNORECASE)
_REPOSITORY = re.compile(r"(?:git|hg|svn|bzr)\+|git@|git://|ssh://", re.IGNORECASE)
_COMMIT = re.compile(r"@([0-9a-f]{40}|[0-9a-f]{64})(?:[#?].*)?$", re.IGNORECASE)
_FRAGMENT_HASH = re.compile(r"#(?:[^#]{0,200}&)?(?:sha256|sha384|sha512)=[0-9a-f]{64,128}", re.IGNORECASE)
_EGG = re.compile(r"[#&]egg=([A-Za-z0-9._-]{1,100})")
_NOT_A_NAME = re.compile(r"[-_.]+")


def normal_name(name: str) -> str:
    """The normalised name of a package in an index."""
    return _NOT_A_NAME.sub("-", name).lower()


def parse_requirement(text: str, line: int, development: bool = False) -> Declared | None:
    """The requirement, or None if the text is not one (a path to the project itself, a malformed line)."""
    text = text[:MAX_REQUIREMENT].strip()
    hashed = "--hash" in text
    text = re.split(r"[ \t]--(?:hash|config-settings|global-option|install-option)", text, maxsplit=1)[0]
    if _ADDRESS.match(text):
        return _at_address("", text.partition(" ;")[0].strip(), line, hashed, development)
    found = _NAMED.match(text)
    if not found or text.startswith((".", "/")):
        return None
    name, rest = found[1], found[2]
    if rest.startswith("@"):
        return _at_address(name, rest[1:].partition(" ;")[0].strip(), line, hashed, development)
    if "/" in rest.partition(";")[0]:
        return None
    return _from_index(name, rest.partition(";")[0].strip().strip("()"), line, hashed, development)


def _from_index(name: str, constraint: str, line: int, hashed: bool, development: bool) -> Declared | None:
    if constraint and not _CONSTRAINT.match(constraint):
        return None
    exact = _EXACT.fullmatch(constraint)
    pinned = exact is not None and "*" not in constraint
    version = exact[1] if exact and pinned else constraint or "*"
    return Declared(normal_name(name), version, pinned, line, verified=hashed, development=development)


def _at_address(name: str, address: str, line: int, hashed: bool, development: bool) -> Declared | None:
    repository = _REPOSITORY.match(address) is not None
    if address.startswith("file:") or (not repository and "://" not in address):
        origin, verified = FetchedFrom.PATH, True
    elif repository:
        origin, verified = FetchedFrom.REPOSITORY, _COMMIT.search(address) is not None
    else:
        origin, verified = FetchedFrom.URL, hashed or _FRAGMENT_HASH.search(address) is not None
    name = name or _name_in(address)
    if not name:
        return None
    return Declared(normal_name(name), address, verified, line, origin, address, verified, development)


def _name_in(address: str) -> str:
    egg = _EGG.search(address)
    if egg:
        return egg[1]
    last = address.partition("#")[0].partition("?")[0].rstrip("/").rpartition("/")[2]
    last = last.partition("@")[0] if not last.startswith("git@") else last
    last = re.sub(r"\.(?:git|zip|whl|tar\.gz|tar\.bz2|tgz)$", "", last)
    found = re.match(r"([A-Za-z0-9][A-Za-z0-9._]{0,100}?(?:-[A-Za-z][A-Za-z0-9._]{0,60}){0,8})(?:-[0-9].{0,100})?$", last)
    return found[1] if found else ""
