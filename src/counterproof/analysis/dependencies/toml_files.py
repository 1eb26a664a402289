"""Manifests and locks written in TOML: pyproject.toml, Pipfile, poetry.lock, uv.lock, pdm.lock.

Values come from the standard parser, line numbers from a scan of the text, because the parser gives none. A file that does not
parse, or whose lines are too long for hand-written text, is reported and not read.
"""

import re
from collections.abc import Iterator
from itertools import islice

from counterproof.analysis.dependencies.manifest import Declared, FetchedFrom, Manifest, Role
from counterproof.analysis.dependencies.plain_data import Table, as_list, as_table
from counterproof.analysis.dependencies.requirement import normal_name, parse_requirement
from counterproof.analysis.syntax.structured import parsed_toml

MAX_LINE = 20_000
_MAX_DECLARED = 20_000
_QUOTED = re.compile(r"\"([^\"\\]{1,500})\"|'([^']{1,500})'")
_KEY = re.compile(r"[ \t]*[\"']?([A-Za-z0-9][A-Za-z0-9._-]{0,100})[\"']?[ \t]*[=.]")
_EXACT = re.compile(r"={0,3}[ ]{0,3}([0-9][A-Za-z0-9.!+_-]{0,60})")
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
    read = _locked if role is Role.LOCKS else _pipfile if path.endswith("Pipfile") else _pyproject
    return Manifest(path, role, tuple(islice(read(data, _Lines(text)), _MAX_DECLARED)))


def _pipfile(data: Table, lines: _Lines) -> Iterator[Declared]:
    yield from _table(data.get("packages"), lines, False)
    yield from _table(data.get("dev-packages"), lines, True)


def _pyproject(data: Table, lines: _Lines) -> Iterator[Declared]:
    project, tool = as_table(data.get("project")), as_table(data.get("tool"))
    poetry, uv, pdm = (as_table(tool.get(each)) for each in ("poetry", "uv", "pdm"))
    yield from _requirements(project.get("dependencies"), lines, False)
    for groups in (project.get("optional-dependencies"), data.get("dependency-groups"), pdm.get("dev-dependencies")):
        for group in as_table(groups).values():
            yield from _requirements(group, lines, True)
    yield from _requirements(uv.get("dev-dependencies"), lines, True)
    yield from _table(poetry.get("dependencies"), lines, False)
    yield from _table(poetry.get("dev-dependencies"), lines, True)
    for group in as_table(poetry.get("group")).values():
        yield from _table(as_table(group).get("dependencies"), lines, True)
    sources = as_table(uv.get("sources"))
    yield from _table({name: each for name, each in sources.items() if {"git", "url"} & as_table(each).keys()}, lines, False)


def _requirements(value: object, lines: _Lines, development: bool) -> Iterator[Declared]:
    for text in as_list(value):
        if isinstance(text, str) and (requirement := parse_requirement(text, lines.of_text(text), development)):
            yield requirement


def _table(value: object, lines: _Lines, development: bool) -> Iterator[Declared]:
    """Poetry and Pipfile tables: name = "constraint" or name = { version, git, url, path, … }."""
    for name, wanted in as_table(value).items():
        detail = as_table(wanted)
        place = next((str(detail[each]) for each in ("git", "url", "file", "path") if each in detail), "")
        if place:
            yield _elsewhere(normal_name(name), place, detail, lines.of_key(name), development)
        elif name.lower() != "python":
            version = wanted if isinstance(wanted, str) else str(detail.get("version", "*"))
            exact = _EXACT.fullmatch(version)
            pinned = exact[1] if exact else version
            yield Declared(normal_name(name), pinned, exact is not None, lines.of_key(name), development=development)


def _elsewhere(name: str, place: str, detail: Table, line: int, development: bool) -> Declared:
    if "git" in detail:
        reference = next((str(detail[each]) for each in ("rev", "ref", "tag", "branch") if detail.get(each)), "")
        origin, verified = FetchedFrom.REPOSITORY, _COMMIT.fullmatch(reference) is not None
        place += f"@{reference}" if reference else ""
    elif place.startswith(("http:", "https:")):
        origin, verified = FetchedFrom.URL, "hash" in detail or "hashes" in detail or "#sha256=" in place
    else:
        origin, verified = FetchedFrom.PATH, True
    return Declared(name, place, verified, line, origin, place, verified, development)


def _locked(data: Table, lines: _Lines) -> Iterator[Declared]:
    packages = [each for each in map(as_table, as_list(data.get("package"))) if each.get("name")]
    for index, package in enumerate(packages):
        line = lines.packages[index] if index < len(lines.packages) else 1
        source = as_table(package.get("source"))
        if {"editable", "virtual", "directory"} & {*source, source.get("type")}:
            continue
        git = source.get("type") == "git" or source.get("git") or package.get("git")
        origin = FetchedFrom.REPOSITORY if git else FetchedFrom.INDEX
        yield Declared(normal_name(str(package["name"])), str(package.get("version", "*")), True, line, origin, verified=True)
