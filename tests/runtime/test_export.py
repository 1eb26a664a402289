"""An exported journal is self-contained: it verifies, detects every change, and is the same journal (X18)."""

import contextlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from counterproof.model.errors import JournalError, UserError
from counterproof.ports import Entry, ReplyKey
from counterproof.runtime import export
from counterproof.runtime.chain import Broken
from counterproof.runtime.clock import WallClock
from counterproof.runtime.export import ExportedJournal
from counterproof.runtime.home import Home
from counterproof.runtime.journal import SqliteJournal
from counterproof.runtime.replies import JournalReplies

Lines = list[str]


@pytest.fixture
def exported(tmp_path: Path) -> tuple[Path, list[Entry]]:
    run = Home().create()
    with contextlib.closing(SqliteJournal.create(run, WallClock())) as journal:
        journal.append("event", '{"kind":"started"}', "two")
        JournalReplies(journal).keep(ReplyKey("task", 1, 0, "q"), b"\0raw\xff")
        journal.append("marker", "[MODE] quick ✅ \ud800")
        journal.append("event", "five")
        rows = list(journal.entries())
        path = tmp_path / "run.jsonl"
        path.write_text("".join(export.lines(run.id, journal)), encoding="ascii")
    return path, rows


def test_it_reads_back_as_the_same_rows_and_verifies(exported: tuple[Path, list[Entry]]) -> None:
    path, rows = exported
    journal = ExportedJournal(path)
    assert list(journal.entries()) == rows
    verdict = journal.verify()
    assert verdict.damages == ()
    assert (verdict.whole, verdict.head) == (5, rows[-1].hash)
    assert journal.verify(rows[2].hash).damages == ()
    assert journal.verify("0" * 64).damages
    with pytest.raises(JournalError, match="cannot be written"):
        journal.append("event", "x")


def changed(number: int, **fields: object) -> Callable[[Lines], Lines]:
    def change(lines: Lines) -> Lines:
        value = {**json.loads(lines[number]), **fields}
        lines[number] = json.dumps(value, sort_keys=True, separators=(",", ":")) + "\n"
        return lines

    return change


@pytest.mark.rule("X18")
@pytest.mark.parametrize(
    "change",
    [
        changed(1, body="forged"),
        changed(1, at="never"),
        changed(2, seq=9),
        changed(2, seq="2"),
        changed(2, extra=1),
        changed(3, raw="AAAA"),
        changed(3, raw="not base64!"),
        changed(3, raw=7),
        changed(4, raw="AAAA"),
        changed(0, run="20200101-000000-abcdef"),
        changed(6, entries=4),
        changed(6, head="0" * 64),
        lambda lines: lines[:-1],
        lambda lines: lines[:3],
        lambda lines: [*lines[:2], *lines[3:]],
        lambda lines: [lines[0], lines[2], lines[1], *lines[3:]],
        lambda lines: [*lines[:2], lines[1], *lines[2:]],
        lambda lines: [*lines, lines[-1]],
        lambda lines: [*lines, lines[1]],
        lambda lines: [*lines, "\n"],
        lambda lines: [lines[0], lines[1].replace(":", ": "), *lines[2:]],
        lambda lines: [*lines[:-1], lines[-1].rstrip("\n")],
        lambda lines: [*lines[:3], "[" * 100_000 + "\n", *lines[3:]],
        lambda lines: [*lines[:3], "null\n", *lines[3:]],
        lambda lines: [lines[0], lines[-1]],
    ],
)
def test_every_change_shows(exported: tuple[Path, list[Entry]], change: Callable[[Lines], Lines]) -> None:
    path, _ = exported
    path.write_text("".join(change(path.read_text(encoding="ascii").splitlines(keepends=True))), encoding="ascii")
    assert ExportedJournal(path).verify().damages
    with pytest.raises(Broken):
        list(ExportedJournal(path).entries())


@pytest.mark.rule("X18")
def test_every_byte_counts(exported: tuple[Path, list[Entry]]) -> None:
    path, _ = exported
    original = path.read_bytes()
    for at in range(0, len(original), 3):
        flipped = bytearray(original)
        flipped[at] ^= 1
        path.write_bytes(flipped)
        with contextlib.suppress(UserError, JournalError):
            assert ExportedJournal(path).verify().damages, at


@pytest.mark.parametrize("text", ["", "hello\n", "{}\n", '{"counterproof":"journal"}\n', "[" * 100_000])
def test_another_file_is_no_exported_journal(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text(text)
    with pytest.raises((UserError, JournalError), match=r"not an exported journal|has format"):
        ExportedJournal(path)
    with pytest.raises(UserError, match="cannot read"):
        ExportedJournal(tmp_path / "missing.jsonl")
