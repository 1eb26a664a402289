"""What a command does not need it does not load: starting is the larger part of an audit whose results are kept."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TOLD = """
import sys
from counterproof.cli.main import main
try:
    main()
finally:
    sys.stderr.write("\\n".join(sorted(sys.modules)))
"""

HELP_NEEDS_NO = ("asyncio", "counterproof.agents", "counterproof.analysis", "counterproof.app", "rich", "sqlite3")

AUDIT_NEEDS_NO = (
    "counterproof.agents.host",
    "counterproof.agents.recorded",
    "counterproof.analysis.config",
    "counterproof.analysis.control",
    "counterproof.analysis.dependencies",
    "counterproof.analysis.endpoints",
    "counterproof.analysis.flow",
    "counterproof.analysis.git",
    "counterproof.analysis.polyglot",
    "counterproof.analysis.rules",
    "counterproof.analysis.semgrep",
    "counterproof.analysis.syntax",
    "counterproof.analysis.validation",
    "counterproof.toolbox.bench",
    "counterproof.toolbox.witnessed",
    "rich",
    "tree_sitter",
)

CHECKER_NEEDS = {"counterproof.analysis.syntax", "tree_sitter"}
"""The proof of a kept finding is read against the source again (A55), which takes a grammar and nothing of the hunters."""


def _loaded(home: Path, *arguments: str) -> set[str]:
    """The modules that a command loaded, with the packages that they are in."""
    environment = {**os.environ, "COUNTERPROOF_HOME": str(home)}
    done = subprocess.run([sys.executable, "-c", TOLD, *arguments], env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode in (0, 1), done.stderr
    return set(done.stderr.split("\n"))


def _audit(home: Path, tree: Path) -> set[str]:
    return _loaded(home, "audit", str(tree), "--mode", "quick", "--yes", "--quiet", "--out", str(home / "out"))


def test_help_loads_neither_engine_nor_journal(tmp_path: Path) -> None:
    assert not _loaded(tmp_path, "audit", "--help") & set(HELP_NEEDS_NO)


@pytest.mark.parametrize(
    ("code", "checker"),
    [
        ("import sys\nprint(sys.argv[1])\n", set[str]()),
        ("import os, sys\nos.system(sys.argv[1])\n", CHECKER_NEEDS),
    ],
    ids=["nothing found", "a finding"],
)
def test_an_audit_that_finds_its_results_loads_nothing_to_work_them_out(tmp_path: Path, code: str, checker: set[str]) -> None:
    tree, home = tmp_path / "tree", tmp_path / "home"
    tree.mkdir()
    (tree / "app.py").write_text(code)
    (tree / "requirements.txt").write_text("flask==3.1.0\n")
    first = _audit(home, tree)
    assert set(AUDIT_NEEDS_NO[3:7]) <= first  # or the second would say nothing
    assert _audit(home, tree) & set(AUDIT_NEEDS_NO) == checker
