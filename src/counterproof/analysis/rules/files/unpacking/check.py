"""Which archives a function unpacks, and whether it looks at the members' names."""

from counterproof.analysis.config.places import Place
from counterproof.analysis.libraries import names
from counterproof.analysis.program.traversal import argument, called, calls_in, keyword, text_of
from counterproof.analysis.program.words import names_in, vocabulary, words
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


def is_tar(at: Place) -> bool:
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


def lets_all_pass(at: Place) -> bool:
    """A permissive filter, a function of the module that only renames members, or no filter and no check."""
    given = keyword(at.call, "filter")
    function = at.outline.functions.get(given.id) if isinstance(given, ir.Name) else None
    if function is not None:
        asks = any(isinstance(each, ir.Compare | ir.Raise) for each in walk(*function.body))
        return not asks and not set(names_in(*function.body)) & _CHECKING
    if given is not None:
        return text_of(given) == "fully_trusted"
    chosen = called(at.call) == "extractall" and argument(at.call, 1, "members") is not None
    return not chosen and not _asks_about_members(at)


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


def member_joined(at: Place) -> ir.Expr | None:
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
