"""Doubts about functions whose parameters a plan changes while untouched files call them with the old ones.

Invariant: only functions defined once, in a single file, for which all blocks of the plan show the same parameters. A caller
counts if it imports the function from this file, fits the old parameters and does not fit the new ones.
"""

from collections.abc import Iterator

from counterproof.analysis.plans.blocks import SHELLS, Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Evidence, shown
from counterproof.analysis.plans.imports import Place, takers
from counterproof.analysis.plans.signatures import ARGUED, Signature, calls_in, functions_in, misfit
from counterproof.model.counting import counted
from counterproof.model.plan.outline import Intent, Mention

MIN_NAME = 5


def left_callers(case: Case) -> Iterator[Doubt]:
    """Functions with new parameters in blocks, whose callers in untouched files are unchanged."""
    for home, codes in _rewritten(case).items():
        before = functions_in(case.ground.text(home), home)
        after = [
            (name, code.block.first + line - 1, shape)
            for code in codes
            for name, (line, shape) in functions_in(code.text, home).items()
        ]
        for name, line, new in after:
            mine = [(at, shape) for other, at, shape in after if other == name]
            if name not in before or (line, new) != mine[-1] or any(shape != new for _, shape in mine):
                continue
            at, old = before[name]
            if old == new or len(name) < MIN_NAME or not is_only(case, name, home):
                continue
            users = [path for path, _ in takers(case, name, home) if case.is_left(path)]
            left = [(path, line) for path in users for line in _misfits(case, path, name, old, new)]
            if left:
                yield _left(case, name, line, f"{home}:{at}", old, new, left)


def _rewritten(case: Case) -> dict[str, list[Code]]:
    """The blocks with new code for existing files, by file."""
    made = {each.text for each in case.intents(Mention.FILE) if each.intent is Intent.CREATES}
    found: dict[str, list[Code]] = {}
    for code in case.new_codes:
        home = case.ground.resolve(code.path) if code.path and case.ground.count(code.path) == 1 else ""
        if home and code.path not in made and home.endswith(ARGUED) and code.block.language not in SHELLS:
            found.setdefault(home, []).append(code)
    return found


def is_only(case: Case, name: str, home: str) -> bool:
    found = case.ground.occurrences(name)
    return not found.full and {path for path, _ in found.definitions} <= {home}


def _misfits(case: Case, path: str, name: str, old: Signature, new: Signature) -> Iterator[int]:
    """The lines of calls that fit the old function and not the new one."""
    python = path.endswith(".py")
    for call in calls_in(case.ground.text(path), path):
        written = call.name.rpartition(".")[2] if python else call.name
        if written == name and not misfit(call, old) and misfit(call, new):
            yield call.line


def _left(case: Case, name: str, line: int, home: str, old: Signature, new: Signature, left: list[Place]) -> Doubt:
    was, will = (", ".join(each.names) or "nothing" for each in (old, new))
    count = len({path for path, _ in left})
    return Doubt(
        Evidence.LEFT_CALLER,
        name,
        f"{case.where(line)} changes what `{name}` takes from ({was}) to ({will})",
        f"{counted(count, 'file')} that the plan does not name {'calls' if count == 1 else 'call'} it the old way: {shown(left)};"
        f" it is defined at {home}",
        f"After this step the call at {left[0][0]}:{left[0][1]} does not fit any more",
        f"Add a step that changes {shown(left)}, or make the new parameters optional",
        lines=(line,),
        places=(*(f"{path}:{number}" for path, number in left[:5]), home),
        reach=count,
    )
