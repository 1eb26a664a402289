"""Doubts about functions whose parameters a plan changes: files that it leaves alone call them as they were.

Always: only functions that one file alone defines, once, and that all blocks of the plan for this file show with the same
parameters. A caller counts that takes the function from its own project, fits it as it is and does not fit it as it will be.
Where the plan speaks of the callers, or keeps the old form, it takes care of them.
"""

from collections.abc import Iterator

from counterproof.analysis.plans.blocks import Code
from counterproof.analysis.plans.calling import misfit
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind, shown
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.heads import CHECKED, Head, calls_in, heads_in
from counterproof.analysis.plans.hearing import KEPT, MINDS, said_of
from counterproof.analysis.plans.importing import Place
from counterproof.analysis.plans.left_files import is_only, read, rewritten, takes, users
from counterproof.analysis.plans.left_takers import ADDS
from counterproof.analysis.plans.signatures import Signature, classes_in, functions_in
from counterproof.model.plan.challenge import Weight

Shape = Signature | Head
NEAR = 12
"""Lines around a block in which words about callers need not name the function."""


def left_callers(case: Case) -> Iterator[Doubt]:
    """Functions of the code that blocks give other parameters, while callers in files that are left alone stay as they are."""
    for home, codes in rewritten(case).items():
        before = dict(_alone(_shapes(read(case, home))))
        after = [(name, shape, code) for code in codes for name, shape in _shapes(code)]
        for name, shape, code in after:
            mine = [each for other, each, _ in after if other == name]
            old = before.get(name)
            if old is None or shape is None or shape is not mine[-1] or any(_taken(each) != _taken(shape) for each in mine):
                continue
            same = _taken(old) == _taken(shape) or _is_in_part(old, shape, name)
            if same or ADDS.search(code.block.lead) or not is_only(case, name, home):
                continue  # what is added beside the old one is another mistake
            left = [
                place for user in users(case, name, home) if takes(user, name, home) for place in _misfits(user, name, old, shape)
            ]
            line = code.block.first + _line(shape) - 1
            if left and not is_minded(case, name, line):
                yield _left(name, line, f"{home}:{_line(old)}", old, shape, left)


def _shapes(code: Code) -> list[tuple[str, Shape | None]]:
    if code.tree is not None:
        built = [(each.name, each.built) for each in classes_in(code.tree, "", 1, lambda name: None)]
        return [*((each.name, each) for each in functions_in(code.tree, "", 1)), *built]
    return list(heads_in(code.text)) if code.block.language in CHECKED else []


def _alone(shapes: list[tuple[str, Shape | None]]) -> Iterator[tuple[str, Shape]]:
    """Those that are defined once."""
    names = [name for name, _ in shapes]
    return ((name, shape) for name, shape in shapes if shape and names.count(name) == 1)


def _taken(shape: Shape | None) -> tuple[object, ...]:
    """What tells whether calls still fit."""
    if isinstance(shape, Signature):
        return shape.names, shape.required, shape.most, shape.any_keyword
    return (shape.least, shape.most) if shape else ()


def _is_in_part(old: Shape, new: Shape, name: str) -> bool:
    """Whether a block may show a class in part: it has fewer fields than before."""
    return isinstance(new, Signature) and name[:1].isupper() and not set(old.names) <= set(new.names)


def _line(shape: Shape) -> int:
    return int(shape.place.rpartition(":")[2]) if isinstance(shape, Signature) else shape.line


def _misfits(user: Code, name: str, old: Shape, new: Shape) -> Iterator[Place]:
    """Calls that fit the function as it is and not as it will be."""
    if isinstance(old, Signature) and isinstance(new, Signature):
        for call in user.calls:
            if call.name == name and call.node and not misfit(call.node, old) and misfit(call.node, new):
                yield user.path, call.line
    elif isinstance(old, Head) and isinstance(new, Head):
        for given in calls_in(user.plain):
            if given.name == name and _fits(given.count, old) and not _fits(given.count, new):
                yield user.path, given.line


def _fits(count: int, head: Head) -> bool:
    return head.least <= count <= head.most


def is_minded(case: Case, name: str, line: int) -> bool:
    """Whether the plan speaks of the callers, or keeps the old form."""
    near = range(line - NEAR, line + NEAR)
    return bool(said_of(case, MINDS, name, near) or said_of(case, KEPT, name, near))


def _left(name: str, line: int, home: str, old: Shape, new: Shape, left: list[Place]) -> Doubt:
    was, will = (", ".join(each.names) or "nothing" for each in (old, new))
    return Doubt(
        Kind.SIGNATURE,
        name,
        "",
        f"`{name}`, defined at {home}, takes {was}; line {line} has it take {will}, and no step names {shown(left, 3)}",
        f"After line {line} the call at {left[0][0]}:{left[0][1]} does not fit any more",
        f"Add a step that changes {shown(left, 3)}, or make the new parameters optional",
        Weight.BLOCKING,
        lines=(line,),
        places=(*(f"{path}:{number}" for path, number in left[:5]), home),
        evidence=Evidence.LEFT_CALLER,
    )
