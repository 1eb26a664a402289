"""What a program does not have, in the coverage of an audit (A16)."""

from pathlib import Path

import pytest

from hostile.quick_audit import audited, plant

SCRIPT = "export function mixed(one, two) {\n  return (one + two) / 2;\n}\n"
PYTHON = "def mixed(one, two):\n    return (one + two) / 2\n"


@pytest.mark.rule("A16")
@pytest.mark.parametrize(("name", "text"), [("colours.js", SCRIPT), ("colours.ts", SCRIPT), ("colours.py", PYTHON)])
def test_code_without_logins_and_files_shows_their_absence(tmp_path: Path, name: str, text: str) -> None:
    root = plant(tmp_path / "code", {name: text.encode()})
    rows = {each["dimension"]: each["status"] for each in audited(root).report["coverage"]}
    assert {rows["D2"], rows["D5"]} <= {"✅", "N/A"}
