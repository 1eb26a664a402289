"""Small trees to scan, and stand-ins for Semgrep that misbehave. The stand-ins are real programs, started like Semgrep."""

import json
import sys
from pathlib import Path

from counterproof.analysis.source.survey import survey
from counterproof.model.survey import Survey

EVAL = "def run(text):\n    eval(text)\n"


def tree(root: Path, files: dict[str, str]) -> tuple[Path, Survey]:
    """Write the files and survey them."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root, survey(root)


def program(folder: Path, body: str) -> Path:
    """An executable `semgrep` whose body is Python."""
    path = folder / "bin" / "semgrep"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!{sys.executable} -I\nimport json, os, sys, time\n{body}\n", encoding="utf-8")
    path.chmod(0o700)
    return path


def result(path: str, line: int = 2, rule: str = "some-rule", **extra: object) -> dict[str, object]:
    """One entry of `results`, as Semgrep prints it."""
    place = {"line": line, "col": 1, "offset": 0}
    return {"check_id": rule, "path": path, "start": place, "end": place, "extra": {"message": "m", "severity": "ERROR", **extra}}


def printed(results: list[object], errors: list[object] | None = None, scanned: list[str] | None = None) -> bytes:
    """A whole output."""
    top = {"version": "1.2.3", "results": results, "errors": errors or [], "paths": {"scanned": scanned or []}}
    return json.dumps(top).encode()
