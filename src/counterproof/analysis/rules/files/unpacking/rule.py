"""Archive extracted without checking its members.

## What it finds
`extractall` and `extract` of a tar archive that the function opened, without a `filter`, without a list of members, and
without a check of the target paths in the function; and members of tar and ZIP archives that the function writes under the
names stored in the archive.

## Why it matters
Names such as `../../etc/cron.d/x` and links inside the archive lead out of the folder, so whoever created the archive can
write files anywhere the program may.

## What is safe
`filter="data"`, members that were checked first, and ZIP files: `zipfile` strips path parts that lead out of the folder.

## Limits
The origin of the archive is not checked. Any check of names or paths in the function counts as sufficient.
"""

from counterproof.analysis.config.patterns import Bad, Calls, Matching
from counterproof.analysis.config.places import Place, always
from counterproof.analysis.libraries import names
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traversal import argument, called, calls_in, keyword, spreads, text_of
from counterproof.analysis.program.words import names_in, vocabulary, words
from counterproof.analysis.ruleset import CheckRule, Confidence, Severity, Shape
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk

_ASKING = vocabulary("within inside safe valid validate sanitize sanitise check verify ensure")
_TAR = names("code", "tar")
_MEMBERS = vocabulary("namelist infolist getmembers getnames")
_BY_NAME = vocabulary("getmember extractfile getinfo")
_ALWAYS = vocabulary("filter extraction_filter data_filter tar_filter safe_extract is_within_directory")
"""Names that refer to archive members wherever they occur."""
_CHECKING = _ALWAYS | vocabulary(
    """abspath realpath normpath commonpath commonprefix is_relative_to relative_to isabs is_absolute resolve safe_join
    basename startswith"""
)
MAX_HOPS = 4


def _is_tar(at: Place) -> bool:
    """Return True if `tarfile` opened the archive in this function, or the object stores an archive opened that way."""
    holder = at.call.callee.value if isinstance(at.call.callee, ir.Attribute) else None
    if at.function is None or not isinstance(holder, ir.Attribute | ir.Name):
        return False
    if isinstance(holder, ir.Attribute):
        kept = (each.node.value for each in at.outline.settings_of(holder.name) if each.owner is at.site.owner)
        return any(isinstance(each, ir.Call) and at.dotted(each.callee) in _TAR for each in kept)
    made = {at.dotted(call.callee) for call in calls_in(*at.function.body)}
    zipped = "zip" in holder.id.lower() and any(name.startswith("zipfile.") for name in made)
    return not made.isdisjoint(_TAR) and not zipped


def _lets_all_pass(at: Place) -> bool:
    given = keyword(at.call, "filter")
    if given is not None:
        return _is_no_filter(at.outline, given)
    chosen = called(at.call) == "extractall" and argument(at.call, 1, "members") is not None
    return not spreads(at.call) and not chosen and not _asks_about_members(at)


def _is_no_filter(outline: Outline, given: ir.Expr) -> bool:
    """Return True for a permissive filter, or a function of the module that only renames members."""
    function = outline.functions.get(given.id) if isinstance(given, ir.Name) else None
    if function is None:
        return text_of(given) == "fully_trusted"
    asks = any(isinstance(each, ir.Compare | ir.Raise) for each in walk(*function.body))
    return not asks and not set(names_in(*function.body)) & _CHECKING


def _asks_about_members(at: Place) -> bool:
    """Return True if the function calls a path check on a member of the archive or on a value made from its name. Without a loop
    over the members, the check is recognised by the name of the called function."""
    body = at.function.body if at.function is not None else ()
    own = _members_in(*body)
    for call in calls_in(*body):
        about = own & set(names_in(call))
        says = set(words(called(call))) & _ASKING and (not own or about)
        if says or (about and called(call) in _CHECKING and not _is_folder_inside(call)):
            return True
    return bool(set(names_in(*body)) & _ALWAYS)


def _members_in(*body: ir.Node) -> set[str]:
    """Variables that hold a member or a value derived from one."""
    pairs: list[tuple[ir.Expr | None, ir.Expr | None]] = []
    own: set[str] = set()
    for node in walk(*body):
        if isinstance(node, ir.Loop | ir.Comprehension):
            pairs += [(each.target, each.iterable) for each in ((node,) if isinstance(node, ir.Loop) else node.generators)]
        elif isinstance(node, ir.Assign):
            pairs.append((node.targets[0], node.value))
        elif isinstance(node, ir.Call) and called(node) in _BY_NAME:
            own.update(names_in(*(each.value for each in node.arguments[:1])))
    for _ in range(MAX_HOPS):
        for target, value in pairs:
            if value is not None and target is not None and (own | _MEMBERS) & set(names_in(value)):
                own |= {each.id for each in walk(target) if isinstance(each, ir.Name)}
    return own


def _is_folder_inside(call: ir.Call) -> bool:
    """`name.startswith(folder)`: the member's name starts with a folder name inside the archive."""
    given = call.arguments[0].value if call.arguments else None
    return called(call) == "startswith" and isinstance(given, ir.Name)


def _last(at: Place) -> ir.Expr | None:
    """The part appended to the folder, without a common prefix: a member, its name, or a variable derived from one."""
    last = at.call.arguments[-1].value if len(at.call.arguments) > 1 else None
    last = last.value if isinstance(last, ir.Index) and isinstance(last.key, ir.Slice) else last
    named = isinstance(last, ir.Name) or (isinstance(last, ir.Attribute) and last.name in ("name", "filename", "path"))
    reads = named and any(at.outline.calls_of(each) for each in _MEMBERS | _BY_NAME)
    members = _members_in(*at.function.body) if at.function is not None and reads else set[str]()
    if last is None or not members & set(names_in(last)) or _asks_about_members(at) or at.function is None:
        return None
    listed = (node for each in walk(*at.function.body) if isinstance(each, ir.Comprehension) for node in walk(each))
    return last if all(each is not at.call for each in listed) else None


RULE = CheckRule(
    id="unchecked-unpacking",
    title="Archive extraction without checking member names",
    kind="archive",
    cwe=22,
    severity=Severity.MEDIUM,
    shape=Shape.FLOW,
    consequence="Whoever created the archive can write files outside the intended folder.",
    remedy='Pass filter="data", or check that every member stays in the folder before it is written.',
    check=Matching(
        Calls(
            ("*.extractall", "*.extract"),
            only=_is_tar,
            bad=Bad(_lets_all_pass, "members may lead out of the folder", Confidence.MEDIUM),
            good="members are filtered or looked at",
        ),
        Calls(
            ("os.path.join", "posixpath.join"),
            _last,
            bad=Bad(always, "a member's name is joined to the folder unchecked", Confidence.MEDIUM),
        ),
        item="archive",
        once=True,
    ),
    query="calls that unpack archives",
)
