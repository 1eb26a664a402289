"""Archive unpacked without a look at its members.

## What it finds
`extractall` and `extract` of a tar archive that the function opened, without a `filter` that looks at members, without a list of
them, and without anything in the function that looks where they would go; and members of tar and ZIP archives that the function
writes under their own names.

## Why it matters
Names like `../../etc/cron.d/x` and links inside the archive lead out of the folder, so whoever made the archive writes files
anywhere the program may.

## What is safe
`filter="data"`, members that were checked first, and ZIP files, from whose names `zipfile` removes what leads out.

## Limits
Where the archive comes from is not judged. Any test of names or paths in the function counts as a check.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.libraries import names
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import argument, calls_in, keyword, positional, spreads, text_of
from counterproof.analysis.program.words import names_in, vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Match, Severity, Shape
from counterproof.analysis.syntax.ir import (
    Assign,
    Attribute,
    Call,
    Compare,
    Comprehension,
    Expr,
    Function,
    Index,
    Loop,
    Name,
    Raise,
    Slice,
)
from counterproof.analysis.syntax.walk import last_name, walk

_ASKING = vocabulary("within inside safe valid validate sanitize sanitise check verify ensure")
_TAR = names("code", "tar")
_MEMBERS = ("namelist", "infolist", "getmembers", "getnames")
_BY_NAME = ("getmember", "extractfile", "getinfo")
_JOINING = ("os.path.join", "posixpath.join")
_CHECKING = vocabulary(
    """abspath realpath normpath commonpath commonprefix is_relative_to relative_to isabs is_absolute resolve safe_join
    basename filter extraction_filter data_filter tar_filter safe_extract is_within_directory startswith"""
)
_ALWAYS = vocabulary("filter extraction_filter data_filter tar_filter safe_extract is_within_directory")
"""Names that speak of members wherever they stand."""
MAX_HOPS = 4


class _Manners:
    """What each function of a module does about archives, read once per function however often it unpacks."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        self._checks: dict[int, bool] = {}
        self._opens: dict[int, tuple[bool, bool]] = {}

    def checks(self, function: Function) -> bool:
        """Whether anything in the function asks where a member leads. What is asked of another path says nothing."""
        if id(function) not in self._checks:
            self._checks[id(function)] = bool(set(names_in(*function.body)) & _ALWAYS) or _asks_about_members(function)
        return self._checks[id(function)]

    def opens(self, function: Function) -> tuple[bool, bool]:
        """Whether the function opens tar archives, and whether it opens ZIP archives too."""
        if id(function) not in self._opens:
            made = {self._outline.dotted(call.callee) for call in calls_in(*function.body)}
            tar = not made.isdisjoint(_TAR)
            self._opens[id(function)] = (tar, any(name.startswith("zipfile.") for name in made))
        return self._opens[id(function)]


def _asks_about_members(function: Function) -> bool:
    """A call that checks a path, about a member of the archive or what was made of its name; without a loop over the members,
    a function that says so by its name."""
    own = _members_in(function)
    for call in calls_in(*function.body):
        name = last_name(call.callee)
        if set(words(name)) & _ASKING and (not own or own & set(names_in(call))):
            return True
        if name in _CHECKING and own & set(names_in(call)) and not (name == "startswith" and _is_folder_inside(call)):
            return True
    return False


def _members_in(function: Function) -> set[str]:
    """Variables that hold a member or something that was made of one."""
    nodes = list(walk(*function.body))
    loops = [each for each in nodes if isinstance(each, Loop) and each.target is not None]
    inner = [each for node in nodes if isinstance(node, Comprehension) for each in node.generators]
    pairs: list[tuple[Expr | None, Expr | None]] = [(each.target, each.iterable) for each in (*loops, *inner)]
    pairs += [(each.targets[0], each.value) for each in nodes if isinstance(each, Assign) and each.targets]
    asked = (each for each in calls_in(*function.body) if isinstance(each.callee, Attribute) and each.callee.name in _BY_NAME)
    own = {name for call in asked for each in call.arguments[:1] for name in names_in(each.value)}
    for _ in range(MAX_HOPS):
        before = len(own)
        for target, value in pairs:
            if value is not None and target is not None and (own | set(_MEMBERS)) & set(names_in(value)):
                own |= {each.id for each in walk(target) if isinstance(each, Name)}
        if len(own) == before:
            break
    return own


def _is_folder_inside(call: Call) -> bool:
    """`name.startswith(folder)`: a member's own name that begins with the one of a folder inside the archive."""
    if not isinstance(call.callee, Attribute) or not call.arguments:
        return False
    owner, prefix = call.callee.value, call.arguments[0].value
    member = isinstance(owner, Name) and owner.id in ("name", "member", "filename", "entry", "member_name")
    return (member or isinstance(owner, Attribute)) and isinstance(prefix, Name)


def _check(project: Project, path: str) -> Iterator[Match]:
    _, outline = opened(project, path)
    manners = _Manners(outline)
    yield from _written(outline, manners)
    yield from _written_by_name(outline, manners)
    for site in outline.of(Call):
        callee = site.node.callee
        if (
            not isinstance(callee, Attribute)
            or callee.name not in ("extractall", "extract")
            or not _is_tar(outline, manners, site, callee)
        ):
            continue
        if _looked_at(outline, site, manners):
            yield good(site, "archive", "members are filtered or looked at")
        else:
            yield bad(site, "archive", "members may lead out of the folder", Confidence.MEDIUM)


def _written(outline: Outline, manners: _Manners) -> Iterator[Match]:
    """Members written by hand: their names are joined to the folder inside a loop over them."""
    for loop in outline.of(Loop):
        if loop.function is None or loop.node.target is None or not _over_members(outline, loop):
            continue
        own = {each.id for each in walk(loop.node.target) if isinstance(each, Name)}
        checked = manners.checks(loop.function)
        for call in calls_in(*loop.node.body):
            joined = outline.dotted(call.callee) in _JOINING and len(call.arguments) > 1
            if joined and not checked and _names_member(call, own, loop.node):
                site = Site(call, loop.function, loop.owner)
                yield bad(site, "archive", "a member's name is joined to the folder as it is", Confidence.MEDIUM)
                break


def _over_members(outline: Outline, loop: Site[Loop]) -> bool:
    """`for each in archive.getmembers()`, or over a variable that holds them."""
    iterable = loop.node.iterable
    if isinstance(iterable, Name) and (assigned := outline.local(loop.function, iterable.id)) is not None:
        iterable = assigned.value
    called = [each.callee for each in walk(iterable) if isinstance(each, Call)] if iterable is not None else []
    return any(isinstance(each, Attribute) and each.name in _MEMBERS for each in called)


def _written_by_name(outline: Outline, manners: _Manners) -> Iterator[Match]:
    """`archive.extractfile(name)` written to `os.path.join(folder, name)`."""
    asked: dict[str, set[str]] = {}
    for site in outline.of(Call):
        callee, given = site.node.callee, positional(site.node, 0)
        if site.function is not None and isinstance(callee, Attribute) and callee.name in _BY_NAME and given is not None:
            asked.setdefault(site.scope, set()).update(names_in(given))
    for site in outline.of(Call) if asked else ():
        name = positional(site.node, len(site.node.arguments) - 1) if outline.dotted(site.node.callee) in _JOINING else None
        if name is None or site.function is None or manners.checks(site.function):
            continue
        chosen = {each.name for each in site.function.parameters} & asked.get(site.scope, set())
        if chosen & set(names_in(name)):
            yield bad(site, "archive", "a member's name is joined to the folder as it is", Confidence.MEDIUM)


def _names_member(call: Call, own: set[str], loop: Loop) -> bool:
    """The member itself, its name, or a variable of the loop that was set to one."""
    for node in walk(*loop.body):
        if (
            isinstance(node, Assign)
            and node.value is not None
            and any(isinstance(each, Name) and each.id in own for each in walk(node.value))
        ):
            own = own | {each.id for each in node.targets if isinstance(each, Name)}
    last = call.arguments[-1].value
    if isinstance(last, Index) and isinstance(last.key, Slice):
        last = last.value  # without what all names begin with
    named = isinstance(last, Name) or (isinstance(last, Attribute) and last.name in ("name", "filename", "path"))
    return named and any(isinstance(each, Name) and each.id in own for each in walk(last))


def _is_tar(outline: Outline, manners: _Manners, site: Site[Call], callee: Attribute) -> bool:
    """Opened in this function by `tarfile`, and not the archive of somebody else's kind; or kept by the object, opened so."""
    if site.function is None:
        return False
    if isinstance(callee.value, Attribute):
        kept = outline.settings_of(callee.value.name)
        values = [each.node.value for each in kept if each.owner is site.owner]
        return any(isinstance(each, Call) and outline.dotted(each.callee) in _TAR for each in values)
    if not isinstance(callee.value, Name):
        return False
    tar, zipped = manners.opens(site.function)
    return tar and not (zipped and "zip" in callee.value.id.lower())


def _looked_at(outline: Outline, site: Site[Call], manners: _Manners) -> bool:
    call = site.node
    given = keyword(call, "filter")
    if given is not None:
        return not _lets_all_pass(outline, given)
    if spreads(call) or site.function is None:
        return True
    if isinstance(call.callee, Attribute) and call.callee.name == "extractall" and argument(call, 1, "members") is not None:
        return True
    return manners.checks(site.function)


def _lets_all_pass(outline: Outline, given: Expr) -> bool:
    """A filter that says so, or a function of the module that only renames members."""
    function = outline.functions.get(given.id) if isinstance(given, Name) else None
    if function is None:
        return text_of(given) == "fully_trusted"
    asks = any(isinstance(each, Compare | Raise) for each in walk(*function.body))
    return not asks and not set(names_in(*function.body)) & _CHECKING


RULE = CheckRule(
    id="unchecked-unpacking",
    title="Archive extraction without a check of member names",
    kind="archive",
    cwe=22,
    severity=Severity.MEDIUM,
    shape=Shape.FLOW,
    consequence="Whoever made the archive can write files outside the intended folder.",
    remedy='Pass filter="data", or check that every member stays in the folder before it is written.',
    check=_check,
    query="calls that unpack archives",
)
