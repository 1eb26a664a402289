"""Path traversal: folder check can be bypassed, in JavaScript and TypeScript.

## What it finds
A path that only has to begin with the letters of a folder's path: `full.startsWith(root)`, `full.indexOf(root) === 0` or
`full.slice(0, root.length) === root`, where the folder does not end with a separator.

## Why it matters
`/srv/data-secret/key` starts with `/srv/data`, so the check lets the files of every neighbour pass whose name begins alike.

## What is safe
`root + path.sep` as the prefix; `path.relative` that does not begin with `..`.

## Limits
Low by nature: whether anybody reaches the check, and whether there are such neighbours, is not judged. What is a folder and what
a path is told by their names.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, script_file, script_outline
from counterproof.analysis.config.offered import is_packed
from counterproof.analysis.outline.outline import Outline
from counterproof.analysis.outline.traversal import positional, text_of
from counterproof.analysis.outline.words import vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.analysis.syntax.ir import Attribute, Call, Compare, Concat, Const, Expr, Format, Function, Index, Name, Slice
from counterproof.analysis.syntax.walk import walk
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Confidence, Impact, Severity

_FOLDERS = vocabulary("root dir directory folder base basedir rootdir cwd workspace dest destination parent")
_PATHS = vocabulary(
    "path file filepath fullpath filename full resolved absolute target real realpath abspath dest location entry"
)

_RESOLVING = ("resolve", "normalize", "join", "realpathSync")


def _check(project: Project, path: str) -> Iterator[Match]:
    if is_packed(project.text(path)):
        return
    outline = script_outline(project, path)
    for site in outline.of(Call):
        tested, folder = _prefix_test(site.node)
        if tested is not None and folder is not None and _speaks_of(tested, _PATHS) and _speaks_of(folder, _FOLDERS):
            if _is_closed(outline, site.function, folder):
                yield good(site, "folder check", "whole names are compared")
            else:
                yield bad(site, "folder check", "the folder is compared without a separator at its end", Confidence.MEDIUM)
    for site in outline.of(Compare):
        if _cut_off(site.node) and not any(_is_closed(outline, site.function, each) for each in site.node.operands):
            yield bad(site, "folder check", "the folder is compared without a separator at its end", Confidence.MEDIUM)


def _prefix_test(call: Call) -> tuple[Expr | None, Expr | None]:
    """`full.startsWith(root)`; the lowering calls it as Python does."""
    callee = call.callee
    if isinstance(callee, Attribute) and callee.name in ("startsWith", "startswith") and len(call.arguments) == 1:
        return callee.value, positional(call, 0)
    return None, None


def _cut_off(test: Compare) -> bool:
    """`full.slice(0, root.length) === root`."""
    names = {_name(each): each for each in test.operands if isinstance(each, Name | Attribute)}
    for cut in (each for each in test.operands if _is_cut(each)):
        lengths = (each for each in walk(cut) if isinstance(each, Attribute) and each.name == "length")
        if any(_name(each.value) in names for each in lengths):
            return any(set(words(name)) & _FOLDERS for name in names)
    return False


def _is_cut(expr: Expr) -> bool:
    if isinstance(expr, Index):
        return isinstance(expr.key, Slice)
    return isinstance(expr, Call) and isinstance(expr.callee, Attribute) and expr.callee.name in ("slice", "substring", "substr")


def _name(expr: Expr) -> str:
    return expr.id if isinstance(expr, Name) else expr.name if isinstance(expr, Attribute) else ""


def _speaks_of(expr: Expr, meant: frozenset[str]) -> bool:
    if isinstance(expr, Call):
        called = expr.callee.name if isinstance(expr.callee, Attribute) else ""
        return called in _RESOLVING or any(_speaks_of(each.value, meant) for each in expr.arguments[:1])
    return bool(set(words(_name(expr))) & meant)


def _is_closed(outline: Outline, function: Function | None, folder: Expr) -> bool:
    """Whether a separator was put behind the folder, here or where the variable was set."""
    if isinstance(folder, Concat | Format):
        return True
    if not isinstance(folder, Name | Attribute):
        return False
    settings = [each.node.value for each in outline.settings_of(_name(folder)) if each.node.value is not None]
    return any(isinstance(each, Concat | Format) or _ends_with_separator(each) for each in settings)


def _ends_with_separator(value: Expr) -> bool:
    texts = (each for each in walk(value) if isinstance(each, Const))
    return any((text_of(each) or "").endswith(("/", "\\")) for each in texts) or any(
        isinstance(each, Attribute) and each.name == "sep" for each in walk(value)
    )


RULE = CheckRule(
    RuleInfo(
        id="javascript-loose-prefix",
        title="Path traversal: folder check can be bypassed",
        dimension=Dimension.D5,
        kind="path",
        cwe=22,
        severity=Severity.LOW,
        impact=Impact.PARTIAL,
        consequence="Files in sibling folders whose names share the prefix can be reached.",
        remedy="Compare with root + path.sep, or look at whether path.relative begins with two dots.",
    ),
    _check,
    script_file,
    query="checks that a path lies in a folder",
)
