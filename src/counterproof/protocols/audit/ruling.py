"""What the words of validators make of one finding (A37, A38, A53, A54). Nobody's bare word does, and nobody's prose.

Analysts judge by the checker, so their word is an observation. A model's word counts when it gave the same verdict before
it saw the claim, and when every step that it rests on names a fact that the source bears out. What an analyst found falls by
the analysts' validator or by a defence that the engine confirms, and by nothing else a model says; what a model found is
validated by an analyst or by a model in another context, and falls by a reason that the engine confirms. An analyst's no
without one is no veto on a model's claim. Whoever speaks against it is shown, with the reason and the line.

Invariant: pure; the words of models never lower what the words of analysts alone would make of an analyst's finding, except
by a refutation that is on record.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from counterproof.model.finding import Finding, StepResult
from counterproof.model.judgement import Judgement, Verdict
from counterproof.protocols.guard.citations import UNCHECKED, Checks
from counterproof.protocols.guard.reasons import is_reason
from counterproof.protocols.guard.standing import Backing, Side, Standing, Word, counted, lacking, standing

AGAINST = (StepResult.FAIL, StepResult.PARTIAL)


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one validator handed in that is backed by its reading, and what the engine made of its reasons. `context` is the
    host's name for the conversation."""

    agent_id: str
    judgements: tuple[Judgement, ...]
    model: str = ""
    checks: Checks = UNCHECKED
    context: str = ""


@dataclass(frozen=True, slots=True)
class Ruling:
    """`judgement` is the word that counts; None: nobody's does. `validates`: it confirms the finding, and comes from somebody
    other than the finder. `refuted`: the defence that the engine confirms. `disputed`: two witnesses disagree. `relation`: how
    whoever confirms a model's claim is related to its finder. `denied`: nobody confirms an analyst's claim, and a model rejects
    it with reasons that the engine confirms at their lines; it goes to the appendix. `said` are the words that were heard."""

    judgement: Judgement | None = None
    validates: bool = False
    refuted: str = ""
    disputed: bool = False
    relation: str = ""
    denied: bool = False
    said: tuple[str, ...] = ()


SAME_MODEL = "same model"
SAME_CONTEXT = "same context"
"""What a report says where a model confirms its own claim: in a fresh context it counts, in one context it does not (A53)."""
ONE_CONTEXT = ("host",)
"""Players whose tasks are played in one context, unless they name others."""


@dataclass(frozen=True, slots=True)
class Finders:
    """Who found a finding: models, and of a host the contexts."""

    models: frozenset[str] = frozenset()
    contexts: frozenset[str] = frozenset()

    def same_context(self, model: str, context: str) -> bool:
        return model in self.models and model in ONE_CONTEXT and context in self.contexts


NO_MODEL = Finders()


@dataclass(frozen=True, slots=True)
class _Heard:
    """One validator's own word on the finding, and as what it counts."""

    judgement: Judgement
    word: Word
    context: str = ""

    @property
    def against(self) -> bool:
        return self.word.side is Side.AGAINST


def rule_on(finding: Finding, opinions: Iterable[Opinion], steps: int, finders: Finders = NO_MODEL) -> Ruling:
    """The ruling. `finders` found it; an analyst's finding names its rule."""
    heard = [each for opinion in opinions if (each := _own_word(finding, opinion, steps))]
    analyst = _agreed([each.judgement for each in heard if not each.word.model])
    models = [each for each in heard if each.word.model]
    swayed = any(opinion.checks.ordered for opinion in opinions)
    refutation = next((each for each in models if each.word.backing.confirmed), None)
    said = tuple(_told(each) for each in models)
    if refutation:
        why = refutation.word.backing.confirmed
        return Ruling(replace(refutation.judgement, verdict=Verdict.REJECTED), refuted=why, said=said)
    if finding.rule:
        established = _established(analyst, models)
        return replace(established, denied=_denied(established, analyst, models, swayed), said=said)
    return replace(_claimed(finding, analyst, models, finders, swayed), said=said)


def _established(analyst: Judgement | None, models: list[_Heard]) -> Ruling:
    """An analyst's finding: the checker decides, and a model's word only where it has none (A53, A54)."""
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
    """True if a claim of analysts that no witness confirms is rejected for reasons that count (A53)."""
    confirmed = ruling.validates or (analyst is not None and analyst.verdict is Verdict.CONFIRMED)
    heard = counted((each.word for each in models), swayed)
    rejected = any(each.judgement.verdict is Verdict.REJECTED and each.word in heard for each in models)
    return rejected and not confirmed and not any(_confirms(each) for each in models)


def _claimed(finding: Finding, analyst: Judgement | None, models: list[_Heard], finders: Finders, swayed: bool) -> Ruling:
    """A model's claim: an analyst or a model in another context validates it, and it falls by a reason that counts."""
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
    """A validator's word. A bare one is none (A38), nor is that of a validator who contradicts itself."""
    judgement = _agreed([each for each in opinion.judgements if each.finding_id == finding.id and each.counts(steps)])
    if judgement is None:
        return None
    side = Side.FOR if judgement.verdict is Verdict.CONFIRMED else Side.AGAINST
    return _Heard(
        judgement, Word(opinion.agent_id, side, _backing(finding, judgement, opinion, steps), opinion.model), opinion.context
    )


def _backing(finding: Finding, judgement: Judgement, opinion: Opinion, steps: int) -> Backing:
    """What stands behind a word. Reading the place and the line that decided was checked before it got here. Who confirms must
    have come to it before seeing the claim; who rejects rests on the steps that fail, and needs a reason beside the sink."""
    resting = [step for step in judgement.validation.steps[:steps] if step.result in AGAINST]
    if judgement.verdict is Verdict.CONFIRMED:
        resting = list(judgement.validation.steps[:steps])
    stated = [step.fact for step in resting if step.fact is not None and step.fact in opinion.checks.facts]
    typed = len(stated) == len(resting)
    if judgement.verdict is not Verdict.CONFIRMED:
        typed = typed and any(is_reason(fact, finding) for fact in stated)
    own = judgement.verdict is not Verdict.CONFIRMED or judgement.first is Verdict.CONFIRMED
    return Backing(opened=own, quoted=True, holds=typed, confirmed=opinion.checks.refutation_of(judgement.finding_id))


def _agreed(words: list[Judgement]) -> Judgement | None:
    """Where words contradict each other nobody is believed."""
    return words[0] if len({word.verdict for word in words}) == 1 else None


def _seen_later(judgement: Judgement) -> str:
    if judgement.first is None:
        return "it was shown the claim from the beginning"
    return f"it said {judgement.first.value} before it saw the claim"


def _told(heard: _Heard) -> str:
    """A model's word as the report shows it: what it says, why, where, and what the engine makes of it."""
    judgement, word = heard.judgement, heard.word
    steps = judgement.validation.steps
    speaking = [step for step in steps if step.result in AGAINST] if heard.against else list(steps[:1])
    reasons = "; ".join(f"{step.reason} ({step.fact or step.at or judgement.at})" for step in speaking)
    why = _seen_later(judgement) if not word.backing.opened else lacking(word)
    worth = f"not counted: {why}" if why else "counted"
    if word.backing.confirmed:
        worth = f"confirmed by the engine: {word.backing.confirmed}"
    return f"{word.who} ({word.model}): {judgement.verdict.value}: {reasons} [{worth}]"
