"""The report does not tell how it was made: cold or warm, with or without a cache, by one process or two, whatever the seed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SHOP = Path(__file__).parents[3] / "examples" / "shop"

_VULNERABLE = """import os
import flask

app = flask.Flask(__name__)
app.config["SECRET_KEY"] = "kJ8#mP2$vX9qL4wZ7n"


@app.route("/list")
def listing():
    return os.popen("ls " + flask.request.args["folder"]).read()
"""


def _report(target: Path, out: Path, **environment: str) -> bytes:
    command = [
        sys.executable,
        "-P",
        "-m",
        "counterproof",
        "audit",
        str(target),
        "--mode",
        "quick",
        "--yes",
        "-q",
        "--out",
        str(out),
    ]
    ended = subprocess.run(command, env={**os.environ, **environment}, check=False, capture_output=True, timeout=300)
    assert ended.returncode in (0, 1, 3), ended.stderr.decode()
    return (out / "report.json").read_bytes()


def test_cold_and_warm_give_the_same_bytes(tmp_path: Path, home: Path) -> None:
    without = _report(SHOP, tmp_path / "without", COUNTERPROOF_CACHE="off", PYTHONHASHSEED="1")
    assert not (home / "results").exists()
    cold = _report(SHOP, tmp_path / "cold", PYTHONHASHSEED="2")
    assert list((home / "results").iterdir())
    warm = _report(SHOP, tmp_path / "warm", PYTHONHASHSEED="3")
    assert without == cold == warm


@pytest.mark.nightly
def test_a_changed_file_is_seen(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "web.py").write_text(_VULNERABLE.replace("os.popen", "print"))
    before = _report(tree, tmp_path / "before")
    (tree / "web.py").write_text(_VULNERABLE)
    after = _report(tree, tmp_path / "after")
    assert b"command-injection" in after or b"os.popen" in after
    assert before != after
    assert after == _report(tree, tmp_path / "alone", COUNTERPROOF_CACHE="off")
