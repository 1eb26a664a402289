"""Doubts about things that a plan removes, renames or moves while code outside its files still uses them (P21).

Invariant: only an import, a call or a re-export that resolves to exactly that thing counts. Files that the plan mentions are
excluded.
"""

from collections.abc import Iterator

from counterproof.analysis.plans.case import NEW_PLACE, Case
from counterproof.analysis.plans.doubts import Doubt, Evidence, shown
from counterproof.analysis.plans.imports import Place, importers, own_imports, takers
from counterproof.model.counting import counted
from counterproof.model.plan.challenge import Weight
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
    return any(code.binds(each.short) for code in after if not code.is_old and code.tree is not None) or any(
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
        yield from _doubts(case, each, real or each.text, _outside(case, left, gone))


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
    left = [] if member else _outside(case, takers(case, each.short, home), gone)
    yield from _doubts(case, each, each.short, left)


def _is_inside(case: Case, place: Place) -> bool:
    """Return True if a definition is inside another one: a method, a field."""
    return case.ground.project.line(*place)[:1].isspace()


def _outside(case: Case, places: list[Place], gone: set[str]) -> list[Place]:
    """The first location of each file that the plan does not touch; tests last."""
    first: dict[str, int] = {}
    for path, line in places:
        if case.is_left(path) and path not in gone:
            first.setdefault(path, line)
    files = case.ground.project.files
    return sorted(first.items(), key=lambda place: (files[place[0]].test, place))


def _doubts(case: Case, each: Named, thing: str, left: list[Place]) -> Iterator[Doubt]:
    """A doubt if other code still uses the thing; a question if only tests do."""
    code = [place for place in left if not case.ground.project.files[place[0]].test]
    users = code or left
    if not users:
        return
    verb = "imports" if each.kind is Mention.FILE else "uses"
    files = counted(len(users), "file" if code else "test file")
    said = f"{files} that the plan does not name still {verb if len(users) == 1 else verb[:-1]} it: {shown(users)}"
    yield Doubt(
        Evidence.REMOVED if code else Evidence.USED,
        each.short if each.kind is not Mention.FILE else thing,
        _deed(case, each),
        said if code else f"{said}. Should {'it' if len(users) == 1 else 'they'} change?",
        f"After this step {users[0][0]}:{users[0][1]} fails when it is imported or run",
        f"Add a step that changes {shown(users)}, or keep {'the file' if each.kind is Mention.FILE else 'the old name for them'}",
        lines=(each.line,),
        places=tuple(f"{path}:{line}" for path, line in users[:10]),
        weight=Weight.BLOCKING,
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
        weight=Weight.BLOCKING,
    )


def _deed(case: Case, each: Named) -> str:
    to = f" to `{each.to}`" if each.intent in NEW_PLACE and each.to else ""
    return f"{case.where(each.line)} {each.intent.value} `{each.text}`{to}"
