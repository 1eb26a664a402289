"""Calls that a changed signature breaks: reordered parameters, and in JavaScript also too few or too many.

Reported if a call that fitted before now passes a value to another parameter, or omits one without a default. Not reported if the
call names its arguments, spreads a collection, or was changed too. In plain JavaScript, where missing arguments are undefined,
only reordered parameters count. Python calls with a wrong number of arguments have their own check.
"""

from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import FileEdit
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.contracts.users import User, listed, users
from counterproof.analysis.review.edits.parameters import Parameter, parameters_of
from counterproof.analysis.review.edits.parts import Part, walk
from counterproof.analysis.review.edits.units import Unit

_TYPED = (".ts", ".tsx", ".mts", ".cts")


def remarks(file: FileEdit, change: Change) -> Iterator[Remark]:
    """One remark for each function, with every call that no longer fits."""
    for full, unit in file.new.items():
        before = file.old.get(full)
        if before is None or not unit.is_function or not before.is_function or full.count(".") > 1 or "@" in full:
            continue
        method = "." in full
        old, new = (parameters_of(each.part, method) for each in (before, unit) if each.part is not None)
        if old != new:
            yield from _misfits(file, change, full, unit, (old, new))


def _misfits(
    file: FileEdit, change: Change, full: str, unit: Unit, signatures: tuple[tuple[Parameter, ...], tuple[Parameter, ...]]
) -> Iterator[Remark]:
    owner, _, short = full.rpartition(".")
    found: list[tuple[str, int, str]] = []
    for path, call in _calls(file, change, owner, short):
        strict = file.path.endswith(_TYPED) and path.endswith(_TYPED)
        why = misfit(call, *signatures, strict) if _stood_before(change, path, call) else ""
        if why:
            found.append((path, call.line, why))
    if found and unit.part is not None:
        places = [(path, line) for path, line, _ in found]
        yield Remark(
            "caller left behind",
            "invariants",
            f"{listed(places[:1])} calls `{short}` as it was before",
            f"The change gives `{short}` other parameters. At {found[0][0]}:{found[0][1]} {found[0][2]}. "
            f"Every call that no longer fits: {listed(places)}.",
            "Change these calls too, or put the new parameter last and give it a default",
            unit.part.line,
        )


def _stood_before(change: Change, path: str, call: Part) -> bool:
    """Return True if a call is unchanged: a call written by the change is meant for the new parameters."""
    edited = next((each for each in change.files if each.path == path), None)
    if edited is None:
        return path not in change.touched
    return any(each.kind == "call" and each.text == call.text for each in walk(edited.before))


def _calls(file: FileEdit, change: Change, owner: str, short: str) -> Iterator[tuple[str, Part]]:
    if owner:
        own = {f"self . {short}", f"this . {short}"}
        for full, unit in file.new.items():
            if full.startswith(f"{owner}.") and unit.part is not None:
                yield from ((file.path, each) for each in walk(unit.part) if _calls_one_of(each, own))
        return
    for user in users(file, short, change):
        yield from ((user.path, each) for each in _plain_calls(user))


def _plain_calls(user: User) -> Iterator[Part]:
    hidden = user.line == 0 and sum(_defines(each, user.name) for each in walk(user.root)) > 1
    if not hidden:
        yield from (each for each in walk(user.root) if _calls_one_of(each, {user.name}))


def _defines(part: Part, name: str) -> bool:
    named = part.role("name", "left") if part.kind in ("function", "assign", "class") else None
    return named is not None and named.text == name


def _calls_one_of(part: Part, names: set[str]) -> bool:
    callee = part.role("function") if part.kind == "call" else None
    return callee is not None and callee.text in names


def misfit(call: Part, old: tuple[Parameter, ...], new: tuple[Parameter, ...], strict: bool) -> str:
    """Why a call that fitted the old parameters does not fit the new ones; '' if it does, or if unknown."""
    given = call.role("arguments")
    if given is None or any(each.kind == "spread" for each in given.parts):
        return ""
    count = sum(each.kind != "keyword" for each in given.parts)
    if not _fits(count, old, strict):
        return ""
    places = {each.name: index for index, each in enumerate(new) if each.name}
    for index, each in enumerate(old[:count]):
        at = places.get(each.name, index)
        if at != index and each.kind == "plain" and index < len(new):
            return f"argument {index + 1} was meant for `{each.name}` and is now taken for `{new[index].name or 'another one'}`"
    if strict and not _fits(count, new, strict):
        least = sum(each.required for each in new)
        return f"{count} arguments are given to a function that takes {'at least ' if count < least else 'fewer than '}{least}"
    return ""


def _fits(count: int, parameters: tuple[Parameter, ...], strict: bool) -> bool:
    plain = [each for each in parameters if each.kind == "plain"]
    open_ended = any(each.kind == "rest" for each in parameters)
    enough = not strict or count >= sum(each.required for each in plain)
    return enough and (open_ended or count <= len(plain))
