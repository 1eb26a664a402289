"""The confidence of a finding (A53, A55, A60), computed only here: from who found it, who confirmed it with which evidence,
and which points its proof leaves open.

Invariant: pure; severity plays no part, except that a finding which two witnesses found independently is validated up to
Medium (A39). Disputes change nothing here. Not handled here: which verdicts are valid; `ruling` decides that.
"""

from counterproof.model.confidence import Confidence
from counterproof.model.finding import Corroboration, Finding
from counterproof.model.judgement import Verdict
from counterproof.model.proof import NO_SENDER
from counterproof.model.severity import Ground, Severity
from counterproof.protocols.audit.ruling import Ruling

NOBODY = Ruling()
"""The ruling on a finding that nobody judged."""


def confidence_of(finding: Finding, ruling: Ruling = NOBODY) -> Confidence:
    """The confidence of one finding by itself."""
    if _is_proved(finding, ruling):
        return Confidence.PROVED
    if ruling.validates:
        return Confidence.VALIDATED
    unseen = finding.confidence is Ground.PATTERN or finding.hearsay or ruling.denied or _has_no_sender(finding)
    return Confidence.SUSPECTED if unseen else Confidence.CLAIMED


def _is_proved(finding: Finding, ruling: Ruling) -> bool:
    """True if analysts stated the proof or derived it themselves, the checker read it, and neither it nor the analysts'
    validator left a point open. The facts of a model's proof may each be true and still not belong together."""
    if finding.proof is None or not finding.proof.whole or finding.hearsay:
        return False
    if finding.flow is not None and finding.flow.broken_by:
        return False
    if not finding.rule and finding.corroboration is not Corroboration.BOTH:
        return False
    word = ruling.judgement
    return word is None or word.verdict is Verdict.CONFIRMED


def _has_no_sender(finding: Finding) -> bool:
    """True if only a function's parameter is known to reach the sink, and nobody who may pass it without being meant to."""
    return finding.proof is not None and any(each.guess in NO_SENDER for each in finding.proof.assumptions)


def is_open_question(finding: Finding) -> bool:
    """True if only analysts claim the finding and they did not prove it."""
    unproved = confidence_of(finding).rank <= Confidence.CLAIMED.rank
    return bool(finding.rule) and unproved and not finding.posture and finding.corroboration is not Corroboration.BOTH


def merged_confidence(confidences: tuple[Confidence, ...], apart: bool, level: Severity) -> Confidence:
    """The confidence of merged findings: the highest among them. `apart`: two witnesses found it independently, which
    validates it up to Medium; a more severe finding still needs an attempt to refute it (A39)."""
    highest = max(confidences, key=lambda each: each.rank)
    if apart and level.rank <= Severity.MEDIUM.rank and highest is Confidence.CLAIMED:
        return Confidence.VALIDATED
    return highest
