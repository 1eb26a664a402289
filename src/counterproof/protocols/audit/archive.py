"""Phase 4a: every baseline hit ends as confirmed, rejected or needs_manual; the three counts add up to the total (A35)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from counterproof.model.baseline import Baseline, BaselineStatus, Hit
from counterproof.model.finding import Finding
from counterproof.model.judgement import HitJudgement, HitVerdict
from counterproof.protocols.audit.validation import MAIN_THREAD

MAIN_THREAD_HITS = 15
ONE_AGENT_HITS = 30


@dataclass(frozen=True, slots=True)
class HitAssignment:
    """One verifier and its hits."""

    agent_id: str
    hits: tuple[Hit, ...]


def assignments(baseline: Baseline | None) -> tuple[HitAssignment, ...]:
    """Up to 15 hits go to the main thread, up to 30 to one agent, more to two; the hits of one file stay together."""
    if baseline is None or baseline.status is BaselineStatus.SKIPPED or not baseline.hits:
        return ()
    if baseline.status is BaselineStatus.PARTIAL or len(baseline.hits) <= MAIN_THREAD_HITS:
        return (HitAssignment(MAIN_THREAD, baseline.hits),)
    if len(baseline.hits) <= ONE_AGENT_HITS:
        return (HitAssignment("semgrep-verifier-01", baseline.hits),)
    loads: tuple[list[Hit], list[Hit]] = ([], [])
    by_file: dict[str, list[Hit]] = {}
    for hit in baseline.hits:
        by_file.setdefault(hit.path, []).append(hit)
    for _, group in sorted(by_file.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        min(loads, key=len).extend(group)
    named = zip(("semgrep-verifier-01", "semgrep-verifier-02"), loads, strict=True)
    return tuple(HitAssignment(agent, tuple(load)) for agent, load in named if load)


@dataclass(frozen=True, slots=True)
class Archive:
    """The archive with its totals and hotspots. `unanswered` hits got no reasoned verdict."""

    entries: tuple[HitJudgement, ...]
    total: int
    unparsed: int
    rule_hotspots: tuple[tuple[str, int], ...]
    file_hotspots: tuple[tuple[str, int], ...]
    unanswered: int = 0

    def count(self, verdict: HitVerdict) -> int:
        manual = self.unparsed if verdict is HitVerdict.NEEDS_MANUAL else 0
        return sum(entry.verdict is verdict for entry in self.entries) + manual


def archived(
    baseline: Baseline | None, judgements: tuple[HitJudgement, ...], by_models: tuple[HitJudgement, ...] = ()
) -> Archive:
    """One entry per hit: the first valid verdict, or needs_manual if there is none. A model can add to the analysts' verdicts
    but not take anything away (A54)."""
    if baseline is None or baseline.status is BaselineStatus.SKIPPED:
        return Archive((), 0, 0, (), ())
    given, added = _first_words(judgements), _first_words(by_models)
    entries = tuple(_entry(hit, given.get(hit.id), added.get(hit.id)) for hit in baseline.hits)
    return Archive(
        entries,
        len(baseline.hits) + len(baseline.unparsed),
        len(baseline.unparsed),
        _ranked(hit.rule for hit in baseline.hits),
        _ranked(hit.path for hit in baseline.hits),
        sum(hit.id not in given and hit.id not in added for hit in baseline.hits),
    )


def _first_words(judgements: tuple[HitJudgement, ...]) -> dict[str, HitJudgement]:
    given: dict[str, HitJudgement] = {}
    for judgement in judgements:
        given.setdefault(judgement.hit_id, judgement)
    return given


def _entry(hit: Hit, analyst: HitJudgement | None, model: HitJudgement | None) -> HitJudgement:
    """If analysts and a model disagree, the hit needs manual review; a model's verdict that a hit is harmless is noted, not
    counted."""
    word = analyst or HitJudgement(hit.id, HitVerdict.NEEDS_MANUAL, "no validator gave a verdict that counts")
    if model is None or word.verdict is HitVerdict.CONFIRMED:
        return word
    if model.verdict is HitVerdict.CONFIRMED:
        if word.verdict is HitVerdict.NEEDS_MANUAL:
            return model
        return HitJudgement(hit.id, HitVerdict.NEEDS_MANUAL, f"analysts and a model disagree: {word.reason}; {model.reason}")
    if word.verdict is HitVerdict.NEEDS_MANUAL and model.verdict is HitVerdict.REJECTED:
        return replace(word, reason=f"{word.reason}; a model rejects it, without confirmed evidence: {model.reason}")
    return word


def word_on(
    hit: Hit, judgements: tuple[HitJudgement, ...], kept: tuple[Finding, ...], files_read: frozenset[str]
) -> HitJudgement | None:
    """A verifier's verdict on a hit, if it is valid: it has a reason, the same verifier does not contradict it, and it is
    backed.

    Backed means that the verifier read the file, and that a confirmed hit comes with a finding in that file whose citation was
    verified (A29). Only a confirmed hit brings a finding.
    """
    words = [each for each in judgements if each.hit_id == hit.id and each.reason.strip()]
    if len({each.verdict for each in words}) != 1 or hit.path not in files_read:
        return None
    word = words[0]
    if word.verdict is not HitVerdict.CONFIRMED:
        return replace(word, finding=None)
    if word.finding is None or word.finding.location.path != hit.path:
        return None
    claim = _named(word.finding)
    checked = next((each for each in kept if _named(each) == claim), None)
    return replace(word, finding=checked) if checked else None


def _named(finding: Finding) -> tuple[object, ...]:
    """The fields that verification never changes."""
    return (finding.rule, finding.cwe, finding.location, finding.title, finding.evidence)


def _ranked(names: Iterable[str]) -> tuple[tuple[str, int], ...]:
    counts = Counter(names)
    return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
