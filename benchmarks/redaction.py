"""Measures what becomes of planted secrets, and what else is hidden by mistake.

    python benchmarks/redaction.py                          planted secrets: shown to agents, and in the reports of an audit
    python benchmarks/redaction.py --trees FOLDER           lines of real projects that redaction alters, a project per folder
    python benchmarks/redaction.py --seeds 5                over so many seeds

Per class, never pooled: carriers with a name, carriers that say nothing (random values only), carriers that were not used while
redaction was made, private keys.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from counterproof.analysis.secrets.redaction import redact  # noqa: E402
from hostile.planted_secrets import CARRIERS, COMMIT, HELD_OUT, HUMAN, KINDS, SILENT, Planted, planted, planted_keys, seen  # noqa: E402

RANDOM = tuple(kind for kind in KINDS if kind != HUMAN)
CODE = (".py", ".js", ".ts", ".tsx", ".jsx", ".go", ".java", ".rb", ".php")


def classes(seed: int) -> dict[str, list[Planted]]:
    return {
        "a name says so": list(planted(seed, CARRIERS)),
        "nothing says so, random": list(planted(seed, SILENT, RANDOM)),
        "a name says so, carriers not used in the making": list(planted(seed, HELD_OUT)),
        "private keys": list(planted_keys(seed)),
    }


def shown_to_agents(seeds: range) -> None:
    print("\n| planted | places | shown to agents |\n|---|---|---|")
    for name in classes(seeds[0]):
        items = [each for seed in seeds for each in classes(seed)[name]]
        bad = sum(seen(each, redact(each.text, path="" if each.path == COMMIT else each.path)) for each in items)
        print(f"| {name} | {len(items):,} | {bad} ({100 * bad / len(items):.1f} %) |")


def in_reports(seed: int) -> None:
    """One audit over all files; what stands in the report, in SARIF and in the run's own log."""
    groups = classes(seed)
    with tempfile.TemporaryDirectory() as folder:
        tree, out, home = (Path(folder) / name for name in ("tree", "out", "home"))
        for each in (each for items in groups.values() for each in items if each.path != COMMIT):
            place = tree / f"{sum(map(ord, each.carrier + each.kind))}-{each.path}"
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(each.text + _use(each), encoding="utf-8")
        program = [sys.executable, "-m", "counterproof", "audit", str(tree), "--yes", "--out", str(out)]
        environment = {"PATH": "/usr/bin:/bin", "COUNTERPROOF_HOME": str(home), "PYTHONPATH": str(ROOT / "src")}
        subprocess.run(program, env=environment, capture_output=True, check=False)
        texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(out.iterdir())}
        texts["log"] = b"".join(path.read_bytes() for path in home.glob("runs/*/journal.db*")).decode("utf-8", "replace")
    rows = len(json.loads(texts["report.json"])["findings"])
    print(f"\nOne audit over all of them, {rows} findings.\n\n| where | secrets in it |\n|---|---|")
    items = [each for group in groups.values() for each in group if each.path != COMMIT]
    for name, text in texts.items():
        print(f"| {name} | {sum(seen(each, text) for each in items)} of {len(items):,} |")


def _use(each: Planted) -> str:
    """In Python, a flow that passes by the secret's line, so that reports quote its surroundings."""
    if not each.path.endswith(".py"):
        return ""
    return "import os\nfrom flask import request\n\n\ndef view():\n    os.system('ls ' + request.args['q'])\n"


def hidden_by_mistake(folders: Iterable[Path]) -> None:
    print("\n| project | lines | altered, of 1,000 | lines of code | altered, of 1,000 |\n|---|---|---|---|---|")
    for folder in folders:
        counts = [0, 0, 0, 0]
        for path in (each for each in sorted(folder.rglob("*")) if each.is_file()):
            try:
                text = path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue
            lines, shown = text.split("\n"), redact(text, path=path.name).split("\n")
            altered = sum(before != after for before, after in zip(lines, shown, strict=True))
            for place in (0, 2) if path.suffix in CODE else (0,):
                counts[place] += len(lines)
                counts[place + 1] += altered
        per = [1000 * altered / max(1, total) for total, altered in (counts[:2], counts[2:])]
        print(f"| {folder.name} | {counts[0]:,} | {per[0]:.2f} | {counts[2]:,} | {per[1]:.2f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--trees", type=Path)
    options = parser.parse_args()
    if options.trees:
        hidden_by_mistake(sorted(each for each in options.trees.iterdir() if each.is_dir()))
        return
    shown_to_agents(range(options.first, options.first + options.seeds))
    in_reports(options.first)


if __name__ == "__main__":
    main()
