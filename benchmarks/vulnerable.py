"""How much is found in deliberately vulnerable web applications that nobody here has read: drawn by a seed, truth by reading.

    python benchmarks/vulnerable.py draw --seed 7                        the order in which to fetch
    python benchmarks/vulnerable.py take MIRROR --seed 7 --work DIR [--count 8] [--python]
    python benchmarks/vulnerable.py run --bench BENCH --work DIR [--mode quick] [--list fn|fp|tp]
    python benchmarks/vulnerable.py keep --work DIR --draw v18           adds its first run to figures.csv, its truth to truth.txt
    python benchmarks/vulnerable.py known MIRROR --work DIR [--draw v17] lays known applications out, for `run`
    python benchmarks/vulnerable.py figure                               the table of all draws so far

`take` lays the drawn applications out: fetched, a web application in Python, JavaScript or TypeScript, within the size, no copy
of one taken before, none that is kept aside. Then a reader writes DIR/truth.txt in the form of benchmarks/vulnerable/truth.txt,
before any output is seen; `run` refuses an application without an entry there. BENCH holds the benchmark's `score.py`, which
scores. Only the first run of a new draw is a first run; `known` is for comparing two versions of the program.
"""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from detection import place_by_place
from fresh import Row, append_rows, audit, export, git_dir, in_git, order, read_rows, spend

HERE = Path(__file__).resolve().parent / "vulnerable"
TRUTH, KINDS, FIGURES = HERE / "truth.txt", HERE / "kinds.csv", HERE / "figures.csv"
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
LEDGER_FIELDS = ("repository", "commit", "lines", "outcome")
TRUTH_FIELDS = ("file", "start_line", "end_line", "category", "vulnerable", "cwes", "id")
FIGURE_FIELDS = ("draw", "mode", "commit", "applications", "lines", "tp", "fp", "fn")


def main() -> None:
    options = _options()
    if options.command == "draw":
        print("\n".join(_drawn(options)))
    elif options.command == "take":
        _take(options)
    elif options.command == "known":
        _lay_out_known(options)
    elif options.command == "run":
        _run(options)
    elif options.command == "keep":
        _keep(options)
    else:
        print(table(read_rows(FIGURES)))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("figure")
    made = {name: commands.add_parser(name) for name in ("draw", "take", "run", "keep", "known")}
    for name in ("take", "run", "keep", "known"):
        made[name].add_argument("--work", type=Path, required=True)
    for name in ("take", "known"):
        made[name].add_argument("mirror", type=Path)
    for name in ("draw", "take"):
        made[name].add_argument("--seed", type=int, required=True)
    made["take"].add_argument("--count", type=int, default=8)
    made["take"].add_argument("--python", action="store_true", help="only applications written in Python")
    made["take"].add_argument("--least", type=int, default=SIZE[0], help="lines; smaller applications are outside the size")
    made["take"].add_argument("--most", type=int, default=SIZE[1], help="lines; larger applications are outside the size")
    made["known"].add_argument("--draw", help="only the applications of this draw")
    made["keep"].add_argument("--draw", required=True, help="name of the draw, v18 and so on")
    for name in ("run", "keep"):
        made[name].add_argument("--mode", default="standard")
    made["run"].add_argument("--bench", type=Path, required=True, help="the folder with score.py")
    made["run"].add_argument("--list", choices=("fn", "fp", "tp"), help="print these")
    return parser.parse_args()


def _drawn(options: argparse.Namespace) -> list[str]:
    return [name for name in order(options.seed, ("vulnerable",)) if not KEPT_ASIDE.search(name)]


def _take(options: argparse.Namespace) -> None:
    ledger = {row["repository"]: row for row in read_rows(options.work / "ledger.csv")}
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
        append_rows(options.work / "ledger.csv", LEDGER_FIELDS, [ledger[name]])


def _looked_at(options: argparse.Namespace, name: str, git: Path, seen: set[str]) -> Row:
    commit = in_git(git, "log", "-1", "--format=%H").strip()
    row = {"repository": name, "commit": commit[:12], "lines": "", "outcome": "not whole"}
    code = options.work / name.replace("/", "+") / "code"
    if not export(git, code):
        return row
    texts = [each.read_text("utf-8", "replace") for each in _written(code)]
    row["lines"] = str(sum(text.count("\n") for text in texts))
    titles = [each.read_text("utf-8", "replace")[:300] for each in code.glob("[Rr][Ee][Aa][Dd]*") if each.is_file()]
    large = {str(hash(text)) for text in texts if len(text) > 1_000}
    if any(KEPT_ASIDE.search(title) for title in titles):
        return row | {"outcome": "kept aside"}
    uses = [found[0] for text in texts if (found := WEB.search(text))]
    if not any(not options.python or not set(each) & set("'\"") for each in uses):  # Python names a module without quotes
        return row | {"outcome": "no web application"}
    if not options.least <= int(row["lines"]) <= options.most:
        return row | {"outcome": "outside the size"}
    if large & seen:
        return row | {"outcome": "copy"}
    seen |= large
    return row | {"outcome": "taken"}


def _lay_out_known(options: argparse.Namespace) -> None:
    """Applications of truth.txt that are fetched, at the commit that was read, with their truth."""
    for head, body in _entries(TRUTH.read_text("utf-8")):
        name, commit, draw = head.split()
        if options.draw not in (None, draw):
            continue
        git = git_dir(options.mirror, name)
        code = options.work / name.replace("/", "+") / "code"
        if git is None or not export(git, code, commit):
            print(f"not fetched with {commit}: {name}", file=sys.stderr)
            continue
        lines = sum(each.read_bytes().count(b"\n") for each in _written(code))
        row = {"repository": name, "commit": commit, "lines": str(lines), "outcome": "taken"}
        append_rows(options.work / "ledger.csv", LEDGER_FIELDS, [row])
        with (options.work / "truth.txt").open("a", encoding="utf-8") as file:
            file.write(f"@{head}\n{body}\n")


def _written(code: Path) -> Iterator[Path]:
    for each in sorted(code.rglob("*")):
        if each.suffix in SUFFIXES and each.is_file() and not NOT_WRITTEN.search(each.relative_to(code).as_posix()):
            yield each


def truth_rows(text: str) -> Iterator[Row]:
    """What a truth file says, in the form that the benchmark's script scores by."""
    cwes = {row["kind"]: row["cwes"] for row in read_rows(KINDS)}
    for head, body in _entries(text):
        application, number = head.split()[0].replace("/", "+"), 0
        for line in body.splitlines():
            _, path, said = line.split("\t")
            for each in said.split():
                mark, kind, places = re.fullmatch(r"(!?)([\w-]+):([\d,-]+)", each).groups()  # pyright: ignore[reportOptionalMemberAccess]
                for place in places.split(","):
                    start, _, end = place.partition("-")
                    number += 1
                    yield {
                        "file": f"{application}/{path}", "start_line": start, "end_line": end or start, "category": kind,
                        "vulnerable": "false" if mark else "true", "cwes": cwes[kind], "id": f"{application}#{number}",
                    }  # fmt: skip


def _entries(text: str) -> Iterator[tuple[str, str]]:
    """The head of each application, and the lines of its files."""
    for part in re.split(r"^@", text, flags=re.MULTILINE)[1:]:
        head, _, body = part.partition("\n")
        yield head, body.rstrip("\n")


def _taken(work: Path) -> list[Row]:
    return [row for row in read_rows(work / "ledger.csv") if row["outcome"] == "taken"]


def _run(options: argparse.Namespace) -> None:
    folders = [row["repository"].replace("/", "+") for row in _taken(options.work)]
    text = options.work / "truth.txt"
    truth = [row for row in truth_rows(text.read_text("utf-8") if text.is_file() else "") if row["file"].split("/")[0] in folders]
    if unread := set(folders) - {row["file"].split("/")[0] for row in truth}:
        sys.exit(f"no truth was written for {', '.join(sorted(unread))}: read first, then run")
    sarifs = list(_scanned(options, folders))
    mine = options.work / "truth.csv"
    mine.unlink(missing_ok=True)
    append_rows(mine, TRUTH_FIELDS, truth)
    command = [sys.executable, str(options.bench / "score.py"), str(mine), *map(str, sarifs), "--folder-prefix"]
    asked = ["--list", options.list] if options.list else ["--json", str(options.work / f"scores-{options.mode}.json")]
    subprocess.run([*command, *asked], check=True)


def _scanned(options: argparse.Namespace, folders: Iterable[str]) -> Iterator[Path]:
    for folder in folders:
        place = options.work / folder
        out = place / f"out-{options.mode}"
        if audit(place, options.mode, out) is None:
            sys.exit(f"no report for {folder}")
        (scored := options.work / f"scored-{options.mode}" / folder).mkdir(parents=True, exist_ok=True)
        sarif = scored / "report.sarif"
        sarif.write_bytes(place_by_place(out / "report.sarif").read_bytes())
        yield sarif


def _keep(options: argparse.Namespace) -> None:
    taken = _taken(options.work)
    pooled = json.loads((options.work / f"scores-{options.mode}.json").read_text("utf-8"))["pooled"]
    row = {
        "draw": options.draw, "mode": options.mode, "applications": str(len(taken)),
        "commit": in_git(HERE.parent.parent / ".git", "rev-parse", "--short", "HEAD").strip(),
        "lines": str(sum(int(each["lines"]) for each in taken)),
        **{name.lower(): str(pooled[name]) for name in ("TP", "FP", "FN")},
    }  # fmt: skip
    append_rows(FIGURES, FIGURE_FIELDS, [row])
    with TRUTH.open("a", encoding="utf-8") as file:
        file.write((options.work / "truth.txt").read_text("utf-8"))
    spend(each["repository"] for each in read_rows(options.work / "ledger.csv"))


def table(figures: list[Row]) -> str:
    """One row per draw and mode: the first runs. A finding that the truth does not list counts as false."""
    head = "| draw | mode | commit | applications | lines | found / written down | recall | false | precision |"
    rows = [head, "|---" * 9 + "|"]
    for row in figures:
        tp, fp, fn = (int(row[each]) for each in ("tp", "fp", "fn"))
        first = " | ".join(row[each] for each in ("draw", "mode", "commit", "applications", "lines"))
        rows.append(f"| {first} | {tp} / {tp + fn} | {tp / ((tp + fn) or 1):.2f} | {fp} | {tp / ((tp + fp) or 1):.2f} |")
    return "\n".join(rows)


if __name__ == "__main__":
    main()
