"""The data types of the supply chain: a manifest's declarations, package sources, and unreadable parts."""

from dataclasses import dataclass
from enum import StrEnum


class FetchedFrom(StrEnum):
    """Where a dependency is fetched from."""

    INDEX = "package index"
    URL = "address"
    REPOSITORY = "repository"
    PATH = "path"


class Role(StrEnum):
    """The purpose of a manifest. A lock fixes every version; tools are needed only for development."""

    DECLARES = "declares"
    LOCKS = "locks"


@dataclass(frozen=True, slots=True)
class Declared:
    """One dependency on one line. `verified`: a hash or a commit fixes its content."""

    name: str
    version: str
    pinned: bool
    line: int
    origin: FetchedFrom = FetchedFrom.INDEX
    address: str = ""
    verified: bool = False
    development: bool = False


@dataclass(frozen=True, slots=True)
class IndexOption:
    """A setting for the source of packages. `kind` is 'index', 'extra index' or 'trusted host'."""

    kind: str
    value: str
    line: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """One file. `includes` are other requirement files it names.

    `ecosystem` is the source of its packages: pypi, npm, maven, go, packagist or rubygems."""

    path: str
    role: Role
    declared: tuple[Declared, ...] = ()
    options: tuple[IndexOption, ...] = ()
    includes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    ecosystem: str = "pypi"
