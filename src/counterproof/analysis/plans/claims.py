"""Claims of a plan held against the code: nothing else uses it, so many callers, only that caller, this value.

Always: a claim is refuted only about one clear thing of the repository, and by lines that can be shown.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.plans import claims_made
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind, shown
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.importing import Place
from counterproof.model.plan.outline import Intent, Mention, Named

_FAMILIES = (
    frozenset(["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "vue", "svelte", "html"]),
    frozenset(["c", "h", "cc", "cpp", "hpp", "cxx"]),
    frozenset(["java", "kt", "kts", "scala", "groovy"]),
)
"""Endings of files that can use one another's names; any other ending uses its own kind."""
_NO_USE = re.compile(r"\s*(?:from|import|(?:pub\s+)?use|export\s*\{|\}\s*(?:from\b|;|\Z)|[\"'#*]|//|\w+,\s*$)(?!\w)")
_BY_THEN = re.compile(r"\b(?:now|then|at this point|orphan\w{0,4}|afterwards|any ?more)\b", re.IGNORECASE)
"""Words by which a line speaks of the code as the steps so far have left it."""
_NUMBERS = {"one": 1, "a single": 1, "two": 2, "three": 3, "four": 4, "five": 5}


def refuted_claims(case: Case) -> Iterator[Doubt]:
    """What the plan says about the code, held against the code that there is."""
    for each in case.of(Mention.CLAIM):
        kind, _, about = each.detail.partition(":")
        used = _real_uses(case, about)
        if kind in (claims_made.UNUSED, claims_made.ELSEWHERE):
            changed = _changed_by(case, each.step) if _BY_THEN.search(case.line(each.line)) else set[str]()
            outside = [place for place in used if kind == claims_made.UNUSED or place[0] not in _homes(case, about)]
            outside = [place for place in outside if place[0] not in changed]
            if outside:
                yield _refuted(Kind.UNUSED, about, each, outside, f"it is used in {len(outside)} places")
        elif kind == claims_made.COUNT:
            count = _number(each.text)
            if count is not None and len(used) > count:
                yield _refuted(Kind.COUNT, about, each, used, f"there are {len(used)}, not {count}")
        elif kind == claims_made.ONLY:
            others = [place for place in used if not _is_caller(case, place, each.text)]
            if (others and len(others) < len(used)) or (others and case.ground.exists(each.text)):
                yield _refuted(Kind.UNUSED, about, each, others, f"it is also used in {len(others)} other places")
        elif kind == claims_made.VALUE:
            yield from _other_value(case, each, about)


def borne_out(case: Case) -> Iterator[tuple[Named, str, Place]]:
    """Claims of no users that a search over all files bears out: the claim, what it is about, and where that stands."""
    for each in case.of(Mention.CLAIM):
        kind, _, about = each.detail.partition(":")
        places = case.ground.occurrences(about).definitions if about else []
        if kind in (claims_made.UNUSED, claims_made.ELSEWHERE) and len(places) == 1 and not _real_uses(case, about):
            yield each, about, places[0]


def _changed_by(case: Case, step: int) -> set[str]:
    """Files that the steps up to this one write or change: a use there may be gone by the time that a line of the step speaks."""
    named = [each.text for each in case.of(Mention.FILE) if 0 < each.step <= step and each.intent is not Intent.USES]
    written = [code.path for code in case.codes if 0 < code.step <= step and code.path]
    return {case.ground.resolve(path) for path in (*named, *written)}


def _homes(case: Case, name: str) -> set[str]:
    return {path for path, _ in case.ground.occurrences(name).definitions}


def _is_caller(case: Case, place: Place, caller: str) -> bool:
    path = place[0]
    if "/" in caller or "." in caller:
        return path == case.ground.resolve(caller) or path.endswith(caller)
    return bool({path} & _homes(case, caller)) or path.rpartition("/")[2].partition(".")[0] == caller


def _real_uses(case: Case, name: str) -> list[Place]:
    """Uses that call or hand on the name; its imports alone, comments and tests do not count."""
    found = case.ground.occurrences(name)
    if not name or len(_homes(case, name)) != 1 or found.full:
        return []
    (home,) = {path.rpartition(".")[2] for path in _homes(case, name)}
    family = next((each for each in _FAMILIES if home in each), frozenset([home]))
    lines = ((place, case.ground.project.line(*place)) for place in found.uses if place[0].rpartition(".")[2] in family)
    return [place for place, line in lines if not _NO_USE.match(line)]


def _number(text: str) -> int | None:
    match = re.search(r"\b(one|two|three|four|five|a single|\d{1,4})\b", text, re.IGNORECASE)
    word = match[1].lower() if match else ""
    return _NUMBERS.get(word) or (int(word) if word.isdigit() else None)


def _refuted(kind: Kind, about: str, claim: Named, used: list[Place], fact: str) -> Doubt:
    return Doubt(
        kind,
        about,
        f'("{claim.text}")',
        f"The code says otherwise: {fact}: {shown(used)}",
        "A step that rests on this claim leaves these places broken or untested",
        f"Correct line {claim.line}, and add {shown(used, 3)} to the steps",
        lines=(claim.line,),
        places=tuple(f"{path}:{number}" for path, number in used[:10]),
        evidence=Evidence.COUNTED_USES,
    )


def _other_value(case: Case, claim: Named, about: str) -> Iterator[Doubt]:
    """A constant that is set once, to another number or text."""
    found = case.ground.occurrences(about).definitions
    if len(found) != 1:
        return
    path, number = found[0]
    match = re.search(
        rf"{re.escape(about)}\b[^=\n]{{0,60}}=[ \t]*"
        r"(\d[\d_]{0,12}(?:\.\d{1,6})?|\"[^\"\n]{1,60}\"|'[^'\n]{1,60}')[ \t]*(?:[;,#/]|\Z)",
        case.ground.project.line(path, number).rstrip(),
    )
    value = match[1] if match else ""
    if value and value[0].isdigit() == claim.text[0].isdigit() and _plain(value) != _plain(claim.text):
        yield Doubt(
            Kind.VALUE,
            about,
            f"({claim.text})",
            f"`{about}` is {value} at {path}:{number}, not {claim.text}",
            "What the plan makes of this value is wrong",
            f"Write {value} at line {claim.line}, or add the step that changes it",
            lines=(claim.line,),
            places=(f"{path}:{number}",),
        )


def _plain(value: str) -> float | str:
    """A number, or a text without its quotes."""
    return float(value.replace("_", "")) if value[0].isdigit() else value[1:-1]
