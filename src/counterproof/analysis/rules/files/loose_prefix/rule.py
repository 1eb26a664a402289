"""Path traversal: folder check can be bypassed.

## What it finds
A resolved path that is compared with a folder by `startswith` without the separator at the end, and `os.path.commonprefix`, which
compares letters and not folders. And an address that only has to begin with a certain part (`/static/`) before it is made a path
of a file, where the function neither resolves it nor looks for `..`. With Low, a path that was joined to a folder and is then
asked whether it begins with that folder, which it always does, however many `..` follow. In JavaScript, `full.startsWith(root)`
and `full.slice(0, root.length) === root`, where the folder does not end with a separator, and an address whose beginning is
compared and cut off before the rest is put behind a folder.

## Why it matters
`/srv/data-secret/key` starts with `/srv/data`, so the check lets the files of every neighbour pass whose name begins alike.
`/static/../../settings.py` starts with `/static/`.

## What is safe
`os.path.commonpath`, `Path.is_relative_to`, `path.relative` that does not begin with `..`, a prefix that ends with the separator,
and looking at the path after it is resolved.

## Limits
A folder that the module neither sets nor is given, such as one from the settings, may end with a separator and is not judged. In
JavaScript it is Low by nature: what is a folder and what a path is told by their names.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened, python_file, script_file, script_outline
from counterproof.analysis.config.offered import is_packed
from counterproof.analysis.libraries import names
from counterproof.analysis.program.interpolation import interpolated
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import calls_in, positional, text_of
from counterproof.analysis.program.words import names_in, vocabulary, words, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match
from counterproof.analysis.syntax.ir import (
    Assign,
    Attribute,
    Augment,
    Binary,
    Call,
    Compare,
    Concat,
    Conditional,
    Const,
    Expr,
    Format,
    Function,
    Index,
    Name,
    Return,
    Slice,
)
from counterproof.analysis.syntax.walk import last_name, walk
from counterproof.model.proof import Shape
from counterproof.model.severity import Confidence, Severity

_RESOLVING = names("code", "path-normalisation")
_OF_CODE = vocabulary("project stdlib library package module frame func function")
"""What functions are about that tell whose code something is; nobody is kept out by the answer."""
_ADDRESS = re.compile(r"/[\w\x00][\w\x00./-]{1,80}$")
"""`/static/`, `/files`, also with a part that is put in."""
_ADDRESSES = vocabulary("url href route")
_PATH_MAKER = re.compile(r"(?:get_)?\w{0,20}(?:file|site|media|static|data)_path")
_CAREFUL = vocabulary(
    """normpath realpath abspath resolve resolved basename secure safe commonpath relative relpath canonical sanitize sanitise
    sanitized clean cleaned cleanup valid validate traversal listdir walk glob normalize inside within"""
)
_NORMALISING = vocabulary("normpath realpath resolve resolved basename secure")
_FOLDERS = vocabulary("root dir directory folder base basedir rootdir home location prefix parent dest destination target path")


def _check(project: Project, path: str) -> Iterator[Match]:
    _, outline = opened(project, path)
    yield from _unresolved(outline)
    deciding = _deciding(outline)
    described = _described(outline)
    for site in outline.of(Call):
        callee = site.node.callee
        if id(site.node) in deciding:
            yield bad(site, "folder check", "commonprefix compares letters, not folders")
        elif isinstance(callee, Attribute) and callee.name == "startswith" and len(site.node.arguments) == 1:
            folder = positional(site.node, 0)
            asked = folder is not None and bool(words_in(folder) & _FOLDERS) and _resolved(outline, site, callee.value)
            if folder is not None and _begins_anyway(outline, site, callee.value, folder):
                verdict = "the path was joined to this folder, so that it begins with it in any case"
                yield bad(site, "folder check", verdict, Confidence.HIGH, severity=Severity.LOW)
            elif folder is not None and asked and id(site.node) not in described:
                loose = not _ends_with_separator(outline, site, folder)
                verdict = "the folder is compared without a separator at its end"
                yield (
                    bad(site, "folder check", verdict, Confidence.MEDIUM)
                    if loose
                    else good(site, "folder check", "whole names are compared")
                )


def _begins_anyway(outline: Outline, site: Site[Call], path: Expr, folder: Expr) -> bool:
    """`path = os.path.join(folder, name)`, asked whether it begins with the folder: a join leaves `..` in it."""
    assigned = outline.local(site.function, path.id) if isinstance(path, Name) else None
    made = assigned.value if assigned is not None else None
    joined = isinstance(made, Call) and outline.dotted(made.callee).endswith("path.join") and len(made.arguments) > 1
    first = made.arguments[0].value if isinstance(made, Call) and made.arguments else None
    own = joined and outline.dotted(first) == outline.dotted(folder) != ""
    return own and site.function is not None and not words_in(*site.function.body) & _NORMALISING


def _unresolved(outline: Outline) -> Iterator[Match]:
    """`if address.startswith("/static/"): return os.path.join(folder, address[8:])`."""
    tested = _tested(outline)
    careful: dict[str, bool] = {}
    for site, parts in _paths(outline) if tested else ():
        names = tested.get(site.scope, frozenset())
        if site.function is None or not any(isinstance(each, Name) and each.id in names for each in walk(*parts)):
            continue
        if site.scope not in careful:
            careful[site.scope] = _is_careful(site.function)
        if not careful[site.scope]:
            yield bad(site, "folder check", "only the beginning of the address was looked at, and .. was not", Confidence.MEDIUM)


def _paths(outline: Outline) -> Iterator[tuple[Site[Call] | Site[Binary], tuple[Expr, ...]]]:
    """Where a path of a file is put together, and what of: `os.path.join(…)`, `folder / address[8:]`."""
    for site in outline.of(Call):
        if _makes_path(outline, site.node):
            yield site, tuple(each.value for each in site.node.arguments)
    for joined in outline.of(Binary):
        if joined.node.operator == "/":
            yield joined, tuple(each for each in joined.node.operands[1:] if isinstance(each, Index))


def _tested(outline: Outline) -> dict[str, frozenset[str]]:
    """By function, the variables of which it asks whether they begin with a certain address."""
    found: dict[str, set[str]] = {}
    for site in outline.of(Call):
        callee = site.node.callee
        if isinstance(callee, Attribute) and callee.name == "startswith" and isinstance(callee.value, Name):
            given = positional(site.node, 0)
            built = interpolated(given) if given is not None else None
            text = built.text if built is not None else text_of(given) or ""
            if _ADDRESS.match(text) or (isinstance(given, Attribute | Name) and words_in(given) & _ADDRESSES):
                found.setdefault(site.scope, set()).add(callee.value.id)
    return {scope: frozenset(names) for scope, names in found.items()}


def _makes_path(outline: Outline, call: Call) -> bool:
    """Calls that put a path of a file together, or take one."""
    dotted = outline.dotted(call.callee)
    name = call.callee.name if isinstance(call.callee, Attribute) else ""
    return dotted in ("os.path.join", "posixpath.join", "open", "io.open") or bool(_PATH_MAKER.fullmatch(name))


def _is_careful(function: Function, careful: frozenset[str] = _CAREFUL) -> bool:
    spoken = words_in(*function.body)
    dots = any(isinstance(each, Const) and isinstance(each.value, str) and ".." in each.value for each in walk(*function.body))
    return dots or bool(spoken & careful)


def _deciding(outline: Outline) -> set[int]:
    """Calls of commonprefix whose result is compared, on the spot or through a variable of the function."""
    calls = {id(each.node) for each in outline.of(Call) if outline.dotted(each.node.callee).endswith("path.commonprefix")}
    if not calls:
        return set()
    inside = [(each.scope, node) for each in outline.of(Compare) for node in walk(each.node)]
    compared = {(scope, node.id) for scope, node in inside if isinstance(node, Name)}
    kept = {
        id(each.node.value)
        for each in outline.of(Assign)
        for target in each.node.targets
        if isinstance(target, Name) and (each.scope, target.id) in compared
    }
    return calls & (kept | {id(node) for _, node in inside})


def _described(outline: Outline) -> set[int]:
    """Tests that a function only answers with, and that are about code: `is_project_func(frame)`."""
    telling = [
        site.node.value
        for site in outline.of(Return)
        if site.function is not None and site.node.value is not None and set(words(site.function.name)) & _OF_CODE
    ]
    return {id(node) for node in walk(*telling) if isinstance(node, Call)}


def _resolved(outline: Outline, site: Site[Call], path: Expr) -> bool:
    """`os.path.abspath(x)`, such a value in a variable, and either with a separator after it."""
    for each in walk(path):
        if isinstance(each, Call) and _resolves(outline, each):
            return True
        if isinstance(each, Name):
            assigned = outline.local(site.function, each.id)
            if assigned is not None and any(_resolves(outline, call) for call in calls_in(assigned)):
                return True
    return False


def _resolves(outline: Outline, call: Call) -> bool:
    return outline.dotted(call.callee) in _RESOLVING or (
        isinstance(call.callee, Attribute) and call.callee.name == "resolve" and not call.arguments
    )


def _ends_with_separator(outline: Outline, site: Site[Call], folder: Expr) -> bool:
    if isinstance(folder, Concat | Format):
        return True
    if isinstance(folder, Call) and not _resolves(outline, folder):
        return (
            isinstance(folder.callee, Attribute) and folder.callee.name in ("join", "rstrip", "add_slash")
        ) or not folder.arguments
    if not isinstance(folder, Name | Attribute):
        return isinstance(folder, Const) is False
    name = folder.id if isinstance(folder, Name) else folder.name
    values = [each for each in outline.settings_of(name) if each.node.value is not None]
    if not values and not _given(site, folder):
        return True  # set elsewhere, where somebody may well have put the separator
    return any(
        isinstance(each.node, Augment) or isinstance(each.node.value, Concat | Format) or _closed(each.node.value)
        for each in values
        if each.node.value is not None
    )


def _given(site: Site[Call], folder: Expr) -> bool:
    """A parameter of the function, which takes whatever its callers call a folder."""
    return (
        isinstance(folder, Name)
        and site.function is not None
        and any(each.name == folder.id for each in site.function.parameters)
    )


def _closed(value: Expr) -> bool:
    """`os.path.join(x, "")` and texts that end with a separator."""
    texts = [each.value for each in walk(value) if isinstance(each, Const) and isinstance(each.value, str)]
    return any(text == "" or text.endswith(("/", "\\")) for text in texts)


RULE = CheckRule(
    title="Path traversal: prefix check can be bypassed",
    kind="path",
    cwe=22,
    severity=Severity.MEDIUM,
    shape=Shape.FLOW,
    consequence="Files outside the intended folder can be reached, at least in siblings whose names share the prefix.",
    remedy="Resolve the path, then compare it with os.path.commonpath or Path.is_relative_to.",
    check=_check,
    applies=python_file,
    query="checks that a path lies in a folder",
)

_SCRIPT_FOLDERS = vocabulary("root dir directory folder base basedir rootdir cwd workspace dest destination parent")
_PATHS = vocabulary(
    "path file filepath fullpath filename full resolved absolute target real realpath abspath dest location entry"
)

_JOINS = ("path.join", "path.resolve", "path.posix.join", "path.default.join", "path.default.resolve")
_SCRIPT_RESOLVING = ("resolve", "normalize", "join", "realpathSync")


def _check_script(project: Project, path: str) -> Iterator[Match]:
    if is_packed(project.text(path)):
        return
    outline = script_outline(project, path)
    yield from _cut_and_joined(outline)
    for site in outline.of(Call):
        tested, folder = _prefix_test(site.node)
        if tested is not None and folder is not None and _speaks_of(tested, _PATHS) and _speaks_of(folder, _SCRIPT_FOLDERS):
            if _is_closed(outline, site.function, folder):
                yield good(site, "folder check", "whole names are compared")
            else:
                yield bad(site, "folder check", "the folder is compared without a separator at its end", Confidence.MEDIUM)
    for site in outline.of(Compare):
        if _cut_off(site.node) and not any(_is_closed(outline, site.function, each) for each in site.node.operands):
            yield bad(site, "folder check", "the folder is compared without a separator at its end", Confidence.MEDIUM)


def _cut_and_joined(outline: Outline) -> Iterator[Match]:
    """`if (uri.startsWith(prefix)) return join(folder, uri.slice(prefix.length))`: `..` may follow the prefix."""
    for function in outline.functions.values():
        tests = (_prefix_test(each)[0] for each in calls_in(*function.body))
        tested = {spelled for each in tests if each is not None and (spelled := _spelled_out(each))}
        if not tested or _is_careful(function, _CAREFUL - {"resolve"}):
            continue
        rests = {
            last_name(target)
            for each in walk(*function.body)
            if isinstance(each, Assign) and each.value is not None and _rest_of(each.value, tested)
            for target in each.targets
        }
        for call in calls_in(*function.body):
            made = outline.dotted(call.callee).removeprefix("node:") in _JOINS and call.arguments[1:]
            if made and any(_rest_of(each.value, tested) or rests & set(names_in(each.value)) for each in made):
                verdict = "only the beginning of the address was looked at, and .. was not"
                yield bad(Site(call, function, None, ()), "folder check", verdict, Confidence.MEDIUM)
                break


def _rest_of(value: Expr, tested: set[str]) -> bool:
    cut = (each.callee.value for each in calls_in(value) if _is_cut(each) and isinstance(each.callee, Attribute))
    return any(_spelled_out(each) in tested for each in cut)


def _spelled_out(expr: Expr) -> str:
    """`address.pathname` as one name."""
    return ".".join(names_in(expr)) if isinstance(expr, Name | Attribute) else ""


def _prefix_test(call: Call) -> tuple[Expr | None, Expr | None]:
    """`full.startsWith(root)`; the lowering calls it as Python does."""
    callee = call.callee
    if isinstance(callee, Attribute) and callee.name in ("startsWith", "startswith") and len(call.arguments) == 1:
        return callee.value, positional(call, 0)
    return None, None


def _cut_off(test: Compare) -> bool:
    """`full.slice(0, root.length) === root`."""
    names = {last_name(each): each for each in test.operands if isinstance(each, Name | Attribute)}
    for cut in (each for each in test.operands if _is_cut(each)):
        lengths = (each for each in walk(cut) if isinstance(each, Attribute) and each.name == "length")
        if any(last_name(each.value) in names for each in lengths):
            return any(set(words(name)) & _SCRIPT_FOLDERS for name in names)
    return False


def _is_cut(expr: Expr) -> bool:
    if isinstance(expr, Index):
        return isinstance(expr.key, Slice)
    return isinstance(expr, Call) and isinstance(expr.callee, Attribute) and expr.callee.name in ("slice", "substring", "substr")


def _speaks_of(expr: Expr, meant: frozenset[str]) -> bool:
    if isinstance(expr, Call):
        called = expr.callee.name if isinstance(expr.callee, Attribute) else ""
        return called in _SCRIPT_RESOLVING or any(_speaks_of(each.value, meant) for each in expr.arguments[:1])
    return bool(set(words(last_name(expr))) & meant)


def _is_closed(outline: Outline, function: Function | None, folder: Expr) -> bool:
    """Whether a separator was put behind the folder, here or where the variable was set."""
    if isinstance(folder, Concat | Format):
        return True
    if not isinstance(folder, Name | Attribute):
        return False
    values = [each.node.value for each in outline.settings_of(last_name(folder)) if each.node.value is not None]
    settings = [part for each in values for part in ((each.then, each.other) if isinstance(each, Conditional) else (each,))]
    return any(isinstance(each, Concat | Format) or _ends_closed(each) for each in settings)


def _ends_closed(value: Expr) -> bool:
    texts = (each for each in walk(value) if isinstance(each, Const))
    return any((text_of(each) or "").endswith(("/", "\\")) for each in texts) or any(
        isinstance(each, Attribute) and each.name == "sep" for each in walk(value)
    )


SCRIPTS = RULE.in_scripts(
    CheckRule,
    title="Path traversal: folder check can be bypassed",
    severity=Severity.LOW,
    shape=Shape.STORED_VALUE,
    consequence="Files in sibling folders whose names share the prefix can be reached.",
    remedy="Compare with root + path.sep, or look at whether path.relative begins with two dots.",
    check=_check_script,
    applies=script_file,
    query=RULE.query,
)
