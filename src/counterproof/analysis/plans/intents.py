"""What a plan means to do with what it names: create, change, remove or just use it. Read from the words around, not guessed.

Always: what is unclear is USES. A verb holds until the sentence ends or a preposition turns to what the deed is done to.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.plans.naming import Found
from counterproof.model.plan.outline import Intent, Mention

_CREATE = "create|creates|creating|write|writes|writing|introduce|introduces|implement|implements|generate|scaffold|define|build"
_ADD = "add|adds|adding|append|insert|register|document"
_CHANGE = (
    "change|changes|update|updates|updating|modify|modifies|edit|extend|refactor|adjust|fix|rewrite|convert|adapt|improve|bump"
    "|upgrade|simplify|make|let|teach|wire|patch|alter"
)
_REMOVE = "remove|removes|removing|delete|deletes|deleting|drop|drops|dropping|retire|strip|get rid of|gets rid of|getting rid of"
_MOVE = "rename|renames|renaming|move|moves|moving"
_SPLIT = "extract|extracts|extracting|split|splits|factor"
_REPLACE = "replace|replaces|replacing|swap"
_USE = "use|uses|using|call|calls|calling|import|imports|reuse|run|runs|read|reads|see|keep|rely|relies|invoke|check|verify"
_WORDS = re.compile(
    rf"(?P<create>\b(?:{_CREATE})\b)|(?P<add>\b(?:{_ADD})\b)|(?P<change>\b(?:{_CHANGE})\b)|(?P<remove>\b(?:{_REMOVE})\b)"
    rf"|(?P<move>\b(?:{_MOVE})\b)|(?P<split>\b(?:{_SPLIT})\b)|(?P<replace>\b(?:{_REPLACE})\b)|(?P<use>\b(?:{_USE})\b)"
    r"|(?P<to>\b(?:to|into|onto)\b)|(?P<in>\b(?:in|inside|at|under)\b)|(?P<with>\b(?:with|by)\b)"
    r"|(?P<from>\b(?:from|of|on|for|where|that|which|so|because|when|before|after|like)\b)|(?P<stop>[.;!?:][*_]{0,2}(?=\s|\Z)|\s[-–—]\s)",
    re.IGNORECASE,
)
_NEW_BEFORE = re.compile(r"\bnew[ \t]+(?:[\w-]+[ \t]+){0,3}\Z", re.IGNORECASE)
_NEW_AFTER = re.compile(
    r"[ \t]*(?:\(new\b|\(to be created|[:–—-]+[ \t]*(?:a[ \t]+)?(?:new|create)\b|,?[ \t]*\(create)", re.IGNORECASE
)
_NEW_CELL = re.compile(
    r"\|[ \t]*[*_]{0,2}(?:new|create|created|to create|add|added)(?:[ \t]+(?:file|module))?[*_]{0,2}[ \t]*[|:;,(–—-]",
    re.IGNORECASE,
)
"""A row of a table one of whose cells says that what it names is new."""
_BY_MEANS = re.compile(r"\b(?:it|them|this|that|these)[ \t]+(?:with|by|through|via)[ \t]+\Z", re.IGNORECASE)
_PART_BEFORE = re.compile(
    r"\b(?:(?:calls?|uses?|usages?|imports?|references?|mentions?|handling)[ \t]+(?:to|of|for)"
    r"|(?:parameters?|arguments?|options?|keywords?|fields?|attributes?|lines?|branch|flag|column)(?:[ \t]+(?:named|called))?)"
    r"[ \t]+(?:the[ \t]+)?\Z",
    re.IGNORECASE,
)
_PART_AFTER = re.compile(
    r"[ \t]+(?:parameter|argument|option|keyword|field|attribute|flag|column|calls?|imports?|usage|branch|handling|key|line)\b",
    re.IGNORECASE,
)
_HEADINGS = (
    (re.compile(r"\b(?:new files?|files? to (?:create|add)|to create|create)\b", re.IGNORECASE), Intent.CREATES),
    (re.compile(r"\b(?:delete|remove)d?\b", re.IGNORECASE), Intent.REMOVES),
    (re.compile(r"\b(?:modif|chang|updat)", re.IGNORECASE), Intent.CHANGES),
)


@dataclass(frozen=True, slots=True)
class Meant:
    """A thing with what is meant with it. `part` says that only a part or a use of it is spoken of."""

    found: Found
    intent: Intent
    part: bool = False


_SOON = r"(?:is|are|be|gets|get|being)[ \t]+(?:(?:then|now|also|thus|simply|finally|later|all)[ \t]+)?"
_CHANGED = "changed|updated|modified|extended|adapted|adjusted|fixed|rewritten|converted|reworked"
_UNDERGOES = "gets?|gains?|receives?|loses?|needs?|has to|have to|must|takes?|follows?|starts? to|learns?|changes"
_TOLD_OF: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("remove", re.compile(rf"\b(?:{_SOON}(?:removed|deleted|dropped|retired)|goes? away|(?:can|must|has to) go|disappears?)\b")),
    ("move", re.compile(rf"\b{_SOON}(?:renamed|moved)\b")),
    ("create", re.compile(rf"\b{_SOON}(?:created|added|introduced|written|generated)\b")),
    ("change", re.compile(rf"\b{_SOON}(?:{_CHANGED})\b|\b(?:{_UNDERGOES})\b")),
)
"""What is said of a thing after it has been named, the firmer words first."""
_IT = re.compile(
    r"[^.;!?\n]{0,150}(?:[.;:,!?–—-]|\b(?:and|so|then))[ \t]{1,2}"
    r"(?:(?:so|then|and|now|we|you|please|can|will|should|must|just|simply|next|finally|let us)[ \t]{1,2}){0,4}"
    r"(?P<verb>remove|delete|drop|rename|move)[ \t]+(?:it|them|this)\b",
    re.IGNORECASE,
)
"""What is said of the thing after it: "`x` is dead; remove it". In "a step back drops it" something else does it to another."""
_REACH = 200
"""Characters after a thing in which "it" still means the thing."""
_SENTENCE = re.compile(r"[.;!?][*_]{0,2}(?=\s|\Z)")


def default_intent(heading: str) -> Intent:
    """What a list under this heading, or after these words, is about."""
    return next((intent for pattern, intent in _HEADINGS if pattern.search(heading)), Intent.USES)


def meant(text: str, found: list[Found], default: Intent) -> list[Meant]:
    """The things of one line with their intents, by one sweep from left to right."""
    plain = list(text)
    for each in found:
        plain[each.start : each.end] = "\0" * (each.end - each.start)  # words inside a thing are its name
    words = list(_WORDS.finditer("".join(plain)))
    result: list[Meant] = []
    verb, turned, position = "", "", 0
    for each in found:
        while position < len(words) and words[position].start() < each.start:
            verb, turned = _heard(verb, turned, words[position].lastgroup or "")
            position += 1
        result.append(_judged(text, each, verb, turned, default))
    return _told_of(text, result)


def _told_of(text: str, things: list[Meant]) -> list[Meant]:
    """Sentences that name a thing first and then say what becomes of it: "`x` is renamed to `y`", "`x` is dead; remove it"."""
    result = list(things)
    plain = re.sub(r"`[^`\n]{1,200}`", lambda match: " " * len(match[0]), text)
    for start, end, inside in _sentences(text, things):
        first = things[inside[0]].found
        if (
            first.kind is Mention.DEPENDENCY
            or things[inside[0]].intent is not Intent.USES
            or _spoken_before(text[start : first.start])
        ):
            continue  # a verb before the thing tells what is meant
        said = _said(plain[first.end : end]) or _said_of_it(plain[first.end : first.end + _REACH])
        if said:
            result[inside[0]] = Meant(first, _TABLE[(said, "")], things[inside[0]].part)
        for index in inside[1:]:
            between = text[things[index - 1].found.end : things[index].found.start]
            if said == "move" and re.search(r"\b(?:to|into)\b", between):
                result[index] = Meant(things[index].found, Intent.CREATES)
    return result


def _sentences(text: str, things: list[Meant]) -> Iterator[tuple[int, int, list[int]]]:
    """The sentences that name something: from, to, and which things."""
    position, start = 0, 0
    for end in [*(match.end() for match in _SENTENCE.finditer(text)), len(text)]:
        inside: list[int] = []
        while position < len(things) and things[position].found.start < end:
            inside.append(position)
            position += 1
        if inside:
            yield start, end, inside
        start = end


def _spoken_before(words: str) -> bool:
    return any(match.lastgroup in _VERBS for match in _WORDS.finditer(words))


def _said(words: str) -> str:
    return next((verb for verb, pattern in _TOLD_OF if pattern.search(words)), "")


def _said_of_it(words: str) -> str:
    match = _IT.match(words)
    return {"rename": "move", "move": "move"}.get(match["verb"].lower(), "remove") if match else ""


_VERBS = frozenset(("create", "add", "change", "remove", "move", "split", "replace", "use"))


def _heard(verb: str, turned: str, word: str) -> tuple[str, str]:
    if word == "stop":
        return "", ""
    if word in ("to", "in", "with", "from"):
        return verb, turned if turned == "from" else word
    return word, ""


def _judged(text: str, each: Found, verb: str, turned: str, default: Intent) -> Meant:
    before, after = text[max(0, each.start - 60) : each.start], text[each.end : each.end + 40]
    if _NEW_BEFORE.search(before) or _NEW_AFTER.match(after) or (text.startswith("|") and _NEW_CELL.search(text)):
        return Meant(each, Intent.CREATES)
    if verb == "create" and _BY_MEANS.search(before):
        return Meant(each, Intent.USES)
    part = _PART_BEFORE.search(before) is not None or _PART_AFTER.match(after) is not None
    return Meant(each, _intent(verb, turned, default), part)


_TABLE: dict[tuple[str, str], Intent] = {
    ("create", ""): Intent.CREATES,
    ("create", "in"): Intent.CREATES,
    ("create", "with"): Intent.CREATES,
    ("create", "to"): Intent.CHANGES,
    ("add", ""): Intent.CREATES,
    ("add", "with"): Intent.CREATES,
    ("add", "to"): Intent.CHANGES,
    ("add", "in"): Intent.CHANGES,
    ("remove", ""): Intent.REMOVES,
    ("remove", "in"): Intent.CHANGES,
    ("move", ""): Intent.REMOVES,
    ("move", "to"): Intent.CREATES,
    ("move", "in"): Intent.CHANGES,
    ("split", ""): Intent.CHANGES,
    ("split", "to"): Intent.CREATES,
    ("split", "in"): Intent.CHANGES,
    ("replace", ""): Intent.CHANGES,
    ("replace", "in"): Intent.CHANGES,
    ("replace", "with"): Intent.CREATES,
    ("change", ""): Intent.CHANGES,
    ("change", "in"): Intent.CHANGES,
}


def _intent(verb: str, turned: str, default: Intent) -> Intent:
    if not verb:
        return default
    return _TABLE.get((verb, turned), Intent.USES)
