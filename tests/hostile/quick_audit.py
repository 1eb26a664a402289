"""A quick audit of a small tree, in this process, with what a user would see of it."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from counterproof.app import audit
from counterproof.app.standing import Standing
from counterproof.cli.console import choose
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.request import AuditRequest
from counterproof.runtime.home import Home


@dataclass(frozen=True)
class Seen:
    """The exit code, the report as JSON, and the receipt."""

    code: int
    report: dict[str, Any]
    receipt: dict[str, Any]

    @property
    def flaws(self) -> set[tuple[str, int]]:
        """(path, CWE) of every finding."""
        found = [each["finding"] for each in self.report["findings"]]
        return {(each["location"]["path"], each["cwe"]) for each in found}


def plant(root: Path, files: dict[str, bytes]) -> Path:
    for path, data in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return root


def audited(root: Path, **choices: Any) -> Seen:
    request = AuditRequest(target=str(root.absolute()), mode=Mode.QUICK, yes=True, **choices)
    finished = audit.start(request, Standing(), choose(quiet=True, verbose=False), Home())
    read = lambda name: json.loads((finished.run.path / name).read_text(encoding="utf-8"))  # noqa: E731
    return Seen(int(finished.outcome.exit), read("report.json"), read("receipt.json"))
