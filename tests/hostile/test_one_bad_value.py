"""X16, F16: one value that cannot be handled costs nothing but itself.

Arbitrary bytes stand where a tree has names, lines, manifests and routes. Whatever they are, the flaw in another file is found,
the run ends with a report, and its journal can be read back.
"""

import os
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from counterproof.app.machines import audit_machine
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import Home
from counterproof.runtime.journal import SqliteJournal
from counterproof.runtime.replaying import replay
from hostile.hidden_code import PYTHON_FLAW
from hostile.quick_audit import audited, plant

FEW = settings(max_examples=2, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
NAMES = st.binary(min_size=1, max_size=20).filter(lambda raw: not set(raw) & {0, ord("/")} and raw.strip(b".") != b"")
SEPARATORS = st.text(alphabet="\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\ufeff\u202e\U000e0041a", min_size=1, max_size=12)
CODES = st.lists(st.integers(0xD800, 0xDFFF), min_size=1, max_size=3)
HALVES = CODES.map(lambda codes: "".join(f"\\u{code:04x}" for code in codes))
Folders = pytest.TempPathFactory


COMMAND = 78


def checked(root: Path, flaws: set[tuple[str, int]]) -> None:
    """The flaws are there, no agent failed, and the journal tells the same story again."""
    seen = audited(root)
    assert flaws <= seen.flaws
    assert not [each for each in seen.report["banners"] if "Agent" in each]
    with closing(SqliteJournal(Home().runs()[-1], WallClock(), writable=False)) as journal:
        assert replay(audit_machine(), journal).state.outcome is not None


@pytest.mark.rule("X16")
@FEW
@given(st.lists(NAMES, min_size=1, max_size=6, unique=True), st.binary(max_size=200))
def test_any_bytes_as_names_and_content(tmp_path_factory: Folders, home: Path, names: list[bytes], data: bytes) -> None:
    root = plant(tmp_path_factory.mktemp("code"), {"main.py": PYTHON_FLAW.encode()})
    for name in names:
        (root / os.fsdecode(name + b".txt")).write_bytes(data)
        (root / os.fsdecode(name + b".py")).write_bytes(data + b"\n" + PYTHON_FLAW.encode())
    checked(root, {("main.py", COMMAND)})


@pytest.mark.rule("X16")
@FEW
@given(SEPARATORS)
def test_any_separator_in_the_line_of_a_sink(tmp_path_factory: Folders, home: Path, text: str) -> None:
    flaw = PYTHON_FLAW.replace('"ping "', f'"{text}ping "')
    checked(plant(tmp_path_factory.mktemp("code"), {"main.py": flaw.encode()}), {("main.py", COMMAND)})


@pytest.mark.rule("F16")
@FEW
@given(HALVES)
def test_half_a_character_in_a_route_and_a_manifest(tmp_path_factory: Folders, home: Path, halves: str) -> None:
    manifest = '{"name": "x", "dependencies": {"HALVES": "1.0"}, "scripts": {"start": "HALVES"}}'.replace("HALVES", halves)
    files = {
        "main.py": PYTHON_FLAW.replace("/ping", f"/ping{halves}").encode(),
        "package.json": manifest.encode(),
        "server.js": f'const app = require("express")();\napp.get("/{halves}", (a, b) => b.send("{halves}"));\n'.encode(),
    }
    checked(plant(tmp_path_factory.mktemp("code"), files), {("main.py", COMMAND)})
