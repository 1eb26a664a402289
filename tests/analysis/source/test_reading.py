"""Confined reading: nothing outside the root, nothing but the surveyed bytes, never blocked."""

import os
import shutil
from pathlib import Path

import pytest

from counterproof.analysis.source.reading import TargetChanged, read_bytes, read_text
from counterproof.analysis.source.survey import survey
from counterproof.model.errors import InvalidValue
from counterproof.model.survey import SourceFile


def surveyed(target: Path, path: str) -> SourceFile:
    return next(file for file in survey(target).files if file.path == path)


def test_reads_what_was_surveyed(target: Path, plant) -> None:
    plant("pkg/a.py", "\ufeffx = 'é'\n")
    file = surveyed(target, "pkg/a.py")
    assert read_text(target, file) == "x = 'é'\n"
    assert read_bytes(target, file) == "\ufeffx = 'é'\n".encode()


def test_a_declared_encoding_is_honoured(target: Path, plant) -> None:
    plant("a.py", "# -*- coding: latin-1 -*-\nx = 'é'\n".encode("latin-1"))
    assert read_text(target, surveyed(target, "a.py")).endswith("x = 'é'\n")


@pytest.mark.parametrize("new", [b"x = 2\n", b"x = 1\ny = 2\n", b""])
@pytest.mark.rule("F17")
def test_changed_bytes_are_refused(target: Path, plant, new: bytes) -> None:
    place = plant("a.py", "x = 1\n")
    file = surveyed(target, "a.py")
    place.write_bytes(new)
    with pytest.raises(TargetChanged, match=r"'a\.py' changed since the survey"):
        read_text(target, file)


@pytest.mark.rule("X13")
def test_a_file_swapped_for_a_link_is_refused_even_with_equal_content(target: Path, plant, tmp_path: Path) -> None:
    place = plant("a.py", "x = 1\n")
    file = surveyed(target, "a.py")
    outside = tmp_path / "outside.py"
    place.rename(outside)
    place.symlink_to(outside)
    with pytest.raises(TargetChanged):
        read_bytes(target, file)


@pytest.mark.rule("X13")
def test_a_folder_swapped_for_a_link_is_refused(target: Path, plant, tmp_path: Path) -> None:
    plant("pkg/a.py", "x = 1\n")
    file = surveyed(target, "pkg/a.py")
    shutil.move(target / "pkg", tmp_path / "elsewhere")
    (target / "pkg").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    with pytest.raises(TargetChanged):
        read_bytes(target, file)


@pytest.mark.rule("X13")
def test_a_file_swapped_for_a_fifo_does_not_block(target: Path, plant) -> None:
    place = plant("a.py", "x = 1\n")
    file = surveyed(target, "a.py")
    place.unlink()
    os.mkfifo(place)
    with pytest.raises(TargetChanged):
        read_bytes(target, file)


@pytest.mark.rule("X13")
def test_a_file_swapped_for_a_link_to_a_device_is_refused(target: Path, plant) -> None:
    place = plant("a.py", "x = 1\n")
    file = surveyed(target, "a.py")
    place.unlink()
    place.symlink_to("/dev/zero")
    with pytest.raises(TargetChanged):
        read_bytes(target, file)


def test_a_missing_file_is_refused(target: Path, plant) -> None:
    place = plant("a.py")
    file = surveyed(target, "a.py")
    place.unlink()
    with pytest.raises(TargetChanged):
        read_bytes(target, file)


@pytest.mark.rule("X12")
@pytest.mark.parametrize("path", ["../a.py", "/etc/passwd", "a/../../b", "a\nb", ""])
def test_no_path_leads_out(path: str) -> None:
    with pytest.raises(InvalidValue):
        SourceFile(path, None, 0, 0, 0, "")


def test_no_descriptor_is_left_open(target: Path, plant) -> None:
    plant("a/b/c.py")
    file = surveyed(target, "a/b/c.py")
    before = len(os.listdir("/dev/fd"))
    for _ in range(50):
        read_bytes(target, file)
        with pytest.raises(TargetChanged):
            read_bytes(target, SourceFile("a/b/missing.py", None, 0, 1, 5, "0" * 64))
    assert len(os.listdir("/dev/fd")) == before
