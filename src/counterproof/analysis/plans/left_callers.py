"""Doubts about functions whose parameters a plan changes while untouched files call them with the old ones.

Invariant: only functions defined once, in a single file, for which all blocks of the plan show the same parameters. A caller
counts if it imports the function from this file, fits the old parameters and does not fit the new ones.
"""

from collections.abc import Iterator

from counterproof.analysis.plans.blocks import SHELLS, Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Evidence, shown
from counterproof.analysis.plans.heads import Head, calls_in, heads_in
from counterproof.analysis.plans.imports import Place, takers
from counterproof.analysis.plans.layout import Block
from counterproof.analysis.plans.python_trees import parsed
from counterproof.analysis.plans.signatures import Signature, functions_in, misfit
from counterproof.model.counting import counted
from counterproof.model.plan.outline import Intent, Mention

MIN_NAME = 5
_LANGUAGES = {"py": "python", "ts": "ts", "tsx": "tsx", "mts": "ts"}
"""Languages that reject a call with wrong arguments, by file extension."""


Shape = Signature | Head


def left_callers(case: Case) -> Iterator[Doubt]:
    """Functions with new parameters in blocks, whose callers in untouched files are unchanged."""
    for home, codes in _rewritten(case).items():
        before = dict(_alone(_shapes(_read(case, home))))
        after = [(name, shape, code) for code in codes for name, shape in _shapes(code)]
        for name, shape, code in after:
            mine = [each for other, each, _ in after if other == name]
            old = before.get(name)
            if old is None or shape is None or shape is not mine[-1] or any(_taken(each) != _taken(shape) for each in mine):
                continue
            if _taken(old) == _taken(shape) or len(name) < MIN_NAME or not is_only(case, name, home):
                continue
            users = [path for path, _ in takers(case, name, home) if case.is_left(path)]
            left = [place for path in users for place in _misfits(_read(case, path), name, old, shape)]
            if left:
                yield _left(case, name, code.block.first + _line(shape) - 1, f"{home}:{_line(old)}", old, shape, left)


def _rewritten(case: Case) -> dict[str, list[Code]]:
    """The blocks with new code for existing files, by file."""
    made = {each.text for each in case.intents(Mention.FILE) if each.intent is Intent.CREATES}
    found: dict[str, list[Code]] = {}
    for code in case.new_codes:
        home = case.ground.resolve(code.path) if code.path and case.ground.count(code.path) == 1 else ""
        if home and code.path not in made and _language(home) and code.block.language not in SHELLS:
            found.setdefault(home, []).append(code)
    return found


def _language(path: str) -> str:
    return _LANGUAGES.get(path.rpartition(".")[2], "")


def _read(case: Case, path: str) -> Code:
    """A file of the repository as a block of code."""
    text, language = case.ground.text(path), _language(path)
    return Code(Block(language, 1, text, ""), 0, path, parsed(text) if language == "python" else None)


def is_only(case: Case, name: str, home: str) -> bool:
    found = case.ground.occurrences(name)
    return not found.full and {path for path, _ in found.definitions} <= {home}


def _shapes(code: Code) -> list[tuple[str, Shape | None]]:
    if code.tree is not None:
        return [(each.name, each) for each in functions_in(code.tree, "", 1)]
    return list(heads_in(code.text, code.block.language)) if code.block.language in _LANGUAGES.values() else []


def _alone(shapes: list[tuple[str, Shape | None]]) -> Iterator[tuple[str, Shape]]:
    """The functions that are defined once."""
    names = [name for name, _ in shapes]
    return ((name, shape) for name, shape in shapes if shape and names.count(name) == 1)


def _taken(shape: Shape | None) -> tuple[object, ...]:
    """The properties that decide whether calls still fit."""
    if isinstance(shape, Signature):
        return shape.names, shape.required, shape.most, shape.any_keyword
    return (shape.least, shape.most) if shape else ()


def _line(shape: Shape) -> int:
    return int(shape.place.rpartition(":")[2]) if isinstance(shape, Signature) else shape.line


def _misfits(user: Code, name: str, old: Shape, new: Shape) -> Iterator[Place]:
    """Calls that fit the old function and not the new one."""
    if isinstance(old, Signature) and isinstance(new, Signature):
        for call in user.calls:
            if call.name.rpartition(".")[2] == name and not misfit(call.node, old) and misfit(call.node, new):
                yield user.path, call.line
    elif isinstance(old, Head) and isinstance(new, Head):
        for written, line, count in calls_in(user.text, user.block.language):
            if written == name and old.least <= count <= old.most and not new.least <= count <= new.most:
                yield user.path, line


def _left(case: Case, name: str, line: int, home: str, old: Shape, new: Shape, left: list[Place]) -> Doubt:
    was, will = (", ".join(each.names) or "nothing" for each in (old, new))
    files = counted(len({path for path, _ in left}), "file")
    return Doubt(
        Evidence.LEFT_CALLER,
        name,
        f"{case.where(line)} changes what `{name}` takes from ({was}) to ({will})",
        f"{files} that the plan does not name {'calls' if files.startswith('1 ') else 'call'} it the old way:"
        f" {shown(left)}; it is"
        f" defined at {home}",
        f"After this step the call at {left[0][0]}:{left[0][1]} does not fit any more",
        f"Add a step that changes {shown(left)}, or make the new parameters optional",
        lines=(line,),
        places=(*(f"{path}:{number}" for path, number in left[:5]), home),
        reach=len({path for path, _ in left}),
    )
