"""Doubts about calls that a plan writes out: arguments that the function, in the code or in the plan itself, does not take.

Always: only Python, and only where the callee is certain: imported from a module of the project, or defined by a block of the
plan. A parameter that the plan speaks of anywhere else is taken to be added; a function that several blocks define accuses
nobody.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.plans.blocks import Code, parsed
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.model.counting import counted

_TRANSPARENT = ("staticmethod", "classmethod", "override", "cache", "lru_cache", "final", "abstractmethod")


@dataclass(frozen=True, slots=True)
class Signature:
    """What a function or a dataclass takes. `most` is None where any number of positional arguments goes."""

    name: str
    place: str
    names: tuple[str, ...]
    required: tuple[str, ...]
    most: int | None
    any_keyword: bool


def wrong_calls(case: Case) -> Iterator[Doubt]:
    """Calls in the plan's code that do not fit what they call."""
    own = _of_the_plan(case)
    seen: set[tuple[str, str]] = set()
    for code in case.new_codes:
        if code.tree is None:
            continue
        near = {name: signature for name, (signature, home) in own.items() if home.path == code.path or not _is_own(name, home)}
        known = {**_imported(case, code), **near}
        for call in code.calls:
            signature = known.get(call.name)
            why = _misfit(call.node, signature, case) if signature and call.node else ""
            if signature and why and (call.name, why) not in seen:
                seen.add((call.name, why))
                yield _wrong(call.name, call.line, why, signature)


def _wrong(name: str, line: int, why: str, signature: Signature) -> Doubt:
    return Doubt(
        Kind.CALL,
        name,
        "",
        f"`{name}`, defined at {signature.place}, {why}",
        f"The call of line {line} raises TypeError",
        f"Call it with {', '.join(signature.names) or 'no arguments'}, or add the step that changes what it takes",
        lines=(line,),
        places=(signature.place,),
    )


def _is_own(name: str, home: Code) -> bool:
    """Whether a definition serves its own file alone: a private name, or a helper of a test."""
    return name.startswith("_") or home.is_test


def _of_the_plan(case: Case) -> dict[str, tuple[Signature, Code]]:
    """Functions and dataclasses that one block of the plan alone defines, with that block."""
    found: dict[str, list[tuple[Signature, Code]]] = {}
    for code in case.codes:
        for signature in _signatures(code.tree, "plan", code.block.first) if code.tree else ():
            found.setdefault(signature.name, []).append((signature, code))
    return {name: each[0] for name, each in found.items() if len(each) == 1}


def _imported(case: Case, code: Code) -> dict[str, Signature]:
    """What the block takes from modules of the project, and no block of the plan defines anew."""
    found: dict[str, Signature] = {}
    for each in code.imports:
        path = case.ground.resolve(f"{each.module.replace('.', '/')}.py") if each.name else ""
        if (
            not path
            or case.ground.count(f"{each.module.replace('.', '/')}.py") != 1
            or any(each.name in one.defined for one in case.codes)
        ):
            continue
        tree = parsed(case.ground.text(path))
        same = [one for one in _signatures(tree, path, 1) if one.name == each.name] if tree else []
        if len(same) == 1:
            found[each.name] = same[0]
    return found


def _signatures(tree: ast.Module, path: str, first: int) -> Iterator[Signature]:
    for node in tree.body:
        place = f"{path}:{first + node.lineno - 1}" if hasattr(node, "lineno") else ""
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _is_plain(node.decorator_list):
            yield _of_function(node, place, node.name, skip=0)
        elif isinstance(node, ast.ClassDef):
            yield from _of_class(node, place)


def _of_class(node: ast.ClassDef, place: str) -> Iterator[Signature]:
    built = next((each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"), None)
    if built and not node.bases and not node.decorator_list:
        yield _of_function(built, place, node.name, skip=1)
    decorated = [each.func if isinstance(each, ast.Call) else each for each in node.decorator_list]
    dataclass_like = any(
        isinstance(each, ast.Name | ast.Attribute) and ast.unparse(each).rpartition(".")[2] == "dataclass" for each in decorated
    )
    if dataclass_like and not node.bases and not built and len(decorated) == 1:
        fields = [
            each
            for each in node.body
            if isinstance(each, ast.AnnAssign)
            and isinstance(each.target, ast.Name)
            and "ClassVar" not in ast.unparse(each.annotation)
        ]
        names = tuple(each.target.id for each in fields if isinstance(each.target, ast.Name))
        required = tuple(each.target.id for each in fields if each.value is None and isinstance(each.target, ast.Name))
        if names and not any("init=False" in ast.unparse(each) or "KW_ONLY" in ast.unparse(each) for each in fields):
            yield Signature(node.name, place, names, required, len(names), False)


def _is_plain(decorators: list[ast.expr]) -> bool:
    return all(ast.unparse(each).partition("(")[0].rpartition(".")[2] in _TRANSPARENT for each in decorators)


def _of_function(node: ast.FunctionDef | ast.AsyncFunctionDef, place: str, name: str, skip: int) -> Signature:
    given = node.args
    positional = [*given.posonlyargs, *given.args][skip:]
    optional = len(given.defaults)
    keyword = [each.arg for each, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value is None]
    required = [each.arg for each in (positional[:-optional] if optional else positional)]
    names = tuple(each.arg for each in (*positional, *given.kwonlyargs))
    return Signature(
        name, place, names, (*required, *keyword), None if given.vararg else len(positional), given.kwarg is not None
    )


def _misfit(call: ast.Call, signature: Signature, case: Case) -> str:
    if any(
        isinstance(each, ast.Constant) and each.value is Ellipsis
        for each in (*call.args, *(word.value for word in call.keywords))
    ):
        return ""  # left open by the plan
    given = [word.arg for word in call.keywords if word.arg]
    spread = len(given) < len(call.keywords) or any(isinstance(each, ast.Starred) for each in call.args)
    taken = ", ".join(signature.names) or "none"
    unknown = [word for word in given if word not in signature.names and not _is_spoken_of(case, word)]
    if unknown and not signature.any_keyword:
        return f"takes no argument `{unknown[0]}`; it takes {taken}"
    if signature.most is not None and not spread and len(call.args) > signature.most and not _is_reworked(case, signature):
        return f"takes at most {counted(signature.most, 'positional argument')}, not {len(call.args)}; it takes {taken}"
    left = [each for each in signature.required if each not in given and each not in signature.names[: len(call.args)]]
    if left and not spread and len(call.args) + len(given) > 1 and not _is_reworked(case, signature):
        return f"also needs `{left[0]}`; it takes {taken}"
    return ""


def _is_spoken_of(case: Case, parameter: str) -> bool:
    """Whether the plan names a parameter elsewhere than in calls: in prose, as a field, in the head of a function."""
    if parameter in case.prose_words:
        return True
    head = re.compile(
        rf"(?m)^[ \t+]*{re.escape(parameter)}[ \t]*:|\bdef[^\n]{{0,300}}[(, ]{re.escape(parameter)}\b"
        rf"|^[ \t+]*{re.escape(parameter)}(?:[ \t]*=[^=\n]{{0,80}})?,[ \t]*$"
    )
    return any(
        head.search(code.text) and not re.search(rf"\({re.escape(parameter)}=|, {re.escape(parameter)}=", code.text)
        for code in case.codes
    )


def _is_reworked(case: Case, signature: Signature) -> bool:
    """Whether the plan changes the function: then its head in the code is not what the call meets."""
    word = re.compile(rf"(?<!\w){re.escape(signature.name)}(?!\w)")
    prose = any(
        word.search(line)
        and re.search(r"\b(?:signature|param\w{0,8}|argument|add|extend|change|accept|take)s?\b", line, re.IGNORECASE)
        for line in case.lines
    )
    return prose and not signature.place.startswith("plan:")
