"""Assurances without evidence: a plan that says it is safe, fast or needs no test, and does not say how anybody knows.

Always: only texts that plan work are asked; a number, a reason or a reference in the same or the next sentence is evidence
enough. Whether the assurance is true is not judged.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.prose import Form, Sentence, read
from counterproof.model.location import at
from counterproof.model.severity import Confidence, Severity

MAX_EACH = 3
_CARE = r"(?:tests?|testing|reviews?|rollbacks?|roll ?back plan|backups?|monitoring|migration|security review|sign-?off)"
_AWAY = re.compile(
    rf"\bno (?:(?:further|additional|more|extra|separate|special) )?{_CARE} (?:is|are|will be) (?:needed|necessary|required)\b"
    rf"|\b{_CARE} (?:is|are) (?:not|unnecessary)(?: (?:needed|necessary|required))?\b"
    rf"|\b(?:do(?:es)? not|don't|doesn't|won't|will not|no) need (?:to |any |a |more |further )?{_CARE}\b"
    rf"|\b(?:skip|leave out|without (?:any )?(?:further )?) ?(?:the )?{_CARE}\b"
    r"|\b(?:nobody|no one) (?:needs|has) to (?:test|review|check)\b"
    r"|\bthere (?:is|are) no risks?\b|\b(?:nothing|what) can go wrong\b|\bcannot fail\b|\brisk[- ]free\b",
    re.IGNORECASE,
)
_QUALITY = re.compile(
    r"\b(?:is|are|remains?|stays?) (?:(?:very|fully|completely|already|highly|quite|perfectly|inherently|both) )?"
    r"(?:robust|secure|safe|scalable|reliable|fast|performant|stable|bullet-?proof|production[- ]ready|future[- ]proof)\b"
    r"|\bscales? (?:very )?well\b|\b(?:well|battle)[- ]tested\b|\bwill just work\b|\bworks? (?:perfectly|flawlessly)\b"
    r"|\b(?:everybody|everyone|all stakeholders|the whole team) (?:agrees?|is happy|are happy|likes?|approves?)\b",
    re.IGNORECASE,
)
_EVIDENCE = re.compile(
    r"\d|\b(?:because|since|measured|benchmarks?|load tests?|profil\w{0,4}|shown|showed|proved)\b"
    r"|\b(?:according|see|as it|thanks to|by using)\b",
    re.IGNORECASE,
)
_ASKED = re.compile(r"\b(?:if|when|until|unless|whether|must|should|ensure|make sure|so that)\b|\?", re.IGNORECASE)
_THEREFORE = re.compile(r"\b(?:so|therefore|thus|hence|which means|that is why)\b", re.IGNORECASE)


def waves_away(sentence: Sentence) -> bool:
    """Whether a sentence dismisses care instead of taking it."""
    return _AWAY.search(sentence.text) is not None


def unsupported(view: View) -> Iterator[Claim]:
    """Assurances of plans that nothing stands behind."""
    for path in view.files:
        prose = read(view.project.text(path))
        count = 0
        for each, after in zip(prose.sentences, (*prose.sentences[1:], None), strict=True) if prose.plans else ():
            claim = _claim(path, each, after)
            if claim and count < MAX_EACH and view.touches(path, each.line, each.line):
                count += 1
                yield claim


def _claim(path: str, sentence: Sentence, after: Sentence | None) -> Claim | None:
    if sentence.form is Form.HEADING or _evident(sentence):
        return None
    away, quality = _AWAY.search(sentence.text), _QUALITY.search(sentence.text)
    if away:
        why = "The sentence waves a question away and gives no reason. If it is wrong, nobody finds out before users do."
        return _told(path, sentence, away[0], "care is waved away without a reason", why, Severity.MEDIUM)
    if quality is None or _ASKED.search(sentence.text) or (after and after.form is Form.TEXT and _evident(after)):
        return None
    grave = Severity.MEDIUM if _THEREFORE.search(sentence.text) else Severity.LOW
    why = "No figure, reason or reference stands behind it, so that nobody can check it, and what is built on it rests on a hope."
    return _told(path, sentence, quality[0], "an assurance without evidence", why, grave)


def _evident(sentence: Sentence) -> bool:
    return sentence.cited or _EVIDENCE.search(sentence.text) is not None


def _told(path: str, sentence: Sentence, words: str, title: str, why: str, severity: Severity) -> Claim:
    said = f"Line {sentence.line} says {words!r}. {why}"
    return Claim("assurance without evidence", title, severity, at(path, sentence.line), said, confidence=Confidence.MEDIUM)
