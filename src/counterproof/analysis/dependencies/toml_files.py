"""Manifests and locks written in TOML: pyproject.toml, Pipfile, poetry.lock, uv.lock, pdm.lock.

Values come from the standard parser, line numbers from a scan of the text, because the parser gives none. A file that does not
parse, or whose lines are too long for hand-written text, is reported and not read.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.dependencies.manifest import Declared, FetchedFrom, IndexOption, Manifest, Role
from counterproof.analysis.dependencies.plain_data import Table, as_list, as_table
from counterproof.analysis.dependencies.requirement import normal_name, parse_requirement
from counterproof.analysis.syntax.structured import parsed_toml

MAX_LINE = 20_000
_MAX_DECLARED = 20_000
_QUOTED = re.compile(r"\"([^\"\\]{1,500})\"|'([^']{1,500})'")
_KEY = re.compile(r"[ \t]*[\"']?([A-Za-z0-9][A-Za-z0-9._-]{0,100})[\"']?[ \t]*[=.]")
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}", re.IGNORECASE)


class _Lines:
    """The first lines of keys and quoted strings."""

    def __init__(self, text: str) -> None:
        self.keys: dict[str, int] = {}
        self.quoted: dict[str, int] = {}
        self.packages: list[int] = []
        in_package = False
        for number, line in enumerate(text.split("\n"), start=1):
            if line.startswith("[["):
                in_package = line.strip() == "[[package]]"
            elif in_package and line.startswith("name"):
                self.packages.append(number)
                in_package = False
            if key := _KEY.match(line):
                self.keys.setdefault(normal_name(key[1]), number)
            for found in _QUOTED.finditer(line):
                self.quoted.setdefault(found[1] or found[2], number)

    def of_text(self, text: str) -> int:
        return self.quoted.get(text, 1)

    def of_key(self, key: str) -> int:
        return self.keys.get(normal_name(key), 1)


def read_toml(path: str, text: str) -> Manifest:
    """Any of the TOML files, by its name."""
    role = Role.LOCKS if path.endswith(".lock") else Role.DECLARES
    if any(len(line) > MAX_LINE for line in text.split("\n")):
        return Manifest(path, role, problems=(f"{path} has lines too long to be read",))
    try:
        data: Table = parsed_toml(text)
    except ValueError:
        return Manifest(path, role, problems=(f"{path} is not valid TOML and was not read",))
    lines = _Lines(text)
    if role is Role.LOCKS:
        return Manifest(path, role, tuple(_locked(data, lines))[:_MAX_DECLARED])
    if path.endswith("Pipfile"):
        declared = [*_table(data.get("packages"), lines, False), *_table(data.get("dev-packages"), lines, True)]
        return Manifest(path, role, tuple(declared[:_MAX_DECLARED]), tuple(_sources(data.get("source"), lines)))
    return _pyproject(path, data, lines)


def _pyproject(path: str, data: Table, lines: _Lines) -> Manifest:
    project, tool = as_table(data.get("project")), as_table(data.get("tool"))
    poetry = as_table(tool.get("poetry"))
    declared = [*_requirements(project.get("dependencies"), lines, False)]
    for group in as_table(project.get("optional-dependencies")).values():
        declared += _requirements(group, lines, True)
    for groups in (data.get("dependency-groups"), as_table(tool.get("pdm")).get("dev-dependencies")):
        for group in as_table(groups).values():
            declared += _requirements(group, lines, True)
    declared += _requirements(as_table(tool.get("uv")).get("dev-dependencies"), lines, True)
    declared += _table(poetry.get("dependencies"), lines, False)
    declared += _table(poetry.get("dev-dependencies"), lines, True)
    for group in as_table(poetry.get("group")).values():
        declared += _table(as_table(group).get("dependencies"), lines, True)
    declared += _uv_sources(as_table(as_table(tool.get("uv")).get("sources")), lines)
    options = [*_sources(poetry.get("source"), lines), *_sources(as_table(tool.get("uv")).get("index"), lines)]
    options += _sources(as_table(tool.get("pdm")).get("source"), lines)
    packaged = "build-system" in data and bool(project.get("name") or poetry.get("name"))
    return Manifest(path, Role.DECLARES, tuple(declared[:_MAX_DECLARED]), tuple(options), packaged=packaged)


def _requirements(value: object, lines: _Lines, development: bool) -> Iterator[Declared]:
    for text in as_list(value):
        if isinstance(text, str):
            requirement = parse_requirement(text, lines.of_text(text), development)
            if requirement:
                yield requirement


def _table(value: object, lines: _Lines, development: bool) -> Iterator[Declared]:
    """Poetry and Pipfile tables: name = "constraint" or name = { version, git, url, path, … }."""
    for name, wanted in as_table(value).items():
        if name.lower() == "python":
            continue
        detail = as_table(wanted)
        version = wanted if isinstance(wanted, str) else str(detail.get("version", "*"))
        line = lines.of_key(name)
        if "git" in detail or "url" in detail or "file" in detail or "path" in detail:
            yield _elsewhere(name, detail, line, development)
        else:
            exact = re.fullmatch(r"(?:={0,3})[ ]{0,3}([0-9][A-Za-z0-9.!+_-]{0,60})", version)
            yield Declared(normal_name(name), exact[1] if exact else version, exact is not None, line, development=development)


def _elsewhere(name: str, detail: Table, line: int, development: bool) -> Declared:
    if "git" in detail:
        commit = str(detail.get("rev") or detail.get("ref") or "")
        verified = _COMMIT.fullmatch(commit) is not None
        reference = commit or str(detail.get("tag") or detail.get("branch") or "")
        address = f"{detail['git']}@{reference}" if reference else str(detail["git"])
        return Declared(normal_name(name), address, verified, line, FetchedFrom.REPOSITORY, address, verified, development)
    if "url" in detail or str(detail.get("file", "")).startswith(("http:", "https:")):
        address = str(detail.get("url") or detail.get("file"))
        verified = "hash" in detail or "hashes" in detail or "#sha256=" in address
        return Declared(normal_name(name), address, verified, line, FetchedFrom.URL, address, verified, development)
    address = str(detail.get("path") or detail.get("file"))
    return Declared(normal_name(name), address, True, line, FetchedFrom.PATH, address, True, development)


def _uv_sources(sources: Table, lines: _Lines) -> Iterator[Declared]:
    for name, source in sources.items():
        detail = as_table(source)
        if "git" in detail or "url" in detail:
            place = str(detail.get("git") or detail.get("url"))
            yield _elsewhere(name, detail, lines.of_text(place), False)


def _sources(value: object, lines: _Lines) -> Iterator[IndexOption]:
    for source in map(as_table, as_list(value)):
        url = str(source.get("url", ""))
        if url:
            yield IndexOption("index", url, lines.of_text(url))
            if source.get("verify_ssl") is False:
                yield IndexOption("trusted host", url, lines.of_key("verify_ssl"))


def _locked(data: Table, lines: _Lines) -> Iterator[Declared]:
    packages = [each for each in map(as_table, as_list(data.get("package"))) if each.get("name")]
    for index, package in enumerate(packages):
        line = lines.packages[index] if index < len(lines.packages) else 1
        source = as_table(package.get("source"))
        if any(kind in source for kind in ("editable", "virtual", "directory")) or source.get("type") == "directory":
            continue
        git = source.get("git") or package.get("git") or (source.get("url") if source.get("type") == "git" else None)
        origin = FetchedFrom.REPOSITORY if git else FetchedFrom.INDEX
        name, version = normal_name(str(package["name"])), str(package.get("version", "*"))
        yield Declared(name, version, True, line, origin, str(git or ""), verified=True)
