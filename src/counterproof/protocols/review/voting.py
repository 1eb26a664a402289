"""Resolution (R18, R19, R36, R37): the pool and the counts follow from the recorded positions; no agent is called.

Votes decide on unproved findings. An analyst's finding is dropped only by a defence that the engine confirmed, or if the
analyst withdraws it; opposition makes it disputed. Votes move a severity within limits: not below an analyst's, not above the
guardrails' ceiling.
"""

from collections import Counter
from collections.abc import Iterable

from counterproof.model.review.finding import ReviewFinding
from counterproof.model.review.position import Defence, Position, Resolution, Resolved, Stance
from counterproof.model.severity import Severity
from counterproof.protocols.guard.standing import Side, Standing, Word, counted, counts, standing

HOST = "host"
REDUCED = "only its author commented on this finding, so confidence is reduced"
UNCOUNTED = "others commented on this finding, but no comment counts (see the guardrails), so confidence is reduced"
UNCONFIRMED = "a challenger without a vote challenges this finding, and nothing confirms the challenge"
ONE_MODEL = "all votes on this finding come from one model, so they count as one reading"
UNBELIEVED = "the file contains instructions to its readers, so votes against the finding by models of one provider do not count"

_SIDES = {Stance.AGREE: Side.FOR, Stance.CHALLENGE: Side.AGAINST, Stance.ABSTAIN: Side.SILENT}


def majority(pool: int) -> int:
    """A strict majority, which is also the quorum: ⌈(N + 1) / 2⌉."""
    return pool // 2 + 1


def word(position: Position) -> Word:
    """A position in the form that the shared rule uses."""
    return Word(position.specialist, _SIDES[position.stance], position.backing, position.model)


def resolve(
    finding: ReviewFinding,
    positions: Iterable[Position],
    team: int,
    defence: Defence | None = None,
    voters: Iterable[str] = (),
    swayed: bool = False,
) -> Resolved:
    """Count the votes. `voters` may vote; the devil's advocate may not, so only its confirmed defences count. `swayed`: the
    file gives orders to its readers."""
    positions = tuple(positions)
    said = [each for each in _last_words(finding, positions, set(voters)) if not _own_voice(finding, each)]
    heard = counted(map(word, said), swayed)
    spoken = _votes([each for each in said if word(each) in heard and each.specialist in set(voters)])
    pool = (finding.specialist, *(each.specialist for each in spoken))
    unheard = swayed and any(each.stance is Stance.CHALLENGE and word(each) not in heard for each in said)
    notes = [UNBELIEVED] if unheard else []
    became = _resolution(finding, spoken, standing(not finding.model, map(word, said), swayed), defence, swayed)
    refuted = next((each.backing.confirmed for each in heard if each.backing.confirmed), "")
    if became is Resolution.DISMISSED and refuted:
        notes.append(f"refuted: {refuted}")
    support = _supporters(finding, positions)
    others = [each for each in positions if each.finding_id == finding.id and each.specialist != finding.specialist]
    notes += _alone(others, bool(support)) if became is Resolution.SINGLE and not notes else []
    same_model = _same_model(finding, (*spoken, *support))
    notes += [ONE_MODEL] if same_model and spoken else []
    agreed = [finding.severity, *_counted_severities(finding, spoken)]
    return Resolved(
        finding,
        became,
        _severity(finding, spoken, agreed),
        pool,
        team,
        spoken,
        defence,
        len(set(agreed)) > 1,
        withdrawn=became is Resolution.DISMISSED and not refuted and defence is not None and not defence.stands,
        notes=tuple(notes),
        same_model=same_model,
        unvoted=tuple(each for each in others if each.stance is not Stance.ABSTAIN and each not in spoken),
        validated=became is not Resolution.DISMISSED and bool(support),
    )


def _alone(others: list[Position], supported: bool) -> list[str]:
    """The notes on a finding on which only its author has a vote."""
    if any(each.stance is Stance.CHALLENGE for each in others):
        return [UNCONFIRMED]
    if supported:
        return []
    return [UNCOUNTED if any(each.evidence.strip() for each in others) else REDUCED]


def _same_model(finding: ReviewFinding, others: tuple[Position, ...]) -> bool:
    """True if all voters are one model: together with the finder, or in several seats next to an analyst (R45)."""
    models = {each.model for each in others}
    return len(models) == 1 and "" not in models and (models == {finding.model} or (not finding.model and len(others) > 1))


def _counted_severities(finding: ReviewFinding, spoken: tuple[Position, ...]) -> list[Severity]:
    """The severities of those who agree. One model cannot raise a severity, however many seats it plays: neither its own nor
    an analyst's (R45)."""
    agreeing = [each for each in spoken if each.stance is Stance.AGREE and each.severity]
    lifting = {each.model for each in agreeing if each.severity and each.severity.rank > finding.severity.rank} - {finding.model}
    lifts = len(lifting) > 1 or bool(finding.model and lifting) or any(not each.model for each in agreeing)
    severities = [each.severity for each in agreeing if each.severity]
    return [each for each in severities if lifts or each.rank <= finding.severity.rank]


def context_of(said: ReviewFinding | Position) -> str:
    """The voter behind a statement: a coding agent's context counts once, however many seats it plays; other models count per
    specialist (R45)."""
    return f"{HOST} {said.context}" if said.model.partition(":")[0] == HOST else f"{said.specialist} {said.model}"


def _own_voice(finding: ReviewFinding, position: Position) -> bool:
    """True for an agreement from the context that found it, which is not independent."""
    return context_of(finding) == context_of(position) and position.stance is Stance.AGREE


def _supporters(finding: ReviewFinding, positions: Iterable[Position]) -> list[Position]:
    """Valid supporting positions from other contexts, with or without a vote."""
    own = context_of(finding)
    return [
        each
        for each in positions
        if each.finding_id == finding.id and each.stance is Stance.AGREE and counts(word(each)) and context_of(each) != own
    ]


def _last_words(finding: ReviewFinding, positions: Iterable[Position], entitled: set[str]) -> list[Position]:
    """Each agent's latest position on another's finding."""
    last = {
        (each.specialist, each.model): each
        for each in positions
        if each.finding_id == finding.id
        and each.specialist != finding.specialist
        and (each.specialist in entitled or each.backing.confirmed)
    }
    return [last[name] for name in sorted(last) if last[name].stance is not Stance.ABSTAIN]


def _votes(heard: list[Position]) -> tuple[Position, ...]:
    """One vote per specialist and per context; if a specialist's analyst and model both vote, the analyst's counts."""
    table: dict[str, Position] = {}
    for each in sorted(heard, key=lambda one: (one.specialist, one.model)):
        table.setdefault(each.specialist, each)
    voices = {(context_of(each), each.stance): each for each in reversed(table.values())}
    return tuple(sorted(voices.values(), key=lambda each: each.specialist))


def _resolution(
    finding: ReviewFinding, spoken: tuple[Position, ...], stands: Standing, defence: Defence | None, swayed: bool
) -> Resolution:
    if stands is Standing.REFUTED:
        return Resolution.DISMISSED
    if defence is not None and not defence.stands:
        return Resolution.ESCALATED if swayed and finding.model else Resolution.DISMISSED
    if stands is Standing.DISPUTED:
        return Resolution.DISPUTED
    return _outcome(1 + sum(each.stance is Stance.AGREE for each in spoken), 1 + len(spoken))


def _outcome(agreeing: int, pool: int) -> Resolution:
    if pool == 1:
        return Resolution.SINGLE
    if agreeing == pool:
        return Resolution.CONSENSUS
    if agreeing >= majority(pool):
        return Resolution.MAJORITY
    if pool - agreeing >= majority(pool):
        return Resolution.DISMISSED
    return Resolution.ESCALATED


def _severity(finding: ReviewFinding, spoken: tuple[Position, ...], agreed: list[Severity]) -> Severity:
    """The voted severity, not below an analyst's own, and never above the finding's ceiling, which is applied last."""
    analysts = [each.severity for each in spoken if not each.model and each.stance is Stance.AGREE and each.severity]
    if not finding.model:
        analysts.append(finding.severity)
    voted = max((most_frequent(agreed), *analysts), key=lambda each: each.rank)
    return min((voted, finding.ceiling), key=lambda each: each.rank)


def most_frequent(severities: Iterable[Severity]) -> Severity:
    """The most frequent severity; a tie takes the highest."""
    counts = Counter(severities)
    return max(counts, key=lambda severity: (counts[severity], severity.rank))
