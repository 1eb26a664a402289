"""Claims of a plan held against the code: unused, so many callers, compatible, tested, already validated and the like.

Always: a claim is refuted only about one clear thing of the repository, and by something that can be shown. A claim that speaks
of the time after the plan's own steps ("any more", "then") leaves out the files that the plan changes.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.plans import statements
from counterproof.analysis.plans.bodies import function_text
from counterproof.analysis.plans.consequences import KEPT, asks_more, users_left
from counterproof.analysis.plans.doubts import Case, Doubt, Kind, shown
from counterproof.analysis.plans.importing import Place, importers, thing_meant
from counterproof.model.plan.challenge import Confidence, Weight
from counterproof.model.plan.outline import Intent, Mention, Named

_AFTERWARDS = re.compile(r"\b(?:any ?more|no longer|then|afterwards|after (?:this|that|step)|by now|now)\b", re.IGNORECASE)

_SIGNS: dict[str, tuple[str, re.Pattern[str]]] = {
    statements.VALIDATES: (
        "no check of a value: no condition, no assertion, no call that validates or escapes",
        re.compile(r"\b(?:if|assert|raise|match|isinstance|all|any)\b|(?i:valid|check|clean|saniti|escap|schema|verify|form|quote|strip|bleach)"),
    ),
    statements.GUARDS: (
        "neither a decorator nor a line about users or rights",
        re.compile(r"(?i:login|auth|perm|user|role|token|session|guard|secur|access|principal|credential)"),
    ),
    statements.HANDLES: (
        "no `except`, no time limit and no retry",
        re.compile(r"\b(?:except|finally|suppress)\b|(?i:timeout|retr|backoff|errorhandler|fallback|raise_for_status|catch)"),
    ),
    statements.LOGS: ("no line that logs", re.compile(r"(?i:log|print|warn|audit|trace|structlog|sentry)")),
    statements.CACHES: ("no trace of a cache", re.compile(r"(?i:cach|memo|lru|redis|store)")),
}  # fmt: skip


def refuted_claims(case: Case) -> Iterator[Doubt]:
    """What the plan says about the code, held against the code that there is."""
    for each in case.of(Mention.CLAIM):
        kind, _, about = each.detail.partition(":")
        if kind == statements.COMPATIBLE:
            yield from _incompatible(case, each)
        elif about and kind == statements.UNUSED:
            yield from _used(case, each, about)
        elif about and kind == statements.COUNT:
            yield from _miscounted(case, each, about)
        elif about and kind == statements.TESTED:
            yield from _untested(case, each, about)
        elif about and kind in _SIGNS:
            yield from _without(case, each, about, kind)


def borne_out(case: Case) -> Iterator[tuple[Named, str, Place]]:
    """Claims of no users that a search over all files bears out: the claim, what it is about, and where that stands."""
    for each in case.of(Mention.CLAIM):
        kind, _, about = each.detail.partition(":")
        places = case.ground.occurrences(about).definitions if about else []
        if kind == statements.UNUSED and len(places) == 1 and not thing_meant(case, about) and not _real_uses(case, about):
            yield each, about, places[0]


def _used(case: Case, claim: Named, about: str) -> Iterator[Doubt]:
    real = thing_meant(case, about)
    used = importers(case, real) if real else _real_uses(case, about)
    if _AFTERWARDS.search(case.line(claim.line)):
        used = [place for place in used if place[0] not in case.touched]
    if used and not _raised_as_removal(case, about, real):
        yield _refuted(Kind.UNUSED, about, claim, used, f"it is used in {len(used)} places")


def _raised_as_removal(case: Case, about: str, real: str) -> bool:
    """A thing that the plan removes is challenged for that already; saying it twice helps nobody."""
    kinds = (Mention.SYMBOL, Mention.FILE, Mention.FOLDER)
    removed = any(each.text == about and each.intent is Intent.REMOVES and each.detail != "part" for each in case.of(*kinds))
    if not removed or case.minds_callers or KEPT.search(case.text):
        return False
    return bool(users_left(case, about)) or bool(real and [each for each in importers(case, real) if each[0] not in case.touched])


def _miscounted(case: Case, claim: Named, about: str) -> Iterator[Doubt]:
    used, count = _real_uses(case, about), statements.number_in(claim.text)
    if count is not None and len(used) > count:
        yield _refuted(Kind.COUNT, about, claim, used, f"there are {len(used)}, not {count}")


def _real_uses(case: Case, name: str) -> list[Place]:
    """Uses that call or hand on the name; its imports alone do not count."""
    found = case.ground.occurrences(name)
    if len({path for path, _ in found.definitions}) != 1:
        return []
    code = {path for path, file in case.ground.project.files.items() if file.language}
    uses = [(path, line) for path, line in found.uses if path in code]
    return [place for place in uses if not re.match(r"\s*(?:from|import)\b", _line(case, *place))]


def _line(case: Case, path: str, number: int) -> str:
    lines = case.ground.text(path).split("\n")
    return lines[number - 1][:500] if 0 < number <= len(lines) else ""


def _refuted(kind: Kind, about: str, claim: Named, used: list[Place], fact: str) -> Doubt:
    return Doubt(
        kind,
        about,
        f'("{claim.text}")',
        f"The code says otherwise: {fact}: {shown(used)}",
        "A step that rests on this claim leaves these places broken or untested",
        "Correct the claim and add these places to the steps",
        Weight.SIGNIFICANT,
        lines=(claim.line,),
        places=tuple(f"{path}:{number}" for path, number in used[:10]),
    )


def _untested(case: Case, claim: Named, about: str) -> Iterator[Doubt]:
    """A function that no test names. Where there are no tests at all, the claim is as empty."""
    found = case.ground.occurrences(about)
    if len(found.definitions) == 1 and not found.test_uses and not thing_meant(case, about):
        path, line = found.definitions[0]
        yield _taken_for_granted(claim, about, f"no test names `{about}` (defined at {path}:{line})", f"{path}:{line}")


def _without(case: Case, claim: Named, about: str, kind: str) -> Iterator[Doubt]:
    """A Python function that shows no trace of what the plan says it does, nor does any function that it calls by name."""
    found = case.ground.occurrences(about)
    if len(found.definitions) != 1 or not found.definitions[0][0].endswith(".py"):
        return
    path, line = found.definitions[0]
    fact, sign = _SIGNS[kind]
    text = function_text(case.ground.text(path), line)
    if text and not sign.search(text.partition("(")[2]):
        yield _taken_for_granted(claim, about, f"`{about}` at {path}:{line} has {fact}", f"{path}:{line}")


def _taken_for_granted(claim: Named, about: str, fact: str, place: str) -> Doubt:
    return Doubt(
        Kind.PROPERTY,
        about,
        f'("{claim.text}")',
        f"The code does not bear it out: {fact}",
        f"The step at line {claim.line} leaves out work that nobody has done",
        "Add a step that does it, or name where it is done",
        Weight.SIGNIFICANT,
        Confidence.MED,
        (claim.line,),
        (place,),
    )


def _incompatible(case: Case, claim: Named) -> Iterator[Doubt]:
    """The first thing that outsiders may use and that goes away, or asks more of them."""
    if KEPT.search(case.text):
        return
    for each in case.of(Mention.SYMBOL, Mention.ENDPOINT, Mention.OPTION, Mention.SETTING):
        places = tuple(f"{path}:{number}" for path, number in _public(case, each)[:3])
        if not places:
            continue
        gone = each.intent is Intent.REMOVES
        fact = "goes away" if gone else "asks more of its callers"
        yield Doubt(
            Kind.COMPATIBLE,
            each.text,
            f'("{claim.text}")',
            f"`{each.text}` is public and {fact} at line {each.line}; whoever uses it from outside breaks",
            "The release is announced as compatible and stops users' code from working",
            "Keep the old form beside the new one for a while, or announce the break",
            Weight.SIGNIFICANT,
            Confidence.MED,
            (claim.line, each.line),
            places,
        )
        return


def _public(case: Case, each: Named) -> list[Place]:
    """Where a thing that is taken from its users stands today; nothing if it is private, or not taken."""
    asking = each.kind is Mention.SYMBOL and each.intent is Intent.CHANGES and asks_more(case.line(each.line))
    if each.detail == "part" or not (each.intent is Intent.REMOVES or asking):
        return []
    if each.kind is Mention.SYMBOL:
        return [] if each.text.rpartition(".")[2].startswith("_") else case.ground.occurrences(each.text).definitions
    word = each.text.rstrip("/").rpartition("/")[2] if each.kind is Mention.ENDPOINT else each.text
    parameter = word.strip("-").replace("-", "_") if each.kind is Mention.OPTION else word
    found = [case.ground.occurrences(name) for name in (word, parameter)]
    return next((places for each in found if (places := each.definitions or each.uses)), list[Place]())
