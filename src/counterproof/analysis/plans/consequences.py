"""Doubts about what a plan breaks: what it removes, renames or asks more of while others use it.

Always: files that the plan names are taken care of, and so are all callers when the plan says that it changes them along. A name
that several files define is ambiguous and accuses nobody.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.plans.doubts import Case, Doubt, Kind, in_files, shown
from counterproof.analysis.plans.importing import Place, importers, thing_meant
from counterproof.model.plan.challenge import Weight
from counterproof.model.plan.outline import Intent, Mention, Named
from counterproof.model.survey import Language

_RENAME = re.compile(r"\b(?:renam|mov)(?:e|es|ed|ing)\b", re.IGNORECASE)
_REQUIRED = re.compile(r"\b(?:required|mandatory|new positional) (?:[\w`-]{1,30} ){0,3}(?:parameter|argument)s?\b", re.IGNORECASE)
KEPT = re.compile(r"\b(?:deprecat\w{0,6}|alias|shim|re-export\w{0,3}|keep(?:s|ing)? the old|forward\w{0,3} to)\b", re.IGNORECASE)
"""Words of a plan that leaves the old form behind."""


def users_left(case: Case, name: str) -> list[Place]:
    """Uses of a name outside the files that the plan names; none where the name is not one clear thing of this repository."""
    found = case.ground.occurrences(name)
    homes = {path for path, _ in found.definitions}
    short = name.rpartition(".")[2]
    if len(homes) != 1 or len(short) < 4 or short.startswith("__"):
        return []
    files = case.ground.project.files
    own = _family(files[next(iter(homes))].language)
    others = [(path, line) for path, line in found.uses if path not in case.touched and path not in homes]
    same = [place for place in others if own and _family(files[place[0]].language) == own]
    return [place for place in same if not _only_keyword(case, place, short)]


def _only_keyword(case: Case, place: Place, name: str) -> bool:
    """Whether a line only passes an argument of that name to something else: `column(primary_key=True)`."""
    lines = case.ground.text(place[0]).split("\n")
    line = lines[place[1] - 1][:2_000] if place[1] <= len(lines) else ""
    word = re.escape(name)
    return len(re.findall(rf"[(,]\s*{word}\s*=(?!=)", line)) == len(re.findall(rf"(?<!\w){word}(?!\w)", line)) > 0


def _family(language: Language | None) -> str:
    """Languages that can call each other by name."""
    return "scripts" if language in (Language.JAVASCRIPT, Language.TYPESCRIPT) else str(language or "")


def asks_more(line: str) -> bool:
    """Whether a line of the plan adds something that callers must pass."""
    return _REQUIRED.search(line) is not None


def broken_users(case: Case) -> Iterator[Doubt]:
    """Names that the plan takes away, or asks more of, while others use them."""
    seen: set[str] = set()
    for each in case.of(Mention.SYMBOL):
        if each.text in seen or each.detail == "part":
            continue
        line = case.line(each.line)
        renamed = _RENAME.search(line) is not None
        asking = asks_more(line) and each.intent is Intent.CHANGES
        if not asking and (each.intent is not Intent.REMOVES or (not renamed and case.creates(each.text))):
            continue
        left = users_left(case, each.text)
        if not left or case.minds_callers or (KEPT.search(case.text) and not asking):
            continue
        seen.add(each.text)
        yield _broken(each, left, Kind.SIGNATURE if asking else Kind.RENAME if renamed else Kind.REMOVAL)


def _broken(each: Named, left: list[Place], kind: Kind) -> Doubt:
    deed = {Kind.SIGNATURE: "pass too few arguments", Kind.RENAME: "ask for the old name"}.get(kind, "find nothing")
    return Doubt(
        kind,
        each.text,
        "",
        f"`{each.text}` is used in {in_files(left)} that the plan does not name: {shown(left)}",
        f"After the step at line {each.line} these places {deed} and fail when they are imported or run",
        "Add a step that changes these places, or keep the old form beside the new one until they are changed",
        Weight.BLOCKING if kind is Kind.REMOVAL else Weight.SIGNIFICANT,
        lines=(each.line,),
        places=tuple(f"{path}:{number}" for path, number in left[:10]),
    )


def orphaned_imports(case: Case) -> Iterator[Doubt]:
    """Files, modules and packages that the plan removes or moves while others lean on them."""
    if case.minds_callers or KEPT.search(case.text):
        return
    removed = [each for each in case.of(Mention.FILE, Mention.FOLDER, Mention.SYMBOL) if each.intent is Intent.REMOVES]
    things = {each: thing_meant(case, each.text) for each in removed if each.detail != "part"}
    gone = {real for real in things.values() if real}
    seen: set[str] = set()
    for each, real in things.items():
        if not real or real in seen:
            continue
        seen.add(real)
        left = [place for place in importers(case, real) if place[0] not in case.touched and not _within(place[0], gone)]
        if left:
            yield _orphaned(each, real, left)


def _within(path: str, gone: set[str]) -> bool:
    """Whether a file goes away itself."""
    return path in gone or any(path.startswith(each) for each in gone if each.endswith("/"))


def _orphaned(each: Named, real: str, left: list[Place]) -> Doubt:
    return Doubt(
        Kind.REMOVAL,
        each.text,
        "",
        f"`{real}` is still used by {in_files(left)} that the plan does not name: {shown(left)}",
        f"After the step at line {each.line} these places look for something that is gone, and fail",
        "Add a step that changes these places, or leave something behind that forwards to the new one",
        Weight.BLOCKING,
        lines=(each.line,),
        places=tuple(f"{path}:{number}" for path, number in left[:10]),
    )
