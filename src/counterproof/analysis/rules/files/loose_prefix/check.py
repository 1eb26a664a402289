"""The check of `loose-prefix`."""

import re
from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened, script_file, script_outline
from counterproof.analysis.config.offered import is_packed
from counterproof.analysis.libraries import names
from counterproof.analysis.program.interpolation import interpolated
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import called, calls_in, positional, text_of
from counterproof.analysis.program.words import names_in, vocabulary, words, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import Match
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name, walk
from counterproof.model.severity import Confidence, Severity

_RESOLVING = {*names("code", "path-normalisation", None), "path.default.join", "path.default.resolve"}
_OF_CODE = vocabulary("project stdlib library package module frame func function")
"""Name words of functions that classify code by its location; their result protects nothing."""
_ADDRESS = re.compile(r"/[\w\x00][\w\x00./-]{1,80}$")
"""`/static/`, `/files`, also with an interpolated part."""
_ADDRESSES = vocabulary("url href route")
_PATH_MAKER = re.compile(r"(?:get_)?\w{0,20}(?:file|site|media|static|data)_path")
_NORMALISING = vocabulary("normpath realpath resolved basename secure")
_CAREFUL = _NORMALISING | vocabulary(
    """abspath safe commonpath relative relpath canonical sanitize sanitise sanitized clean cleaned cleanup valid validate
    traversal listdir walk glob normalize inside within"""
)
_FOLDERS = vocabulary("root dir directory folder base basedir rootdir home location prefix parent dest destination target path")
_SCRIPT_FOLDERS = vocabulary("root dir directory folder base basedir rootdir cwd workspace dest destination parent")
_PATHS = vocabulary(
    "path file filepath fullpath filename full resolved absolute target real realpath abspath dest location entry"
)
_LOOSE = "the folder is compared without a separator at its end"
_UNRESOLVED = "only the beginning of the address was looked at, and .. was not"


def check(project: Project, path: str) -> Iterator[Match]:
    _, outline = opened(project, path)
    yield from _unresolved(outline)
    deciding, described = _deciding(outline), _described(outline)
    for site in outline.of(ir.Call):
        if id(site.node) in deciding:
            yield bad(site, "folder check", "commonprefix compares characters, not path components")
        tested, folder = _prefix_test(site.node)
        if tested is None or folder is None or id(site.node) in described:
            continue
        if _begins_anyway(outline, site, tested, folder):
            verdict = "the path was joined to this folder, so that it begins with it in any case"
            yield bad(site, "folder check", verdict, severity=Severity.LOW)
        elif words_in(folder) & _FOLDERS and _is_resolved(outline, site, tested):
            yield _judged(site, not _ends_with_separator(outline, site, folder))


def check_script(project: Project, path: str) -> Iterator[Match]:
    if is_packed(project.text(path)):
        return
    outline = script_outline(project, path)
    yield from _unresolved(outline)
    for site in outline.of(ir.Call):
        tested, folder = _prefix_test(site.node)
        if tested is not None and folder is not None and _speaks_of(tested, _PATHS) and _speaks_of(folder, _SCRIPT_FOLDERS):
            yield _judged(site, not _ends_with_separator(outline, site, folder))
    for compared in outline.of(ir.Compare):
        if _cut_off(compared.node) and not any(_is_closed(outline, each) for each in compared.node.operands):
            yield _judged(compared, True)


def _judged(site: Site[ir.Call] | Site[ir.Compare], loose: bool) -> Match:
    if loose:
        return bad(site, "folder check", _LOOSE, Confidence.MEDIUM)
    return good(site, "folder check", "whole names are compared")


def _prefix_test(call: ir.Call) -> tuple[ir.Expr | None, ir.Expr | None]:
    """`full.startswith(root)`: the path and the folder."""
    asks = called(call) in ("startsWith", "startswith") and isinstance(call.callee, ir.Attribute) and len(call.arguments) == 1
    return (call.callee.value, positional(call, 0)) if asks and isinstance(call.callee, ir.Attribute) else (None, None)


def _begins_anyway(outline: Outline, site: Site[ir.Call], path: ir.Expr, folder: ir.Expr) -> bool:
    """`path = os.path.join(folder, name)` tested for starting with the folder: always true, because a join keeps `..`."""
    made = outline.behind(site.function, path)
    joined = isinstance(path, ir.Name) and isinstance(made, ir.Call) and outline.dotted(made.callee).endswith("path.join")
    given = made.arguments if isinstance(made, ir.Call) and joined else ()
    own = len(given) > 1 and outline.dotted(given[0].value) == outline.dotted(folder) != ""
    return own and site.function is not None and not words_in(*site.function.body) & (_NORMALISING | {"resolve"})


def _unresolved(outline: Outline) -> Iterator[Match]:
    """`if address.startswith("/static/"): return os.path.join(folder, address[8:])`: `..` may follow. One match per function."""
    asks = outline.calls_of("startswith") or outline.calls_of("startsWith")
    for function in outline.functions.values() if asks else ():
        tested = {name for each in calls_in(*function.body) if (name := _tested(each, outline))}
        if not tested or _is_careful(function, outline):
            continue
        rests = {
            last_name(target)
            for each in walk(*function.body)
            if isinstance(each, ir.Assign) and each.value is not None and tested & _cut_in(each.value)
            for target in each.targets
        }
        for node in walk(*function.body):
            parts = _behind_folder(outline, node)
            if any(tested & _spelled_in(part) or rests & set(names_in(part)) for part in parts):
                yield bad(Site(node, function, None), "folder check", _UNRESOLVED, Confidence.MEDIUM)
                break


def _tested(call: ir.Call, outline: Outline) -> str:
    """The URL whose prefix a call tests: in Python compared with a literal or a setting."""
    tested, given = _prefix_test(call)
    if tested is None or given is None:
        return ""
    built = interpolated(given)
    text = built.text if built is not None else text_of(given) or ""
    says = _ADDRESS.match(text) or (isinstance(given, ir.Attribute | ir.Name) and words_in(given) & _ADDRESSES)
    return _spelled_out(tested) if says or script_file(outline.path) else ""


def _behind_folder(outline: Outline, node: ir.Node) -> tuple[ir.Expr, ...]:
    """The parts appended to a folder to build a file path: `os.path.join(…)`, `folder / address[8:]`."""
    if isinstance(node, ir.Binary) and node.operator == "/":
        return tuple(each for each in node.operands[1:] if isinstance(each, ir.Index))
    if not isinstance(node, ir.Call):
        return ()
    dotted = outline.dotted(node.callee).removeprefix("node:")
    given = tuple(each.value for each in node.arguments)
    if script_file(outline.path):
        return tuple(each for each in given[1:] if dotted in _RESOLVING)
    return given if dotted in ("os.path.join", "posixpath.join", "open", "io.open") or _PATH_MAKER.fullmatch(called(node)) else ()


def _is_careful(function: ir.Function, outline: Outline) -> bool:
    dots = any(".." in text for each in walk(*function.body) if (text := text_of(each)))
    careful = _CAREFUL if script_file(outline.path) else _CAREFUL | {"resolve"}
    return dots or bool(words_in(*function.body) & careful)


def _cut_in(value: ir.Expr) -> set[str]:
    """`address.slice(4)`, `address[4:]`: the URLs of which a value contains a part."""
    cuts = (each for each in walk(value) if isinstance(each, ir.Call | ir.Index) and _is_cut(each))
    return {_spelled_out(each.value if isinstance(each, ir.Index) else _receiver(each)) for each in cuts} - {""}


def _receiver(call: ir.Call) -> ir.Expr:
    return call.callee.value if isinstance(call.callee, ir.Attribute) else call.callee


def _spelled_in(value: ir.Expr) -> set[str]:
    return {_spelled_out(each) for each in walk(value) if isinstance(each, ir.Name | ir.Attribute)}


def _spelled_out(expr: ir.Expr) -> str:
    """`address.pathname` as a dotted name."""
    return ".".join(names_in(expr)) if isinstance(expr, ir.Name | ir.Attribute) else ""


def _deciding(outline: Outline) -> set[int]:
    """Calls of commonprefix whose result is compared, inline or through a variable of the function."""
    calls = [each for each in outline.calls_of("commonprefix") if outline.dotted(each.node.callee).endswith("path.commonprefix")]
    inside = [(each.scope, node) for each in outline.of(ir.Compare) for node in walk(each.node)] if calls else []
    compared = {(scope, node.id) for scope, node in inside if isinstance(node, ir.Name)}
    kept = {
        id(each.node.value)
        for each in (outline.of(ir.Assign) if calls else ())
        for target in each.node.targets
        if isinstance(target, ir.Name) and (each.scope, target.id) in compared
    }
    return {id(each.node) for each in calls} & (kept | {id(node) for _, node in inside})


def _described(outline: Outline) -> set[int]:
    """Tests that a function only returns, and that are about code: `is_project_func(frame)`."""
    telling = (site for site in outline.of(ir.Return) if site.function is not None and set(words(site.function.name)) & _OF_CODE)
    return {id(node) for site in telling if site.node.value is not None for node in calls_in(site.node.value)}


def _is_resolved(outline: Outline, site: Site[ir.Call], path: ir.Expr) -> bool:
    """`os.path.abspath(x)`, a variable with such a value, and either followed by a separator."""
    made = (outline.local(site.function, each.id) for each in walk(path) if isinstance(each, ir.Name))
    return any(_resolves(outline, each) for each in calls_in(path, *(each for each in made if each is not None)))


def _resolves(outline: Outline, call: ir.Call) -> bool:
    return outline.dotted(call.callee) in _RESOLVING or (called(call) == "resolve" and not call.arguments)


def _ends_with_separator(outline: Outline, site: Site[ir.Call], folder: ir.Expr) -> bool:
    if isinstance(folder, ir.Name | ir.Attribute):
        given = site.function is not None and any(each.name == last_name(folder) for each in site.function.parameters)
        known = given or script_file(outline.path) or outline.settings_of(last_name(folder))
        return _is_closed(outline, folder) or not known  # set elsewhere, possibly with a separator
    if isinstance(folder, ir.Call) and not _resolves(outline, folder):
        return script_file(outline.path) is False and (called(folder) in ("join", "rstrip", "add_slash") or not folder.arguments)
    return isinstance(folder, ir.Concat | ir.Format) or (
        not isinstance(folder, ir.Const | ir.Call) and not script_file(outline.path)
    )


def _is_closed(outline: Outline, folder: ir.Expr) -> bool:
    """Return True if a separator was appended to the folder, here or where the variable was assigned."""
    if isinstance(folder, ir.Concat | ir.Format):
        return True
    if not isinstance(folder, ir.Name | ir.Attribute):
        return False
    settings = [each.node for each in outline.settings_of(last_name(folder))]
    values = [each.value for each in settings if each.value is not None]
    parts = [part for each in values for part in ((each.then, each.other) if isinstance(each, ir.Conditional) else (each,))]
    added = any(isinstance(each, ir.Augment) for each in settings)
    return added or any(isinstance(each, ir.Concat | ir.Format) or _ends_closed(each) for each in parts)


def _ends_closed(value: ir.Expr) -> bool:
    """`os.path.join(x, "")`, strings that end with a separator, and `path.sep`."""
    texts = [text for each in walk(value) if (text := text_of(each)) is not None]
    return any(not text or text.endswith(("/", "\\")) for text in texts) or any(
        isinstance(each, ir.Attribute) and each.name == "sep" for each in walk(value)
    )


def _cut_off(test: ir.Compare) -> bool:
    """`full.slice(0, root.length) === root`."""
    names = {last_name(each): each for each in test.operands if isinstance(each, ir.Name | ir.Attribute)}
    for cut in (each for each in test.operands if _is_cut(each)):
        lengths = (each for each in walk(cut) if isinstance(each, ir.Attribute) and each.name == "length")
        if any(last_name(each.value) in names for each in lengths):
            return any(set(words(name)) & _SCRIPT_FOLDERS for name in names)
    return False


def _is_cut(expr: ir.Expr) -> bool:
    if isinstance(expr, ir.Index):
        return isinstance(expr.key, ir.Slice)
    return isinstance(expr, ir.Call) and called(expr) in ("slice", "substring", "substr")


def _speaks_of(expr: ir.Expr, meant: frozenset[str]) -> bool:
    if isinstance(expr, ir.Call):
        resolving = called(expr) in ("resolve", "normalize", "join", "realpathSync") and isinstance(expr.callee, ir.Attribute)
        return resolving or any(_speaks_of(each.value, meant) for each in expr.arguments[:1])
    return bool(set(words(last_name(expr))) & meant)
