"""Determines which functions of a JavaScript package to call for a finding, with which arguments, and how to start its server.

Invariant: what the package says in the sandbox is used only as names, if it has their form; nothing of it is executed here.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, cast

from counterproof.demonstration.actions import INPUT, Call, Request
from counterproof.demonstration.targets import TEXT
from counterproof.model.finding import Finding
from counterproof.model.proof import Part

_WAY: Final = re.compile(r"(?:[.#][A-Za-z_$][\w$]{0,60}){0,5}")
_NAME: Final = re.compile(r"[A-Za-z_$][\w$]{0,60}")
_START: Final = re.compile(r"\bnode\s+(?:-\S+\s+)*(\S+\.[cm]?js|[\w./-]+)")
_REQUEST: Final = re.compile(r"^request\b")


def package_of(root: Path, path: str) -> str:
    """The folder of the package that contains a file, '' for the target itself."""
    folder = path.rpartition("/")[0]
    while folder and not (root / folder / "package.json").is_file():
        folder = folder.rpartition("/")[0]
    return folder


def manifest(root: Path, folder: str) -> dict[str, Any]:
    """The package's `package.json`; empty if it cannot be read."""
    try:
        found: Any = json.loads((root / folder / "package.json").read_text(encoding="utf-8", errors="replace"))
    except (OSError, ValueError, RecursionError):
        return {}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def is_request(finding: Finding) -> bool:
    """True if the finding's data comes from a request."""
    return bool(_REQUEST.match(finding.source))


def load(root: Path, finding: Finding) -> dict[str, Any]:
    """The question that loads the package and asks for the functions that the finding is about."""
    entry = next((link.fact for link in finding.proof.links if link.part is Part.ENTRY), None) if finding.proof else None
    path, line = (entry.at.path, entry.at.start) if entry else (finding.location.path, finding.location.start)
    inner = [step.code.strip() for step in finding.flow.steps] if finding.flow else []
    folder = package_of(root, path)
    return {
        "do": "load",
        "modules": list(dict.fromkeys((folder, path))),
        "line": _line(root, path, line),
        "inner": [*inner, *(each.strip() for each in finding.evidence.splitlines())],
        "parameter": entry.symbol if entry else "",
    }


def _line(root: Path, path: str, number: int) -> str:
    try:
        lines = (root / path).read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        return ""
    return lines[number - 1].strip() if 0 < number <= len(lines) else ""


def calls_of(answer: dict[str, Any], parameter: str, modules: tuple[str, ...]) -> Iterator[Call]:
    """Calls of the functions that the harness named, with the input in the finding's parameter. Invalid names are skipped."""
    for found in _listed(answer, "found")[:6]:
        if not isinstance(found, dict):
            continue
        told = cast("dict[str, Any]", found)
        way, module = str(told.get("way", "")), str(told.get("module", ""))
        parameters = [each for each in map(str, _listed(told, "parameters")) if _NAME.fullmatch(each)][:8]
        properties = [str(each) for each in _listed(told, "properties")]
        if not _WAY.fullmatch(way) or module not in modules:
            continue
        make: tuple[tuple[str, Any], ...] = (("first", {}), ("second", {})) if "#" in way else ()
        for arguments in _arguments(parameters, parameter, properties):
            yield Call(module, way, arguments, make)


def _listed(told: dict[str, Any], name: str) -> list[Any]:
    found: Any = told.get(name)
    return cast("list[Any]", found) if isinstance(found, list) else []


def _arguments(parameters: list[str], parameter: str, properties: list[str]) -> Iterator[tuple[Any, ...]]:
    """The input as text, as an object with the properties that the function reads, and as a list; then a callback."""
    known = parameter if parameter in parameters else ""
    places = [known] if known else (parameters or [parameter or "input"])[:3]
    every = parameters or places
    callback = {"$callable": ""}
    for place in places:
        read = [each.partition(".")[2] for each in properties if each.startswith(f"{place}.")]
        fields = {name: INPUT for name in read if _NAME.fullmatch(name) and name not in _OF_A_TEXT}
        shapes: list[Any] = [INPUT, *([fields] if fields else []), [INPUT]]
        if fields and not set(read) & _OF_A_TEXT:
            shapes = [fields, INPUT, [INPUT]]
        for shape in shapes:
            given = [shape if each == place else _harmless(each, properties) for each in every]
            yield (*given, *([] if any(each == callback for each in given) else [callback]))


_OF_A_TEXT: Final = frozenset(
    "length split replace indexOf slice substr substring trim toString match forEach map join toLowerCase startsWith endsWith "  # noqa: SIM905
    "includes concat push filter call apply reduce test".split()
)
"""Properties of texts and lists, which do not indicate an object."""


def _harmless(name: str, properties: list[str]) -> Any:
    """A harmless value that fits how the function uses the parameter: it is called, properties of an object are read, or not."""
    if f"{name}()" in properties:
        return {"$callable": ""}
    read = {each.partition(".")[2] for each in properties if each.startswith(f"{name}.")}
    return {} if read and not read & _OF_A_TEXT else TEXT


def starts(root: Path, finding: Finding) -> dict[str, Any]:
    """The question that starts the package's server, in every possible way."""
    folder = package_of(root, finding.location.path)
    about = manifest(root, folder)
    given = about.get("bin")
    scripts = list(cast("dict[str, Any]", given).values()) if isinstance(given, dict) else [given] if given else []
    started = cast("dict[str, Any]", about.get("scripts") or {}) if isinstance(about.get("scripts"), dict) else {}
    scripts += [match[1] for name in ("start", "serve", "dev") if (match := _START.search(str(started.get(name, ""))))]
    paths = [f"{folder}/{each}".removeprefix("/").replace("/./", "/") for each in map(str, scripts) if ".." not in each]
    places = (folder, finding.location.path)
    ways: list[dict[str, Any]] = [{"how": "load", "module": each, "arguments": []} for each in places]
    ways += [{"how": "run", "module": each, "arguments": []} for each in paths]
    ways += [{"how": "call", "module": each, "arguments": []} for each in places]
    ways += [{"how": "run", "module": each, "arguments": ["."]} for each in paths]
    return {"do": "start", "ways": ways, "root": folder}


def requests() -> tuple[Request, ...]:
    """Requests for a server that uses the request path itself."""
    return (Request("GET", f"/{INPUT}", raw_path=True), Request("GET", f"/{INPUT}"), Request("GET", INPUT, raw_path=True))
