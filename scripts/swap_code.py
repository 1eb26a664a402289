"""Puts the functions of a changed source file into the modules that are imported already, so that nothing need be imported anew.

Only what stands inside functions can be swapped. Where module or class bodies differ (a constant, a field, a default, a
decorator), the answer is no, and the caller imports the package afresh.
"""

import gc
import inspect
from collections.abc import Iterator
from types import CodeType, FunctionType

Place = tuple[str, str, int]
"""File, qualified name and first line of a function."""


def functions() -> dict[Place, list[FunctionType]]:
    """Every function there is now, wrapped by a decorator or not. To be asked before `gc.freeze`, which hides them."""
    found: dict[Place, list[FunctionType]] = {}
    for each in gc.get_objects():
        if type(each) is FunctionType:
            found.setdefault(_place(each.__code__), []).append(each)
    return found


def swap(known: dict[Place, list[FunctionType]], file: str, old: str, new: str) -> bool:
    """Whether the functions of `file`, imported with the text `old`, now run as `new` says."""
    pairs = _pairs(compile(old, file, "exec"), compile(new, file, "exec")) if file.endswith(".py") else None
    if pairs is None:
        return False
    for before, after in pairs:
        live = known.get(_place(before), [])
        if not live or any(each.__code__.co_freevars != after.co_freevars for each in live):
            return False
        for each in live:
            each.__code__ = after
    return True


def _place(code: CodeType) -> Place:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def _pairs(old: CodeType, new: CodeType) -> list[tuple[CodeType, CodeType]] | None:
    """The outermost functions that differ in more than their lines; None where a body that runs at import differs."""
    if _is_function(old) and _is_function(new):
        return [] if _same(old, new) else [(old, new)]
    if _outside(old) != _outside(new):
        return None
    found: list[tuple[CodeType, CodeType]] = []
    for before, after in zip(_inner(old), _inner(new), strict=True):
        pairs = _pairs(before, after)
        if pairs is None:
            return None
        found += pairs
    return found


def _same(old: CodeType, new: CodeType) -> bool:
    return _outside(old) == _outside(new) and all(_same(*each) for each in zip(_inner(old), _inner(new), strict=True))


def _outside(code: CodeType) -> tuple[object, ...]:
    """All of a code object but its lines and what the code objects within it do."""
    constants = [each.co_qualname if isinstance(each, CodeType) else repr(each) for each in code.co_consts]
    return code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_exceptiontable, *constants


def _inner(code: CodeType) -> Iterator[CodeType]:
    return (each for each in code.co_consts if isinstance(each, CodeType))


def _is_function(code: CodeType) -> bool:
    return bool(code.co_flags & inspect.CO_OPTIMIZED)
