"""Removing old batches: their ledgers, logs and the reports that lie in their folders. The runs behind them are `runs prune`'s.

Invariant: the newest batches of every list stay, because the next one is compared with them; what is unfinished stays unless
it is asked for, and what is being conducted stays in any case.
"""

from collections import Counter

from counterproof.batch import ledger as ledgers
from counterproof.runtime import lock
from counterproof.runtime.home import Home, RunFolder


def prunable(home: Home, keep: int, finished_only: bool) -> list[RunFolder]:
    """All but the newest `keep` of each list. A batch that this version cannot read belongs to no list and is finished."""
    known = {each.batch.id: each for each in ledgers.summaries(home)}
    seen, old = Counter[str](), list[RunFolder]()
    for batch in reversed(home.runs(ledgers.KIND)):
        summary = known.get(batch.id)
        name = summary.order.name if summary else ""
        seen[name] += 1
        if seen[name] > keep and (not summary or summary.ended or not finished_only):
            old.append(batch)
    return old


def prune(home: Home, batches: list[RunFolder]) -> int:
    """Remove batches that nobody conducts; returns the bytes freed."""
    freed = 0
    for batch in batches:
        with lock.held(batch):
            freed += sum(file.lstat().st_size for file in batch.path.rglob("*") if not file.is_dir())
            home.remove(batch)
    return freed
