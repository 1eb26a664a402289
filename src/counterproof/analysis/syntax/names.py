"""What a written name stands for: `from flask import request as r; r.args.get` is `flask.request.args.get`.

Always holds: the answer comes from the file's imports and definitions alone, never from guessing. Does not belong here:
local variables that hide an import; the flow engine follows those.
"""

from functools import lru_cache

from counterproof.analysis.syntax import ir


def dotted(expr: ir.Expr, module: ir.Module) -> str | None:
    """The dotted name of an expression made of names and attributes, imports resolved; None for anything else.

    A function or class of the file itself gets the module's name in front. Other names stand for themselves, so that
    builtins come out as written (`eval`) and variables too (`app.run`).
    """
    names: list[str] = []
    current = expr
    while isinstance(current, ir.Attribute):
        names.append(current.name)
        current = current.value
    if not isinstance(current, ir.Name):
        return None
    names.append(resolved_name(current.id, module))
    return ".".join(reversed(names))


def resolved_name(name: str, module: ir.Module) -> str:
    """One name as the file's imports and definitions resolve it."""
    if name in module.imports:
        return module.imports[name]
    return f"{module.name}.{name}" if name in _own_names(module) else name


@lru_cache(maxsize=16)
def _own_names(module: ir.Module) -> frozenset[str]:
    """What the file defines; files are looked at one after the other, so the last few are enough."""
    return frozenset(each.qualified for each in (*module.functions, *module.classes))
