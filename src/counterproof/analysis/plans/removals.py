"""Doubts about what a plan removes, renames or moves while code outside its files still uses it (P21).

Always: an import, a call or a re-export that leads to the very thing stands against the plan; a use that is known by its name
alone is a question. Files that the plan names are its own business, and so are callers that it says to change.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.plans.case import NEW_PLACE, Case
from counterproof.analysis.plans.doubts import Doubt, Evidence, shown
from counterproof.analysis.plans.imports import Place, importers, named_uses, takers
from counterproof.model.counting import counted
from counterproof.model.plan.challenge import Weight
from counterproof.model.plan.outline import Intent, Mention, Named

MIN_NAME = 4
MAX_INSIDE = 60
"""Files of a removed folder whose importers are looked for."""
_GOING = (Intent.REMOVES, Intent.RENAMES, Intent.MOVES)
_WITH_USERS = re.compile(
    r"\b(?:update|adapt|fix|migrate|change|replace|rewrite|switch|port)\w{0,3}[ \t](?:[\w`-]{1,40}[ \t]){0,3}"
    r"(?:callers?|call sites?|usages?|uses|references|imports?|importers|consumers)\b",
    re.IGNORECASE,
)
"""The instruction to change whoever uses a thing."""
_TEMPLATES = (".sql", ".html", ".jinja", ".jinja2", ".j2", ".vue", ".svelte", ".erb", ".ejs", ".graphql", ".prisma")
_HISTORY = re.compile(r"(?:^|/)(?:migrations|versions|migrate)/")
"""Folders of migrations: they keep the names of the past."""


def broken_users(case: Case) -> Iterator[Doubt]:
    """Files, names and columns that the plan takes away while others use them."""
    going = [each for each in case.outline.intents if each.intent in _GOING and not _takes_users_along(case, each)]
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
        elif each.kind is Mention.COLUMN:
            yield from _of_column(case, each, gone)


def _takes_users_along(case: Case, each: Named) -> bool:
    """Whether the plan says, in the same step or beside the thing's name, that whoever uses it changes along."""
    step = case.step(each.line)
    near = range(step.start, step.end + 1) if step else range(each.line, each.line + 1)
    lines = ((at, line[:2_000]) for at, line in enumerate(case.lines, 1))
    return any(_WITH_USERS.search(line) and (at in near or each.short in line) for at, line in lines)


def _stays(case: Case, each: Named) -> bool:
    """Whether the plan's own code or another intent has the thing again."""
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
    if left:
        yield from _doubts(case, each, each.short, left)
        return
    used = _outside(case, [place for place in named_uses(case, each.short) if place[0] != home], gone)
    if used and len({path for path, _ in found.definitions}) == 1:
        yield _question(case, each, used)


def _is_inside(case: Case, place: Place) -> bool:
    """Whether a definition stands inside of another one: a method, a field."""
    return case.ground.project.line(*place)[:1].isspace()


def _of_column(case: Case, each: Named, gone: set[str]) -> Iterator[Doubt]:
    found = case.ground.occurrences(each.short)
    if len(each.short) < MIN_NAME:
        return
    places = sorted(dict(reversed((*found.definitions, *found.uses))).items())
    left = _outside(case, places, gone)
    used = [place for place in left if not _HISTORY.search(place[0]) and _is_code(case, place[0])]
    if used:
        yield _question(case, each, used)


def _is_code(case: Case, path: str) -> bool:
    return case.ground.project.files[path].language is not None or path.endswith(_TEMPLATES)


def _outside(case: Case, places: list[Place], gone: set[str]) -> list[Place]:
    """The first place of each file that the plan leaves alone; tests come last."""
    first: dict[str, int] = {}
    for path, line in places:
        if case.is_left(path) and path not in gone:
            first.setdefault(path, line)
    files = case.ground.project.files
    return sorted(first.items(), key=lambda place: (files[place[0]].test, place))


def _doubts(case: Case, each: Named, thing: str, left: list[Place]) -> Iterator[Doubt]:
    code = [place for place in left if not case.ground.project.files[place[0]].test]
    if not code and left:
        yield _question(case, each, left)
    if not code:
        return
    verb = "imports" if each.kind is Mention.FILE else "uses"
    files = f"{counted(len(code), 'file')} that the plan does not name still {verb if len(code) == 1 else verb[:-1]} it"
    yield Doubt(
        Evidence.REMOVED,
        each.short if each.kind is not Mention.FILE else thing,
        f"{_deed(case, each)}",
        f"{files}: {shown(code)}",
        f"After this step {code[0][0]}:{code[0][1]} fails when it is imported or run",
        f"Add a step that changes {shown(code)}, or keep {'the file' if each.kind is Mention.FILE else 'the old name for them'}",
        lines=(each.line,),
        places=tuple(f"{path}:{line}" for path, line in code[:10]),
        weight=Weight.BLOCKING,
        reach=len(code),
    )


def _question(case: Case, each: Named, used: list[Place]) -> Doubt:
    tests = all(case.ground.project.files[path].test for path, _ in used)
    noun = "test file" if tests else "file"
    verb = "uses" if len(used) == 1 else "use"
    return Doubt(
        Evidence.USED,
        each.short,
        f"{_deed(case, each)}",
        f"{counted(len(used), noun)} {verb} it, first {used[0][0]}:{used[0][1]}. Should"
        f" {'it' if len(used) == 1 else 'they'} change?",
        f"The plan leaves {shown(used)} as {'it is' if len(used) == 1 else 'they are'}",
        f"Name {shown(used)} in a step, or say why {'it stays' if len(used) == 1 else 'they stay'}",
        lines=(each.line,),
        places=tuple(f"{path}:{line}" for path, line in used[:10]),
        reach=len(used),
    )


def _deed(case: Case, each: Named) -> str:
    verb = "drops the column" if each.kind is Mention.COLUMN and each.intent is Intent.REMOVES else each.intent.value
    to = f" to `{each.to}`" if each.intent in NEW_PLACE and each.to else ""
    return f"{case.where(each.line)} {verb} `{each.text}`{to}"
