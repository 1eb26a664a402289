"""Globs mean what git says they mean, and cost what their length says."""

import shutil
import subprocess
import time
from pathlib import Path

import pytest

from counterproof.analysis.source.globs import parse_glob

CASES = [
    ("*.pyc", "a/b.pyc", False, True),
    ("*.pyc", "a/b.py", False, False),
    ("build", "x/build", True, True),
    ("build/", "x/build", False, False),
    ("build/", "x/build", True, True),
    ("/build", "build", True, True),
    ("/build", "x/build", True, False),
    ("a/b", "a/b", False, True),
    ("a/b", "x/a/b", False, False),
    ("a/*", "a/b", False, True),
    ("a/*", "a/b/c", False, False),
    ("**/c", "a/b/c", False, True),
    ("**/c", "c", False, True),
    ("a/**/c", "a/c", False, True),
    ("a/**/c", "a/x/y/c", False, True),
    ("a/**", "a", True, False),
    ("a/**", "a/b/c", False, True),
    ("a**b", "axxb", False, True),
    ("a**b", "a/b", False, False),
    ("?.py", "a.py", False, True),
    ("?.py", "ab.py", False, False),
    ("?", "é", False, False),
    ("[a-c].py", "b.py", False, True),
    ("[!a-c].py", "b.py", False, False),
    ("[^a].py", "b.py", False, True),
    ("[]a]", "]", False, True),
    ("[a\\]b]x", "]x", False, True),
    ("[a-]", "-", False, True),
    ("[!]a]", "b", False, True),
    (r"\*.py", "*.py", False, True),
    (r"\*.py", "a.py", False, False),
    (r"\#a", "#a", False, True),
    (r"\!a", "!a", False, True),
    ("a\\ ", "a ", False, True),
    ("a  ", "a", False, True),
    ("a.b", "axb", False, False),
    ("**", "anything", False, True),
]


@pytest.mark.parametrize(("pattern", "path", "directory", "expected"), CASES)
def test_a_pattern_matches_like_git(pattern: str, path: str, directory: bool, expected: bool) -> None:
    glob = parse_glob(pattern)
    assert glob
    assert glob.matches(tuple(path.split("/")), directory) is expected


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
def test_git_agrees_with_the_table(tmp_path: Path) -> None:
    """The table above is not our opinion: git itself answers the same. Patterns and paths are fixed and harmless."""
    for number, (pattern, path, directory, _) in enumerate(CASES):
        glob = parse_glob(pattern)
        parts = tuple(path.split("/"))
        assert glob
        expected = glob.matches(parts, directory) or any(glob.matches(parts[:end], True) for end in range(1, len(parts)))
        root = tmp_path / str(number)
        place = root / path
        place.parent.mkdir(parents=True)
        if directory:
            place.mkdir()
        else:
            place.write_text("")
        (root / ".gitignore").write_text(pattern + "\n")
        subprocess.run(["git", "init", "-q", str(root)], check=True)
        asked = subprocess.run(["git", "check-ignore", "-q", path], cwd=root, check=False)
        assert (asked.returncode == 0) is expected, (pattern, path)


@pytest.mark.parametrize("line", ["", "   ", "# comment", "/", "!", "[abc", "[!]", "[b-a]", "[[:digit:]]x", "abc\\", "x" * 2_000])
def test_lines_that_can_match_nothing(line: str) -> None:
    assert parse_glob(line) is None


def test_negation_is_remembered() -> None:
    glob = parse_glob("!keep.py\r\n")
    assert glob
    assert glob.negated
    assert glob.matches(("keep.py",), directory=False)


@pytest.mark.rule("X16")
@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*a" * 500 + "b", "a" * 250),
        ("?*" * 400 + "b", "a" * 250),
        ("**/a/" * 200 + "b", "a/" * 1_000 + "c"),
        ("[ab]*" * 200 + "c", "ab" * 120),
    ],
)
def test_no_pattern_stalls_the_matcher(pattern: str, path: str) -> None:
    glob = parse_glob(pattern)
    assert glob
    started = time.process_time()
    assert not glob.matches(tuple(path.split("/")), directory=False)
    assert time.process_time() - started < 5
