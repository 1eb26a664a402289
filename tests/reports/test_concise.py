"""One line per finding, as compilers print them."""

import re
from pathlib import Path

from cli.command import counterproof

LINE = re.compile(r"[^:\n]+:\d+: (critical|high|medium|low) (demonstrated|proved|validated|claimed) [a-z0-9-]+ \S.*")
APP = """from flask import Flask, request

app = Flask(__name__)


@app.route("/run")
def run():
    return str(eval(request.args["code"]))
"""


def test_a_line_each_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(APP)
    result = counterproof("audit", str(tmp_path), "--mode", "quick", "--quiet", "--format", "concise")
    assert result.returncode == 1
    lines = result.stdout.splitlines()
    assert lines[0].startswith("app.py:8: critical proved code-injection Code injection: ")
    assert all(LINE.fullmatch(line) for line in lines)


def test_a_line_stays_one_whatever_a_file_is_called(tmp_path: Path) -> None:
    (tmp_path / "a\nb.py:1: low \x1b[31m.py").write_text(APP)
    result = counterproof("audit", str(tmp_path), "--mode", "quick", "--quiet", "--format", "concise")
    assert len(result.stdout.splitlines()) == 1
    assert "\x1b" not in result.stdout


def test_a_review_has_them_too(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(APP)
    result = counterproof("review", str(tmp_path / "app.py"), "--repo", str(tmp_path), "--yes", "--quiet", "--format", "concise")
    assert result.stdout.startswith("app.py:8: critical ")
