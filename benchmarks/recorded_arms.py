"""Ways to make one list of findings out of several agents' claims, each judged on an application it was not fitted on.

Always holds: whatever is chosen (a quorum, weights, a threshold, which models) is chosen on the other applications only.
"""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from recorded_ground import REPETITIONS, Application, Candidate, Counts, is_lead

from counterproof.model.finding import Corroboration, Finding
from counterproof.model.kinship import kin
from counterproof.model.location import at
from counterproof.protocols.guard.panel import NEAR, Hand, Shared, quorum_of

Table = dict[str, Counts]
"""Counts by application, summed over repetitions."""

Arm = dict[str, list[list[Finding]]]
"""What a way of choosing keeps, by application and repetition."""


def f1(counts: Counts) -> tuple[float, float, float]:
    """Precision, recall and F1."""
    precision = counts["TP"] / max(1, counts["TP"] + counts["FP"])
    recall = counts["TP"] / max(1, counts["TP"] + counts["FN"])
    return precision, recall, 2 * precision * recall / max(1e-9, precision + recall)


def pooled(table: Table, names: Iterable[str] | None = None) -> Counts:
    total: Counts = Counter()
    for name in table if names is None else names:
        total.update(table[name])
    return total


def scored(applications: list[Application], arm: Arm, strict: bool = False) -> Table:
    """`strict`: a second finding on one entry counts as false instead of being ignored."""
    table: Table = {}
    for each in applications:
        table[each.name] = Counter()
        for findings in arm[each.name]:
            table[each.name].update(each.truth.score(findings, strict))
    return table


def left_out(applications: list[Application], arms: dict[str, Arm]) -> tuple[Arm, dict[str, str]]:
    """For each application what the setting keeps that did best on the others, and which one that was."""
    tables = {key: scored(applications, arm) for key, arm in arms.items()}
    names = [each.name for each in applications]
    chosen: dict[str, str] = {}
    for name in names:
        others = [each for each in names if each != name]
        chosen[name] = max(tables, key=lambda key: f1(pooled(tables[key], others))[2])
    return {name: arms[chosen[name]][name] for name in names}, chosen


@dataclass
class Field:
    """All candidates of a panel, by application and repetition."""

    applications: list[Application]
    models: tuple[str, ...]
    cells: dict[str, list[list[Candidate]]]

    def kept(self, keep: Callable[[Candidate, str], bool]) -> Arm:
        return {name: [[c.shown for c in cell if keep(c, name)] for cell in cells] for name, cells in self.cells.items()}

    def present(self, name: str) -> tuple[str, ...]:
        application = next(each for each in self.applications if each.name == name)
        return tuple(model for model in self.models if model in application.runs)


def field_of(applications: list[Application], models: tuple[str, ...], with_analysts: bool) -> Field:
    cells = {a.name: [a.candidates(models, r, with_analysts) for r in range(REPETITIONS)] for a in applications}
    return Field(applications, models, cells)


def nearness_field(applications: list[Application], models: tuple[str, ...]) -> Field:
    """The same claims merged by nearness alone, as a plain vote does."""
    cells = {a.name: [a.weighed(_heaps(a.hands(models, r))) for r in range(REPETITIONS)] for a in applications}
    return Field(applications, models, cells)


def _heaps(hands: tuple[Hand, ...]) -> tuple[Shared, ...]:
    """Claims of one file and kindred weakness, a new heap where the next claim is more than `NEAR` lines away."""
    kinds: dict[tuple[str, int], list[tuple[int, str, Finding]]] = defaultdict(list)
    for hand in hands:
        for claim in hand.claims:
            kinds[claim.location.path, kin(claim.cwe)].append((claim.location.start, hand.agent, claim))
    found: list[Shared] = []
    for _, claims in sorted(kinds.items()):
        heap: dict[str, Finding] = {}
        last = 0
        for line, agent, claim in sorted(claims, key=lambda each: each[:2]):
            if heap and line - last > NEAR:
                found.append(Shared(tuple(heap.items())))
                heap = {}
            heap.setdefault(agent, claim)
            last = line
        found.append(Shared(tuple(heap.items())))
    return tuple(found)


def stands(candidate: Candidate, needed: int, refuting: bool = False, leads: bool = True) -> bool:
    """The analysts' own stands, without `leads` only what they proved or somebody else saw too; a claim of others needs a quorum.
    `refuting`: and must not be refuted."""
    if candidate.analysts and (leads or not is_lead(candidate.shown, candidate.votes)):
        return True
    return candidate.votes >= needed and not (refuting and candidate.word is Corroboration.CONTRADICTED)


def by_quorum(field: Field, refuting: bool = False) -> dict[str, Arm]:
    """One arm for every number of votes that could be asked for."""

    def with_votes(needed: int) -> Arm:
        return field.kept(lambda candidate, _: stands(candidate, needed, refuting))

    return {f"{needed} votes": with_votes(needed) for needed in range(1, len(field.models) + 1)}


def shipped(field: Field, leads: bool = False) -> Arm:
    """What a report lists as findings: nothing is fitted, a third of the runs must agree. `leads`: with those."""
    return field.kept(lambda candidate, name: stands(candidate, quorum_of(len(field.present(name))), leads=leads))


def analysts_alone(field: Field, leads: bool) -> Arm:
    return field.kept(lambda candidate, _: candidate.analysts and (leads or not is_lead(candidate.shown, 0)))


@dataclass(frozen=True)
class Fresh:
    """How analysts do on code that nobody had read: the share of their true findings that is left, how much of what they alone
    report is true, and how much of the false rest carries a whole proof."""

    found: float
    true_alone: float
    proved: float


def degraded(field: Field, fresh: Fresh, seed: int) -> Field:
    """The same runs beside analysts of that kind: some true findings are theirs no more, and false ones are added."""
    chance = random.Random(seed)
    cells = {name: [_worse(cell, fresh, chance) for cell in cells] for name, cells in field.cells.items()}
    return Field(field.applications, field.models, cells)


def _worse(cell: list[Candidate], fresh: Fresh, chance: random.Random) -> list[Candidate]:
    kept: list[Candidate] = []
    for each in cell:
        if not (each.analysts and each.real and chance.random() > fresh.found):
            kept.append(each)
        elif each.votes:
            kept.append(replace(each, analysts=False, word=Corroboration.AGENT_ALONE))
    alone = [each for each in kept if each.analysts and not each.votes and each.real is not None]
    true = sum(bool(each.real) for each in alone)
    model = next((each for each in cell if each.analysts), None)
    missing = round(max(true, 1) / fresh.true_alone) - len(alone) if model else 0
    for number in range(1, missing + 1):
        assert model is not None
        proof = model.shown.proof if chance.random() < fresh.proved else None
        false = replace(model.shown, location=at("nowhere.py", 100 * number), proof=proof)
        kept.append(Candidate(false, frozenset(), True, Corroboration.ANALYSERS_ALONE, False))
    return kept


@dataclass
class Weights:
    """A calibrated vote: what each model's yes and no are worth, and how the sum, the analysts and their word combine."""

    worth: dict[str, tuple[float, float]]
    terms: list[float]
    bar: float = 0.5

    def features(self, candidate: Candidate, models: tuple[str, ...]) -> list[float]:
        worth = sum(self.worth[model][0 if model in candidate.by else 1] for model in models)
        share = candidate.votes / max(1, len(models))
        word = candidate.word
        return [
            1.0,
            worth / 4,
            4 * share,
            math.log1p(candidate.votes),
            float(candidate.analysts),
            float(candidate.analysts and not candidate.votes),
            float(word is Corroboration.BOTH and not candidate.analysts),
            float(word is Corroboration.CONTRADICTED),
        ]

    def chance(self, candidate: Candidate, models: tuple[str, ...]) -> float:
        total = sum(term * value for term, value in zip(self.terms, self.features(candidate, models), strict=True))
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


def calibrated(field: Field, witnessed: bool) -> Arm:
    """Weights and threshold fitted on the other applications. Without `witnessed` the analysts' word is not told."""
    if not witnessed:
        blind = {name: [_blind(cell) for cell in cells] for name, cells in field.cells.items()}
        field = Field(field.applications, field.models, blind)
    arm: Arm = {}
    for each in field.applications:
        others = [other for other in field.applications if other is not each]
        weights = _fitted(field, others)
        models = field.present(each.name)
        arm[each.name] = [[c.shown for c in cell if weights.chance(c, models) >= weights.bar] for cell in field.cells[each.name]]
    return arm


def _blind(cell: list[Candidate]) -> list[Candidate]:
    return [Candidate(each.shown, each.by, each.analysts, Corroboration.UNCHECKED, each.real) for each in cell]


Example = tuple[Candidate, tuple[str, ...]]


def _fitted(field: Field, others: list[Application]) -> Weights:
    rows: list[Example] = []
    for each in others:
        models = field.present(each.name)
        rows += [(c, models) for cell in field.cells[each.name] for c in cell if c.real is not None]
    weights = Weights(_worth(rows, field.models), [0.0] * 8)
    weights.terms = _regressed([weights.features(*row) for row in rows], [float(bool(row[0].real)) for row in rows])
    reals = REPETITIONS * sum(each.truth.reals for each in others)
    scored = sorted(((weights.chance(*row), bool(row[0].real)) for row in rows), reverse=True)
    best, hits = 0.0, 0
    for number, (chance, real) in enumerate(scored, 1):
        hits += real
        gain = 2 * hits / (number + reals)
        if gain > best:
            best, weights.bar = gain, chance
    return weights


def _worth(rows: list[Example], models: tuple[str, ...]) -> dict[str, tuple[float, float]]:
    """Per model the logarithm of how much more often it says yes, or no, to what is true than to what is not."""
    yes: Counter[tuple[str, bool]] = Counter()
    asked: Counter[tuple[str, bool]] = Counter()
    for candidate, present in rows:
        for model in present:
            asked[model, bool(candidate.real)] += 1
            yes[model, bool(candidate.real)] += model in candidate.by
    worth: dict[str, tuple[float, float]] = {}
    for model in models:
        true, false = ((yes[model, real] + 1) / (asked[model, real] + 2) for real in (True, False))
        worth[model] = (math.log(true / false), math.log((1 - true) / (1 - false)))
    return worth


def _regressed(rows: list[list[float]], truths: list[float], steps: int = 150, pace: float = 0.5) -> list[float]:
    """Logistic regression by plain gradient descent, with a ridge of one."""
    terms = [0.0] * len(rows[0])
    for _ in range(steps):
        slope = [0.0] * len(terms)
        for row, truth in zip(rows, truths, strict=True):
            total = sum(term * value for term, value in zip(terms, row, strict=True))
            error = 1 / (1 + math.exp(-max(-30.0, min(30.0, total)))) - truth
            for index, value in enumerate(row):
                slope[index] += error * value
        terms = [t - pace * (s + (t if i else 0.0)) / len(rows) for i, (t, s) in enumerate(zip(terms, slope, strict=True))]
    return terms
