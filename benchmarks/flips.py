"""Flips every bit of a small journal, one at a time, and says whether it was detected or harmless (F16).

    python benchmarks/flips.py            every bit of the database
    python benchmarks/flips.py --step 8   every eighth bit only

Harmless means that exactly the same rows and raw replies are read; anything else that is accepted is a failure.
"""

import argparse
import contextlib
import sys
import tempfile
from collections import Counter
from pathlib import Path

from counterproof.model.errors import JournalError
from counterproof.ports import Entry, ReplyKey
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import Home, RunFolder
from counterproof.runtime.journal import SqliteJournal
from counterproof.runtime.replies import JournalReplies
from counterproof.runtime.verification import verify

KEY = ReplyKey("agent/attempt-1", 1, 0, "0" * 64)
RAW = b'{"reply": "' + b"x" * 300 + b'"}'


def written(run: RunFolder) -> list[Entry]:
    with contextlib.closing(SqliteJournal.create(run, WallClock())) as journal:
        for number in range(6):
            journal.append("event", f"event {number}")
            journal.append("marker", f"marker {number}")
        JournalReplies(journal).keep(KEY, RAW)
        return list(journal.entries())


def judged(run: RunFolder, rows: list[Entry]) -> str:
    try:
        if verify(run).damages:
            return "detected"
        with contextlib.closing(SqliteJournal(run, WallClock(), writable=False)) as journal:
            same = list(journal.entries()) == rows and JournalReplies(journal).find(KEY) == RAW
    except JournalError:
        return "detected"
    except Exception as error:
        return f"WRONG: {type(error).__name__}"
    return "harmless" if same else "WRONG: other rows were accepted"


def main() -> None:
    parser = argparse.ArgumentParser(description="Flip the bits of a journal.")
    parser.add_argument("--step", type=int, default=1)
    step = parser.parse_args().step
    seen: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="flips-") as name:
        run = Home(Path(name)).create()
        rows = written(run)
        original = run.journal.read_bytes()
        for bit in range(0, 8 * len(original), step):
            flipped = bytearray(original)
            flipped[bit // 8] ^= 1 << bit % 8
            run.journal.write_bytes(flipped)
            seen[judged(run, rows)] += 1
            for suffix in ("-wal", "-shm"):
                Path(f"{run.journal}{suffix}").unlink(missing_ok=True)
    print(f"{seen.total()} of {8 * len(original)} bits flipped: {', '.join(f'{n} {what}' for what, n in sorted(seen.items()))}")
    sys.exit(any(what.startswith("WRONG") for what in seen))


if __name__ == "__main__":
    main()
