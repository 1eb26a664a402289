"""Whether the arguments of a call fit the parameters of the function that it calls.

Invariant: a call that spreads a collection or omits something fits, except for a keyword that the function does not have.
"""

from collections.abc import Sequence

from counterproof.analysis.syntax import ir
from counterproof.model.counting import counted


def named(parameters: Sequence[ir.Parameter]) -> list[str]:
    """The parameters that take one argument each."""
    return [each.name for each in parameters if each.kind in ("positional", "keyword")]


def misfit(call: ir.Call, parameters: Sequence[ir.Parameter]) -> str:
    """Why a call does not fit a function; '' if it does."""
    names, kinds = named(parameters), {each.kind for each in parameters if each.name}
    positional = [each.name for each in parameters if each.kind == "positional"]
    keywords = [each.keyword for each in call.arguments if each.keyword]
    taken = ", ".join(names) or "none"
    unknown = [word for word in keywords if word not in names]
    if unknown and "**" not in kinds:
        return f"takes no argument `{unknown[0]}`; it takes {taken}"
    if any(each.spread or _omits(each) for each in call.arguments):
        return ""
    count = len(call.arguments) - len(keywords)
    if count > len(positional) and "*" not in kinds:
        only = f"takes at most {counted(len(positional), 'positional argument')}, not {count}; it takes {taken}"
        return only if positional or not names else f"takes keyword arguments only: {taken}"
    filled = {*positional[:count], *keywords}
    missing = [each.name for each in parameters if each.name in names and each.default is None and each.name not in filled]
    return f"also needs `{missing[0]}`; it takes {taken}" if missing else ""


def _omits(given: ir.Argument) -> bool:
    """Return True for dots in place of an argument."""
    return isinstance(given.value, ir.Unknown) and not given.value.children
