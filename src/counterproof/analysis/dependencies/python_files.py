"""Manifests of Python: requirement files, setup.cfg and setup.py, as their tools read them.

`setup.py` is never run: only literal lists are read, and computed values are reported as unknown.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.dependencies.manifest import Declared, Manifest, Role
from counterproof.analysis.dependencies.requirement import parse_requirement
from counterproof.analysis.program.traversal import calls_in, keyword, text_of
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name

MAX_LINES = 50_000
_OPTION = re.compile(r"(-[a-z]|--[a-z-]{1,40})(?:[ \t=]{1,10}|(?<=-[a-z])(?=\S))(\S.*)")
_INCLUDES = ("-r", "--requirement", "-c", "--constraint")
_REQUIRED = ("install_requires", "tests_require")
_EDITABLE = ("-e", "--editable")


def read_requirements(path: str, text: str, development: bool) -> Manifest:
    """A requirements or constraints file."""
    declared: list[Declared] = []
    includes: list[str] = []
    problems: list[str] = []
    for line, content in _logical_lines(text):
        option = _OPTION.fullmatch(content) if content.startswith("-") else None
        if option and option[1] in _INCLUDES:
            includes.append(option[2].strip("\"' "))
        elif not content.startswith("-") or (option and option[1] in _EDITABLE):
            wanted = option[2] if option else content
            requirement = parse_requirement(wanted, line, development)
            if requirement:
                declared.append(requirement)
            elif not (wanted.startswith((".", "/", "file:")) or "/" in wanted.partition("[")[0]):
                problems.append(f"{path}:{line} is not a requirement that we can parse")
    return Manifest(path, Role.DECLARES, tuple(declared), includes=tuple(includes), problems=tuple(problems[:10]))


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


def read_setup_cfg(path: str, text: str) -> Manifest:
    """`[options] install_requires` and `[options.extras_require]`."""
    declared: list[Declared | None] = []
    section = key = ""
    for number, line in enumerate(text.split("\n"), start=1):
        value = line.strip()
        if not value or value.startswith(("#", ";")):
            continue
        if value.startswith("["):
            section, key, value = value.strip("[]").strip(), "", ""
        elif not line[0].isspace():
            key, _, value = (each.strip() for each in value.partition("="))
        wanted = section == "options.extras_require" or (section == "options" and key in _REQUIRED)
        if value and wanted:
            declared.append(parse_requirement(value, number, development=key != "install_requires"))
    return Manifest(path, Role.DECLARES, tuple(each for each in declared if each))


def read_setup_py(path: str, module: ir.Module) -> Manifest:
    """The literal arguments of `setup()`."""
    lists: dict[str, ir.Expr] = {
        target.id: node.value
        for node in module.body
        if isinstance(node, ir.Assign) and node.value is not None
        for target in node.targets
        if isinstance(target, ir.Name)
    }
    declared: list[Declared] = []
    problems: list[str] = []
    for call in (each for each in calls_in(*module.body) if last_name(each.callee) == "setup"):
        for option in (*_REQUIRED, "setup_requires", "extras_require"):
            value = keyword(call, option)
            value = lists.get(value.id, value) if isinstance(value, ir.Name) else value
            if option != "extras_require" and not isinstance(value, ir.Sequence | None):
                problems.append(f"{path}:{call.line} computes its requirements; they are not known")
                break
            parts = [each for _, each in value.entries] if isinstance(value, ir.Mapping) else [value]
            texts = (item for part in parts if isinstance(part, ir.Sequence) for item in part.items)
            found = (parse_requirement(text_of(item) or "", item.line, option != "install_requires") for item in texts)
            declared += [each for each in found if each]
    return Manifest(path, Role.DECLARES, tuple(declared), problems=tuple(problems))
