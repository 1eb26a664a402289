"""Settings, the code that reads them, and those used in a command, a path, a URL or a key (A68).

Invariant: a setting is read from the environment or from an object that the code names its configuration, under a literal name;
its use is followed through the variables and fields of one class. Not handled here: the values of settings.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from counterproof.analysis.map.outlines import outlines_of
from counterproof.analysis.map.places import Places
from counterproof.analysis.map.sinks import SinkCall
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.program.words import words
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Expr, Function, Index, Name, Node
from counterproof.analysis.syntax.walk import last_name, walk
from counterproof.model.location import Location, at
from counterproof.model.map import Setting

MAX_HOPS = 3
MAX_PLACES = 20
_HOLDERS = frozenset(
    {"config", "conf", "cfg", "settings", "setting", "options", "environ", "env", "configuration", "preferences"}
)
_READERS = frozenset({
    "get", "getint", "getboolean", "getfloat", "getlist", "get_value", "get_config_value", "get_config", "getenv", "get_option",
    "get_setting", "get_string", "get_int", "get_bool", "config",
})  # fmt: skip
_KINDS = {
    "command-execution": "command", "code-execution": "program text", "file-access": "path", "archive-extraction": "path",
    "http-request": "address", "key": "key", "address-opening": "address", "sql": "SQL", "deserialisation": "serialised data",
    "template-construction": "template", "salt": "key", "upload": "path", "file-probe": "path", "redirect": "address",
}  # fmt: skip
_PATHS = frozenset(
    {"join", "abspath", "realpath", "expanduser", "makedirs", "mkdir", "isfile", "isdir", "exists", "Path", "resolve"}
)


@dataclass(slots=True)
class _Read:
    places: list[Location] = field(default_factory=list[Location])
    used: dict[str, list[Location]] = field(default_factory=dict[str, list[Location]])


def settings_of(places: Places, calls: list[SinkCall]) -> tuple[Setting, ...]:
    """All settings, sorted by name."""
    by_file: dict[str, list[SinkCall]] = {}
    for call in calls:
        by_file.setdefault(call.outline.path, []).append(call)
    found: dict[str, _Read] = {}
    for outline, _ in outlines_of(places.project, places.codebase):
        for name, node, function in _reads(outline):
            read = found.setdefault(name, _Read())
            if len(read.places) < MAX_PLACES:
                read.places.append(at(outline.path, node.line))
            for kind, line in _uses(outline, node, function, by_file.get(outline.path, [])):
                read.used.setdefault(kind, []).append(at(outline.path, line))
    return tuple(
        Setting(
            name,
            tuple(dict.fromkeys(read.places)),
            tuple(sorted(read.used)),
            tuple(dict.fromkeys(place for kind in sorted(read.used) for place in read.used[kind][:MAX_PLACES])),
        )
        for name, read in sorted(found.items())
    )


def _reads(outline: Outline) -> Iterator[tuple[str, Expr, Function | None]]:
    for site in outline.of(Call):
        callee = site.node.callee
        named = [text for each in site.node.arguments[:2] if (text := text_of(each.value)) is not None and not each.keyword]
        if not named:
            continue
        dotted = outline.dotted(callee)
        if dotted in ("os.getenv", "os.environ.get"):
            yield named[0], site.node, site.function
        elif isinstance(callee, Attribute) and callee.name in _READERS and _holds(callee.value):
            alone = callee.name == "getenv" or last_name(callee.value) == "environ"
            yield ".".join(named[:1] if alone else named), site.node, site.function
    for site in outline.of(Attribute):
        holder = outline.dotted(site.node.value)
        if holder in ("process.env", "django.conf.settings") or (holder.endswith("settings") and site.node.name.isupper()):
            yield site.node.name, site.node, site.function
    yield from _indexed(outline)


def _indexed(outline: Outline) -> Iterator[tuple[str, Expr, Function | None]]:
    for kind in (Assign, Call):
        for site in outline.of(kind):
            parts: tuple[Node, ...] = (site.node.value,) if isinstance(site.node, Assign) and site.node.value is not None else ()
            if isinstance(site.node, Call):
                parts = tuple(each.value for each in site.node.arguments)
            for node in walk(*parts):
                key = text_of(node.key) if isinstance(node, Index) else None
                if key and isinstance(node, Index) and _holds(node.value):
                    yield key, node, site.function


def _holds(value: Expr) -> bool:
    if isinstance(value, Attribute) and last_name(value.value) in ("request", "req"):
        return False  # the request environment is set by the client
    name = value.name if isinstance(value, Attribute) else value.id if isinstance(value, Name) else ""
    return bool(set(words(name)) & _HOLDERS)


def _uses(outline: Outline, read: Expr, function: Function | None, calls: list[SinkCall]) -> Iterator[tuple[str, int]]:
    """The sinks that a value reaches: directly, through variables of the function, or through a field of the class."""
    held = _holders(outline, read, function)
    for call in calls:
        kind = _KINDS.get(call.kind)
        if kind is not None and _mentions(call.site.node, read, held, function, call.site.function):
            yield kind, call.site.line
    for site in outline.of(Call):
        named = site.node.callee.name if isinstance(site.node.callee, Attribute) else ""
        on_path = named in ("makedirs", "mkdir") or (named in _PATHS and ".path" in f".{outline.dotted(site.node.callee)}")
        if on_path and _mentions(site.node, read, held, function, site.function):
            yield "path", site.line


def _mentions(call: Call, read: Expr, held: frozenset[str], function: Function | None, there: Function | None) -> bool:
    same = there is function
    for each in call.arguments:
        for node in walk(each.value):
            if node is read or (same and isinstance(node, Name) and node.id in held):
                return True
            if isinstance(node, Attribute) and isinstance(node.value, Name) and f"{node.value.id}.{node.name}" in held:
                return True
    return False


def _holders(outline: Outline, read: Expr, function: Function | None) -> frozenset[str]:
    """Variables and fields that hold the value, followed through a few assignments."""
    held: set[str] = set()
    assigns = _assigns_of(outline, function)
    for _ in range(MAX_HOPS):
        before = len(held)
        for site in assigns:
            value = site.node.value
            if value is None or not any(node is read or (isinstance(node, Name) and node.id in held) for node in walk(value)):
                continue
            for target in site.node.targets:
                if isinstance(target, Name):
                    held.add(target.id)
                elif isinstance(target, Attribute) and isinstance(target.value, Name):
                    held.add(f"{target.value.id}.{target.name}")
        if len(held) == before:
            break
    return frozenset(held)


def _assigns_of(outline: Outline, function: Function | None) -> list[Site[Assign]]:
    return [each for each in outline.of(Assign) if each.function is function]
