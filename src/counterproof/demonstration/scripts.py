"""How a JavaScript package is run for a finding: which functions of it are called with what, and how its server is started.

Invariant: what the package says of itself while it runs in the sandbox is used only as names, and only names of the language's
form; nothing of it is executed here.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, cast

from counterproof.demonstration.actions import INPUT, Call, Request
from counterproof.demonstration.targets import guess
from counterproof.model.finding import Finding
from counterproof.model.proof import Part

_WAY: Final = re.compile(r"(?:[.#][A-Za-z_$][\w$]{0,60}){0,5}")
_NAME: Final = re.compile(r"[A-Za-z_$][\w$]{0,60}")
_START: Final = re.compile(r"\bnode\s+(?:-\S+\s+)*(\S+\.[cm]?js|[\w./-]+)")
_REQUEST: Final = re.compile(r"^request\b")


def package_of(root: Path, path: str) -> str:
    """The folder of the package that a file belongs to, '' for the target itself."""
    folder = path.rpartition("/")[0]
    while folder and not (root / folder / "package.json").is_file():
        folder = folder.rpartition("/")[0]
    return folder


def manifest(root: Path, folder: str) -> dict[str, Any]:
    """The package's own description; empty where it cannot be read."""
    try:
        found: Any = json.loads((root / folder / "package.json").read_text(encoding="utf-8", errors="replace"))
    except (OSError, ValueError, RecursionError):
        return {}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def is_request(finding: Finding) -> bool:
    """True if its data comes with a request."""
    return bool(_REQUEST.match(finding.source))


def load(root: Path, finding: Finding) -> dict[str, Any]:
    """The question that loads the package and asks which of its functions the finding is about."""
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
    """Calls of the functions that the harness named, with the input where the finding says that it comes in. What does not have
    the form of a name is passed over."""
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
    """As text, as an object with what the function reads of it, as a list; always with something to call back at the end."""
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
            given = [shape if each == place else _guess(each, properties) for each in every]
            yield (*given, *([] if any(each == callback for each in given) else [callback]))


_OF_A_TEXT: Final = frozenset(
    re.findall(
        r"\w+",
        """length split replace indexOf slice substr substring trim toString match forEach map join toLowerCase startsWith
        endsWith includes concat push filter call apply reduce test""",
    )
)
"""What is read of a text or a list, so that it is no field of an object."""


def _guess(name: str, properties: list[str]) -> Any:
    if guess(name) == "benign" and any(each.startswith(f"{name}.") for each in properties):
        return {}
    return guess(name)


def starts(root: Path, finding: Finding) -> dict[str, Any]:
    """The question that starts the package's server, by every way that it may have."""
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
    """Where a server takes the path of the request itself."""
    return (Request("GET", f"/{INPUT}", raw_path=True), Request("GET", f"/{INPUT}"), Request("GET", INPUT, raw_path=True))
