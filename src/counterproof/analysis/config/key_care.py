"""What a function of a script does so that keys from outside cannot lead to a prototype.

Always holds: leaving out one of the names is enough only where the others lead nowhere. Does not belong here: finding functions
that write deeply.
"""

import re
from typing import TYPE_CHECKING

from counterproof.analysis.config.key_shapes import asks_own, texts_of
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk

if TYPE_CHECKING:
    from counterproof.analysis.config.deep_keys import Unit

_NAMES = frozenset({"__proto__", "constructor", "prototype"})
_WARY = ("proto", "pollut", "unsafe", "safekey", "dangerous", "forbidden")
_FUNCTIONS = re.compile(r"""["']function["']""")


def is_careful(unit: "Unit") -> bool:
    """Whether names that lead to a prototype are left out, here or in a function or constant that is asked."""
    around = unit.around
    asked = [other for name in sorted(unit.called) if (other := around.by_name.get(name)) is not None]
    texts = texts_of(unit.nodes).union(*(texts_of(other.nodes) for other in asked))
    texts = texts.union(*(around.constants.get(name, frozenset()) for name in unit.mentioned))
    if any(part in name.lower() for name in unit.called for part in _WARY) or "create" in unit.called:
        return True
    found = {name for name in _NAMES for text in texts if name in text}
    return (
        found >= {"__proto__", "constructor"}
        or found >= {"__proto__", "prototype"}
        or ("__proto__" in found and not any(_enters_functions(each) for each in (unit, *asked)))
    )


def _enters_functions(unit: "Unit") -> bool:
    """`constructor` leads on only where functions count as objects."""
    said = unit.around.lines[unit.function.line - 1 : unit.function.end]
    return any(_FUNCTIONS.search(line) for line in said) or any(
        "extendable" in module for module in unit.around.module.imports.values()
    )


def asks_for_own_keys(unit: "Unit", holder: str, tests: tuple[ir.Expr, ...]) -> bool:
    """Whether it only goes deeper where the object itself, not its prototype, has the key."""
    return any(asks_own(node, holder) for test in (*tests, *_leaving(unit)) for node in walk(test))


def _leaving(unit: "Unit") -> list[ir.Expr]:
    """Conditions under which the rest is skipped."""
    return [
        branch.test
        for node in unit.nodes
        if isinstance(node, ir.If)
        for branch in node.branches
        if branch.body and isinstance(branch.body[-1], ir.Jump | ir.Return | ir.Raise)
    ]
