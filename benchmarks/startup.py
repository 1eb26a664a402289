"""How long `counterproof --help` takes, as a multiple of `python -c pass` in the same run.

    python benchmarks/startup.py

Both commands run alternately; the medians are compared, because single runs are noisy. The aim is at most 15.
"""

import statistics
import subprocess
import sys
import time

ROUNDS = 21


def seconds(*arguments: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    seconds("-m", "counterproof", "--help")
    empty: list[float] = []
    helped: list[float] = []
    for _ in range(ROUNDS):
        empty.append(seconds("-c", "pass"))
        helped.append(seconds("-m", "counterproof", "--help"))
    ratio = statistics.median(helped) / statistics.median(empty)
    print(f"python -c pass       {1000 * statistics.median(empty):7.1f} ms (median of {ROUNDS})")
    print(f"counterproof --help  {1000 * statistics.median(helped):7.1f} ms (median of {ROUNDS})")
    print(f"ratio                {ratio:7.1f}   aim: at most 15")


if __name__ == "__main__":
    main()
