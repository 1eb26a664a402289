"""X16, F16: arbitrary bytes where a review has names, lines, changes, manifests and routes, and where a verification has its plan
and its repository. Whatever they are, the run ends with a report, no agent fails, the flaw in another file stands, and the
journal can be read back.
"""

import os
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analysis.review.changed_tree import git
from app.verify.test_verify_runs import User
from behaviours.test_review import Agreeing, request
from counterproof.app import review, verify
from counterproof.app.machines import review_machine, verify_machine
from counterproof.cli.console import SilentObserver
from counterproof.model.errors import UserError
from counterproof.model.receipt import Exit
from counterproof.model.severity import Severity
from counterproof.protocols.plan.request import VerifyRequest
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import Home, RunFolder
from counterproof.runtime.journal import SqliteJournal
from counterproof.runtime.replaying import replay
from hostile.hidden_code import SERVED_FLAW
from hostile.quick_audit import plant
from hostile.test_one_bad_value import HALVES, NAMES, SEPARATORS, Folders

FEW = settings(max_examples=2, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
LINES = st.lists(st.binary(max_size=60), max_size=6).map(b"\n".join)


def readable(run: RunFolder, machine: Any) -> None:
    with closing(SqliteJournal(run, WallClock(), writable=False)) as journal:
        assert replay(machine, journal).state.outcome is not None


def reviewed(root: Path) -> None:
    """A review of the change in the work tree finds the flaw beside whatever else there is."""
    done = review.start(request(root), Agreeing(), SilentObserver(), Home())
    assert done.report is not None
    assert ("main.py", Severity.CRITICAL) in {(each.finding.location.path, each.severity) for each in done.report.resolved}
    assert not [each for each in done.report.limitations if "failed" in each]
    readable(done.run, review_machine())


def committed(root: Path) -> Path:
    git(root, "init", "-q", ".")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "before")
    return root


@pytest.mark.rule("X16")
@FEW
@given(st.lists(NAMES, min_size=1, max_size=4, unique=True), LINES, LINES)
def test_any_bytes_in_a_change(tmp_path_factory: Folders, home: Path, names: list[bytes], old: bytes, new: bytes) -> None:
    root = plant(tmp_path_factory.mktemp("code"), {"main.py": b"x = 1\n"})
    for name in names:
        (root / os.fsdecode(name + b".py")).write_bytes(old + b"\n")
    committed(root)
    (root / "main.py").write_bytes(SERVED_FLAW.encode())
    for name in names:
        (root / os.fsdecode(name + b".py")).write_bytes(new + b"\n")
        (root / os.fsdecode(name + b".txt")).write_bytes(new)
    git(root, "add", "-A")
    reviewed(root)


@pytest.mark.rule("X16", "F16")
@FEW
@given(SEPARATORS, HALVES)
def test_any_separator_and_half_a_character_in_a_change(tmp_path_factory: Folders, home: Path, text: str, halves: str) -> None:
    root = committed(plant(tmp_path_factory.mktemp("code"), {"main.py": b"x = 1\n"}))
    flaw = SERVED_FLAW.replace('"ping "', f'"{text}ping "').replace("/ping", f"/ping{halves}")
    manifest = '{"name": "x", "dependencies": {"HALVES": "1.0"}, "scripts": {"start": "HALVES"}}'.replace("HALVES", halves)
    plant(root, {"main.py": flaw.encode(), "package.json": manifest.encode(), f"{text.strip() or 'x'}.txt": text.encode()})
    git(root, "add", "-A")
    reviewed(root)


PLAN = "# Plan\n\n## Steps\n\n1. Change `ping` in `main.py` to take a list.\n2. {}\n\n## Tests\n\n{}\n"
WORDS = st.text(max_size=120)


@pytest.mark.rule("X16")
@FEW
@given(st.lists(NAMES, max_size=4, unique=True), LINES, WORDS, SEPARATORS, HALVES)
def test_any_text_in_a_plan_and_any_bytes_in_its_repository(
    tmp_path_factory: Folders, home: Path, names: list[bytes], data: bytes, words: str, text: str, halves: str
) -> None:
    root = plant(tmp_path_factory.mktemp("code"), {"main.py": SERVED_FLAW.replace("/ping", f"/ping{halves}").encode()})
    for name in names:
        (root / os.fsdecode(name + b".py")).write_bytes(data)
    plan = root / "PLAN.md"
    plan.write_bytes(PLAN.format(words, text).encode("utf-8", "replace").replace(b"\0", b""))
    done = verify.start(VerifyRequest(str(plan), str(root)), User({}), SilentObserver(), Home())
    assert done.report is not None
    assert not [each for each in done.report.limitations if "failed" in each]
    readable(done.run, verify_machine())


@pytest.mark.rule("X16")
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=300))
def test_any_bytes_as_a_plan_are_read_or_refused_in_words(tmp_path_factory: Folders, home: Path, data: bytes) -> None:
    root = plant(tmp_path_factory.mktemp("code"), {"main.py": b"x = 1\n", "PLAN.md": data})
    try:
        done = verify.start(VerifyRequest(str(root / "PLAN.md"), str(root)), User({}), SilentObserver(), Home())
    except UserError:
        return
    assert done.report is not None or done.outcome.exit is Exit.REFUSED
    readable(done.run, verify_machine())
