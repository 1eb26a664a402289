"""How much is found in deliberately vulnerable web applications that nobody here has read: drawn by a seed, truth by reading.

    python benchmarks/vulnerable.py draw --draw v1 --seed 7                the order in which to fetch
    python benchmarks/vulnerable.py take MIRROR --draw v1 --seed 7 --work DIR [--count 8]
    python benchmarks/vulnerable.py run --draw v1 --bench BENCH --work DIR [--mode quick]
    python benchmarks/vulnerable.py figure                                 the tables of all draws so far

The drawing and the ledger are those of fresh.py. `take` lays the drawn applications out: fetched, a web application in Python,
JavaScript or TypeScript, within the size, no copy of one taken before, none that is kept aside. Then somebody reads them and
writes benchmarks/vulnerable/truth.csv (facts only: file, lines, kind, CWEs; `vulnerable` false marks a trap) before any output
is seen; `run` refuses an application without a row there. BENCH holds the benchmark's `score.py`, which scores. Only the first
run of a draw in a mode goes into benchmarks/vulnerable/figures.csv, and it stays there.
"""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from detection import place_by_place
from fresh import LEDGER, LEDGER_FIELDS, append_rows, audit, export, git_dir, in_git, order, read_rows

HERE = Path(__file__).resolve().parent / "vulnerable"
NAMES, TRUTH, FIGURES = HERE / "names.csv", HERE / "truth.csv", HERE / "figures.csv"
SIZE = (100, 2_500)
"""Lines of Python, JavaScript and TypeScript that somebody wrote for it."""
SUFFIXES = {".py", ".js", ".ts", ".tsx", ".jsx", ".mjs", ".cjs"}
NOT_WRITTEN = re.compile(
    r"(^|/)(node_modules|vendor|dist|build|venv|\.venv|migrations|bower_components|libs?|admin/js)/|\.min\.|\.config\.|bootstrap|jquery"
)
WEB = re.compile(
    r"^\s*(?:from|import)\s+(?:flask|django|fastapi|aiohttp|tornado|bottle|starlette|sanic|quart|pyramid|cherrypy|http\.server)\b"
    r"|require\(['\"](?:express|koa|fastify|@hapi/hapi|hono|restify|http)['\"]\)"
    r"|from ['\"](?:express|koa|fastify|@hapi/hapi|hono|@nestjs/common|next/server|next)['\"]",
    re.MULTILINE,
)
KEPT_ASIDE = re.compile(
    r"pygoat|dsvw|dvga|graphql-application|djangoat|dvblab|flask_xss|intentionally-vulnerable-python|web-playground|pythonssti|threatbyte"
    r"|vulnerable_python_apps|damn-vulnerable-flask-application|extremely-vulnerable-flask|defdev|dvna|dvws|juice-shop|ninjasworkout"
    r"|node-api-goat|nodegoat|nodejs-goof|oopssec|reactvulna|react-test-bench|simply_vulnerable_react|vuln-node.js-express|vuln_node_express"
    r"|vulnnodeapp|vulnpy|xvna|ivna|vulnerable_react_app|/(?:vulnerable-(?:api|app|nodejs|node|rest-api)|insecure-web|python-app|vulpy|vampi)$",
    re.IGNORECASE,
)
"""Applications of a benchmark that stays unread, and what goes by their names."""
FIGURE_FIELDS = ("draw", "mode", "commit", "applications", "lines", "kind", "tp", "fp", "fn")


def main() -> None:
    options = _options()
    if options.command == "draw":
        print("\n".join(_drawn(options)))
    elif options.command == "take":
        _take(options)
    elif options.command == "run":
        _run(options)
    else:
        print(table(read_rows(FIGURES)))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("figure")
    for name in ("draw", "take", "run"):
        command = commands.add_parser(name)
        command.add_argument("--draw", required=True, help="name of the draw, v1, v2 and so on")
        if name != "run":
            command.add_argument("--seed", type=int, required=True)
            command.add_argument("--names", type=Path, default=NAMES)
        if name == "take":
            command.add_argument("mirror", type=Path)
            command.add_argument("--count", type=int, default=8)
            command.add_argument("--least", type=int, default=SIZE[0], help="lines; what is smaller is outside the size")
            command.add_argument("--most", type=int, default=SIZE[1], help="lines; what is larger is outside the size")
        if name != "draw":
            command.add_argument("--work", type=Path, required=True)
        if name == "run":
            command.add_argument("--bench", type=Path, required=True, help="the folder with score.py")
            command.add_argument("--mode", default="standard")
            command.add_argument("--list", choices=("fn", "fp", "tp"), help="print these instead of keeping a figure")
    return parser.parse_args()


def _drawn(options: argparse.Namespace) -> list[str]:
    most = getattr(options, "most", SIZE[1])
    return [name for name in order(options.seed, options.draw, (options.names,), most) if not KEPT_ASIDE.search(name)]


def _take(options: argparse.Namespace) -> None:
    ledger = {row["repository"]: row for row in read_rows(LEDGER) if row["draw"] == options.draw}
    seen: set[str] = set()
    for name in _drawn(options):
        if sum(row["outcome"] == "taken" for row in ledger.values()) == options.count:
            break
        if name in ledger:
            continue
        if (git := git_dir(options.mirror, name)) is None:
            print(f"not fetched: {name}", file=sys.stderr)
            continue
        ledger[name] = _looked_at(options, name, git, seen)
        append_rows(LEDGER, LEDGER_FIELDS, [ledger[name]])


def _looked_at(options: argparse.Namespace, name: str, git: Path, seen: set[str]) -> dict[str, str]:
    commit = in_git(git, "log", "-1", "--format=%H").strip()
    row = {"draw": options.draw, "repository": name, "commit": commit[:12], "lines": "", "outcome": "not whole"}
    code = options.work / name.replace("/", "+") / "code"
    if not export(git, code):
        return row
    files = list(_written(code))
    texts = [each.read_text("utf-8", "replace") for each in files]
    row["lines"] = str(sum(text.count("\n") for text in texts))
    titles = [each.read_text("utf-8", "replace")[:300] for each in code.glob("[Rr][Ee][Aa][Dd]*") if each.is_file()]
    large = {str(hash(text)) for text in texts if len(text) > 1_000}
    if any(KEPT_ASIDE.search(title) for title in titles):
        return row | {"outcome": "kept aside"}
    if not any(WEB.search(text) for text in texts):
        return row | {"outcome": "no web application"}
    if not options.least <= int(row["lines"]) <= options.most:
        return row | {"outcome": "outside the size"}
    if large & seen:
        return row | {"outcome": "copy"}
    seen |= large
    return row | {"outcome": "taken"}


def _written(code: Path) -> Iterator[Path]:
    for each in sorted(code.rglob("*")):
        if each.suffix in SUFFIXES and each.is_file() and not NOT_WRITTEN.search(each.relative_to(code).as_posix()):
            yield each


def _run(options: argparse.Namespace) -> None:
    taken = [row for row in read_rows(LEDGER) if row["draw"] == options.draw and row["outcome"] == "taken"]
    folders = [row["repository"].replace("/", "+") for row in taken]
    truth = [row for row in read_rows(TRUTH) if row["file"].split("/")[0] in folders]
    if unread := set(folders) - {row["file"].split("/")[0] for row in truth}:
        sys.exit(f"no truth was written for {', '.join(sorted(unread))}: read first, then run")
    sarifs: list[Path] = []
    for folder in folders:
        place = options.work / folder
        out = place / f"out-{options.mode}"
        if audit(place, options.mode, out) is None:
            sys.exit(f"no report for {folder}")
        (scored := options.work / f"scored-{options.mode}" / folder).mkdir(parents=True, exist_ok=True)
        sarifs.append(scored / "report.sarif")
        sarifs[-1].write_bytes(place_by_place(out / "report.sarif").read_bytes())
    mine = options.work / f"truth-{options.draw}.csv"
    mine.unlink(missing_ok=True)
    append_rows(mine, tuple(truth[0]), truth)
    command = [sys.executable, str(options.bench / "score.py"), str(mine), *map(str, sarifs), "--folder-prefix"]
    if options.list:
        subprocess.run([*command, "--list", options.list], check=True)
        return
    scores = options.work / f"scores-{options.draw}-{options.mode}.json"
    subprocess.run([*command, "--json", str(scores)], check=True)
    _keep(options, taken, json.loads(scores.read_text("utf-8")))


def _keep(options: argparse.Namespace, taken: list[dict[str, str]], scores: Any) -> None:
    if any(row["draw"] == options.draw and row["mode"] == options.mode for row in read_rows(FIGURES)):
        print("this draw has its first run in this mode already: nothing kept", file=sys.stderr)
        return
    commit = in_git(Path(__file__).resolve().parent.parent / ".git", "rev-parse", "--short", "HEAD").strip()
    common = {"draw": options.draw, "mode": options.mode, "commit": commit, "applications": str(len(taken))}
    common["lines"] = str(sum(int(row["lines"]) for row in taken))
    kinds = {**scores["rows"], "all": scores["pooled"]}
    append_rows(
        FIGURES,
        FIGURE_FIELDS,
        [common | {"kind": kind, "tp": each["TP"], "fp": each["FP"], "fn": each["FN"]} for kind, each in kinds.items()],
    )


def table(figures: list[dict[str, str]]) -> str:
    """One row per draw and mode: the first runs. A finding that the truth does not list counts as false."""
    head = "| draw | mode | commit | applications | lines | found / written down | recall | false | precision |"
    rows = [head, "|---" * 9 + "|"]
    for row in figures:
        if row["kind"] == "all":
            tp, fp, fn = (int(row[each]) for each in ("tp", "fp", "fn"))
            first = " | ".join(row[each] for each in ("draw", "mode", "commit", "applications", "lines"))
            rows.append(f"| {first} | {tp} / {tp + fn} | {tp / ((tp + fn) or 1):.2f} | {fp} | {tp / ((tp + fp) or 1):.2f} |")
    return "\n".join(rows)


if __name__ == "__main__":
    main()
