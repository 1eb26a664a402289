"""The check of `path-text`."""

from collections.abc import Iterator
from typing import NamedTuple

from counterproof.analysis.config.checks import bad, good, script_file
from counterproof.analysis.config.open_sinks import open_sinks, own_outline
from counterproof.analysis.program.interpolation import HOLE, interpolated
from counterproof.analysis.program.open_values import OpenValues, questions_about
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.raw_values import PLAIN
from counterproof.analysis.program.traversal import called, calls_in, text_of
from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import Match
from counterproof.analysis.syntax.ir import Attribute, Await, Binary, Call, Compare, Expr, Name
from counterproof.analysis.syntax.walk import last_name
from counterproof.model.severity import Confidence
from counterproof.model.survey import Language

MAX_HOPS = 3
"""Variables followed between the path and the place where it is built."""
_JOINING = ("join", "joinpath", "resolve")
_SAME = vocabulary("""abspath realpath normpath normalize expanduser Path PurePath str resolve absolute fspath""")
"""Calls that return the same path."""
_RESOLVING = _SAME - vocabulary("expanduser Path PurePath str fspath") | vocabulary("join relative relpath realpathSync")
"""Calls that remove `..` from a path; in Python a join keeps it."""
_OWN = PLAIN | vocabulary(
    """dir directory folder root base basedir rootdir home tmp temp tmpdir tempdir cwd prefix suffix ext extension env hash digest
    sha step epoch stage rank seed config settings parent workdir out output"""
)
"""Name words of values that the program or its operator chooses."""


_ABSOLUTE = vocabulary("isabs is_absolute isAbsolute lstrip strip")
"""Calls by which a function tests for a leading slash or removes it."""


_ASCENDING = ("..", "../")


class _Behind(NamedTuple):
    """The part appended to a folder to build a path, and whether a leading slash in it would discard the folder."""

    values: tuple[Expr, ...] = ()
    anew: bool = False


def check(project: Project, path: str) -> Iterator[Match]:
    outline = own_outline(project, path)
    if outline is None:
        return
    language = Language.JAVASCRIPT if script_file(path) else Language.PYTHON
    told: set[str] = set()
    for site, given in open_sinks(outline, "file-access", language, _is_path):
        behind = _behind(outline, site, given, 0)
        values = OpenValues(outline, site, _OWN)
        found = next((name for each in behind.values if (name := values.raw(each))), "")
        if not found or site.scope in told:
            continue
        about = questions_about(outline, site.function, *behind.values, *((given,) if isinstance(given, Name) else ()))
        asked = [each for each in about if each.line <= site.end and not _is_of_beginning(outline, site, each)]
        if asked and not (behind.anew and _is_of_dots(site, asked)):
            yield good(site, "file name", "the name is checked")
        else:
            told.add(site.scope)
            how = "may have a slash in front, which leaves the folder out" if asked else "is appended to a folder unchanged"
            yield bad(site, "file name", f"{found} {how}", Confidence.MEDIUM)


def _is_of_dots(site: Site[Call], asked: list[Call | Compare]) -> bool:
    """`".." in name` as the only check, in a function that does not test for a leading slash."""
    body = site.function.body if site.function is not None else ()
    only = all(isinstance(each, Compare) and any(text_of(part) in _ASCENDING for part in each.operands) for each in asked)
    return only and not any(called(each) in _ABSOLUTE for each in calls_in(*body))


def _is_of_beginning(outline: Outline, site: Site[Call], question: Call | Compare) -> bool:
    """`name.startswith(prefix)` on text that may still contain `..`. Tests for a slash or dots are separate."""
    callee = question.callee if isinstance(question, Call) else None
    if not isinstance(callee, Attribute) or callee.name not in ("startswith", "startsWith") or not isinstance(question, Call):
        return False
    asked = text_of(question.arguments[0].value) if question.arguments else ""
    made = outline.visible(site.function, last_name(callee.value))
    resolved = (called(each) for each in calls_in(callee.value, *((made,) if made is not None else ())))
    joins = ("join",) if outline.module.path.endswith(".py") else ()
    return bool((asked or "x").strip("./\\~")) and not any(each in _RESOLVING and each not in joins for each in resolved)


def _is_path(outline: Outline, site: Site[Call], receiver: Expr) -> bool:
    """`(folder / name).open()`: a value built as a path."""
    made = outline.visible(site.function, receiver.id) if isinstance(receiver, Name) else None
    value = made.value if made is not None else receiver
    return isinstance(value, Binary) or (isinstance(value, Call) and called(value) in ("Path", "joinpath", "resolve", "absolute"))


def _behind(outline: Outline, site: Site[Call], path: Expr, hops: int) -> _Behind:
    if hops > MAX_HOPS:
        return _Behind()
    match path:
        case Await(value=value):
            return _behind(outline, site, value, hops)
        case Name(id=name):
            assigned = outline.visible(site.function, name)
            made = assigned.value if assigned is not None and assigned.line <= site.line else None
            return _behind(outline, site, made, hops + 1) if made is not None else _Behind()
        case Binary(operator="/", operands=operands):
            return _Behind(operands[1:], anew=True)
        case Call(arguments=arguments):
            return _joined(outline, site, path, tuple(each.value for each in arguments if not each.keyword), hops)
        case _:
            built = interpolated(path)
            first = (built.text.find("/" + HOLE) if built is not None else -1) + 1
            return _Behind(built.values[built.text[:first].count(HOLE) :] if built is not None and first else ())


def _joined(outline: Outline, site: Site[Call], call: Call, given: tuple[Expr, ...], hops: int) -> _Behind:
    name = called(call)
    if name in _JOINING and (len(given) > 1 or name == "joinpath"):
        return _Behind(given if name == "joinpath" else given[1:], name != "join" or outline.module.path.endswith(".py"))
    if name in _SAME:
        inner = given[0] if given else call.callee.value if isinstance(call.callee, Attribute) else None
        return _behind(outline, site, inner, hops + 1) if inner is not None else _Behind()
    return _Behind()
