"""Figures of one thing that differ within a document: a session of 30 minutes here and of two hours there.

Always: two figures contradict each other only where both are of one dimension, both sentences speak of the same thing and put no
other condition on it, and neither speaks of a change, an example or a case. Units are converted and numbers may be words.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.prose import Form, Sentence, read
from counterproof.model.location import at
from counterproof.model.severity import Confidence, Severity

MAX_EACH = 5
_WORDS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "sixty": 60, "ninety": 90, "half": 0.5,
}  # fmt: skip
_UNITS: dict[str, tuple[str, float]] = {
    **dict.fromkeys(("ms", "millisecond"), ("time", 0.001)),
    **dict.fromkeys(("s", "sec", "second"), ("time", 1)),
    **dict.fromkeys(("min", "minute"), ("time", 60)),
    **dict.fromkeys(("h", "hour"), ("time", 3_600)),
    **dict.fromkeys(("day",), ("time", 86_400)),
    **dict.fromkeys(("week",), ("time", 604_800)),
    **dict.fromkeys(("month",), ("time", 2_592_000)),
    **dict.fromkeys(("year",), ("time", 31_536_000)),
    **dict.fromkeys(("kb",), ("size", 1)),
    **dict.fromkeys(("mb",), ("size", 1_000)),
    **dict.fromkeys(("gb",), ("size", 1_000_000)),
    **dict.fromkeys(("tb",), ("size", 1_000_000_000)),
    **dict.fromkeys(("%", "percent"), ("share", 1)),
    **{each: (each, 1) for each in ("replica", "retry", "retries", "attempt", "worker", "node", "region", "server", "copies")},
}
_FIGURE = re.compile(
    r"(?<![\w.,-])(?:half an?|\d{1,9}(?:[.,]\d{1,3})?|" + "|".join(_WORDS) + r")[ -]{0,2}"
    r"(milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|hours?|h|days?|weeks?|months?|years?|[kmgt]b|percent|%|replicas?|retry|retries"
    r"|attempts?|workers?|nodes?|regions?|servers?|copies)(?![\w-])",
    re.IGNORECASE,
)
_CASE = re.compile(
    r"\b(?:currently|today|now|was|were|used to|previously|before|old|former|instead|rais\w{1,3}|lower\w{0,3}|increas\w{1,3}"
    r"|reduc\w{1,3}"
    r"|chang\w{1,3}|example|e\.g|or|if|unless|when|where|default|between|option\w{0,5}|alternative\w{0,2}|either|other|another|per|each"
    r"|extend\w{0,3}|shorten\w{0,3}|later|then|first|second|third|phase|week \d|day \d)\b|\?",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;:().!?]|\b(?:and|but|so that|because|while|which|whereas)\b", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z][A-Za-z-]{1,30}|`…`")
_SAME = {
    "session": "session", "signed": "session", "logged": "session", "login": "session", "signin": "session",
    "expire": "valid", "expires": "valid", "valid": "valid", "lifetime": "valid", "lives": "valid",
    "kept": "keep", "keep": "keep", "retained": "keep", "retention": "keep", "stored": "keep", "retain": "keep",
    "upload": "file", "file": "file", "downtime": "outage", "outage": "outage", "unavailable": "outage", "offline": "outage",
    "answers": "response", "answer": "response", "responds": "response", "response": "response", "latency": "response",
    "deleted": "keep", "purged": "keep", "removed": "keep",
}  # fmt: skip
_EMPTY = frozenset({
    "service", "site", "application", "app",
    "the", "a", "an", "of", "to", "in", "on", "at", "by", "for", "with", "within", "after", "is", "are", "be", "will",
    "shall", "must", "should", "can", "may", "it", "its", "our", "their", "this", "that", "these", "all", "any", "user",
    "users", "system", "stay", "stays", "remain", "remains", "last", "lasts", "end", "ends", "time", "out", "off", "up",
    "long", "about", "around", "roughly", "only", "exactly", "takes", "take", "have", "has", "been", "being", "we", "they",
    "them", "he", "she", "you", "as", "from", "into", "not", "no", "more", "than", "most", "maximum", "max", "under",
    "below", "limit", "limited", "set", "ago",
})  # fmt: skip
_STATED = re.compile(
    r"`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)`\s*(?:=|is|of|\(|:|defaults to|is set to)\s*`?(\d[\d_,]*(?:\.\d+)?)\b(?!\s*%)"
)
_COMING = re.compile(r"\b(?:new|will|would|should|rais|lower|propos|from|to be|add|creat|introduc)\w*\b", re.IGNORECASE)
_BOUND = {"least": ">", "minimum": ">", "min": ">", "above": ">", "over": ">", "every": "each"}


@dataclass(frozen=True, slots=True)
class Figure:
    """A quantity: what it is of, in which dimension, how much, and where it stands."""

    subject: frozenset[str]
    dimension: str
    value: float
    words: str
    sentence: Sentence


def differing(view: View) -> Iterator[Claim]:
    """The same thing with two figures in one document."""
    for path in view.files:
        told = 0
        seen: dict[tuple[frozenset[str], str], Figure] = {}
        for each in _figures(view.project.text(path)):
            first = seen.setdefault((each.subject, each.dimension), each)
            apart = first.sentence is not each.sentence and first.value != each.value
            touched = any(view.touches(path, one.sentence.line, one.sentence.line) for one in (first, each))
            if apart and touched and told < MAX_EACH:
                told += 1
                yield _contradiction(path, first, each)


def _figures(text: str) -> Iterator[Figure]:
    for sentence in read(text).sentences:
        found = [] if sentence.form is Form.ROW or _CASE.search(sentence.text) else list(_FIGURE.finditer(sentence.text))
        if len(found) == 1 and (figure := _figure(sentence, found[0])):
            yield figure


def _figure(sentence: Sentence, found: re.Match[str]) -> Figure | None:
    unit = found[1].lower()
    dimension, factor = _UNITS.get(unit) or _UNITS.get(unit.removesuffix("s")) or ("", 0)
    number = found[0][: found.start(1) - found.start()].strip(" -").lower().split()[0].replace(",", ".")
    amount = _WORDS[number] if number in _WORDS else float(number)
    left = _CLAUSE.split(sentence.text[: found.start()])[-1]
    right = " ".join(_CLAUSE.split(sentence.text[found.end() :])[0].split()[:4])
    subject = _subject(f"{left} {right}")
    return Figure(subject, dimension, amount * factor, found[0], sentence) if dimension and subject else None


def _subject(words: str) -> frozenset[str]:
    """The words that say what a figure is of: those of one meaning made one, those that say nothing left out."""
    found: set[str] = set()
    for match in _WORD.finditer(words.lower()):
        each = match[0]
        plain: str = each if each in _SAME else each.removesuffix("s")
        if bound := _BOUND.get(each):
            found.add(bound)
        elif each not in _EMPTY and plain not in _EMPTY:
            found.add(_SAME.get(plain, plain))
    return frozenset(found)


def _contradiction(path: str, first: Figure, second: Figure) -> Claim:
    why = (
        f"Line {first.sentence.line} says {first.words!r}, and this line {second.words!r}, of what reads as the same thing "
        f"({', '.join(sorted(second.subject))}). Only one of them can be built, and whoever reads one part alone builds "
        "the wrong one."
    )
    return Claim(
        "the document contradicts itself", f"{first.words} and {second.words} for the same thing", Severity.HIGH,
        at(path, second.sentence.line), why, confidence=Confidence.MEDIUM,
    )  # fmt: skip


def otherwise_in_code(view: View) -> Iterator[Claim]:
    """A constant that the document gives another value than the one place of the code that sets it."""
    for path in view.files:
        for number, line in enumerate(view.project.text(path).split("\n"), 1):
            if not view.touches(path, number, number) or _CASE.search(line) or _COMING.search(line):
                continue
            for found in _STATED.finditer(line[:2_000]):
                place = _set_at(view, found[1])
                if place and float(place[1]) != float(found[2].replace("_", "").replace(",", "")):
                    why = (
                        f"Line {number} says that `{found[1]}` is {found[2]}. {place[0]} is the only place of the repository "
                        f"that sets it, and it says {place[1]}. Whoever goes by the document reckons with the wrong figure."
                    )
                    yield Claim(
                        "the code says otherwise", f"`{found[1]}` is not {found[2]} in the code", Severity.MEDIUM,
                        at(path, number), why, fix="Correct the one that is wrong",
                    )  # fmt: skip


def _set_at(view: View, name: str) -> tuple[str, str] | None:
    """The place that sets a constant to a number, if there is just one."""
    pattern = re.compile(
        rf"^[ \t]*(?:(?:export|const|static|final|public|let|var)\s+)*{name}\b[^=\n]{{0,40}}"
        r"=\s*([\d_]+(?:\.\d+)?)\s*(?:[;,#/].*)?$",
        re.MULTILINE,
    )
    found: list[tuple[str, str]] = []
    for file in view.project.survey.files:
        text = view.project.text(file.path) if file.language is not None and not file.test else ""
        if name in text:
            found += [
                (f"{file.path}:{text.count(chr(10), 0, one.start()) + 1}", one[1].replace("_", ""))
                for one in pattern.finditer(text)
            ]
    return found[0] if len(found) == 1 else None
