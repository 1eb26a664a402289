"""Raw replies are on disk before anything parses them; a restart finds them, a retry does not (F14)."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from counterproof.model.errors import JournalError
from counterproof.ports import ReplyKey
from counterproof.runtime.home import RunFolder
from counterproof.runtime.inbox import Inbox
from counterproof.runtime.replies import JournalReplies
from runtime.places import Place

KEY = ReplyKey("agent-r1-01/attempt-1", 1, 3, "a" * 64)


@pytest.fixture(autouse=True)
def run(place: Place) -> RunFolder:
    place.create().close()
    return place.run


def found(place: Place, key: ReplyKey) -> bytes | None:
    with contextlib.closing(place.open()) as journal:
        return JournalReplies(journal).find(key)


def landed(path: Path, *keys: ReplyKey) -> bytes:
    """Replies that a killed process left behind."""
    with contextlib.closing(Inbox(path)) as inbox:
        inbox.open()
        for key in keys:
            inbox.put(key, f"paid for {key.step}".encode())
    return path.read_bytes()


@pytest.mark.rule("F14")
@pytest.mark.parametrize("raw", [b"", b"\0\xff not text", b"x" * 3_000_000])
def test_a_kept_reply_is_found_after_a_restart_byte_for_byte(place: Place, raw: bytes) -> None:
    with contextlib.closing(place.open()) as journal:
        store = JournalReplies(journal)
        assert store.find(KEY) is None
        store.keep(KEY, raw)
        assert store.find(KEY) == raw
    assert found(place, KEY) == raw
    assert place.verdict().damages == ()


@pytest.mark.rule("F14")
@pytest.mark.parametrize(
    "other",
    [
        ReplyKey("agent-r1-02/attempt-1", 1, 3, "a" * 64),
        ReplyKey(KEY.task, 2, 3, "a" * 64),
        ReplyKey(KEY.task, 1, 4, "a" * 64),
        ReplyKey(KEY.task, 1, 3, "b" * 64),
    ],
    ids=["task", "attempt", "step", "request"],
)
def test_another_question_is_not_answered_by_it(place: Place, other: ReplyKey) -> None:
    with contextlib.closing(place.open()) as journal:
        JournalReplies(journal).keep(KEY, b"reply")
    assert found(place, other) is None


def test_a_later_reply_to_the_same_question_counts_and_both_stay_in_the_chain(place: Place) -> None:
    with contextlib.closing(place.open()) as journal:
        store = JournalReplies(journal)
        store.keep(KEY, b"first")
        store.keep(KEY, b"second")
        assert store.find(KEY) == b"second"
        assert sum(entry.kind == "reply" for entry in journal.entries()) == 2
    assert found(place, KEY) == b"second"


@pytest.mark.rule("X18")
def test_a_reply_that_was_changed_on_disk_is_not_handed_out(place: Place) -> None:
    with contextlib.closing(place.open()) as journal:
        JournalReplies(journal).keep(KEY, b"no findings? three findings")
    place.edit("UPDATE replies SET raw = ?", b"no findings")
    with pytest.raises(JournalError, match="was changed"):
        found(place, KEY)


def test_replies_and_events_from_several_threads_make_one_chain(place: Place) -> None:
    with contextlib.closing(place.open()) as journal:
        store = JournalReplies(journal)

        def keep(number: int) -> None:
            for step in range(10):
                store.keep(ReplyKey(f"task {number}", 1, step, "q"), f"{number}/{step}".encode())
                journal.append("event", f"{number}/{step}")

        threads = [threading.Thread(target=keep, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert store.find(ReplyKey("task 2", 1, 7, "q")) == b"2/7"
    assert place.verdict().whole == 80
    assert place.verdict().damages == ()


ASKER = """
from counterproof.ports import ReplyKey
from counterproof.runtime.crashpoints import notice
from counterproof.runtime.replies import JournalReplies
key = ReplyKey("agent-r1-01/attempt-1", 1, 3, "a" * 64)
store = JournalReplies(journal)
if store.find(key) is None:
    notice("before send")
    print("sent", flush=True)
    notice("after send")
    notice("reply received")
    store.keep(key, b"paid for")
print("parsed", store.find(key).decode(), flush=True)
"""


@pytest.mark.rule("F14")
@pytest.mark.parametrize(
    ("point", "asks_again"),
    [
        ("before-send", True),
        ("after-send", True),
        ("reply-received", True),
        ("reply-landed", False),
        ("mid-journal", False),
        ("before-head", False),
        ("reply-stored", False),
    ],
)
def test_killed_at_any_point_a_stored_reply_is_never_asked_for_again(
    place: Place, home: Path, point: str, asks_again: bool
) -> None:
    place.expire()
    command = [sys.executable, "-c", place.opening() + ASKER]
    killed = subprocess.run(command, env={**os.environ, "COUNTERPROOF_CRASH_AT": point}, capture_output=True, text=True)
    assert killed.returncode == -signal.SIGKILL
    assert "parsed" not in killed.stdout
    place.expire()
    again = subprocess.run(command, capture_output=True, text=True, check=True)
    assert again.stdout.split("\n")[0] == ("sent" if asks_again else "parsed paid for")
    assert again.stdout.endswith("parsed paid for\n")
    assert place.verdict().damages == ()


@pytest.mark.rule("F14")
def test_a_reply_that_landed_enters_the_journal_once_and_only_whole(place: Place) -> None:
    whole = landed(place.inbox, KEY, replace(KEY, step=4))
    place.inbox.write_bytes(whole[:-3])
    assert found(place, KEY) == b"paid for 3"
    assert found(place, replace(KEY, step=4)) is None
    assert not place.inbox.exists()
    place.inbox.write_bytes(whole)  # killed again between the commit and the emptying
    assert found(place, replace(KEY, step=4)) == b"paid for 4"
    assert place.verdict().whole == 2
    assert place.verdict().damages == ()


@pytest.mark.rule("X18")
@pytest.mark.parametrize(
    "change",
    [lambda d: d.replace(b"paid", b"free"), lambda d: b"[" * 9_000 + d, lambda d: b"\n" + d, lambda _: b"{}\n"],
)
def test_an_inbox_that_was_tampered_with_is_not_believed(place: Place, change: Callable[[bytes], bytes]) -> None:
    place.inbox.write_bytes(change(landed(place.inbox, KEY)))
    assert found(place, KEY) is None


def test_an_inbox_that_is_a_link_is_left_alone(place: Place, tmp_path: Path) -> None:
    other = tmp_path / "other"
    planted = landed(other, KEY)
    place.inbox.symlink_to(other)
    with contextlib.closing(place.open()) as journal:
        store = JournalReplies(journal)
        assert store.find(KEY) is None
        store.keep(KEY, b"reply")
    assert other.read_bytes() == planted
    assert found(place, KEY) == b"reply"


def test_one_who_only_reads_takes_nothing_over(place: Place) -> None:
    left = landed(place.inbox, KEY)
    with contextlib.closing(place.open(writable=False)) as journal:
        assert JournalReplies(journal).find(KEY) is None
    assert place.inbox.read_bytes() == left
