"""The index of tracked files: read exactly, or reported as unknown; never silently incomplete."""

import hashlib
import shutil
import struct
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterproof.analysis.source.confined import opened_root
from counterproof.analysis.source.git_index import IndexUnknown, parse_index, read_tracked

needs_git = pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")


def entry(name: bytes, mode: int = 0o100644, extended: bool = False, hash_size: int = 20) -> bytes:
    flags = min(len(name), 0xFFF) | (0x4000 if extended else 0)
    fixed = struct.pack(">IIIIII", 0, 0, 0, 0, 0, 0) + struct.pack(">IIII", mode, 0, 0, 0)
    row = fixed + bytes(hash_size) + struct.pack(">H", flags) + (b"\0\0" if extended else b"") + name
    return row + b"\0" * (8 - len(row) % 8)


def index(rows: list[bytes], version: int = 2, tail: bytes = b"", algorithm: str = "sha1") -> bytes:
    body = b"DIRC" + struct.pack(">II", version, len(rows)) + b"".join(rows) + tail
    return body + hashlib.new(algorithm, body).digest()


def compressed(names: list[bytes]) -> list[bytes]:
    rows: list[bytes] = []
    previous = b""
    for name in names:
        common = next((n for n, (a, b) in enumerate(zip(previous, name, strict=False)) if a != b), min(len(previous), len(name)))
        fixed = bytes(24) + struct.pack(">IIII", 0o100644, 0, 0, 0) + bytes(20) + struct.pack(">H", len(name))
        rows.append(fixed + bytes([len(previous) - common]) + name[common:] + b"\0")
        previous = name
    return rows


NAMES = [b"a.py", b"pkg/__init__.py", b"pkg/deep/er.py", b"pkg/deep/\xff.py"]
PATHS = ("a.py", "pkg/__init__.py", "pkg/deep/er.py", "pkg/deep/\\xFF.py")


def test_versions_two_to_four() -> None:
    assert parse_index(index([entry(name) for name in NAMES])) == PATHS
    assert parse_index(index([entry(name, extended=True) for name in NAMES], version=3)) == PATHS
    assert parse_index(index(compressed(NAMES), version=4)) == PATHS


def test_the_longer_hash_is_told_by_the_checksum() -> None:
    rows = [entry(name, hash_size=32) for name in NAMES]
    assert parse_index(index(rows, algorithm="sha256")) == PATHS


def test_folders_of_a_sparse_checkout_are_not_files() -> None:
    assert parse_index(index([entry(b"a.py"), entry(b"rest/", mode=0o040000)])) == ("a.py",)


def test_a_missing_checksum_is_allowed_because_git_allows_it() -> None:
    assert parse_index(index([entry(b"a.py")])[:-20] + bytes(20)) == ("a.py",)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "no header"),
        (b"DIRC" + bytes(40), "version 0"),
        (index([entry(b"a.py")])[:-1] + b"\0", "checksum"),
        (index([entry(b"a.py", extended=True)]), "impossible path"),
        (index([entry(b"../a.py")]), "impossible path"),
        (index([entry(b"a//b.py")]), "impossible path"),
        (index([entry(b"a.py")], tail=b"link" + struct.pack(">I", 0)), "split"),
        (index([entry(b"a.py")], tail=b"TREE" + struct.pack(">I", 99)), "middle of an entry"),
        (index([compressed([b"a"])[0][:62] + b"\x00" + b"x" * 5_000 + b"\0"], version=4), "impossible path"),
        (index([compressed([b"a"])[0][:62] + b"\xff" * 20 + b"x\0"], version=4), "endless path"),
    ],
)
@pytest.mark.rule("X16")
def test_damage_is_never_taken_for_an_index(data: bytes, why: str) -> None:
    with pytest.raises(IndexUnknown, match=why):
        parse_index(data)


@pytest.mark.rule("X16")
def test_a_count_that_lies_is_refused_before_it_costs_anything() -> None:
    body = b"DIRC" + struct.pack(">II", 2, 0xFFFFFFFF) + entry(b"a.py")
    with pytest.raises(IndexUnknown, match="more entries than bytes"):
        parse_index(body + hashlib.sha1(body).digest())


@given(st.binary(max_size=300), st.sampled_from([2, 3, 4]), st.integers(0, 5))
def test_any_bytes_give_paths_or_a_refusal(noise: bytes, version: int, count: int) -> None:
    body = b"DIRC" + struct.pack(">II", version, count) + noise
    try:
        paths = parse_index(body + hashlib.sha1(body).digest())
    except IndexUnknown:
        return
    assert all(path and not path.startswith("/") for path in paths)


@needs_git
@pytest.mark.parametrize("version", [2, 4])
def test_a_real_repository(tmp_path: Path, version: int) -> None:
    for name in ("a.py", "pkg/b.py", "pkg/deep/c.py", "untracked.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x = 1\n")
    subprocess.run(["git", "init", "-q", "."], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "a.py", "pkg"], cwd=tmp_path, check=True)
    subprocess.run(["git", "update-index", "--index-version", str(version)], cwd=tmp_path, check=True)
    with opened_root(tmp_path) as root:
        tracked = read_tracked(root)
    assert tracked.files == {"a.py", "pkg/b.py", "pkg/deep/c.py"}
    assert tracked.folders == {"pkg", "pkg/deep"}


@pytest.mark.parametrize("shape", ["file", "link", "fifo", "none"])
@pytest.mark.rule("X13")
def test_an_unusual_git_folder_makes_tracking_unknown(tmp_path: Path, shape: str) -> None:
    import os

    top = tmp_path / "top"
    top.mkdir()
    if shape == "file":
        (top / ".git").write_text("gitdir: /elsewhere\n")
    elif shape == "link":
        (tmp_path / "real").mkdir()
        (tmp_path / "real" / "index").write_bytes(index([entry(b"a.py")]))
        (top / ".git").symlink_to(tmp_path / "real")
    elif shape == "fifo":
        (top / ".git").mkdir()
        os.mkfifo(top / ".git" / "index")
    with opened_root(top) as root, pytest.raises(IndexUnknown):
        read_tracked(root)
