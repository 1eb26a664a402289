"""Requirement files and pip's own settings, as pip reads them: comments, line continuations, options, includes."""

import re
from collections.abc import Iterator

from counterproof.analysis.dependencies.manifest import Declared, IndexOption, Manifest, Role
from counterproof.analysis.dependencies.requirement import parse_requirement

MAX_LINES = 50_000

_OPTIONS = {
    "-i": "index",
    "--index-url": "index",
    "--pypi-url": "index",
    "--extra-index-url": "extra index",
    "--trusted-host": "trusted host",
    "-f": "find links",
    "--find-links": "find links",
}
_INCLUDES = ("-r", "--requirement", "-c", "--constraint")
_EDITABLE = ("-e", "--editable")
_OPTION = re.compile(r"(-[a-z]|--[a-z-]{1,40})(?:[ \t=]{1,10}|(?<=-[a-z])(?=\S))(\S.*)")
_COMMAND_OPTION = re.compile(
    r"(?:^|[ \t])(--(?:extra-)?index-url|--trusted-host|--find-links|-i|-f)[ \t=]{1,5}[\"']?([^\s\"']{1,500})"
)


def read_requirements(path: str, text: str, development: bool) -> Manifest:
    """A requirements or constraints file."""
    declared: list[Declared] = []
    options: list[IndexOption] = []
    includes: list[str] = []
    problems: list[str] = []
    for line, content in _logical_lines(text):
        option = _OPTION.fullmatch(content) if content.startswith("-") else None
        if option and option[1] in _INCLUDES:
            includes.append(option[2].strip("\"' "))
        elif option and option[1] in _OPTIONS:
            options.append(IndexOption(_OPTIONS[option[1]], option[2].strip("\"' "), line))
        elif not content.startswith("-") or (option and option[1] in _EDITABLE):
            requirement = parse_requirement(option[2] if option else content, line, development)
            if requirement:
                declared.append(requirement)
            elif not _is_local(option[2] if option else content):
                problems.append(f"{path}:{line} is no requirement that can be read")
    return Manifest(path, Role.DECLARES, tuple(declared), tuple(options), tuple(includes), problems=tuple(problems[:10]))


def _is_local(content: str) -> bool:
    return content.startswith((".", "/", "file:")) or "/" in content.partition("[")[0]


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines without comments, with continuations joined and the number of the first line."""
    pending = ""
    start = 0
    for number, line in enumerate(text.split("\n")[:MAX_LINES], start=1):
        bare = re.sub(r"(?:^|[ \t])#.*$", "", line.rstrip("\r")).rstrip()
        start = start or number
        if bare.endswith("\\") and len(pending) < 20_000:
            pending += bare[:-1] + " "
            continue
        content = (pending + bare).strip()
        if content:
            yield start, content
        pending, start = "", 0
    if pending.strip():
        yield start, pending.strip()


def read_pip_settings(path: str, text: str) -> Manifest:
    """`pip.conf` or `pip.ini`."""
    options: list[IndexOption] = []
    for number, line in enumerate(text.split("\n")[:MAX_LINES], start=1):
        key, equals, value = line.partition("=")
        kind = _OPTIONS.get("--" + key.strip().lower().replace("_", "-"))
        if equals and kind:
            options += [IndexOption(kind, each, number) for each in value.split()[:20]]
    return Manifest(path, Role.DECLARES, options=tuple(options))


def options_in_commands(text: str) -> tuple[IndexOption, ...]:
    """Options of `pip install` commands in scripts and container files."""
    return tuple(
        IndexOption(_OPTIONS[found[1]], found[2], number)
        for number, line in enumerate(text.split("\n")[:MAX_LINES], start=1)
        if "pip" in line and "install" in line and len(line) < 5_000 and not line.lstrip().startswith("#")
        for found in _COMMAND_OPTION.finditer(line)
    )
