"""A monorepo audited for real: a service and a library side by side, each judged by itself, one report."""

import json
from pathlib import Path

import pytest

from counterproof.app import audit
from counterproof.model.receipt import Exit
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.request import AuditRequest
from counterproof.protocols.audit.state import AuditState
from counterproof.runtime.home import Home

SERVICE = """
import sqlite3
from flask import Flask, request
app = Flask(__name__)


@app.route("/find")
def find():
    return str(sqlite3.connect("x").execute("SELECT * FROM t WHERE a = '" + request.args["q"] + "'").fetchall())
"""
LIBRARY = "".join(f"\n\ndef part_{n}(value):\n    return value + {n}\n" for n in range(6))
PADDING = "".join(f"VALUE_{n} = {n}\n" for n in range(300))


class Quiet:
    """An observer and user that do nothing."""

    def narrate(self, text: str) -> None: ...

    def progress(self, who: str, text: str) -> None: ...

    async def confirm(self, question: str) -> bool | None:
        return None


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    files = {
        "api/requirements.txt": "flask==3.1.0\n",
        "api/app.py": SERVICE,
        "api/values.py": PADDING,
        "kit/pyproject.toml": "[project]\nname = 'kit'\nversion = '1'\ndependencies = []\n",
        "kit/kit.py": LIBRARY,
        "kit/values.py": PADDING,
    }
    for name, text in files.items():
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return tmp_path / "tree"


@pytest.mark.rule("A10", "A20")
def test_service_and_library_are_judged_by_themselves(tree: Path, tmp_path: Path) -> None:
    request = AuditRequest(str(tree), mode=Mode.QUICK, yes=True)
    done = audit.start(request, Quiet(), Quiet(), Home(tmp_path / "home"))
    state: AuditState = done.state
    api, kit = state.roots
    assert (api.root, api.library, kit.root, kit.library) == ("api", False, "kit", True)
    assert [row.status.value for row in kit.coverage[1:3]] == ["N/A", "N/A"]
    assert [row.status.value for row in api.coverage[:3]] == ["✅", "✅", "✅"]
    assert [row.status.value for row in state.coverage[:3]] == ["✅", "✅", "✅"]
    assert done.outcome.exit is Exit.FINDINGS
    report = json.loads((done.run.path / "report.json").read_text(encoding="utf-8"))
    assert [root["root"] for root in report["roots"]] == ["api", "kit"]
    receipt = json.loads((done.run.path / "receipt.json").read_text(encoding="utf-8"))
    assert "empty environment" in receipt["sandbox"]["active"]
