"""Phase 4c: who validates what (A36, A37). Nobody validates their own findings; the same file goes to the same validator."""

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
    """Findings by how they are validated. `accepted` needs no one."""

    full: tuple[Finding, ...]
    spot: tuple[Finding, ...]
    passed_unchecked: tuple[Finding, ...]
    batch: tuple[Finding, ...]
    accepted: tuple[Finding, ...]


def route(findings: tuple[Finding, ...], expected: Mapping[str, Severity]) -> Routing:
    """A36 and A53: what is grave gets its four steps from somebody else, whatever its finder says; of Medium ones whose finder
    showed all four steps a sample is looked at again, the others in batches.

    `expected` is what calibration would make of each finding. The graver of the two words counts, so that nobody escapes
    validation by calling a grave finding low.
    """
    level = {each.id: max(each.severity, expected[each.id], key=lambda word: word.rank) for each in findings}
    medium = [each for each in findings if level[each.id] is Severity.MEDIUM]
    passed = [each for each in medium if each.validation.passed]
    # Analysts' and models' findings are drawn apart, so that claims of a model do not change which of the analysts' are.
    checked = [each for rule in (True, False) for each in _drawn([one for one in passed if bool(one.rule) is rule])]
    return Routing(
        full=tuple(each for each in findings if level[each.id].rank >= Severity.HIGH.rank),
        spot=tuple(sorted(checked, key=lambda each: each.id)),
        passed_unchecked=tuple(each for each in passed if each not in checked),
        batch=tuple(each for each in medium if not each.validation.passed),
        accepted=tuple(each for each in findings if level[each.id] is Severity.LOW),
    )


def _drawn(passed: list[Finding]) -> list[Finding]:
    """A sample, chosen by fingerprint, so that a finder cannot tell which of its findings will be looked at."""
    shuffled = sorted(passed, key=lambda each: (fingerprint(each, 0), each.id))
    return shuffled[: spot_checks(len(passed))]


def spot_checks(passed: int) -> int:
    """How many of the passed ones are looked at again."""
    return min(passed, max(ceil(round(SPOT_SHARE * passed, 6)), MIN_SPOT_CHECKS))


def validator_count(full: int) -> int:
    """How many validation agents the full validations get."""
    if full == 0:
        return 0
    if full <= 5:
        return 1
    return 2 if full <= 12 else 3


@dataclass(frozen=True, slots=True)
class Assignment:
    """One validator and its findings. `steps` is 3 for batches, 4 otherwise."""

    agent_id: str
    findings: tuple[Finding, ...]
    steps: int = FULL_STEPS


def assignments(routing: Routing) -> tuple[Assignment, ...]:
    """Validators for the full ones, the main thread for spot checks, and the batch by A36's table."""
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
    """Whole files to the validator with the least to do, never to one who found it (A37)."""
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
