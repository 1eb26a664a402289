"""Value that a program may read as one of its options.

## What it finds
In code that others install: a value that a function was given, as an argument of its own in the list handed to a program whose
options can run commands or write files (`git`, `tar`, `ssh`, `curl` and the like), with no `--` before it and nothing asked about
it.

## Why it matters
No shell is needed: `--upload-pack=…`, `--output=…`, `-oProxyCommand=…` or `--checkpoint-action=…` in the place of a file or a
branch make the program run or overwrite what the sender says.

## What is safe
`--` before the value where the program knows it, a path that begins with `./`, or a check that it does not begin with a dash.

## Limits
Low by nature: who chooses the value is not followed, and which options take a value is known for the usual ones only.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, python_file, script_file
from counterproof.analysis.config.open_sinks import installed_outline
from counterproof.analysis.outline.open_values import OpenValues, is_asked_about
from counterproof.analysis.outline.outline import Outline, Site
from counterproof.analysis.outline.routes import handles_route
from counterproof.analysis.outline.traversal import text_of
from counterproof.analysis.outline.words import vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.analysis.syntax.ir import Attribute, Call, Const, Expr, Name, Sequence
from counterproof.analysis.syntax.walk import walk
from counterproof.model.dimension import Dimension
from counterproof.model.proof import Shape
from counterproof.model.severity import Confidence, Impact, Severity

_RUNNING = vocabulary(
    """run Popen call check_call check_output create_subprocess_exec spawn spawnSync execFile execFileSync execa execaSync sync
    execFileAsync spawnAsync"""
)
_PROGRAMS = vocabulary("git hg svn ssh scp sftp rsync tar zip 7z find curl wget docker kubectl helm psql mysql sendmail")
"""Programs with options that run commands, or read and write files."""
_TAKING = frozenset("CcmbBnotuUfipPFreldxXHAIOQEKTSg")
"""Short options that usually take the next argument as their value."""
_PLAIN = frozenset(
    {"--quiet", "--porcelain", "--no-pager", "--cached", "--force", "--bare", "--oneline", "--recursive", "--verbose"}
)
"""Long options that take none."""
_SET = vocabulary("dir directory folder root cwd count size limit depth timeout port config settings env")


def _check(project: Project, path: str) -> Iterator[Match]:
    outline = installed_outline(project, path)
    for site in outline.of(Call) if outline is not None else ():
        if outline is None or site.function is None or handles_route(site.function) or not _runs(site.node):
            continue
        program, given = _command(site.node)
        if program is None or not _is_meant(program):
            continue
        for value in _positional(given):
            if OpenValues(outline, site, _SET).raw(value):
                yield _judged(outline, site, value)
                break


def _runs(call: Call) -> bool:
    callee = call.callee
    return (callee.name if isinstance(callee, Attribute) else callee.id if isinstance(callee, Name) else "") in _RUNNING


def _command(call: Call) -> tuple[Expr | None, tuple[Expr, ...]]:
    """The program and its arguments: one list, a program and a list, or one argument after the other."""
    given = tuple(each.value for each in call.arguments if not each.keyword and not each.spread)
    if given and isinstance(given[0], Sequence):
        return (given[0].items[0], given[0].items[1:]) if given[0].items else (None, ())
    if len(given) > 1 and isinstance(given[1], Sequence):
        return given[0], given[1].items
    return (given[0], given[1:]) if given else (None, ())


def _is_meant(program: Expr) -> bool:
    name = text_of(program) or (
        program.id if isinstance(program, Name) else program.name if isinstance(program, Attribute) else ""
    )
    return bool(set(words(name.rpartition("/")[2])) & _PROGRAMS)


def _positional(given: tuple[Expr, ...]) -> Iterator[Expr]:
    """Arguments that stand for themselves, up to the sign that no option follows."""
    taken = False
    for each in given:
        text = text_of(each)
        if text == "--":
            return
        if not taken and isinstance(each, Name | Attribute):
            yield each
        taken = text is not None and text.startswith("-") and _takes_value(text)


def _takes_value(option: str) -> bool:
    return option not in _PLAIN and "=" not in option and (option.startswith("--") or option[-1] in _TAKING)


def _judged(outline: Outline, site: Site[Call], value: Expr) -> Match:
    dashes = site.function is not None and any(
        isinstance(each, Const) and each.value == "-" for each in walk(*site.function.body)
    )
    if dashes or is_asked_about(outline, site, value):
        return good(site, "argument", "something is asked about it")
    return bad(site, "argument", "it may begin with a dash", Confidence.MEDIUM)


RULE = CheckRule(
    RuleInfo(
        id="option-text",
        title="Argument injection: value read as an option",
        dimension=Dimension.D1,
        kind="shell",
        cwe=88,
        severity=Severity.LOW,
        shape=Shape.FLOW,
        impact=Impact.PARTIAL,
        consequence="A value that begins with a dash makes the program run commands or write files.",
        remedy="Put -- before the value, or refuse values that begin with a dash.",
    ),
    _check,
    lambda path: python_file(path) or script_file(path),
    query="values handed to programs as arguments of their own",
)
