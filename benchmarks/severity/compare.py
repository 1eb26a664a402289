"""Compares the levels that the sum gives to rated causes with the levels that a judge gave them (A40).

    python benchmarks/severity/compare.py RATED.csv JUDGED.csv

RATED has a row for each cause: key, cwe, reach, harm, complexity, conditions, default_config, rated from the claim and the code
before the judged levels were read. JUDGED has key, verdict and severity. Same levels, levels too high and too low are counted.
"""

import csv
import sys
from collections import Counter
from pathlib import Path

from counterproof.agents.models.audit_reply import HARM
from counterproof.model.dimension import Dimension
from counterproof.model.finding import Finding
from counterproof.model.location import at
from counterproof.model.severity import Complexity, Ground, Rating, Reach, Severity
from counterproof.protocols.audit.severity import calibrate

DEFAULT = {"": None, "yes": True, "no": False}


def rows(path: str) -> list[dict[str, str]]:
    return list(csv.DictReader(Path(path).read_text("utf-8").splitlines()))


def rated(row: dict[str, str]) -> Severity:
    config = DEFAULT[row["default_config"]]
    rating = Rating(Reach(row["reach"]), HARM[row["harm"]], Complexity(row["complexity"]), int(row["conditions"]), config)
    claim = (row["key"], "", row["key"], Dimension.D1, int(row["cwe"]), Severity.LOW, Ground.HIGH, at("x", 1), "x", "", rating)
    return calibrate(Finding(*claim)).level


def main() -> None:
    judged = {row["key"]: Severity(row["severity"].lower()) for row in rows(sys.argv[2]) if row["verdict"] == "real"}
    apart = {row["key"]: rated(row).rank - judged[row["key"]].rank for row in rows(sys.argv[1])}
    for key, steps in sorted(apart.items(), key=lambda pair: -abs(pair[1])):
        if steps:
            print(f"{key}: judged {judged[key].value}, {abs(steps)} too {'high' if steps > 0 else 'low'}")
    counts = Counter(apart.values())
    high, low = (sum(number for steps, number in counts.items() if steps * sign > 0) for sign in (1, -1))
    within = sum(number for steps, number in counts.items() if abs(steps) <= 1)
    print(f"{counts[0]} of {len(apart)} at the same level, {within} within one; {high} too high, {low} too low")


if __name__ == "__main__":
    main()
