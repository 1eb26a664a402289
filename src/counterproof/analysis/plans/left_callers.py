"""Doubts about functions whose parameters a plan changes while untouched files call them with the old ones.

Invariant: only functions defined once, in a single file, for which all blocks of the plan show the same parameters. A caller
counts if it imports the function from this file, fits the old parameters and does not fit the new ones.
"""

from collections.abc import Iterator

from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Evidence, shown
from counterproof.analysis.plans.imports import Place, takers
from counterproof.analysis.plans.signatures import ARGUED, Parameters, calls_in, functions_in, shape
from counterproof.analysis.program.arguments import misfit, named
from counterproof.model.counting import counted
from counterproof.model.plan.outline import Intent, Mention

MIN_NAME = 5


def left_callers(case: Case) -> Iterator[Doubt]:
    """Functions with new parameters in blocks for existing files, whose callers in untouched files are unchanged."""
    made = {each.text for each in case.intents(Mention.FILE) if each.intent is Intent.CREATES}
    for home, codes in case.blocks_by_file.items():
        before = functions_in(case.ground.text(home), home) if home.endswith(ARGUED) and home not in made else {}
        changed: dict[str, list[tuple[int, Parameters]]] = {}
        for code in codes if before else ():
            for name, (line, parameters) in functions_in(code.text, home).items():
                changed.setdefault(name, []).append((code.block.first + line - 1, parameters))
        for name in (each for each in changed if each in before):
            (line, new), (at, old) = changed[name][-1], before[name]
            agreed = all(shape(parameters) == shape(new) for _, parameters in changed[name])
            if not agreed or shape(old) == shape(new) or len(name) < MIN_NAME or not is_only(case, name, home):
                continue
            users = [path for path, _ in takers(case, name, home) if case.is_left(path)]
            left = [(path, line) for path in users for line in _misfits(case, path, name, old, new)]
            if left:
                yield _left(case, name, line, f"{home}:{at}", old, new, left)


def is_only(case: Case, name: str, home: str) -> bool:
    found = case.ground.occurrences(name)
    return not found.full and {path for path, _ in found.definitions} <= {home}


def _misfits(case: Case, path: str, name: str, old: Parameters, new: Parameters) -> Iterator[int]:
    """The lines of calls that fit the old function and not the new one."""
    python = path.endswith(".py")
    for written, call in calls_in(case.ground.text(path), path):
        if (written.rpartition(".")[2] if python else written) == name and not misfit(call, old) and misfit(call, new):
            yield call.line


def _left(case: Case, name: str, line: int, home: str, old: Parameters, new: Parameters, left: list[Place]) -> Doubt:
    was, will = (", ".join(named(each)) or "nothing" for each in (old, new))
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
