"""Figures of the detection benchmark as Markdown, with the date, the machine, the commit and the versions they belong to."""

import os
import platform
import re
import subprocess
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from detection import Measured
    from detection_peers import Peer

ROOT = Path(__file__).resolve().parent.parent
START, END = "<!-- measured -->", "<!-- /measured -->"

Results = Mapping[str, Mapping[str, "Measured"]]


def page(results: Results, tools: "list[Peer]", missing: list[str]) -> str:
    """All tables."""
    parts = [_circumstances(tools), _sets(results), _dimensions(results), _remarks(results, missing)]
    return "\n\n".join(part for part in parts if part)


def written(old: str, text: str) -> str:
    """The page with new tables between its marks."""
    if old.count(START) != 1 or old.count(END) != 1:
        raise SystemExit(f"the page needs {START} and {END}, each once")
    return re.sub(f"{START}.*{END}", lambda _: f"{START}\n{text}\n{END}", old, flags=re.DOTALL)


def _circumstances(tools: "list[Peer]") -> str:
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    changed = subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True, check=False)
    state = commit.stdout.strip() + (" with changes" if changed.stdout.strip() else "")
    versions = ", ".join(f"{tool.name} {tool.version}" for tool in tools)
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, {_processor()}"
    return f"Measured on {date.today():%d %B %Y}, commit {state}. Python {platform.python_version()}, {machine}.\n{versions}."


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text("utf-8")
    except OSError:
        return platform.processor() or "processor unknown"
    found = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    return found[1].strip() if found else "processor unknown"


def _sets(results: Results) -> str:
    rows = [
        _row("apps: precision / recall / F1", results, "apps", _precision),
        _row("cases: OWASP score (macro Youden)", results, "cases", _youden),
        _row("cves: recall / fixed-twin alarms", results, "cves", _twins),
        _row("clean: alarms per 1,000 lines", results, "clean", _noise(results)),
        _row("npm: recall / other alarms per package", results, "npm", _beside),
    ]
    return "\n".join([_head("set", results), *(row for row in rows if row)])


def _head(first: str, results: Mapping[str, Any]) -> str:
    return f"| {first} | " + " | ".join(results) + " |\n|---|" + "---|" * len(results)


def _row(title: str, results: Results, which: str, tell: "Callable[[Measured], str]") -> str:
    if not any(which in sets for sets in results.values()):
        return ""
    cells: list[str] = []
    for sets in results.values():
        each = sets.get(which)
        cells.append(tell(each) if each and (each.scores or which == "clean") else "–")
    return f"| {title} | " + " | ".join(cells) + " |"


def _precision(each: "Measured") -> str:
    return " / ".join(f"{each.scores['pooled'][name]:.3f}" for name in ("precision", "recall", "f1"))


def _youden(each: "Measured") -> str:
    return f"{each.scores['macro']['youden']:.3f}"


def _twins(each: "Measured") -> str:
    return f"{each.scores['pooled']['recall']:.3f} / {each.scores['pooled']['FP']}"


def _beside(each: "Measured") -> str:
    """One weakness per package is known; whatever else is reported may be true or not, nobody has looked."""
    pooled = each.scores["pooled"]
    return f"{pooled['recall']:.3f} / {(each.alarms - pooled['TP']) / (pooled['TP'] + pooled['FN']):.2f}"


def _noise(results: Results) -> "Callable[[Measured], str]":
    """Peers do not count lines, so all are related to the same count."""
    lines = max((sets["clean"].lines for sets in results.values() if "clean" in sets), default=0)
    return lambda each: f"{1000 * each.alarms / lines:.2f}" if lines else f"{each.alarms} alarms"


def _dimensions(results: Results) -> str:
    apps = {name: sets["apps"].scores for name, sets in results.items() if "apps" in sets}
    scored: dict[str, dict[str, Any]] = {name: scores["rows"] for name, scores in apps.items() if scores}
    names = sorted({row for rows in scored.values() for row in rows}, key=_order)
    lines = [f"Recall on apps by dimension, with found / all:\n\n{_head('dimension', scored)}"]
    for name in names:
        cells = [_recall(rows.get(name)) for rows in scored.values()]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) if scored else ""


def _order(name: str) -> tuple[bool, int, str]:
    return (name == "other", len(name.split(" ")[0]), name)


def _recall(row: Any) -> str:
    if not row or not row["TP"] + row["FN"]:
        return "–"
    return f"{row['recall']:.2f} ({row['TP']}/{row['TP'] + row['FN']})"


def _remarks(results: Results, missing: list[str]) -> str:
    lines = [f"Not measured, because the targets were not there: {', '.join(missing)}."] if missing else []
    kept = [name for name, sets in results.items() if any(each.kept for each in sets.values())]
    if kept:
        lines.append(
            f"Put together with --go-on: scans of {' and '.join(kept)} were taken from earlier runs and not repeated, so the "
            "commit above is that of the table and not of those scans."
        )
    for name, sets in results.items():
        for which, each in sets.items():
            if each.failed:
                lines.append(f"{name} gave no result on {which}: {', '.join(each.failed)}.")
    return "\n".join(lines)
