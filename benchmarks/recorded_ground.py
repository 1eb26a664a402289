"""The recorded runs on their applications, ready to be weighed: claims verified, aligned, witnessed; the truth beside them.

Everything here comes from the product's own parts: the file is read by `agents.recorded`, claims are verified by the citation
check, matched by `guard.panel` and witnessed by the analysers. The benchmark's own script scores; nothing of it is repeated.
"""

import importlib.util
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from counterproof.agents.analysts.hunter import hunt
from counterproof.agents.recorded.hunter import ANALYSTS, hand_of, sound_claims
from counterproof.agents.recorded.runs import RecordedRun, read_runs
from counterproof.analysis.ruleset import load_rules
from counterproof.analysis.source.survey import SurveyOptions
from counterproof.model.contract import AgentTask, Limits, Role
from counterproof.model.dimension import ALL_DIMENSIONS
from counterproof.model.finding import Corroboration, Finding
from counterproof.model.survey import Language
from counterproof.protocols.guard.panel import Hand, Shared, aligned
from counterproof.toolbox.recorded import RecordedTools
from counterproof.toolbox.workspace import Workspace

REPETITIONS = 3
Counts = Counter[str]


@dataclass(frozen=True)
class Candidate:
    """One problem that somebody claims. `real` is None where the scorer takes it for a repeat of another."""

    shown: Finding
    by: frozenset[str]
    analysts: bool
    word: Corroboration
    real: bool | None = None

    @property
    def votes(self) -> int:
        return len(self.by)


@dataclass
class Truth:
    """The benchmark's script and its entries for one application."""

    script: ModuleType
    application: str
    cases: list[Any]

    @cached_property
    def reals(self) -> int:
        return len({case["id"] for case in self.cases if case["real"]})

    def score(self, findings: Iterable[Finding], strict: bool = False) -> Counts:
        """TP, FP, FN and TN of these findings taken together."""
        return Counter(verdict for verdict, _ in self._verdicts(findings, strict))

    def labels(self, findings: list[Finding]) -> list[bool | None]:
        """For each finding whether it is true; None: a repeat."""
        said = {
            int(what.rsplit(" ", 1)[1]): verdict for verdict, what in self._verdicts(findings, False) if verdict in ("TP", "FP")
        }
        return [{"TP": True, "FP": False}.get(said.get(index, "")) for index in range(len(findings))]

    def _verdicts(self, findings: Iterable[Finding], strict: bool) -> list[tuple[str, str]]:
        rows = [
            self.script.Finding(f"{self.application}/{f.location.path}", f.location.start, frozenset({f.cwe}), f"n {index}")
            for index, f in enumerate(findings)
        ]
        found = self.script.score_line_level(self.cases, rows, lambda category, cwe: category, 10, strict)  # pyright: ignore
        return [(verdict, what) for _, verdict, what in found]


@dataclass
class Application:
    """One application: what the analysts found, and what each model's runs claim after verification."""

    name: str
    truth: Truth
    toolbox: RecordedTools
    analysts: tuple[Finding, ...]
    runs: dict[str, list[tuple[RecordedRun, Hand]]] = field(default_factory=dict[str, list[tuple[RecordedRun, Hand]]])
    refused: int = 0
    claims: int = 0
    words: dict[tuple[object, ...], Corroboration] = field(default_factory=dict[tuple[object, ...], Corroboration])

    def hands(self, models: Iterable[str], repetition: int) -> tuple[Hand, ...]:
        """One run of each model that has one here."""
        chosen = [(model, self.runs[model]) for model in models if model in self.runs]
        return tuple(Hand(model, runs[repetition % len(runs)][1].claims) for model, runs in chosen)

    def candidates(self, models: Iterable[str], repetition: int, with_analysts: bool) -> list[Candidate]:
        own = (Hand(ANALYSTS, self.analysts),) if with_analysts else ()
        return self.weighed(aligned((*own, *self.hands(models, repetition))))

    def weighed(self, groups: tuple[Shared, ...]) -> list[Candidate]:
        shown = [next((claim for agent, claim in group.claims if agent == ANALYSTS), group.spokesman) for group in groups]
        real = self.truth.labels(shown)
        return [
            Candidate(claim, frozenset(group.agents) - {ANALYSTS}, ANALYSTS in group.agents, self.word(claim), mark)
            for group, claim, mark in zip(groups, shown, real, strict=True)
        ]

    def word(self, claim: Finding) -> Corroboration:
        """The analysers' word on a place; asked once."""
        key = (claim.location, claim.cwe, claim.rule)
        if key not in self.words:
            self.words[key] = self.toolbox.witness(claim)
        return self.words[key]


def posture_cwes() -> frozenset[int]:
    """Weaknesses that only rules about posture name (A56): they are scored apart."""
    infos = [loaded.rule for loaded in load_rules()]
    return frozenset({each.cwe for each in infos if each.posture} - {each.cwe for each in infos if not each.posture})


def halves(applications: list[Application]) -> tuple[list[Application], list[Application]]:
    """The same applications for findings and for posture: truth, analysts and runs divided alike."""
    apart = posture_cwes()
    return [_half(each, apart, False) for each in applications], [_half(each, apart, True) for each in applications]


def _half(whole: Application, apart: frozenset[int], posture: bool) -> Application:
    def mine(finding: Finding) -> bool:
        return (finding.posture or finding.cwe in apart) is posture

    cases = [case for case in whole.truth.cases if bool(apart & set(case["cwes"])) is posture]
    runs = {
        model: [(run, Hand(hand.agent, tuple(claim for claim in hand.claims if mine(claim)))) for run, hand in given]
        for model, given in whole.runs.items()
    }
    analysts = tuple(each for each in whole.analysts if mine(each))
    truth = Truth(whole.truth.script, whole.truth.application, cases)
    return Application(whole.name, truth, whole.toolbox, analysts, runs, whole.refused, whole.claims, whole.words)


def prepared(bench: Path, code: Path) -> list[Application]:
    """Every application that has recorded runs, audited and with its runs verified."""
    script = _script(bench / "score.py")
    _, cases = script.load_truth(str(bench / "truth" / "apps.csv"))
    by_target: dict[str, list[RecordedRun]] = defaultdict(list)
    for run in read_runs(bench / "recorded.jsonl"):
        by_target[run.target].append(run)
    found: list[Application] = []
    for target, runs in sorted(by_target.items()):
        mine = [case for case in cases if case["file"].startswith(f"{target}/")]
        application = _application(target, Truth(script, target, mine), code / target)
        for run in sorted(runs, key=lambda each: (each.model, each.run)):
            _take(application, run)
        found.append(application)
    return found


def _script(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("benchmark_score", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TASK = AgentTask("recorded/1", "recorded", Role.HUNTER, 1, 1, ALL_DIMENSIONS, (), Limits(25, 60))


def _application(name: str, truth: Truth, root: Path) -> Application:
    workspace = Workspace(root, SurveyOptions())
    taken = workspace.take_survey()
    workspace.entry_points = workspace.take_recon(1).entry_points
    languages = tuple(language for language in Language if any(file.language is language for file in taken.files))
    toolbox = RecordedTools(workspace, TASK)
    task = AgentTask("recorded/1", "recorded", Role.HUNTER, 1, 1, ALL_DIMENSIONS, languages, TASK.limits)
    reply = hunt(task, toolbox.analysts)
    return Application(name, truth, toolbox, reply.findings)


def _take(application: Application, run: RecordedRun) -> None:
    hand = hand_of(run, TASK, application.toolbox)
    sound = sound_claims(hand, TASK, application.toolbox)
    application.claims += len(hand.claims)
    application.refused += len(hand.claims) - len(sound)
    application.runs.setdefault(run.model, []).append((run, Hand(run.name, sound)))


def is_lead(finding: Finding, votes: int) -> bool:
    """Whether an analyst's finding is not proved, and no recorded run saw it."""
    return not votes and not (finding.proof is not None and finding.proof.whole)
