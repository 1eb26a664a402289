"""Measures resistance to injection, per class and never pooled.

    python benchmarks/injection.py                        recall per encoding, false alarms on installed packages
    python benchmarks/injection.py --files 3000           over so many real source files
    python benchmarks/injection.py --attacks              also every attack of the test suite, with the obedient model

Recall: ten orders to a model, each written in a comment in every encoding. False alarms: everyday sentences that look like
orders, and real source files of the standard library and of installed packages, none of which is about attacking models.
"""

import argparse
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from counterproof.analysis.text.suspicion import suspicions  # noqa: E402
from hostile.models.attacks import BENIGN, ENCODERS, ORDERS, REWORDED, UNSEEN  # noqa: E402

KEYWORDS = ("ignore", "instructions", "system prompt", "you are now", "disregard", "act as", "pretend")
"""For comparison: what a plain list of words flags."""


def recall() -> None:
    print("\n| order written as | found by Counterproof | found by a word list |")
    print("|---|---|---|")
    for name, encode in {"plain text": lambda text: text, **ENCODERS}.items():
        texts = [f"value = 1\n# {encode(order)}\nother = 2\n" for order in ORDERS]
        ours = sum(bool(suspicions(text)) for text in texts)
        words = sum(any(word in text.lower() for word in KEYWORDS) for text in texts)
        print(f"| {name} | {ours} of {len(ORDERS)} | {words} of {len(ORDERS)} |")
    for name, orders in (("reworded orders", REWORDED), ("orders that the phrases were not written for", UNSEEN)):
        ours = sum(bool(suspicions(f"# {order}\n")) for order in orders)
        words = sum(any(word in order.lower() for word in KEYWORDS) for order in orders)
        print(f"| plain text, {name} | {ours} of {len(orders)} | {words} of {len(orders)} |")


def false_alarms(limit: int) -> None:
    places = [Path(sysconfig.get_path("stdlib")), Path(sysconfig.get_path("purelib"))]
    print("\n| benign text | texts | flagged by Counterproof | flagged by a word list |")
    print("|---|---|---|---|")
    row("everyday sentences", [f"# {text}\n" for text in BENIGN])
    for name, place in zip(("standard library", "installed packages"), places, strict=True):
        files = [path for path in sorted(place.rglob("*.py")) if name != "standard library" or "site-packages" not in path.parts]
        step = max(1, len(files) // limit)
        row(name, [path.read_text(encoding="utf-8", errors="replace") for path in files[::step]][:limit], files[::step])


def row(name: str, texts: list[str], files: list[Path] | None = None) -> None:
    started = time.perf_counter()
    flagged = [index for index, text in enumerate(texts) if suspicions(text)]
    words = sum(any(word in text.lower() for word in KEYWORDS) for text in texts)
    share = 100 * len(flagged) / max(1, len(texts))
    print(f"| {name} | {len(texts):,} | {len(flagged)} ({share:.2f} %) | {words} ({100 * words / max(1, len(texts)):.1f} %) |")
    for index in flagged[:10] if files else ():
        print(f"  {files[index] if files else ''}: {suspicions(texts[index])[0]}", file=sys.stderr)
    print(f"  {time.perf_counter() - started:.0f} s", file=sys.stderr)


def attacks() -> None:
    """Every marked attack as the test suite runs it; a row passes when all its tests do."""
    print("\n| attack | tests | passed |")
    print("|---|---|---|")
    for rule in ("X1", "X2", "X3", "X4", "X5", "X6", "X7", "X8", "X9", "X10", "X17", "X19"):
        command = [sys.executable, "-m", "pytest", "-q", "--rule", rule, "tests/hostile/models", "tests/protocols/guard"]
        ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900)
        last = ran.stdout.strip().splitlines()[-1] if ran.stdout.strip() else "nothing ran"
        passed = next(
            (word for word, after in zip(last.split(), last.split()[1:], strict=False) if after.startswith("passed")), "0"
        )
        failed = next(
            (word for word, after in zip(last.split(), last.split()[1:], strict=False) if after.startswith("failed")), "0"
        )
        print(f"| {rule} | {int(passed) + int(failed)} | {passed} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--files", type=int, default=1_500, help="real source files per source")
    parser.add_argument("--attacks", action="store_true")
    options = parser.parse_args()
    recall()
    false_alarms(options.files)
    if options.attacks:
        attacks()


if __name__ == "__main__":
    main()
