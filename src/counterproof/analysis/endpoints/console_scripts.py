"""Console scripts that a project declares: `name = package.module:function` in pyproject.toml, setup.cfg or setup.py."""

import configparser
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from counterproof.analysis.outline.traversal import text_of
from counterproof.analysis.project import Project
from counterproof.analysis.syntax.structured import parsed_toml
from counterproof.analysis.syntax.walk import walk
from counterproof.model.errors import CounterproofError

MAX_BYTES = 500_000


@dataclass(frozen=True, slots=True)
class ConsoleScript:
    """`target` is the dotted name of the function."""

    name: str
    target: str


def console_scripts(project: Project) -> Iterator[ConsoleScript]:
    for file in project.survey.files:
        name = file.path.rpartition("/")[2]
        reader = {"pyproject.toml": _pyproject, "setup.cfg": _setup_cfg}.get(name)
        if file.size > MAX_BYTES or (reader is None and name != "setup.py"):
            continue
        try:
            lines = list(reader(project.text(file.path))) if reader else _setup_py(project, file.path)
        except (CounterproofError, ValueError, RecursionError, configparser.Error):
            continue  # a broken manifest is reported where manifests are read
        yield from (script for line in lines if (script := _parsed(line)))


def _pyproject(text: str) -> Iterator[str]:
    document = _table(parsed_toml(text))
    for owner in (_table(document.get("project")), _table(_table(document.get("tool")).get("poetry"))):
        for name, target in _table(owner.get("scripts")).items():
            yield f"{name}={target if isinstance(target, str) else ''}"


def _table(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _setup_cfg(text: str) -> Iterator[str]:
    parser = configparser.RawConfigParser(strict=False)
    parser.read_string(text)
    yield from parser.get("options.entry_points", "console_scripts", fallback="").splitlines()


def _setup_py(project: Project, path: str) -> list[str]:
    """Literals of the form `name = module:function`; nothing is executed."""
    module = project.module(path)
    return [line for node in walk(*module.body) for line in (text_of(node) or "").splitlines() if ":" in line and "=" in line]


def _parsed(line: str) -> ConsoleScript | None:
    name, equals, target = line.partition("=")
    module, colon, function = target.strip().partition(":")
    function = function.partition("[")[0].strip()
    parts = [*module.split("."), *function.split(".")]
    if not equals or not colon or not all(part.isidentifier() for part in parts):
        return None
    return ConsoleScript(name.strip(), ".".join(parts))
