"""What files cost that were written to be expensive, at growing sizes (X16).

    python benchmarks/shapes.py                             every shape
    python benchmarks/shapes.py --only switch --first 4000  one of them, from another size

Each shape is audited at three sizes, each twice the one before, in a process of its own whose processor time and memory are
counted; what an audit costs without the shape is taken off. The slope is by what the cost grows when the size is doubled: 2 is
linear. A shape is over where its last slope is above 2.6 and it costs more than a second, where the flaw beside it was not found,
or where a process had to be ended.
"""

import argparse
import os
import resource
import sys
import tempfile
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from hostile.hidden_code import PYTHON_FLAW
from hostile.quick_audit import audited, plant
from hostile.shapes import EVERY, tree

MAX_SECONDS = 90
MAX_SLOPE = 2.6
MIN_SECONDS = 1.0
FLAW = ("main.py", 78)


@dataclass(frozen=True)
class Cost:
    """Of one audit; `found` says that the flaw beside the shape was."""

    seconds: float
    megabytes: float
    found: bool


def cost(files: dict[str, bytes]) -> Cost:
    """The audit runs in a child, made by forking, so that nothing has to be imported anew."""
    with tempfile.TemporaryDirectory() as folder:
        root = plant(Path(folder) / "code", files)
        child = os.fork()
        if not child:
            os.environ["COUNTERPROOF_HOME"] = str(Path(folder) / "home")
            resource.setrlimit(resource.RLIMIT_CPU, (MAX_SECONDS, MAX_SECONDS))
            try:
                os._exit(0 if FLAW in audited(root).flaws else 1)
            finally:
                os._exit(2)
        _, status, used = os.wait4(child, 0)
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, status == 0)


def import_everything() -> None:
    """An audit in this process, of a tree that has something for every part: children find all of it imported."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["COUNTERPROOF_HOME"] = str(Path(folder) / "home")
        audited(plant(Path(folder) / "code", {path: data for name in EVERY for path, data in tree(name, 2).items()}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--first", type=int, default=500)
    parser.add_argument("--part", default="0/1", help="1/3: the second of three parts")
    options = parser.parse_args()
    import_everything()
    alone = cost({"main.py": PYTHON_FLAW.encode()})
    print(f"without a shape: {alone.seconds:.2f} s, {alone.megabytes:.0f} MB\n")
    print("| shape | KB | s | MB | slopes | |\n|---|---|---|---|---|---|")
    over = 0
    part, parts = map(int, options.part.split("/"))
    for name in [options.only] if options.only else list(EVERY)[part::parts]:
        sizes = [options.first * factor for factor in (1, 2, 4)]
        costs = [cost(tree(name, size)) for size in sizes]
        extra = [max(0.02, each.seconds - alone.seconds) for each in costs]
        slopes = [later / before for before, later in pairwise(extra)]
        bad = (slopes[-1] > MAX_SLOPE and extra[-1] > MIN_SECONDS) or not all(each.found for each in costs)
        over += bad
        kilobytes = sum(map(len, tree(name, sizes[-1]).values())) // 1024
        shown = " ".join(f"{each:.1f}" for each in slopes)
        memory = max(each.megabytes for each in costs) - alone.megabytes
        print(f"| {name} | {kilobytes:,} | {extra[-1]:.2f} | {memory:.0f} | {shown} | {'over' if bad else ''} |", flush=True)
    print(f"\n{over} over")
    raise SystemExit(1 if over else 0)


if __name__ == "__main__":
    main()
