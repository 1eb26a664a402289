"""How sure the report is of a finding (A53, A55, A60): decided here and nowhere else, by who found it, who confirmed it with what
evidence, and what its proof leaves open.

Invariant: pure; severity is never asked, but for what two witnesses found apart from each other, which is validated up to
Medium (A39). A dispute changes nothing here. Not handled here: which words count, which `ruling` decides.
"""

from counterproof.model.confidence import Confidence
from counterproof.model.finding import Corroboration, Finding
from counterproof.model.judgement import Verdict
from counterproof.model.severity import Ground, Severity
from counterproof.protocols.audit.ruling import Ruling

NOBODY = Ruling()
"""What is known of a finding that nobody judged."""


def confidence_of(finding: Finding, ruling: Ruling = NOBODY) -> Confidence:
    """The confidence of one finding by itself."""
    if _is_proved(finding, ruling):
        return Confidence.PROVED
    if ruling.validates:
        return Confidence.VALIDATED
    unseen = finding.confidence is Ground.PATTERN or finding.hearsay or ruling.denied
    return Confidence.SUSPECTED if unseen else Confidence.CLAIMED


def _is_proved(finding: Finding, ruling: Ruling) -> bool:
    """A proof that the analysts stated or came to themselves, that the checker read, that leaves nothing open, and in which the
    analysts' validator left nothing open either. The facts of a model's proof may be true and still not belong together."""
    if finding.proof is None or not finding.proof.whole or finding.hearsay:
        return False
    if finding.flow is not None and finding.flow.broken_by:
        return False
    if not finding.rule and finding.corroboration is not Corroboration.BOTH:
        return False
    word = ruling.judgement
    return word is None or word.verdict is Verdict.CONFIRMED


def is_open_question(finding: Finding) -> bool:
    """A claim of analysts that they did not prove and no model shares."""
    unproved = confidence_of(finding).rank <= Confidence.CLAIMED.rank
    return bool(finding.rule) and unproved and not finding.posture and finding.corroboration is not Corroboration.BOTH


def merged_confidence(confidences: tuple[Confidence, ...], apart: bool, level: Severity) -> Confidence:
    """The confidence of findings that turned out to be one: the highest of them. `apart`: two witnesses found it who did not know
    of each other, which validates it up to Medium; above that somebody still has to try to refute it (A39)."""
    highest = max(confidences, key=lambda each: each.rank)
    if apart and level.rank <= Severity.MEDIUM.rank and highest is Confidence.CLAIMED:
        return Confidence.VALIDATED
    return highest
