"""The twins of a fix that an advisory names by its release: the release before it, whatever candidates lie between."""

import subprocess
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
SIDES = (
    "import sys; from pathlib import Path; import cves_twins; print(*cves_twins.sides_of(Path(sys.argv[1]), '@' + sys.argv[2]))"
)


def _sides(repository: Path, version: str) -> list[str]:
    command = [sys.executable, "-c", SIDES, str(repository / ".git"), version]
    return subprocess.run(command, cwd=BENCHMARKS, check=True, capture_output=True, text=True).stdout.split()


def test_a_release_is_compared_with_the_release_before_it(tmp_path: Path) -> None:
    known = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false", "-c", "tag.gpgsign=false"]
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    for number, tag in enumerate(("v1.9.0", "1.10.0", "other-1.10.5", "v1.11.0rc1", "v1.11.0")):
        (tmp_path / "a.py").write_text(f"number = {number}\n", encoding="utf-8")
        for arguments in (["add", "a.py"], ["commit", "-q", "-m", tag], ["tag", tag]):
            subprocess.run(["git", *known, *arguments], cwd=tmp_path, check=True)
    assert _sides(tmp_path, "1.11.0") == ["1.10.0", "v1.11.0"]
    assert _sides(tmp_path, "1.10.0") == ["v1.9.0", "1.10.0"]
