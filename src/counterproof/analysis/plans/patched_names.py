"""Doubts about what a plan's tests replace: `patch("shop.cart.total")` where the module neither defines nor imports the name.

Always: only modules of the project whose text was read whole and has no trace of the name. A name that
any block holds outside of tests, or that the prose names, may come to stand there.
"""

import ast
from collections.abc import Iterator

from counterproof.analysis.plans.blocks import Called
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.code_uses import lacks
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence

_PATCHES = ("patch", "setattr")


def unpatchable_names(case: Case) -> Iterator[Doubt]:
    """Names that a test replaces in a module which does not have them: the test fails before it has tried anything."""
    seen: set[str] = set()
    for code in case.new_codes:
        for call in code.calls if code.tree is not None else ():
            target = _target(call)
            path, name = _split(case, target)
            if not path or target in seen or name in case.prose_words or _is_brought(case, name):
                continue
            seen.add(target)
            if lacks(case, path, name):
                yield _doubt(target, name, path, call.line)


def _target(call: Called) -> str:
    """The dotted name that `patch` or `monkeypatch.setattr` replaces; '' for any other call, or where the name may be made."""
    node, last = call.node, call.name.rpartition(".")[2]
    first = node.args[0] if node and node.args else None
    made = node is not None and any(word.arg in ("create", "raising") for word in node.keywords)
    text = first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""
    return text if last in _PATCHES and not made and "." in text and text.replace(".", "").isidentifier() else ""


def _split(case: Case, target: str) -> tuple[str, str]:
    """(the file of the longest part that is a module, the name after it)."""
    parts = target.split(".")
    for count in range(len(parts) - 1, 0, -1):
        base = "/".join(parts[:count])
        for path in (f"{base}.py", f"{base}/__init__.py"):
            if case.makes_file(path) or case.ground.exists(f"{base}/{parts[count]}.py"):
                return "", ""
            if case.ground.count(path) == 1:
                return case.ground.resolve(path), parts[count]
    return "", ""


def _is_brought(case: Case, name: str) -> bool:
    """Whether code of the plan that is no test holds the name: it may be for the module."""
    return any(not code.is_test and name in code.text for code in case.codes)


def _doubt(target: str, name: str, path: str, line: int) -> Doubt:
    return Doubt(
        Kind.MEMBER,
        target,
        "",
        f"`{path}` neither defines nor imports `{name}`, and no code of the plan brings it there",
        f"Line {line} raises AttributeError before the test has tried anything",
        f"Replace what `{path}` has, or add the step that brings `{name}`",
        lines=(line,),
        places=(f"{path}:1",),
        evidence=Evidence.UNBOUND,
    )
