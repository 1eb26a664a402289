"""Doubts about things that a plan removes, renames or moves while code still uses them (P21).

Invariant: only an import, a call or a re-export that resolves to exactly that thing counts. A file that the plan mentions may
change in any way: a use there is a question, and only if no other line of the plan names the thing and no block shows the file.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.facts.named import around, uses
from counterproof.analysis.plans.case import NEW_PLACE, Case
from counterproof.analysis.plans.doubts import Doubt, Evidence, shown
from counterproof.analysis.plans.imports import Place, importers, own_imports, takers
from counterproof.model.counting import counted
from counterproof.model.plan.outline import Intent, Mention, Named

MIN_NAME = 4
MAX_INSIDE = 60
"""Files of a removed folder whose importers are searched."""
_GOING = (Intent.REMOVES, Intent.RENAMES, Intent.MOVES)


def broken_users(case: Case) -> Iterator[Doubt]:
    """Files and names that the plan removes while others use them."""
    going = [each for each in case.outline.intents if each.intent in _GOING]
    gone = {case.ground.resolve(each.text) for each in going if each.kind is Mention.FILE} - {""}
    seen: set[str] = set()
    for each in going:
        if each.short in seen or _stays(case, each):
            continue
        seen.add(each.short)
        if each.kind in (Mention.FILE, Mention.FOLDER):
            yield from _of_files(case, each, gone)
        elif each.kind is Mention.SYMBOL:
            yield from _of_name(case, each, gone)


def _stays(case: Case, each: Named) -> bool:
    """Return True if the plan's own code or another intent restores the thing."""
    if each.kind in (Mention.FILE, Mention.FOLDER):
        return any(other.text == each.text and other.intent is Intent.CREATES for other in case.outline.intents)
    after = (code for code in case.codes if code.block.language != "sql" and each.short in code.text)
    return any(code.binds(each.short) for code in after if not code.is_old and code.language == "python") or any(
        other.short == each.short and other.intent is Intent.CREATES and other.kind is each.kind for other in case.outline.intents
    )


def _of_files(case: Case, each: Named, gone: set[str]) -> Iterator[Doubt]:
    inside = each.text.strip("/") + "/"
    real = case.ground.resolve(each.text)
    files = [real] if real else [path for path in case.ground.project.files if path.startswith(inside)][:MAX_INSIDE]
    left = [place for path in files for place in importers(case, path) if not place[0].startswith(inside)]
    own = [line for path in files for line in own_imports(case, path)] if each.intent is Intent.REMOVES else []
    if own:
        yield _taken_again(case, each, real or each.text, own)
    else:
        yield from _doubts(case, each, real or each.text, left, gone)


def _of_name(case: Case, each: Named, gone: set[str]) -> Iterator[Doubt]:
    found = case.ground.occurrences(each.short)
    homes = {path for path, _ in found.definitions}
    stated = case.ground.resolve(each.home) if each.home else ""
    if found.full or len(each.short) < MIN_NAME or (stated and homes and stated not in homes) or not homes:
        return
    home = stated or (homes.pop() if len(homes) == 1 else "")
    if not home:
        return
    member = "." in each.text or all(_is_inside(case, place) for place in found.definitions if place[0] == home)
    left = [] if member else takers(case, each.short, home)
    yield from _doubts(case, each, each.short, left, gone)


def _is_inside(case: Case, place: Place) -> bool:
    """Return True if a definition is inside another one: a method, a field."""
    return case.ground.project.line(*place)[:1].isspace()


def _unsaid(case: Case, each: Named, place: Place) -> Place | None:
    """A use in a file that the plan changes, if no line besides the removal names the thing and no block shows the function with
    the use."""
    name = each.short if each.kind is Mention.SYMBOL else each.text.rpartition("/")[2].partition(".")[0]
    word = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    own = {other.line for other in case.outline.intents if other.intent in _GOING and other.text == each.text}
    lines = (line for number, line in enumerate(case.lines, 1) if number not in own and not line.startswith("#"))
    if any(word.search(line) for line in lines):
        return None
    blocks = case.blocks_by_file.get(place[0], [])
    inside = [at for path, at, _ in uses(case.ground.project, frozenset([name])) if path == place[0]]
    left = [at for at in inside if not any(code.binds(around(case.ground.project, place[0], at).name) for code in blocks)]
    return (place[0], left[0]) if left else None if blocks or inside else place


def _doubts(case: Case, each: Named, thing: str, places: list[Place], gone: set[str]) -> Iterator[Doubt]:
    """A doubt if code outside the plan's files still uses the thing; a question if only its own files do, or tests."""
    first = dict(reversed(places))
    files = case.ground.project.files
    users = sorted((path, line) for path, line in first.items() if path not in gone)
    left = [place for place in users if case.is_left(place[0])]
    code = [place for place in left if not files[place[0]].test]
    changed = [place for place in users if place not in left and not files[place[0]].test]
    unsaid = [place for one in changed if (place := _unsaid(case, each, one))]
    evidence = Evidence.REMOVED if code else Evidence.UNSAID if unsaid else Evidence.USED
    users = code or unsaid or left
    if not users:
        return
    one = len(users) == 1
    verb = ("imports" if each.kind is Mention.FILE else "uses")[: None if one else -1]
    told = "that the plan changes" if evidence is Evidence.UNSAID else "that the plan does not name"
    said = f"{counted(len(users), 'test file' if evidence is Evidence.USED else 'file')} {told} still {verb} it: {shown(users)}"
    also = f"; {shown(unsaid)} too, which the plan changes without naming this use" if code and unsaid else ""
    asked = "" if code else f". {'No line says so. ' if unsaid else ''}Should {'it' if one else 'they'} change?"
    yield Doubt(
        evidence,
        each.short if each.kind is not Mention.FILE else thing,
        _deed(case, each),
        f"{said}{also}{asked}",
        f"After this step {users[0][0]}:{users[0][1]} fails when it is imported or run",
        f"Add a step that changes {shown(users)}, or keep {'the file' if each.kind is Mention.FILE else 'the old name for them'}",
        lines=(each.line,),
        places=tuple(f"{path}:{line}" for path, line in users[:10]),
        reach=len(users),
    )


def _taken_again(case: Case, each: Named, thing: str, lines: list[int]) -> Doubt:
    return Doubt(
        Evidence.REMOVED,
        thing,
        _deed(case, each),
        f"The plan's own code imports it at line {lines[0]}",
        f"The code of line {lines[0]} fails when it is loaded",
        "Keep the file, or write the code without it",
        lines=(each.line, lines[0]),
        places=(f"plan:{lines[0]}",),
    )


def _deed(case: Case, each: Named) -> str:
    to = f" to `{each.to}`" if each.intent in NEW_PLACE and each.to else ""
    return f"{case.where(each.line)} {each.intent.value} `{each.text}`{to}"
