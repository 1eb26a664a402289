"""Doubts about calls that a plan writes out: arguments that the function, as it stands, does not take.

Always: only Python, only where one function of the repository has that name, and never where the plan changes the function.
"""

import ast
import warnings
from collections.abc import Iterator

from counterproof.analysis.plans.doubts import Case, Doubt, Kind
from counterproof.analysis.syntax.ir import Function
from counterproof.model.errors import CounterproofError
from counterproof.model.plan.challenge import Confidence, Weight
from counterproof.model.plan.outline import Intent, Mention, Named

MAX_CALL = 150


def wrong_calls(case: Case) -> Iterator[Doubt]:
    """Calls in the plan's prose that do not fit the function's parameters."""
    touched = {each.text for each in case.of(Mention.SYMBOL) if each.intent is not Intent.USES}
    for each in case.of(Mention.SYMBOL):
        call = _call(each.detail)
        if call is None or each.text in touched or case.creates(each.text):
            continue
        function = _only_function(case, each.text)
        why = _misfit(call, function) if function else ""
        if function and why:
            path, line = case.ground.occurrences(each.text).definitions[0]
            yield _wrong(each, why, f"{path}:{line}")


def _wrong(each: Named, why: str, place: str) -> Doubt:
    return Doubt(
        Kind.CALL,
        each.detail,
        "",
        f"`{each.text}` at {place} {why}",
        f"The call of line {each.line} raises TypeError",
        "Call it as it is defined, or add a step that changes its parameters and its callers",
        Weight.SIGNIFICANT,
        Confidence.HIGH,
        (each.line,),
        (place,),
    )


def _call(text: str) -> ast.Call | None:
    """A call with arguments; placeholders such as `…` and `...` are none."""
    if not text.endswith(")") or len(text) > MAX_CALL or "..." in text or "…" in text:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the plan's own style is not ours to warn about
            tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return tree if isinstance(tree, ast.Call) and (tree.args or tree.keywords) else None


def _only_function(case: Case, name: str) -> Function | None:
    places = case.ground.occurrences(name).definitions
    if len(places) != 1 or not places[0][0].endswith(".py"):
        return None
    path, line = places[0]
    try:
        found = [each for each in case.ground.project.module(path).functions if each.line == line]
    except CounterproofError as error:
        case.ground.limitations.append(f"{path} was not parsed: {error}")
        return None
    return found[0] if len(found) == 1 and not found[0].decorators else None


def _misfit(call: ast.Call, function: Function) -> str:
    own = [each for each in function.parameters if each.name not in ("self", "cls")]
    names = [each.name for each in own if each.kind in ("positional", "keyword")]
    taken = ", ".join(names) or "none"
    if not any(each.kind == "**" for each in own):
        unknown = [word.arg for word in call.keywords if word.arg and word.arg not in names]
        if unknown:
            return f"takes no argument `{unknown[0]}`; it takes {taken}"
    most = sum(each.kind == "positional" for each in own)
    starred = any(each.kind == "*" for each in own) or any(isinstance(each, ast.Starred) for each in call.args)
    if not starred and len(call.args) > most:
        return f"takes at most {most} positional arguments, not {len(call.args)}; it takes {taken}"
    return ""
