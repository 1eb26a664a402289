"""Checks of documents: designs, plans and proposals. Each looks for what a reader will ask and the text does not answer.

Always: a claim names the line that raises the question, and quotes it. That a document is silent is asked only of texts that plan
work, however short, and said once, at the first sentence that raises it; a sentence that waves a question away is no answer.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.review import assurances, figures, house, sections, statements
from counterproof.analysis.review.claims import Check, Claim, View
from counterproof.analysis.review.prose import Prose, Sentence, read
from counterproof.analysis.review.questions import QUESTIONS, Question
from counterproof.analysis.secrets.redaction import redact
from counterproof.model.location import Location, at
from counterproof.model.severity import Confidence, Severity

MAX_EACH = 5
MAX_SAID = 160

_OPEN = re.compile(
    r"\b(?:TBD|TODO|FIXME)\b"
    r"|(?i:\b(?:is|are|still|yet|remains?) to be (?:decided|defined|determined)\b)|[^?]\?\?\?$"
)
_ASKED = re.compile(r"\b(?:what|which)\b[^.?]*[^?]\?$", re.IGNORECASE)
"""What a template asks of whoever fills it in."""
_VAGUE = re.compile(
    r"\b(?:should|must|will|needs? to) be (?:very |more )?(fast|scalable|performant|user[- ]friendly|robust|secure|reliable)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d")
_NEGATED = re.compile(
    r"\b(?:no|not|never|without|avoids?|instead of|than)\W+(?:\w+\W+){0,2}$|n't\W+(?:\w+\W+){0,1}$", re.IGNORECASE
)


def _raised(view: View, pattern: re.Pattern[str], skip: re.Pattern[str] | None = None) -> Iterator[tuple[str, int, str]]:
    """Sentences that match, with the words."""
    for path in view.files:
        count = 0
        for each in read(view.project.text(path)).sentences:
            found = pattern.search(each.text)
            if found and not (skip and skip.search(each.text)) and view.touches(path, each.line, each.line) and count < MAX_EACH:
                count += 1
                yield path, each.line, found[0]


def _silent(
    view: View, raises: re.Pattern[str], answers: re.Pattern[str], anywhere: bool
) -> Iterator[tuple[str, Sentence, bool]]:
    """Plans that raise a question somewhere and answer it nowhere: the first sentence that raises it, and if it is a note."""
    for path in view.files:
        text = view.project.text(path)
        prose = read(text)
        if not prose.plans or _answered(prose, answers) or answers.search(_front(text)) or not house.asks(view, path, answers):
            continue
        for each in prose.sentences if anywhere else prose.planning:
            if _meant(each, raises) and view.touches(path, each.line, each.line):
                yield path, each, prose.short
                break


def _front(text: str) -> str:
    """The lines before the document that name its authors and dates."""
    return text[: text.find("\n---", 4)] if text.startswith("---\n") else ""


def _answered(prose: Prose, answers: re.Pattern[str]) -> bool:
    return any(answers.search(each.text) and not assurances.waves_away(each) for each in prose.sentences)


def _meant(sentence: Sentence, raises: re.Pattern[str]) -> bool:
    """Whether a sentence raises a question, and does not deny the words that do."""
    found = raises.search(sentence.text)
    return found is not None and not _NEGATED.search(sentence.text[: found.start()][-60:])


def _silence(question: Question) -> Check:
    raising, answering = re.compile(question.raises, re.IGNORECASE), re.compile(question.answers, re.IGNORECASE)

    def check(view: View) -> Iterator[Claim]:
        for path, sentence, short in _silent(view, raising, answering, question.anywhere):
            said = f"Line {sentence.line} says: {redact(sentence.text[:MAX_SAID]).rstrip('.')!r}. {question.why}"
            weight = question.note if short and question.note else question.severity
            yield Claim(question.kind, question.title, weight, at(path, sentence.line), said, confidence=Confidence.MEDIUM)

    return check


def _open_points(view: View) -> Iterator[Claim]:
    view.limitations += [f"{path} was read in part: it is very long" for path in view.files if read(view.project.text(path)).cut]
    for path, number, words in _raised(view, _OPEN, _ASKED):
        why = f"The line leaves {words!r} open. Whoever carries this out has to decide it without knowing what was meant here."
        yield Claim("open point", "a decision is left open", Severity.MEDIUM, at(path, number), why)


def _vague_goals(view: View) -> Iterator[Claim]:
    for path, number, words in _raised(view, _VAGUE, _NUMBER):
        why = f"{words!r} names no number and no way to tell. Nobody can say afterwards whether the goal was met or missed."
        yield Claim(
            "goal without a measure",
            "a goal that cannot be checked",
            Severity.LOW,
            at(path, number),
            why,
            confidence=Confidence.MEDIUM,
        )


def contradictions(view: View) -> Iterator[Claim]:
    """Two figures of one thing: named in the same words, or meant to be the same. One line is spoken of once."""
    told: set[Location] = set()
    for claim in (*statements.contradictions(view), *figures.differing(view)):
        if claim.at not in told:
            told.add(claim.at)
            yield claim


DOCUMENT_CHECKS: tuple[tuple[tuple[str, ...], Check], ...] = (
    (("completeness",), _open_points),
    (("completeness",), contradictions),
    (("completeness",), sections.unfilled),
    (("completeness",), sections.empty),
    (("completeness",), house.missing),
    (("patterns",), sections.undecided),
    (("technical-risk",), sections.risks),
    (("technical-risk",), statements.refuted),
    (("technical-risk",), figures.otherwise_in_code),
    (("nfr",), _vague_goals),
    (("verification",), assurances.unsupported),
    *(((each.domain,), _silence(each)) for each in QUESTIONS),
)
