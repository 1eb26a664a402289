"""Combines validators' verdicts on one finding (A37, A38, A53, A54). Bare verdicts and prose have no effect.

Analysts judge with the checker, so their verdict is an observation. A model's verdict counts if it gave the same one before it
saw the claim, and if every step that it relies on names a fact that the source confirms. An analyst's finding is refuted by
the analysts' validator or by a defence that the engine confirms, and by nothing else from a model. A model's finding is
validated by an analyst or by a model in another context, and refuted by a reason that the engine confirms. An analyst's
rejection without such a reason is no veto on a model's claim. Every objection is shown with its reason and line.

Invariant: pure; models' verdicts never lower the analysts' ruling on an analyst's finding, except by a refutation on record.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from counterproof.model.finding import Finding, StepResult
from counterproof.model.judgement import Judgement, Verdict
from counterproof.model.proof import Part
from counterproof.model.severity import Reach
from counterproof.protocols.guard.citations import UNCHECKED, Checks, Reached
from counterproof.protocols.guard.reasons import REPEATS, Stated, is_reason
from counterproof.protocols.guard.standing import Backing, Side, Standing, Word, counted, lacking, standing

AGAINST = (StepResult.FAIL, StepResult.PARTIAL)


@dataclass(frozen=True, slots=True)
class Opinion:
    """One validator's backed judgements, and the engine's check of their reasons. `context` is the host's name for the
    conversation."""

    agent_id: str
    judgements: tuple[Judgement, ...]
    model: str = ""
    checks: Checks = UNCHECKED
    context: str = ""


@dataclass(frozen=True, slots=True)
class Ruling:
    """`judgement` is the deciding verdict; None if no verdict counts. `validates`: somebody other than the finder confirms the
    finding. `refuted`: the defence that the engine confirmed. `disputed`: two witnesses disagree. `relation`: how the
    confirmer of a model's claim is related to its finder. `denied`: nobody confirms an analyst's claim, and a model rejects it
    with reasons that the engine confirms at their lines; it goes to the appendix. `reached`: the reach by the entry point that
    a confirmer names and the map confirms. `said` are the verdicts considered; `doubts` the validators that reject it for
    valid reasons that the engine could not confirm."""

    judgement: Judgement | None = None
    validates: bool = False
    refuted: str = ""
    disputed: bool = False
    relation: str = ""
    denied: bool = False
    reached: Reached | None = None
    said: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()


SAME_MODEL = "same model"
SAME_CONTEXT = "same context"
"""The report's label if a model confirms its own claim: in a fresh context this counts, in the same context it does not (A53)."""
ONE_CONTEXT = ("host",)
"""Players that play all tasks in one context, unless they name others."""


@dataclass(frozen=True, slots=True)
class Finders:
    """Who found a finding: models, and the contexts of a host."""

    models: frozenset[str] = frozenset()
    contexts: frozenset[str] = frozenset()

    def same_context(self, model: str, context: str) -> bool:
        return model in self.models and model in ONE_CONTEXT and context in self.contexts


NO_MODEL = Finders()


@dataclass(frozen=True, slots=True)
class _Heard:
    """One validator's verdict on the finding, with its backing."""

    judgement: Judgement
    word: Word
    context: str = ""
    reached: Reached | None = None

    @property
    def against(self) -> bool:
        return self.word.side is Side.AGAINST


def rule_on(finding: Finding, opinions: Iterable[Opinion], steps: int, finders: Finders = NO_MODEL) -> Ruling:
    """Rule on a finding found by `finders`; an analyst's finding names its rule."""
    heard = [each for opinion in opinions if (each := _own_word(finding, opinion, steps))]
    analyst = _agreed([each.judgement for each in heard if not each.word.model])
    models = [each for each in heard if each.word.model]
    swayed = any(opinion.checks.ordered for opinion in opinions)
    refutation = next((each for each in models if each.word.backing.confirmed), None)
    doubting = [each for each in models if each.judgement.verdict is Verdict.REJECTED and not lacking(each.word)]
    said = tuple(_told(each) for each in models)
    doubts = tuple(f"{each.word.who} ({each.word.model})" for each in doubting if not each.word.backing.confirmed)
    if refutation:
        why = refutation.word.backing.confirmed
        return Ruling(replace(refutation.judgement, verdict=Verdict.REJECTED), refuted=why, said=said, doubts=doubts)
    if finding.rule:
        ruling = _established(analyst, models)
        ruling = replace(ruling, denied=_denied(ruling, analyst, models, swayed))
    else:
        ruling = _claimed(finding, analyst, models, finders, swayed)
    return replace(ruling, reached=_reached(models) if ruling.validates else None, said=said, doubts=doubts)


def _reached(models: list[_Heard]) -> Reached | None:
    """The reach according to the confirmers. They need not agree: each names an entry point that leads there."""
    named = [each.reached for each in models if _confirms(each) and each.reached]
    return min(named, key=lambda each: (list(Reach).index(each.reach), each.entry), default=None)


def _established(analyst: Judgement | None, models: list[_Heard]) -> Ruling:
    """The ruling on an analyst's finding: the checker decides, and a model's verdict only if the checker has none (A53, A54)."""
    words = [each.word for each in models]
    confirming = next((each.judgement for each in models if _confirms(each)), None)
    disputed = standing(True, words) is Standing.DISPUTED or any(each.against for each in models)
    validated = confirming is not None and not disputed
    if analyst is None:
        return Ruling(confirming if validated else None, validated, disputed=disputed)
    if analyst.verdict is Verdict.CONFIRMED:
        return Ruling(analyst, validated, disputed=disputed)
    if confirming is None:
        return Ruling(analyst)
    if analyst.verdict is Verdict.REJECTED:
        return Ruling(replace(analyst, verdict=Verdict.DOWNGRADED), disputed=True)
    return Ruling(confirming if validated else analyst, validated, disputed=disputed)


def _denied(ruling: Ruling, analyst: Judgement | None, models: list[_Heard], swayed: bool) -> bool:
    """True if a claim that only analysts make and nobody confirms is rejected with valid reasons (A53)."""
    confirmed = ruling.validates or (analyst is not None and analyst.verdict is Verdict.CONFIRMED)
    heard = counted((each.word for each in models), swayed)
    rejected = any(each.judgement.verdict is Verdict.REJECTED and each.word in heard for each in models)
    return rejected and not confirmed and not any(_confirms(each) for each in models)


def _claimed(finding: Finding, analyst: Judgement | None, models: list[_Heard], finders: Finders, swayed: bool) -> Ruling:
    """The ruling on a model's claim: an analyst or a model in another context validates it; a valid reason refutes it."""
    confirming = [each for each in models if _confirms(each)]
    others = [each for each in confirming if each.word.model not in finders.models]
    against = [each.judgement for each in models if each.against and each.word in counted((e.word for e in models), swayed)]
    doubted = any(each.against for each in models)
    if analyst and analyst.verdict is Verdict.CONFIRMED:
        return Ruling(analyst, True, disputed=doubted)
    denied = analyst is not None and analyst.verdict is Verdict.REJECTED
    if denied and (finding.unquoted or (against and not confirming)):
        return Ruling(analyst)
    if against:
        return Ruling(None, disputed=True) if confirming else Ruling(against[0])
    if others:
        return Ruling(others[0].judgement, True, disputed=doubted or denied)
    if confirming:
        apart = [each for each in confirming if not finders.same_context(each.word.model, each.context)]
        counts = bool(apart) and not denied
        relation = SAME_MODEL if apart else SAME_CONTEXT
        return Ruling(apart[0].judgement if counts else None, counts, disputed=doubted or denied, relation=relation)
    return Ruling(None, disputed=True) if denied else Ruling(analyst)


def _confirms(heard: _Heard) -> bool:
    return heard.word.side is Side.FOR and not lacking(heard.word)


def _own_word(finding: Finding, opinion: Opinion, steps: int) -> _Heard | None:
    """A validator's verdict. None if it is bare (A38) or contradicts another verdict of that validator."""
    judgement = _agreed([each for each in opinion.judgements if each.finding_id == finding.id and each.counts(steps)])
    if judgement is None:
        return None
    side = Side.FOR if judgement.verdict is Verdict.CONFIRMED else Side.AGAINST
    word = Word(opinion.agent_id, side, _backing(finding, judgement, opinion, steps), opinion.model)
    reached = next((each for each in opinion.checks.reached if each.finding_id == finding.id), None)
    return _Heard(judgement, word, opinion.context, reached)


def _backing(finding: Finding, judgement: Judgement, opinion: Opinion, steps: int) -> Backing:
    """The backing of a verdict. Its location and deciding line were already checked as read. A confirmation must have been
    reached before seeing the claim; a rejection rests on the failed steps and needs a reason other than the sink."""
    resting = [step for step in judgement.validation.steps[:steps] if step.result in AGAINST]
    if judgement.verdict is Verdict.CONFIRMED:
        resting = list(judgement.validation.steps[:steps])
    stated = [step.fact for step in resting if step.fact is not None and step.fact in opinion.checks.facts]
    typed = len(stated) == len(resting)
    weak = judgement.verdict is not Verdict.CONFIRMED and not any(is_reason(fact, _stated_by(finding)) for fact in stated)
    own = judgement.verdict is not Verdict.CONFIRMED or judgement.first is Verdict.CONFIRMED
    return Backing(
        opened=own,
        quoted=True,
        holds=typed,
        confirmed=opinion.checks.refutation_of(judgement.finding_id),
        weak=REPEATS if weak else "",
    )


def _stated_by(finding: Finding) -> Stated:
    sinks = tuple(link.fact for link in finding.proof.links if link.part is Part.SINK) if finding.proof else ()
    return Stated((finding.location,), sinks, f"{finding.title} {finding.impact} {finding.evidence}")


def _agreed(words: list[Judgement]) -> Judgement | None:
    """The common verdict; None if verdicts contradict each other."""
    return words[0] if len({word.verdict for word in words}) == 1 else None


def _seen_later(judgement: Judgement) -> str:
    if judgement.first is None:
        return "it saw the claim from the start"
    return f"it said {judgement.first.words} before seeing the claim"


def _told(heard: _Heard) -> str:
    """A model's verdict as the report shows it: the verdict, reason, location, and the engine's assessment."""
    judgement, word = heard.judgement, heard.word
    steps = judgement.validation.steps
    speaking = [step for step in steps if step.result in AGAINST] if heard.against else list(steps[:1])
    reasons = "; ".join(f"{step.reason} ({step.fact or step.at or judgement.at})" for step in speaking)
    why = _seen_later(judgement) if not word.backing.opened else lacking(word)
    rejects = judgement.verdict is Verdict.REJECTED
    worth = f"not counted: {why}" if why else "not confirmed by the engine" if rejects else "counted"
    if word.backing.confirmed:
        worth = f"confirmed by the engine: {word.backing.confirmed}"
    return f"{word.who} ({word.model}): {judgement.verdict.words}: {reasons} [{worth}]"
