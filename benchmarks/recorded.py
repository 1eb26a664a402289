"""What the protocol adds to models, measured without one: recorded runs go through it and the result is scored.

    python benchmarks/recorded.py --bench BENCH --code CODE [--write]

BENCH holds `score.py`, `truth/apps.csv` and `recorded.jsonl`; CODE holds one folder per application. Whatever is fitted is
fitted on the other applications. `--write` puts the dated tables into benchmarks/results/recorded.md.
"""

import argparse
import platform
import subprocess
from collections import Counter
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from detection_tables import written
from recorded_arms import (
    Arm,
    Field,
    Fresh,
    analysts_alone,
    by_quorum,
    calibrated,
    degraded,
    f1,
    field_of,
    left_out,
    nearness_field,
    pooled,
    scored,
    shipped,
)
from recorded_ground import REPETITIONS, Application, halves, is_lead, prepared

from counterproof.model.finding import Corroboration

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "benchmarks" / "results" / "recorded.md"
EVENLY = 6
"""A model has one to three runs on an application; in six draws each of them counts alike."""
SMALL = 3


@dataclass
class Row:
    name: str
    arm: Arm
    chosen: str = ""


def main() -> None:
    options = _options()
    applications = prepared(options.bench, options.code)
    text = page(applications)
    print(text)
    if options.write:
        PAGE.write_text(written(PAGE.read_text("utf-8"), text), "utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", type=Path, required=True, help="the folder with score.py, truth/ and recorded.jsonl")
    parser.add_argument("--code", type=Path, required=True, help="the folder with the applications")
    parser.add_argument("--write", action="store_true", help=f"write the tables into {PAGE.relative_to(ROOT)}")
    return parser.parse_args()


def page(applications: list[Application]) -> str:
    models = tuple(sorted({model for each in applications for model in each.runs}))
    everywhere = tuple(model for model in models if all(model in each.runs for each in applications))
    refusals = _refusals(applications)
    applications, posture = halves(applications)
    field = field_of(applications, models, with_analysts=True)
    rows = [*_alone(applications, everywhere), *_panels(applications, models, field), *_small(applications, everywhere)]
    apart = field_of(posture, models, with_analysts=True)
    parts = [
        _circumstances(),
        refusals,
        _ways(applications, rows),
        "Analysts as on code that nobody had read, the runs as they are:\n\n" + _fresh(applications, field),
        "Posture, scored apart:\n\n"
        + _ways(posture, [*_alone(posture, everywhere), Row("protocol", shipped(apart, leads=True))]),
        _sides(field),
    ]
    return "\n\n".join(parts)


FRESH = (Fresh(0.6, 0.3, 0.1), Fresh(0.45, 0.09, 0.1), Fresh(0.45, 0.09, 0.25))
"""From what first runs showed: about half of the findings, and of what analysts alone report little that the truth lists."""
SEEDS = range(5)


def _fresh(applications: list[Application], field: Field) -> str:
    """Each cell is the mean F1 over so many draws of which findings are lost."""
    lines = [
        "| true ones kept | true of theirs alone | false ones proved | analysts alone | with all they say | as shipped |",
        "|---|---|---|---|---|---|",
    ]
    for fresh in FRESH:
        cells: list[str] = []
        for way in (lambda f: analysts_alone(f, leads=True), lambda f: shipped(f, leads=True), shipped):
            found = [f1(pooled(scored(applications, way(degraded(field, fresh, seed)))))[2] for seed in SEEDS]
            cells.append(f"{sum(found) / len(found):.3f}")
        lines.append(f"| {fresh.found:.0%} | {fresh.true_alone:.0%} | {fresh.proved:.0%} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _circumstances() -> str:
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    return f"Measured on {date.today():%d %B %Y}, commit {commit.stdout.strip()}, Python {platform.python_version()}."


def _alone(applications: list[Application], models: tuple[str, ...]) -> list[Row]:
    singles = {model: _single(applications, model) for model in models}
    one, chosen = left_out(applications, singles)
    best = max(singles, key=lambda model: f1(pooled(scored(applications, singles[model])))[2])
    analysts: Arm = {each.name: [list(each.analysts)] for each in applications}
    proved: Arm = {each.name: [[f for f in each.analysts if not is_lead(f, 0)]] for each in applications}
    return [
        Row(f"best single model in hindsight, {_short(best)}", singles[best]),
        Row("one model, the best on the other applications", one, _named(chosen)),
        Row("embedded analysts alone", analysts),
        Row("embedded analysts alone, only what they proved", proved),
    ]


def _single(applications: list[Application], model: str) -> Arm:
    """The model's claims as recorded, before any verification."""
    return {
        each.name: [list(each.runs[model][draw % len(each.runs[model])][0].claims) for draw in range(EVENLY)]
        for each in applications
        if model in each.runs
    }


def _panels(applications: list[Application], models: tuple[str, ...], field: Field) -> list[Row]:
    votes = field_of(applications, models, with_analysts=False)
    near, near_votes = left_out(applications, by_quorum(nearness_field(applications, models)))
    plain, plain_votes = left_out(applications, by_quorum(votes))
    checked, checked_votes = left_out(applications, by_quorum(votes, refuting=True))
    full, full_votes = left_out(applications, by_quorum(field))
    refuting, refuting_votes = left_out(applications, by_quorum(field, refuting=True))
    return [
        Row("vote, merged by nearness", near, _named(near_votes)),
        Row("vote, matched one to one", plain, _named(plain_votes)),
        Row("vote, matched, refuted claims removed", checked, _named(checked_votes)),
        Row("vote, matched, calibrated", calibrated(votes, witnessed=False)),
        Row("analysts, all they say, and a third of the runs", shipped(field, leads=True), "nothing fitted"),
        Row("protocol as shipped: proved or seen by two, and a third of the runs", shipped(field), "nothing fitted"),
        Row("protocol, quorum fitted", full, _named(full_votes)),
        Row("protocol, quorum fitted, refuted claims removed", refuting, _named(refuting_votes)),
        Row("protocol, votes calibrated", calibrated(field, witnessed=False)),
        Row("protocol, votes and the analysts' word calibrated", calibrated(field, witnessed=True)),
    ]


def _small(applications: list[Application], models: tuple[str, ...]) -> list[Row]:
    """Few models, chosen on the other applications."""
    alone = {model: scored(applications, _single(applications, model)) for model in models}
    arms: dict[tuple[int, bool], Arm] = {(size, beside): {} for size in (1, SMALL) for beside in (False, True)}
    for each in applications:
        others = [other.name for other in applications if other is not each]
        ranked = sorted(models, key=lambda model: (-f1(pooled(alone[model], others))[2], model))
        for (size, beside), arm in arms.items():
            team = tuple(ranked[:size])
            cells = [each.candidates(team, repetition, beside) for repetition in range(EVENLY if size == 1 else REPETITIONS)]
            needed = 1 if size == 1 else 2
            arm[each.name] = [[c.shown for c in cell if c.analysts or c.votes >= needed] for cell in cells]
    return [
        Row("the best one, with the analysts beside it", arms[1, True], "everything both say"),
        Row("the best three, two must agree", arms[SMALL, False]),
        Row("the best three, two must agree, with the analysts", arms[SMALL, True]),
    ]


def _ways(applications: list[Application], rows: list[Row]) -> str:
    lines = ["| way | precision | recall | F1 | F1, repeats count as false | chosen on the others |", "|---|---|---|---|---|---|"]
    for row in rows:
        precision, recall, both = f1(pooled(scored(applications, row.arm)))
        strict = f1(pooled(scored(applications, row.arm, strict=True)))[2]
        lines.append(f"| {row.name} | {precision:.3f} | {recall:.3f} | {both:.3f} | {strict:.3f} | {row.chosen} |")
    return "\n".join(lines)


def _sides(field: Field) -> str:
    """What each side saw alone, and how much of it is true."""
    seen: Counter[tuple[str, bool]] = Counter()
    for cell in (cell for cells in field.cells.values() for cell in cells):
        for each in cell:
            if each.real is not None:
                seen[_side(each.analysts, each.votes, each.word), each.real] += 1
    order = [side for side in SIDES if seen[side, True] or seen[side, False]]
    lines = ["Who saw it, per repetition of the whole panel:", "", "| seen by | true | false | share true |", "|---|---|---|---|"]
    for side in order:
        true, false = seen[side, True] / REPETITIONS, seen[side, False] / REPETITIONS
        lines.append(f"| {side} | {true:.1f} | {false:.1f} | {true / max(0.01, true + false):.2f} |")
    return "\n".join(lines)


MANY = ("one or two", "three to five", "six and more")
SAID = ("re-derived by the analysts", "neither re-derived nor refuted", "refuted by the analysts")
TOGETHER, ANALYSTS_ALONE = "analysts and models", "analysts alone"
SIDES = (TOGETHER, ANALYSTS_ALONE, *(f"models alone, {many}, {said}" for many in MANY for said in SAID))


def _side(analysts: bool, votes: int, word: Corroboration) -> str:
    if analysts:
        return TOGETHER if votes else ANALYSTS_ALONE
    said = SAID[0] if word is Corroboration.BOTH else SAID[2] if word is Corroboration.CONTRADICTED else SAID[1]
    return f"models alone, {MANY[0 if votes < 3 else 1 if votes < 6 else 2]}, {said}"


def _refusals(applications: list[Application]) -> str:
    claims, refused = sum(each.claims for each in applications), sum(each.refused for each in applications)
    runs = sum(len(hands) for each in applications for hands in each.runs.values())
    why = "no such file, line or text, or test code"
    return f"{runs} runs with {claims:,} claims. Verification refused {refused} ({refused / max(1, claims):.1%}): {why}."


def _named(chosen: dict[str, str]) -> str:
    counts = Counter(_short(each) for each in chosen.values())
    return ", ".join(f"{name} ({count}×)" for name, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def _short(model: str) -> str:
    name = model.removesuffix("-v1")
    return name.removesuffix("-agentic") if name.endswith("-agentic") or not model.endswith("-v1") else f"{name}, one question"


if __name__ == "__main__":
    main()
