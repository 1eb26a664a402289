"""X21, R40: a file under review that cannot be read to its end is unread in a review too, whatever it holds."""

from dataclasses import replace
from pathlib import Path

import pytest

from behaviours.test_review import Agreeing, request
from counterproof.app import review
from counterproof.cli.console import SilentObserver
from counterproof.model.receipt import Exit
from counterproof.runtime.home import Home
from hostile.quick_audit import plant

CHOKES = {"a.py": b"x = 1 " + b"\\\n" * 4_000 + b"\n", "a.ts": b"f<a," * 5_000, "a.js": b"f(" * 30_000}


@pytest.mark.rule("X21", "R40")
@pytest.mark.parametrize("path", CHOKES)
def test_a_file_that_parsers_choke_on_makes_a_review_incomplete(tmp_path: Path, home: Path, path: str) -> None:
    root = plant(tmp_path / "code", {path: CHOKES[path], "own.py": b"y = 2\n"})
    wanted = request(root, paths=(path, "own.py"))
    done = review.start(wanted, Agreeing(), SilentObserver(), Home())
    assert done.report
    assert [each for each, _ in done.report.unread] == [path]
    assert done.outcome.exit is Exit.INCOMPLETE
    accepted = review.start(replace(wanted, accept_unread=(path,)), Agreeing(), SilentObserver(), Home())
    assert accepted.report
    assert (accepted.report.unread, accepted.report.accepted) == ((), (path,))
