"""Writes the tables of the plan benchmark into the documentation, from what `plans.py --save` kept.

    python benchmarks/plan_tables.py "seen=FILE" "unseen=FILE" "unseen, second words=FILE"

Each argument is a column. The page is `docs/explanation/plans.md`, between its marks. Nothing is measured here.
"""

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import plan_flaws

PAGE = Path(__file__).parent.parent / "docs" / "explanation" / "plans.md"
START, END = "<!-- measured -->", "<!-- /measured -->"


def main() -> None:
    columns: dict[str, dict[str, Any]] = {}
    for argument in sys.argv[1:]:
        name, _, path = argument.partition("=")
        columns[name] = json.loads(Path(path).read_text(encoding="utf-8"))
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    after = rest.partition(END)[2]
    PAGE.write_text(f"{before}{START}\n{tables(columns)}\n{END}{after}", encoding="utf-8")


def tables(columns: dict[str, dict[str, Any]]) -> str:
    said = "\n".join(f"- {name}: {each['circumstances']}" for name, each in columns.items())
    head = "".join(f" {name} |" for name in columns)
    lines = [f"| planted flaw, found / plans |{head}", "|---|" + "---|" * len(columns)]
    for label in plan_flaws.FLAWS:
        lines.append(f"| {label} |" + "".join(f" {_cell(each['found'].get(label))} |" for each in columns.values()))
    lines.append("| **all flaws** |" + "".join(f" **{_cell(_sum(each))}** |" for each in columns.values()))
    for label in plan_flaws.CLEAN:
        lines.append(f"| false alarms: {label} |" + "".join(f" {_cell(each['found'].get(label))} |" for each in columns.values()))
    lines.append("| verdict right |" + "".join(f" {each['right']} / {each['plans']} |" for each in columns.values()))
    lines.append("| challenges that name something else |" + "".join(f" {each['beside']} |" for each in columns.values()))
    lines.append(
        "| seconds, median / most |" + "".join(f" {each['median']:.2f} / {each['most']:.2f} |" for each in columns.values())
    )
    lines.append("| tokens |" + "".join(f" {each['tokens']} |" for each in columns.values()))
    styles = sorted({style for each in columns.values() for style in each["styles"]})
    by_style = [f"| style, found / plans |{head}", "|---|" + "---|" * len(columns)]
    by_style += [
        f"| {style} |" + "".join(f" {_cell(each['styles'].get(style))} |" for each in columns.values()) for style in styles
    ]
    return "\n".join([said, "", *lines, "", "By style; on clean plans *found* is a false alarm:", "", *by_style])


def _sum(column: dict[str, Any]) -> list[int]:
    flawed = [counts for label, counts in column["found"].items() if label not in plan_flaws.CLEAN]
    return [sum(hit for hit, _ in flawed), sum(total for _, total in flawed)]


def _cell(counts: list[int] | None) -> str:
    return f"{counts[0]} / {counts[1]}" if counts else "–"


if __name__ == "__main__":
    main()
