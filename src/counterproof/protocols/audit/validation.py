"""Phase 4c: assigns findings to validators (A36, A37). No agent validates its own findings; one file goes to one validator."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import ceil

from counterproof.model.finding import Finding
from counterproof.model.root_cause import fingerprint
from counterproof.model.severity import Severity

MAIN_THREAD = "main-thread"
FULL_STEPS = 4
BATCH_STEPS = 3
MIN_SPOT_CHECKS = 3
SPOT_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class Routing:
    """Findings by form of validation. `accepted` needs none."""

    full: tuple[Finding, ...]
    spot: tuple[Finding, ...]
    passed_unchecked: tuple[Finding, ...]
    batch: tuple[Finding, ...]
    accepted: tuple[Finding, ...]


def route(findings: tuple[Finding, ...], expected: Mapping[str, Severity]) -> Routing:
    """A36 and A53: severe findings get four steps from another agent, whatever their finder says; of Medium findings with four
    passed steps a sample is checked again, the others are validated in batches.

    `expected` is the calibrated severity of each finding. The higher of the two severities counts, so that a finder cannot
    escape validation by underrating.
    """
    level = {each.id: max(each.severity, expected[each.id], key=lambda word: word.rank) for each in findings}
    medium = [each for each in findings if level[each.id] is Severity.MEDIUM]
    passed = [each for each in medium if each.validation.passed]
    # Analysts' and models' findings are sampled separately, so that a model's claims do not change the analysts' sample.
    checked = [each for rule in (True, False) for each in _drawn([one for one in passed if bool(one.rule) is rule])]
    return Routing(
        full=tuple(each for each in findings if level[each.id].rank >= Severity.HIGH.rank),
        spot=tuple(sorted(checked, key=lambda each: each.id)),
        passed_unchecked=tuple(each for each in passed if each not in checked),
        batch=tuple(each for each in medium if not each.validation.passed),
        accepted=tuple(each for each in findings if level[each.id] is Severity.LOW),
    )


def _drawn(passed: list[Finding]) -> list[Finding]:
    """A sample chosen by fingerprint, so that a finder cannot predict which of its findings are checked."""
    shuffled = sorted(passed, key=lambda each: (fingerprint(each, 0), each.id))
    return shuffled[: spot_checks(len(passed))]


def spot_checks(passed: int) -> int:
    """The number of passed findings to check again."""
    return min(passed, max(ceil(round(SPOT_SHARE * passed, 6)), MIN_SPOT_CHECKS))


def validator_count(full: int) -> int:
    """The number of agents for full validations."""
    if full == 0:
        return 0
    if full <= 5:
        return 1
    return 2 if full <= 12 else 3


@dataclass(frozen=True, slots=True)
class Assignment:
    """One validator with its findings. `steps` is 3 for batches, otherwise 4."""

    agent_id: str
    findings: tuple[Finding, ...]
    steps: int = FULL_STEPS


def assignments(routing: Routing) -> tuple[Assignment, ...]:
    """Validators for full validations, the main thread for spot checks, and the batch by the table of A36."""
    count = validator_count(len(routing.full))
    given = list(spread(routing.full, tuple(f"validator-{number:02}" for number in range(1, count + 1))))
    if routing.spot:
        given.append(Assignment(MAIN_THREAD, routing.spot))
    if len(routing.batch) > 10:
        given.append(Assignment(f"validator-{count + 1:02}", routing.batch, BATCH_STEPS))
    elif routing.batch and count:
        given.append(Assignment("validator-01", routing.batch, BATCH_STEPS))
    elif routing.batch:
        given.append(Assignment(MAIN_THREAD, routing.batch, BATCH_STEPS))
    return tuple(given)


def spread(findings: Iterable[Finding], agents: tuple[str, ...]) -> tuple[Assignment, ...]:
    """Assign whole files to the validator with the least work, never to a finder of theirs (A37)."""
    by_file: dict[str, list[Finding]] = {}
    for finding in findings:
        by_file.setdefault(finding.location.path, []).append(finding)
    loads: dict[str, list[Finding]] = {agent: [] for agent in agents}
    left: list[Finding] = []
    for _, group in sorted(by_file.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        finders = {agent for finding in group for agent in finding.found_by}
        free = [agent for agent in agents if agent not in finders]
        if free:
            loads[min(free, key=lambda agent: (len(loads[agent]), agent))].extend(group)
        else:
            left.extend(group)
    given = [Assignment(agent, tuple(load)) for agent, load in loads.items() if load]
    if left:
        given.append(Assignment(MAIN_THREAD, tuple(left)))
    return tuple(given)
