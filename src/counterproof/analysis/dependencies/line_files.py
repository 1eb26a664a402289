"""Manifests and locks that are read line by line: Yarn, pnpm, Bun, Gradle, Go and Bundler.

Invariant: one pattern per format finds every entry, and nothing is run: a Gemfile and a build script are programs, so only their
literal lines count. Not handled here: formats with a parser.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from counterproof.analysis.dependencies.manifest import Declared, FetchedFrom, Manifest, Role

MAX_LOCKED = 50_000
MAX_TEXT = 8_000_000
_EXACT = re.compile(r"(?:v?\d[\w.+-]{0,100})(?<!\+)")
_REPOSITORY = re.compile(r"\b(?:git|github|bitbucket|gist|path)(?::|['\"]?[ \t]{0,5}=>)[ \t]{0,10}['\"]([^'\"]{1,300})")
_COMMIT = re.compile(r"\bref(?::|[ \t]{0,5}=>)[ \t]{0,10}['\"][0-9a-f]{40}['\"]")
_REPLACED = re.compile(r"^(?:replace)?[ \t]{0,20}(\S{1,300})(?:[ \t]{1,10}v\S{1,150})?[ \t]{1,10}=>", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Format:
    """`entry` matches a dependency, with its name and version, inside a `part` if the format has parts; `tools` matches the parts
    for development."""

    ecosystem: str
    role: Role
    entry: re.Pattern[str]
    part: re.Pattern[str] | None = None
    tools: re.Pattern[str] | None = None


def _lines(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.MULTILINE)


_GRADLE = Format(
    "maven",
    Role.DECLARES,
    _lines(
        r"^[ \t]{0,40}(?:(?P<tool>(?:test|androidTest)\w{1,30})|implementation|api|(?:compile|runtime)(?:Only)?"
        r"|annotationProcessor|kapt|classpath|developmentOnly|providedCompile|debugImplementation)[ \t(]{1,5}(?:\w{1,20}\()?"
        r"(?:group[ \t:=]{1,5})?['\"](?P<name>[\w.-]{1,200})(?::|['\"][ \t,]{1,5}name[ \t:=]{1,5}['\"])(?P<artifact>[\w.-]{1,99})"
        r"(?:(?::|['\"][ \t,]{1,5}version[ \t:=]{1,5}['\"])(?P<version>[^'\"@:\n]{1,100}))?['\"@:]"
    ),
)
_GEMFILE = Format(
    "rubygems",
    Role.DECLARES,
    _lines(
        r"^[ \t]{0,40}gem[ \t(]{1,5}['\"](?P<name>[\w.-]{1,100})['\"]"
        r"(?:[ \t]{0,5},[ \t]{0,10}['\"](?P<version>[^'\"\n]{1,60})['\"])?(?P<more>[^\n]{0,400})"
    ),
    tools=_lines(
        r"^[ \t]{0,40}group[ \t(]{1,5}(?:[ \t,]{0,3}:(?:test|development|ci|lint)\b){1,4}[ \t)]{0,3}do\b"
        r"(?:\n[ \t][^\n]*|\n(?=\n))*+"
    ),
)
_GEMFILE_LOCK = Format(
    "rubygems",
    Role.LOCKS,
    _lines(r"^    (?P<name>[\w.-]{1,100}) \((?P<version>[^)\s]{1,100})\)$"),
    _lines(r"^GEM$(?:\n[ \t][^\n]*)*+"),
)
FORMATS = {
    "yarn.lock": Format(
        "npm",
        Role.LOCKS,
        _lines(
            r"^\"?(?P<name>@?[^@\"\s#]{1,214})@(?![^\n]{0,500}@workspace:)[^\n]{0,2500}:\n(?:  [^\n]{0,400}\n){0,3}?"
            r"  version:? \"?(?P<version>[^\"\s]{1,200})"
        ),
    ),
    "pnpm-lock.yaml": Format(
        "npm",
        Role.LOCKS,
        _lines(r"^  ['\"]?/?(?P<name>@?[^@'\"\s/]{1,214}(?:/[^@'\"\s/]{1,214})?)[@/](?P<version>\d[^('\":_\s]{0,100})"),
        _lines(r"^packages:[^\n]*(?:\n(?:[ \t][^\n]*)?(?=\n|\Z))*+"),
    ),
    "bun.lock": Format(
        "npm",
        Role.LOCKS,
        _lines(r"^    \"[^\"\n]{1,300}\": \[\"(?P<name>@?[^@\"\s]{1,214})@(?P<version>\d[^\"\s]{0,100})\""),
    ),
    "go.mod": Format(
        "go",
        Role.DECLARES,
        _lines(r"^(?:require)?[ \t]{1,20}(?P<name>(?=[^\s/]*\.)[\w.~+/-]{1,300})[ \t]{1,10}(?P<version>v[\w.+-]{1,150})"),
        _lines(r"^require\b(?:[ \t]{0,5}\((?:\n(?!\))[^\n]*)*+|[^\n]*)"),
    ),
    "build.gradle": _GRADLE,
    "build.gradle.kts": _GRADLE,
    "gradle.lockfile": Format(
        "maven",
        Role.LOCKS,
        _lines(r"^(?P<name>[\w.-]{1,200}:[\w.-]{1,200}):(?P<version>[^=\s]{1,100})="),
    ),
    "Gemfile": _GEMFILE,
    "gems.rb": _GEMFILE,
    "Gemfile.lock": _GEMFILE_LOCK,
    "gems.locked": _GEMFILE_LOCK,
}


def read_lines(path: str, text: str) -> Manifest:
    """Any of these files, by its name."""
    form = FORMATS[path.rpartition("/")[2]]
    return Manifest(path, form.role, tuple(islice(_entries(form, text[:MAX_TEXT]), MAX_LOCKED)), ecosystem=form.ecosystem)


def _entries(form: Format, text: str) -> Iterator[Declared]:
    parts = [found.span() for found in form.part.finditer(text)] if form.part else [(0, len(text))]
    tools = [found.span() for found in form.tools.finditer(text)] if form.tools else []
    replaced = {found[1] for found in _REPLACED.finditer(text)} if form.ecosystem == "go" else set[str]()
    line, at = 1, 0
    for found in (found for start, end in parts for found in form.entry.finditer(text, start, end)):
        line, at = line + text.count("\n", at, found.start()), found.start()
        development = any(start <= at < end for start, end in tools)
        yield _declared(form, found.groupdict(""), line, development, replaced)


def _declared(form: Format, found: dict[str, str], line: int, development: bool, replaced: set[str]) -> Declared:
    name = ":".join(each for each in (found["name"], found.get("artifact", "")) if each)
    wanted, more = found["version"].removeprefix("=").strip(), found.get("more", "")
    if form.role is Role.LOCKS:
        return Declared(name, wanted, True, line, verified=True)
    development = development or bool(found.get("tool")) or re.search(r"\bgroups?:[ \t]{0,5}\[?:(?:test|dev)", more) is not None
    if place := _REPOSITORY.search(more):
        fixed = _COMMIT.search(more) is not None
        origin = FetchedFrom.PATH if place[0].startswith("path") else FetchedFrom.REPOSITORY
        return Declared(name, wanted or place[1], fixed, line, origin, place[1], fixed, development)
    if name in replaced:  # by another module, version or folder
        return Declared(name, "*", False, line, FetchedFrom.PATH, verified=True)
    return Declared(name, wanted or "*", _EXACT.fullmatch(wanted) is not None, line, development=development)
