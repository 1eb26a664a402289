"""Compares a plan's intents with the change that implements it (`verify --diff`).

Invariant: a step asks for its intents, and for the files that its code blocks write; each is looked for first in the change,
then in the resulting tree. A moved file counts as done otherwise, not as missing.
"""

import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass

from counterproof.analysis.git import History
from counterproof.analysis.plans.blocks import DATA
from counterproof.analysis.plans.case import NEW_PLACE, Case
from counterproof.analysis.plans.ground import DOCUMENT
from counterproof.analysis.plans.understanding import step_at
from counterproof.analysis.project import Project
from counterproof.analysis.review.changes import Edit, edits
from counterproof.model.plan.carried_out import Asked, Beyond, Carried, CarriedOut, StepOutcome
from counterproof.model.plan.outline import Intent, Mention, Named
from counterproof.model.text import real_name

_LOCKS = re.compile(
    r"(?:^|/)(?:[\w.-]*\.lock|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum|bun\.lockb|gradle\.lockfile)$"
)
_TEST = re.compile(r"(?:^|/)(?:tests?|__tests__|spec)/|(?:^|/)(?:test_[^/]+|[^/]+[._-](?:test|spec))\.\w+$")
MAX_BEYOND = 200
MIN_LINE = 12
"""The number of letters from which a line identifies its code."""
MIN_LINES = 6
FEW = 0.2
"""Below this share of a step's lines, its code counts as absent."""


@dataclass(frozen=True, slots=True)
class _Change:
    """The change in the form needed for comparison."""

    edits: dict[str, Edit]
    deleted: frozenset[str]
    after: frozenset[str]
    project: Project

    @property
    def added(self) -> tuple[str, ...]:
        return tuple(path for path, edit in self.edits.items() if edit.before is None)

    @property
    def code(self) -> dict[str, Edit]:
        """The changed files except documents: text that mentions a thing does not implement it."""
        return {path: edit for path, edit in self.edits.items() if not DOCUMENT.search(path)}

    def new_text(self, path: str) -> str:
        return self.project.text(path)


def carried_out(case: Case, project: Project, history: History, wanted: str) -> CarriedOut:
    """The outcome of the plan in this change. `case` is the plan with the tree after the change."""
    found = edits(project, history, wanted)
    after = frozenset(history.files(found.head)) if found.head else frozenset(project.files)
    change = _Change({each.path: each for each in found.files}, frozenset(found.deleted), after, project)
    asked = [_answered(case, change, each) for each in _asked(case)]
    own = posixpath.normpath(real_name(case.outline.path)).rpartition("/")[2]
    touched = sorted({*change.edits, *change.deleted})
    rest = [path for path in touched if path.rpartition("/")[2] != own and not _covered(path, asked, case)]
    followed = [path for path in rest if _LOCKS.search(path) or _is_test_of(path, asked)]
    moves = _moves(change)
    beyond = [Beyond(path, _what(change, path, moves)) for path in rest if path not in (*followed, *moves.values())]
    return CarriedOut(
        wanted or "HEAD",
        found.base,
        found.head,
        _by_step(case, asked),
        tuple(beyond[:MAX_BEYOND]),
        tuple(followed),
        tuple(path for path, _ in found.unread),
    )


def _asked(case: Case) -> Iterable[Named]:
    """Each thing that the plan asks for, once: in the step that asks for it rather than in an overview. A file that several
    steps change counts in each of them."""
    found: dict[tuple[Mention, str, int], Named] = {}
    homes = {(each.line, each.home) for each in case.outline.intents if each.home}
    for each in case.outline.intents:
        if (each.line, each.text) in homes:
            continue  # a file named as a thing's home is covered by that thing
        own = each.step if each.kind is Mention.FILE and each.intent is Intent.CHANGES else 0
        key = (each.kind, each.text.strip("/"), own)
        before = found.get(key)
        if before is None or (each.step > 0) > (before.step > 0):
            found[key] = each
    to = {each.to.strip("/") for each in case.outline.intents}
    named, stepped = {text for _, text, _ in found}, {text for _, text, own in found if own}
    asked = [each for each in found.values() if each.step or each.text.strip("/") not in stepped]
    for path, line in case.made_files.items():
        if path not in named | to:
            asked.append(Named(Mention.FILE, path, line, step_at(line, case.outline.steps), Intent.CREATES))
    return [each for each in asked if not (each.kind is Mention.FILE and "." not in each.text.rpartition("/")[2])]


def _answered(case: Case, change: _Change, each: Named) -> Asked:
    look = {Mention.FILE: _file, Mention.FOLDER: _folder}.get(each.kind, _name)
    status, where = look(case, change, each)
    firm = each in case.outline.named and each.kind is not Mention.FOLDER  # git keeps no empty folder
    text = f"{each.text} to {each.to}" if each.to else each.text
    return Asked(each.step, each.line, each.kind, each.intent, text, firm, status, where)


def _file(case: Case, change: _Change, each: Named) -> tuple[Carried, str]:
    path = each.text.removeprefix("./").strip("/")
    touched = (_match(path, change.added) if each.intent is Intent.CREATES else "") or _match(path, change.edits)
    if each.intent is Intent.KEEPS:
        return (Carried.MISSING, touched) if touched or _match(path, change.deleted) else (Carried.DONE, path)
    if each.intent in NEW_PLACE:
        return _moved(change, path, each.to)
    if each.intent is Intent.REMOVES:
        gone = _match(path, change.deleted)
        there = _match(path, change.after)
        return (Carried.DONE, gone or path) if gone or not there else (Carried.MISSING, f"{there} is still there")
    if touched:
        return _by_its_code(case, change, each.step, touched)
    if each.intent is Intent.CREATES and (there := _match(path, change.after)):
        return Carried.DONE, f"{there} was there before"
    moved = _match(path.rpartition("/")[2], change.added if _match(path, change.after) else change.edits)
    if moved:
        return Carried.OTHERWISE, moved
    if gone := _match(path, change.deleted):
        return Carried.OTHERWISE, f"{gone} was removed"
    return Carried.MISSING, ""


def _moved(change: _Change, path: str, to: str) -> tuple[Carried, str]:
    """A file with a new path: the old path is gone and the new one exists."""
    there, new = _match(path, change.after), _match(to, change.after) if to else ""
    if there and there != new:
        return Carried.MISSING, f"{there} is still there"
    moved = new or _match(path.rpartition("/")[2], change.added)
    return (Carried.DONE if new else Carried.OTHERWISE), moved or "the file is gone"


def _by_its_code(case: Case, change: _Change, step: int, touched: str) -> tuple[Carried, str]:
    """A touched file is done if the step's lines for it are in the change; few of them mean that the step was done otherwise,
    or that another step touched the file."""
    codes = [code for code in case.new_codes if step and code.step == step and _is_for(code.path, touched)]
    lines = {line.strip() for code in codes if code.block.language not in DATA for line in code.text.split("\n")}
    telling = {line for line in lines if len(line) >= MIN_LINE and not re.match(r"#|//|/?\*|import\b|from\b|\.\.\.", line)}
    after = {line.strip() for path in change.code for line in change.new_text(path).split("\n")} if telling else set[str]()
    stand = len(telling & after)
    if len(telling) < MIN_LINES or stand >= len(telling) * FEW:
        return Carried.DONE, touched
    return Carried.OTHERWISE, f"{touched} changed, but {stand} of {len(telling)} lines of the step are in it"


def _is_for(path: str, touched: str) -> bool:
    return bool(path) and (f"/{touched}".endswith(f"/{path}") or f"/{path}".endswith(f"/{touched}"))


def _folder(case: Case, change: _Change, each: Named) -> tuple[Carried, str]:
    inside = each.text.strip("/") + "/"
    pool = change.deleted if each.intent is Intent.REMOVES else change.edits
    if each.intent is Intent.REMOVES and not any(path.startswith(inside) or f"/{inside}" in path for path in change.after):
        return Carried.DONE, inside
    found = next((path for path in pool if path.startswith(inside) or f"/{inside}" in path), "")
    return (Carried.DONE, found) if found else (Carried.MISSING, "")


def _name(case: Case, change: _Change, each: Named) -> tuple[Carried, str]:
    """A function, class or setting: looked for in the changed lines, then in the tree."""
    left = [place for place in case.ground.occurrences(each.short).definitions if place[0] in change.after]
    if each.intent is Intent.MOVES and each.to:
        left = [place for place in left if not _is_for(each.to, place[0])]
    if each.intent in (Intent.REMOVES, *NEW_PLACE):
        return (Carried.MISSING, f"{left[0][0]}:{left[0][1]} still defines it") if left else _renamed(case, each)
    if each.intent is Intent.KEEPS:
        return (Carried.DONE, f"{left[0][0]}:{left[0][1]}") if left else (Carried.MISSING, "")
    return _written(case, change, each)


def _written(case: Case, change: _Change, each: Named) -> tuple[Carried, str]:
    """A name that the plan creates or changes."""
    short = each.short
    word = re.compile(rf"(?<![\w$]){re.escape(short)}(?![\w$])")
    for path, edit in change.code.items():
        lines = change.new_text(path).split("\n")
        for first, last in edit.lines:
            for number in range(first, min(last, len(lines)) + 1):
                if word.search(lines[number - 1]):
                    return Carried.DONE, f"{path}:{number}"
    if each.intent is Intent.CHANGES and (near := _changed_unit(case, change, short)):
        return Carried.DONE, near
    there = case.ground.occurrences(short).definitions
    held = [path for path, edit in change.code.items() if edit.before and word.search(edit.before)]
    if each.intent is Intent.CHANGES and held and not case.ground.holds(short):
        return Carried.OTHERWISE, f"{held[0]} no longer has it"
    if each.intent is Intent.CREATES and there:
        return Carried.DONE, f"{there[0][0]}:{there[0][1]} was there before"
    return Carried.MISSING, ""


def _renamed(case: Case, each: Named) -> tuple[Carried, str]:
    """A name that is gone from its old location; for a renamed one the new name must exist."""
    name = each.to.rpartition(".")[2] if each.intent is Intent.RENAMES else each.short
    new = case.ground.occurrences(name).definitions if each.to else []
    if each.intent is not Intent.RENAMES or not each.to or new:
        return Carried.DONE, f"{new[0][0]}:{new[0][1]}" if new else ""
    return Carried.OTHERWISE, f"{each.text} is gone, and nothing defines {each.to}"


def _changed_unit(case: Case, change: _Change, name: str) -> str:
    """The location of a definition of the name with a changed line before the next definition at the same depth."""
    for path, start in case.ground.occurrences(name).definitions:
        edit = change.edits.get(path)
        lines = change.new_text(path).split("\n") if edit else []
        if edit is None or start > len(lines):
            continue
        depth = len(lines[start - 1]) - len(lines[start - 1].lstrip())
        end = next((at for at in range(start, len(lines)) if _closes(lines[at], depth)), len(lines))
        if any(first <= end and last >= start for first, last in edit.lines):
            return f"{path}:{start}"
    return ""


def _closes(line: str, depth: int) -> bool:
    return bool(line.strip()) and len(line) - len(line.lstrip()) <= depth and not line.strip().startswith((")", "}", "]", "{"))


def _match(path: str, pool: Iterable[str]) -> str:
    """The path itself, or the only path that ends with it."""
    listed = list(pool)
    if path in listed:
        return path
    near = [each for each in listed if each.endswith(f"/{path}")]
    return near[0] if near else ""


def _covered(path: str, asked: list[Asked], case: Case) -> bool:
    """True if the plan covers a changed file: by its path, by its folder, or by something found in it."""
    named = {each.text.removeprefix("./").strip("/") for each in case.of(Mention.FILE)} | set(case.made_files)
    folders = {each.text.strip("/") for each in case.of(Mention.FOLDER)}
    return (
        any(path == each or path.endswith(f"/{each}") for each in named)
        or any(path.startswith(f"{each}/") or f"/{each}/" in path for each in folders if each)
        or any(each.where.partition(":")[0] == path for each in asked)
    )


def _is_test_of(path: str, asked: list[Asked]) -> bool:
    """True for a test named after a file that the plan asks for."""
    stem = re.sub(r"^test_|[._-](?:test|spec)$", "", path.rpartition("/")[2].rpartition(".")[0])
    stems = {each.text.rpartition("/")[2].partition(".")[0] for each in asked if each.kind is Mention.FILE}
    return bool(_TEST.search(path)) and stem in stems


def _moves(change: _Change) -> dict[str, str]:
    """The destinations of removed files: the new file with the longest common path ending, of at least two parts, each used
    once."""
    ends = {path: path.split("/")[::-1] for path in (*change.deleted, *change.added)}
    pairs = [(len(posixpath.commonprefix([ends[old], ends[new]])), old, new) for old in change.deleted for new in change.added]
    found: dict[str, str] = {}
    for parts, old, new in sorted(pairs, key=lambda pair: (-pair[0], *pair[1:])):
        if parts > 1 and old not in found and new not in found.values():
            found[old] = new
    return found


def _what(change: _Change, path: str, moves: dict[str, str]) -> str:
    if path in change.deleted:
        return f"moved to {moves[path]}" if path in moves else "removed"
    edit = change.edits[path]
    if edit.before is None:
        return "new"
    lines = sum(last - first + 1 for first, last in edit.lines)
    return f"changed, {lines} lines" if lines != 1 else "changed, 1 line"


def _by_step(case: Case, asked: list[Asked]) -> tuple[StepOutcome, ...]:
    steps = [StepOutcome(step.number, step.title, _of(asked, step.number)) for step in case.outline.steps]
    outside = _of(asked, 0)
    return (*((StepOutcome(0, "outside of steps", outside),) if outside else ()), *steps)


def _of(asked: list[Asked], number: int) -> tuple[Asked, ...]:
    return tuple(sorted((each for each in asked if each.step == number), key=lambda each: (each.line, each.text)))
