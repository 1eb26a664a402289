"""Doubts about what a plan breaks: what it removes or renames while others use it, and claims about callers that code refutes.

Always: files that the plan names are taken care of, and so are all callers when the plan says that it changes them along. A name
that several files define is ambiguous and accuses nobody.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.plans import statements
from counterproof.analysis.plans.doubts import Case, Doubt, Kind, shown
from counterproof.model.plan.challenge import Confidence, Weight
from counterproof.model.plan.outline import Intent, Mention, Named

_RENAME = re.compile(r"\b(?:renam|mov)(?:e|es|ing)\b", re.IGNORECASE)
_REQUIRED = re.compile(r"\b(?:required|mandatory|new positional) (?:[\w`-]{1,30} ){0,3}(?:parameter|argument)s?\b", re.IGNORECASE)
_KEPT = re.compile(r"\b(?:deprecat\w{0,6}|alias|shim|re-export\w{0,3}|keep(?:s|ing)? the old|forward\w{0,3} to)\b", re.IGNORECASE)

Place = tuple[str, int]


def users_left(case: Case, name: str) -> list[Place]:
    """Uses of a name outside the files that the plan names; none where the name is not one clear thing of this repository."""
    found = case.ground.occurrences(name)
    homes = {path for path, _ in found.definitions}
    short = name.rpartition(".")[2]
    if len(homes) != 1 or len(short) < 4 or short.startswith("__"):
        return []
    code = {path for path, file in case.ground.project.files.items() if file.language}
    return [(path, line) for path, line in found.uses if path in code and path not in case.touched and path not in homes]


def broken_users(case: Case) -> Iterator[Doubt]:
    """Names that the plan takes away, or asks more of, while others use them."""
    seen: set[str] = set()
    for each in case.of(Mention.SYMBOL):
        if each.text in seen or each.detail == "part":
            continue
        line = case.line(each.line)
        renamed = _RENAME.search(line) is not None
        asking = _REQUIRED.search(line) is not None and each.intent is Intent.CHANGES
        if not asking and (each.intent is not Intent.REMOVES or (not renamed and case.creates(each.text))):
            continue
        left = users_left(case, each.text)
        if not left or case.minds_callers or (_KEPT.search(case.text) and not asking):
            continue
        seen.add(each.text)
        yield _broken(each, left, Kind.SIGNATURE if asking else Kind.RENAME if renamed else Kind.REMOVAL)


def _broken(each: Named, left: list[Place], kind: Kind) -> Doubt:
    deed = {Kind.SIGNATURE: "pass too few arguments", Kind.RENAME: "ask for the old name"}.get(kind, "find nothing")
    return Doubt(
        kind,
        each.text,
        "",
        f"`{each.text}` is used in {len({path for path, _ in left})} files that the plan does not name: {shown(left)}",
        f"After the step at line {each.line} these places {deed} and fail when they are imported or run",
        "Add a step that changes these places, or keep the old form beside the new one until they are changed",
        Weight.BLOCKING if kind is Kind.REMOVAL else Weight.SIGNIFICANT,
        lines=(each.line,),
        places=tuple(f"{path}:{number}" for path, number in left[:10]),
    )


def orphaned_imports(case: Case) -> Iterator[Doubt]:
    """Python files that the plan removes or moves while others import them."""
    for each in case.of(Mention.FILE):
        real = case.ground.resolve(each.text)
        if each.intent is not Intent.REMOVES or not real.endswith(".py") or case.minds_callers or _KEPT.search(case.text):
            continue
        left = _importers(case, real)
        if left:
            yield Doubt(
                Kind.REMOVAL,
                each.text,
                "",
                f"`{real}` is still imported by files that the plan does not name: {shown(left)}",
                f"After the step at line {each.line} these imports fail",
                "Add a step that changes the imports, or leave a module behind that forwards to the new place",
                Weight.BLOCKING,
                lines=(each.line,),
                places=tuple(f"{path}:{number}" for path, number in left[:10]),
            )


def _importers(case: Case, real: str) -> list[Place]:
    folder, _, name = real.rpartition("/")
    stem, parent = name.removesuffix(".py"), folder.rpartition("/")[2]
    if not parent or stem.startswith("__"):
        return []
    importing = re.compile(
        rf"\s*(?:from\s+(?:[\w.]{{0,120}}\b)?{re.escape(parent)}\s+import\b.{{0,300}}\b{re.escape(stem)}\b"
        rf"|(?:from|import)\s+(?:[\w.]{{0,120}}\.)?{re.escape(parent)}\.{re.escape(stem)}\b)"
    )
    found = case.ground.occurrences(stem)
    places = [(path, line) for path, line in found.uses if path not in case.touched and path != real]
    return [(path, line) for path, line in places if importing.match(_line(case, path, line))]


def _line(case: Case, path: str, number: int) -> str:
    lines = case.ground.text(path).split("\n")
    return lines[number - 1][:500] if 0 < number <= len(lines) else ""


def refuted_claims(case: Case) -> Iterator[Doubt]:
    """What the plan says about callers, held against the callers that there are."""
    removed = {each.text for each in case.of(Mention.SYMBOL) if each.intent is Intent.REMOVES}
    for each in case.of(Mention.CLAIM):
        kind, _, about = each.detail.partition(":")
        if kind == statements.COMPATIBLE:
            yield from _incompatible(case, each)
        if not about or "/" in about:
            continue
        used = _real_uses(case, about)
        count = statements.number_in(each.text)
        if kind == statements.UNUSED and used and not (about in removed and users_left(case, about) and not case.minds_callers):
            yield _refuted(Kind.UNUSED, about, each, used, f"it is used in {len(used)} places")
        if kind == statements.COUNT and count is not None and len(used) > count:
            yield _refuted(Kind.COUNT, about, each, used, f"there are {len(used)}, not {count}")


def _real_uses(case: Case, name: str) -> list[Place]:
    """Uses that call or hand on the name; its imports alone do not count."""
    found = case.ground.occurrences(name)
    if len({path for path, _ in found.definitions}) != 1:
        return []
    code = {path for path, file in case.ground.project.files.items() if file.language}
    uses = [(path, line) for path, line in found.uses if path in code]
    return [place for place in uses if not re.match(r"\s*(?:from|import)\b", _line(case, *place))]


def _refuted(kind: Kind, about: str, each: Named, used: list[Place], fact: str) -> Doubt:
    return Doubt(
        kind,
        about,
        f'("{each.text}")',
        f"The code says otherwise: {fact}: {shown(used)}",
        "A step that rests on this claim leaves these places broken or untested",
        "Correct the claim and add these places to the steps",
        Weight.SIGNIFICANT,
        lines=(each.line,),
        places=tuple(f"{path}:{number}" for path, number in used[:10]),
    )


def _incompatible(case: Case, claim: Named) -> Iterator[Doubt]:
    if _KEPT.search(case.text):
        return
    for each in case.of(Mention.SYMBOL):
        public = not each.text.rpartition(".")[2].startswith("_")
        if each.intent is Intent.REMOVES and public and each.detail != "part" and case.ground.occurrences(each.text).definitions:
            yield Doubt(
                Kind.COMPATIBLE,
                each.text,
                f'("{claim.text}")',
                f"`{each.text}` is public and goes away at line {each.line}; whoever imports it from outside breaks",
                "The release is announced as compatible and stops users' code from starting",
                "Keep the old name as a deprecated alias, or announce the break",
                Weight.SIGNIFICANT,
                Confidence.MED,
                (claim.line, each.line),
                tuple(f"{path}:{number}" for path, number in case.ground.occurrences(each.text).definitions[:3]),
            )
            return
