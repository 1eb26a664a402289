"""Agents that do everything an agent may do wrong, in every role, by chance.

What an agent does depends on the seed and on its task alone, so that the same agents can be heard in any order.
"""

import random
from dataclasses import replace

from counterproof.model.baseline import Baseline, BaselineStatus
from counterproof.model.contract import AgentReply, AgentTask, Claim, Role
from counterproof.model.coverage import Status
from counterproof.model.dimension import Dimension
from counterproof.model.finding import Finding, StepResult, Validation
from counterproof.model.flow import Break, Flow
from counterproof.model.judgement import HitJudgement, HitVerdict, Judgement, Verdict
from counterproof.model.ledger import Ledger, Read, Search
from counterproof.model.location import at
from counterproof.model.severity import Complexity, Confidence, Impact, Rating, Reach, Severity
from counterproof.model.transfer import FalsePositive
from counterproof.protocols.audit.events import AgentFailed, AgentFinished, Event
from counterproof.protocols.guard.citations import Citation
from protocols.audit.cast import PASSED, a_flow, from_hit, hits, reading, reply, scan, steps
from protocols.audit.play import NOW, a_file, a_finding, a_survey, earned, good

SURVEY = a_survey(a_file("app.py"), a_file("lib.py", 300), a_file("a/deep.py", 100), a_file("a/deeper.py", 100))
FILES = tuple(file.path for file in SURVEY.files)

MANNERS = ("good", "good", "good", "lying", "truncated", "failing", "nameless", "foreign", "silent", "twice", "empty", "shallow")


class Chaos:
    """One seed, one world of agents."""

    def __init__(self, seed: object) -> None:
        self.seed = seed

    def behave(self, task: AgentTask) -> list[Event]:
        """What the agent of this task says; sometimes twice."""
        chance = random.Random(f"{self.seed} {task.id}")
        manner = chance.choice(MANNERS)
        if manner in ("failing", "silent", "nameless"):
            return [AgentFailed(task.id, NOW, manner, unidentified=manner == "nameless")]
        event = _ROLES[task.role](task, chance)
        match manner:
            case "truncated":
                return [replace(event, reply=_cut(event.reply, chance))]
            case "foreign":
                return [replace(event, reply=replace(event.reply, agent_id="mallory"))]
            case "lying":
                boast = tuple(Claim(each, Status.COVERED, "sure") for each in task.dimensions)
                return [replace(event, reply=replace(event.reply, claims=boast), ledger=Ledger())]
            case "empty":
                return [replace(event, reply=reply(task), ledger=Ledger(), citations=())]
            case "shallow":
                return [replace(event, ledger=replace(event.ledger, traces=(), items=()))]
            case "twice":
                return [event, event]
            case _:
                return [event]

    def baseline(self) -> Baseline:
        chance = random.Random(f"{self.seed} scan")
        status = chance.choice(list(BaselineStatus))
        if status is BaselineStatus.SKIPPED:
            return Baseline(status, "not installed")
        found = tuple(
            replace(hit, path=chance.choice(FILES), dimension=chance.choice([*Dimension, None]))
            for hit in hits(chance.randint(0, 60))
        )
        return scan(*found, unparsed=chance.randint(1, 4) if status is BaselineStatus.PARTIAL else 0)


def _cut(answer: AgentReply, chance: random.Random) -> AgentReply:
    def some(parts):
        return parts[: chance.randint(0, len(parts))]

    return replace(answer, judgements=some(answer.judgements), hit_judgements=some(answer.hit_judgements), flows=(), ended=False)


def _finding(chance: random.Random, dimensions: tuple[Dimension, ...]) -> Finding:
    path, line = chance.choice(FILES[:2]), chance.randint(2, 60)
    flow = chance.choice([None, a_flow(chance.randint(2, 5), path), Flow(a_flow(3, path).steps, Break.CALLBACK)])
    sure = (Confidence.MEDIUM, Confidence.PATTERN) if flow and flow.broken_by else tuple(Confidence)
    return a_finding(
        line,
        rule=chance.choice(["", "one", "two"]),
        title=chance.choice(["Bad", "Worse"]),
        dimension=chance.choice(dimensions),
        cwe=chance.choice([22, 79, 89, 347, 798, 862, 916]),
        severity=chance.choice(list(Severity)),
        confidence=chance.choice(sure),
        location=at(path, line),
        rating=Rating(
            chance.choice(list(Reach)),
            chance.choice(list(Impact)),
            chance.choice(list(Complexity)),
            chance.randint(0, 4),
            chance.choice([None, True, False]),
        ),
        function=chance.choice(["", "view"]),
        flow=flow,
        poc=chance.choice(["", "curl"]),
        validation=chance.choice([PASSED, Validation(), steps(StepResult.PARTIAL)]),
    )


def _citations(chance: random.Random, findings: tuple[Finding, ...]) -> tuple[Citation, ...]:
    whole = good(findings)
    return tuple(each for each in whole if chance.random() > 0.1)


def _hunter(task: AgentTask, chance: random.Random) -> AgentFinished:
    findings = tuple(_finding(chance, task.dimensions) for _ in range(chance.randint(0, 8)))
    looked = tuple(each for each in task.dimensions if chance.random() > 0.2)
    ledger = earned(looked) if looked else Ledger()
    absent = tuple(Search(each, kind, query, 0) for each in task.dimensions[:1] for kind, query in ("ab", "ac", "bd"))
    extra = absent if chance.random() < 0.2 else ()
    reads = (Read(FILES[: chance.randint(1, 4)], task.dimensions),)
    ledger = replace(ledger, reads=reads, searches=ledger.searches + extra)
    lines = [chance.choice([0, 20, chance.randint(1, 60), 99_999]) for _ in range(chance.randint(0, 3))]
    words = tuple(FalsePositive(chance.choice([*FILES, "gone.py"]), line, chance.choice(["", "a constant"])) for line in lines)
    answer = reply(task, findings=findings, false_positives=words)
    return AgentFinished(task.id, NOW, answer, ledger, _citations(chance, findings))


def _diver(task: AgentTask, chance: random.Random) -> AgentFinished:
    findings = tuple(_finding(chance, task.dimensions) for _ in range(chance.randint(0, 3)))
    flows = chance.choice([(), (a_flow(9),), (a_flow(9, "invented.py"),), (a_flow(5000),)])
    ledger = chance.choice([reading(task), Ledger()])
    return AgentFinished(task.id, NOW, reply(task, findings=findings, flows=flows), ledger, _citations(chance, findings))


_FITTING = {
    Verdict.CONFIRMED: steps(),
    Verdict.DOWNGRADED: steps(StepResult.PASS, StepResult.PARTIAL),
    Verdict.REJECTED: steps(StepResult.FAIL),
}


def _word(chance: random.Random, finding: Finding) -> tuple[Judgement, ...]:
    """Usually a fair word; else bare, without a line, on a line that is not there, contradictory, or none."""
    verdict = chance.choice([Verdict.CONFIRMED, *Verdict])
    word = Judgement(finding.id, verdict, _FITTING[verdict], finding.location)
    return chance.choice(
        [
            (word,),
            (word,),
            (word,),
            (replace(word, validation=Validation()),),
            (replace(word, at=None),),
            (replace(word, at=at("app.py", 99_999)),),
            (replace(word, validation=replace(word.validation, impact=Validation().impact)),),
            (word, Judgement(finding.id, Verdict.REJECTED, _FITTING[Verdict.REJECTED], finding.location)),
            (replace(word, finding_id="F001"),),
            (),
        ]
    )


def _validator(task: AgentTask, chance: random.Random) -> AgentFinished:
    words = tuple(word for finding in task.findings for word in _word(chance, finding))
    if chance.random() < 0.1:
        no = _FITTING[Verdict.REJECTED]
        words = tuple(Judgement(each.id, Verdict.REJECTED, no, each.location) for each in task.findings)
    return AgentFinished(task.id, NOW, reply(task, judgements=words), chance.choice([reading(task), reading(task), Ledger()]), ())


def _verifier(task: AgentTask, chance: random.Random) -> AgentFinished:
    words: list[HitJudgement] = []
    found: list[Finding] = []
    for hit in task.hits:
        verdict = chance.choice([*HitVerdict, None])
        finding = from_hit(hit, validation=chance.choice([PASSED, Validation()])) if chance.random() < 0.8 else None
        if finding and chance.random() < 0.9:
            found.append(finding)
        if verdict:
            words.append(HitJudgement(hit.id, verdict, chance.choice(["seen", ""]), finding))
    findings = tuple(found)
    answer = reply(task, hit_judgements=tuple(words), findings=findings)
    return AgentFinished(task.id, NOW, answer, reading(task), _citations(chance, findings))


_ROLES = {
    Role.HUNTER: _hunter,
    Role.CHAIN_CHECKER: _hunter,
    Role.DEEP_DIVER: _diver,
    Role.VALIDATOR: _validator,
    Role.HIT_VERIFIER: _verifier,
}
