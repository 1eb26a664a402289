"""The nouns of the supply chain: what a manifest declares, where packages come from, and what could not be read."""

from dataclasses import dataclass
from enum import StrEnum


class FetchedFrom(StrEnum):
    """Where a dependency is fetched from."""

    INDEX = "package index"
    URL = "address"
    REPOSITORY = "repository"
    PATH = "path"


class Role(StrEnum):
    """What a manifest is for. A lock fixes every version; tools are needed to develop, not to run."""

    DECLARES = "declares"
    LOCKS = "locks"


@dataclass(frozen=True, slots=True)
class Declared:
    """One dependency on one line. `verified`: a hash or a commit fixes the very bytes."""

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
    """A setting that says where packages come from. `kind` is 'index', 'extra index', 'trusted host' or 'find links'."""

    kind: str
    value: str
    line: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """One file. `includes` are other requirement files it names; `packaged`: it describes a package that can be published.

    `ecosystem` is where its packages come from: pypi, npm, maven, go, packagist or rubygems."""

    path: str
    role: Role
    declared: tuple[Declared, ...] = ()
    options: tuple[IndexOption, ...] = ()
    includes: tuple[str, ...] = ()
    packaged: bool = False
    problems: tuple[str, ...] = ()
    ecosystem: str = "pypi"
