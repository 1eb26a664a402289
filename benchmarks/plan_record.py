"""What each kind of evidence was worth on first runs: true and false challenges and questions, by cause.

    python benchmarks/plan_record.py

Rows of `benchmarks/data/plans_judged.csv` that share draw, repository and judgement have one cause. Every draw was judged as the
program of its day ran on it, before anything was mended; nothing is taken out afterwards. Where a kind was split since, its rows
have the kind that they rest on. Only the last `LATELY` draws count: older ones ran on checks that are no more.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from counterproof.analysis.plans.evidence import GRADES, Evidence

JUDGED = Path(__file__).parent / "data" / "plans_judged.csv"
LATELY = 20
NEEDED = 0.7
"""The share of true ones on first runs from which on a kind of evidence may stop a plan; all together are to be right eight of
ten times."""
FEW = 4
"""Causes up to which a record decides nothing, unless two or more are all false."""

LOSSES = frozenset({Evidence.REMOVED})
"""What stands whatever its record: carried out, it takes away what others use, and nobody asks again."""


@dataclass(frozen=True)
class Worth:
    """How often evidence was right and wrong, by cause."""

    right: int
    wrong: int

    @property
    def earned(self) -> bool:
        """Whether the record lets it stand; without a record nothing speaks against it."""
        count = self.right + self.wrong
        return self.right >= NEEDED * count or (count <= FEW and self.right > 0) or count < 2


def record() -> dict[Evidence, Worth]:
    """The worth of every kind of evidence."""
    causes = set(_causes())
    return {
        each: Worth(*(sum(kind == each.name and said == word for kind, said, *_ in causes) for word in ("true", "false")))
        for each in Evidence
    }


def _causes() -> Iterator[tuple[str, str, str, str, str]]:
    with JUDGED.open(newline="") as file:
        rows = list(csv.DictReader(file))
    last = max(int(row["draw"]) for row in rows)
    for row in rows:
        if row["evidence"] and int(row["draw"]) > last - LATELY:
            yield row["evidence"], row["judgement"].partition(":")[0], row["draw"], row["repository"], row["judgement"]


def main() -> None:
    print("| evidence | true | false | grade |\n|---|---|---|---|")
    for each, worth in record().items():
        print(f"| {each.value} | {worth.right} | {worth.wrong} | {GRADES[each].name.lower()} |")


if __name__ == "__main__":
    main()
