"""Every message that users can meet, in one list, with its slots filled from real runs.

    python scripts/messages.py                       all of them, by file
    python scripts/messages.py --sample 60 --seed 7  so many, drawn at random, without their places

The templates are the texts of at least four words in the packages that speak to users. A set of real commands is run on the
example, right and wrong ones; where something printed fits a template, what was printed stands in its place. What no run printed
stands with the names of its slots.
"""

import argparse
import ast
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "counterproof"
PACKAGES = ("app", "batch", "cli", "demonstration", "fleet", "mcp", "model", "protocols", "reports", "runtime", "supervision")
MIN_WORDS = 4
MAX_SLOT = 160
NOT_PROSE = re.compile(r"^SELECT|\(\?|\\[bdws]|\w\[\w+(?:, ?\w+)*\]|^\S+$|^(?:[\w.*?-]+[ ]){12}[\w.*?-]+")
"""Queries, patterns, types, names and word lists."""
WINDOW = 600
COMMANDS = (
    "audit SHOP --yes --out OUT/audit", "audit SHOP --mode deep --yes --out OUT/deep",
    "audit SHOP --mode quick --only D1,D99", "audit", "audit nowhere", "audit SHOP --baseline nothing",
    "audit SHOP --since main", "audit SHOP --budget-usd 3", "audit SHOP", "audit SHOP --agents nobody:x",
    "review SHOP/storefront/views/cart.py --repo SHOP --yes --out OUT/review", "review --repo SHOP",
    "review SHOP/README.md --profile strategy --repo SHOP --yes", "verify SHOP/PLAN.md --repo SHOP --yes --out OUT/plan",
    "verify nothing.md", "map SHOP", "map SHOP --only rights", "explain C-01", "explain Z-01", "diff latest latest",
    "show latest", "replay latest", "resume nothing", "doctor", "runs", "log verify latest", "log cost latest",
    "fix latest", "config show SHOP", "rules", "libraries", "batches", "fleet status", "demonstrate C-99",
    "export cursor --out OUT/agent", "init OUT/audit",
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    found = {text: place for place, text in templates()}
    said = printed()
    filled = [(place, fill(text, said)) for text, place in found.items()]
    if asked.sample:
        for number, (_, text) in enumerate(random.Random(asked.seed).sample(filled, asked.sample), 1):
            print(f"{number}. {text}")
        return
    for place, text in filled:
        print(f"{place}: {text}")


def templates() -> Iterator[tuple[str, str]]:
    """(place, text) with the slots of a text in braces."""
    for package in PACKAGES:
        for path in sorted((SOURCE / package).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            inner = {
                id(part)
                for node in ast.walk(tree)
                if isinstance(node, ast.JoinedStr)
                for part in ast.walk(node)
                if part is not node
            }
            silent = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
            for node in ast.walk(tree):
                text = text_of(node) if id(node) not in inner | silent else ""
                if len(re.findall(r"[a-z]{2,}", re.sub(r"\{[^}]*\}", "", text))) >= MIN_WORDS and not NOT_PROSE.search(text):
                    yield f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}", text


def text_of(node: ast.AST) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else f"{{{slot(part)}}}"
            for part in node.values
        )
    return ""


def slot(part: ast.expr) -> str:
    names = [name for node in ast.walk(part) for name in (getattr(node, "attr", ""), getattr(node, "id", "")) if name]
    return names[0] if names else "…"


def printed() -> str:
    """What the commands print and write, with broken lines put together."""
    with tempfile.TemporaryDirectory() as folder:
        shop = Path(folder) / "shop"
        subprocess.run(["cp", "-r", str(ROOT / "examples" / "shop"), str(shop)], check=True)
        (shop / "PLAN.md").write_text(
            "# Plan\n\n1. Modify `storefront/gone.py`.\n2. Remove `cart_lines` from `storefront/services/pricing.py`.\n"
        )
        environment = {**os.environ, "COUNTERPROOF_HOME": f"{folder}/home"}
        texts: list[str] = []
        for command in COMMANDS:
            words = [word.replace("SHOP", str(shop)).replace("OUT", f"{folder}/out") for word in command.split()]
            done = subprocess.run(
                [sys.executable, "-m", "counterproof", *words],
                env=environment,
                capture_output=True,
                text=True,
                stdin=subprocess.DEVNULL,
            )
            texts += [done.stdout, done.stderr]
        texts += [path.read_text() for path in Path(folder, "out").rglob("*.md")]
    lines = "\n".join(texts).splitlines()
    return re.sub(r"\n\s+", " ", "\n".join(lines))  # what is indented goes on with the line before


def fill(text: str, said: str) -> str:
    """The text as a run printed it; itself where none did."""
    flat = " ".join(text.split())
    parts = re.split(r"\{[^}]*\}", flat)
    if len(parts) == 1:
        return flat
    anchor = max(parts, key=len)
    if len(anchor) < MIN_WORDS * 3:
        return flat
    pattern = re.compile(f".{{1,{MAX_SLOT}}}?".join(map(re.escape, parts)))
    places = (each.start() for each in islice(re.finditer(re.escape(anchor), said), 5))
    windows = (pattern.search(said, max(0, place - WINDOW), place + WINDOW) for place in places)
    return next((each.group() for each in windows if each), flat)


if __name__ == "__main__":
    main()
