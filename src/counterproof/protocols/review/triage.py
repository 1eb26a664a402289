"""Rules on external comments by the votes of a review (R31).

Invariant: a comment's author, human or program, has no vote on it. A comment that matches an accepted finding of the review is
to be fixed. Models' votes can request a fix; dismissing a comment takes a defence that the engine confirmed, or models of more
than one provider. A text that gives orders is withheld from the specialists and still gets a ruling.
"""

import re
from collections.abc import Iterable

from counterproof.model.location import at
from counterproof.model.review.comment import EXTERNAL, Comment, Ruled, Ruling
from counterproof.model.review.finding import MAX_EVIDENCE, MAX_TITLE, ReviewFinding, Trust
from counterproof.model.review.position import Position, Resolution, Resolved, Stance
from counterproof.model.severity import Confidence, Severity
from counterproof.protocols.guard.injection import addresses_model
from counterproof.protocols.review.duplicates import NEAR
from counterproof.protocols.review.voting import majority

KIND = "external comment"
WITHHELD = "The comment contains instructions to its readers, so its text is withheld. Judge whether this place needs a change."

_WORD = re.compile(r"[^\W\d_]{3,}")
_COMMON = frozenset(_WORD.findall("""
    the and for are not but can may should could would this that these those with without from into over here there has have
had its was were will does did when where which who what why how one two any all some more most such only also than then
them they you your our out use used uses using set get new old code line lines function method call calls called value
values name names file files instead never nobody nothing something before after because
"""))  # fmt: skip
"""Common words that do not identify a problem."""


def numbered(comments: tuple[Comment, ...]) -> tuple[tuple[str, Comment], ...]:
    return tuple((f"{EXTERNAL}-{number:03}", each) for number, each in enumerate(comments, 1))


def claims(comments: tuple[Comment, ...], nowhere: Iterable[str]) -> tuple[ReviewFinding, ...]:
    """The comments with a location in the snapshot, as claims that specialists take positions on. `nowhere` are the others."""
    gone = set(nowhere)
    return tuple(_claim(name, each) for name, each in numbered(comments) if each.path and name not in gone)


def _claim(name: str, comment: Comment) -> ReviewFinding:
    text = WITHHELD if addresses_model(comment.text) else comment.text.strip()
    title = next(line.strip() for line in text.split("\n") if line.strip())
    return ReviewFinding(
        id=name,
        specialist=EXTERNAL,
        kind=KIND,
        title=title[:MAX_TITLE],
        domain="scope",
        severity=Severity.LOW,
        confidence=Confidence.PATTERN,
        trust=Trust.NONE,
        location=at(comment.path, max(1, comment.line)),
        evidence=text[:MAX_EVIDENCE],
        model=EXTERNAL,
        ceiling=Severity.LOW,
    )


def is_external(finding: ReviewFinding) -> bool:
    return finding.specialist == EXTERNAL


def ruled(comments: tuple[Comment, ...], resolved: tuple[Resolved, ...]) -> tuple[Ruled, ...]:
    """A ruling on every comment, in the original order."""
    voted = {each.finding.id: each for each in resolved if is_external(each.finding)}
    own = tuple(each for each in resolved if not is_external(each.finding))
    return tuple(_ruled(name, each, voted.get(name), own) for name, each in numbered(comments))


def _ruled(name: str, comment: Comment, voted: Resolved | None, own: tuple[Resolved, ...]) -> Ruled:
    addressed = bool(addresses_model(comment.text))
    if voted is None:
        where = "names no file or line" if not comment.path else "refers to a place that is not in the reviewed files"
        return Ruled(name, comment, Ruling.INVESTIGATE, f"it {where}", addressed=addressed)
    same = [each for each in own if _says_the_same(comment, each.finding)]
    standing = next((each for each in same if each.kept), None)
    if standing is not None:
        why = f"{standing.finding.id} says the same: {standing.finding.title}"
        return Ruled(name, comment, Ruling.FIX, why, standing.finding.id, addressed)
    dismissed = next((each for each in same if any(note.startswith("refuted") for note in each.notes)), None)
    if dismissed is not None:
        why = f"{dismissed.finding.id} said the same and was {next(n for n in dismissed.notes if n.startswith('refuted'))}"
        return Ruled(name, comment, Ruling.NO_FIX, why, dismissed.finding.id, addressed)
    return Ruled(name, comment, *_by_vote(voted), addressed=addressed)


def _says_the_same(comment: Comment, finding: ReviewFinding) -> bool:
    """True if both have the same location and share a word that describes the problem. Names from the code do not count."""
    place = finding.location
    if place.path != comment.path or not place.start - NEAR <= comment.line <= place.end + NEAR:
        return False
    about = distinctive_words(f"{finding.title} {finding.kind}") - distinctive_words(finding.quote)
    return bool(about & distinctive_words(comment.text))


def distinctive_words(text: str) -> frozenset[str]:
    """The words of a text that can identify a problem."""
    return frozenset(_WORD.findall(text.lower())) - _COMMON


def _by_vote(voted: Resolved) -> tuple[Ruling, str]:
    agree = [each for each in voted.positions if each.stance is Stance.AGREE]
    against = [each for each in voted.positions if each.stance is Stance.CHALLENGE]
    refuted = next((each.backing.confirmed for each in against if each.backing.confirmed), "")
    if refuted and voted.resolution is Resolution.DISMISSED:
        return Ruling.NO_FIX, f"refuted: {refuted}"
    if any(not each.model for each in agree):
        return Ruling.FIX, _told("an analyst agrees", agree)
    if len(agree) >= majority(len(voted.positions)) and len(agree) > 1:
        voices = {each.model for each in agree}
        return Ruling.FIX, _told("by one model's reading" if len(voices) == 1 else "models agree", agree)
    providers = {each.model.partition(":")[0] for each in against}
    if len(against) >= majority(len(voted.positions)) and len(providers) > 1:
        return Ruling.NO_FIX, _told("models of more than one provider speak against it", against)
    if voted.positions:
        return Ruling.INVESTIGATE, f"{len(agree)} for, {len(against)} against, undecided"
    return Ruling.INVESTIGATE, "no reviewer could judge it"


def _told(what: str, positions: list[Position]) -> str:
    who = ", ".join(each.specialist for each in positions)
    first = next((each.evidence for each in positions if each.evidence), "")
    return f"{what} ({who})" + (f": {first[:300]}" if first else "")
