"""R32: `counterproof fix` proposes verified patches, writes them only on request, and never changes the code."""

import subprocess
from pathlib import Path

import pytest

from cli.command import VULNERABLE, counterproof
from demonstration.here import needs_sandbox

pytestmark = pytest.mark.rule("R32")
FLAWED = VULNERABLE.replace(
    "app = Flask(__name__)\n",
    'app = Flask(__name__)\n\n\n@app.route("/fetch")\ndef fetch():\n    import requests\n\n    '
    'return requests.get("https://stock.example/" + str(int(request.args["n"])), verify=False).text\n',
)


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_a_patch_is_shown_then_written_and_applies(tmp_path: Path, ending: str) -> None:
    code = tmp_path / "code"
    code.mkdir()
    (code / "app.py").write_bytes(FLAWED.replace("\n", ending).encode())
    before = (code / "app.py").read_bytes()
    counterproof("audit", "code", "--mode=quick", "--yes", "-q", cwd=tmp_path)
    shown = counterproof("fix", cwd=tmp_path)
    assert shown.returncode == 0, shown.stderr
    assert "can be patched" in shown.stderr
    assert "+" in shown.stdout
    assert "verify=True" in shown.stdout
    assert "no automatic fix" in shown.stderr

    waiting = counterproof("fix", "--patch", "my.patch", cwd=tmp_path)
    assert (waiting.returncode, (tmp_path / "my.patch").exists()) == (6, False)
    written = counterproof("fix", "--patch", "my.patch", "--yes", cwd=tmp_path)
    assert written.returncode == 0, written.stderr
    assert (code / "app.py").read_bytes() == before

    subprocess.run(["git", "apply", "--unsafe-paths", "../my.patch"], cwd=code, check=True)
    assert b"verify=True" in (code / "app.py").read_bytes()
    again = counterproof("audit", "code", "--mode=quick", "--yes", "--format=json", cwd=tmp_path)
    assert "tls-verification" not in again.stdout
    assert "sql-injection" in again.stdout


def test_mistakes_end_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "app.py").write_text(VULNERABLE)
    counterproof("audit", "code", "--mode=quick", "--yes", "-q", cwd=tmp_path)
    said = counterproof("fix", "H-77", cwd=tmp_path)
    assert said.returncode == 2
    assert "has no finding H-77" in said.stderr


def test_a_patch_that_fails_the_users_command_is_not_offered(tmp_path: Path) -> None:
    needs_sandbox()
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "app.py").write_text(FLAWED)
    counterproof("audit", "code", "--mode=quick", "--yes", "-q", cwd=tmp_path)
    assert "verify=True" in counterproof("fix", "--check-with", "grep -q requests app.py", cwd=tmp_path).stdout
    done = counterproof("fix", "--check-with", "grep -q verify=False app.py", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert "`grep -q verify=False app.py` no longer passes" in done.stderr
