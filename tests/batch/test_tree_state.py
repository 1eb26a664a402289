"""The state of a tree that is read in place: every change of a file shows, and nothing in a hostile tree holds it up."""

import os
import subprocess
from pathlib import Path

from counterproof.batch.tree_state import tree_digest


def tree(root: Path) -> Path:
    (root / "inner").mkdir(parents=True)
    (root / "a.py").write_text("a = 1\n")
    (root / "inner" / "b.py").write_text("b = 1\n")
    return root


def test_names_and_contents_count_and_times_do_not(tmp_path: Path) -> None:
    one, other = tree(tmp_path / "one"), tree(tmp_path / "other")
    first = tree_digest(one)
    os.utime(other / "a.py", (1, 1))
    (other / ".git").mkdir()
    (other / ".git" / "index").write_text("anything")
    assert tree_digest(other) == first
    seen = {first}
    (one / "a.py").write_text("a = 2\n")
    seen.add(tree_digest(one))
    (one / "a.py").rename(one / "c.py")
    seen.add(tree_digest(one))
    (one / "inner" / "b.py").rename(one / "b.py")
    seen.add(tree_digest(one))
    assert len(seen) == 4


def test_what_is_no_file_is_not_opened(tmp_path: Path) -> None:
    root = tree(tmp_path / "one")
    os.mkfifo(root / "pipe")
    (root / "loop").symlink_to(root)
    (root / "away").symlink_to("/dev/zero")
    (root / os.fsdecode(b"\xff\x1b[31m")).write_text("x")
    assert tree_digest(root)


def test_a_tree_without_end_has_no_digest(tmp_path: Path) -> None:
    here, root = os.getcwd(), tmp_path / "one"
    root.mkdir()
    os.chdir(root)
    try:
        for _ in range(1_500):
            os.mkdir("d")
            os.chdir("d")
    finally:
        os.chdir(here)
    try:
        assert tree_digest(root) == ""
    finally:
        subprocess.run(("rm", "-rf", str(root)), check=True)  # Python's own way does not get to the end of it either
