"""Maven and Gradle: pom.xml, build.gradle, build.gradle.kts, gradle.lockfile.

Always holds: XML with a document type is refused, so that no entity is ever declared or expanded; build scripts are read by
line, never run. Does not belong here: dependencies that a parent outside the tree manages; their version is '*'.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from counterproof.analysis.dependencies.manifest import Declared, IndexOption, Manifest, Role

MAX_DEPTH = 200
MAX_ELEMENTS = 200_000
MAX_VALUE = 1_000
_TAG = re.compile(r"<(/?)([A-Za-z_][\w:.-]{0,200})((?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>")
_PLAIN = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&"}


class Refused(Exception):
    """The document is not read, and why.

    Always holds: a document type is refused, so there is no entity to declare, expand or fetch; depth and number of elements
    are bounded; one pass over the text.
    """


@dataclass(frozen=True, slots=True)
class Closed:
    """An element that ended: the names from the root to it, its text, the lines of its start and its end."""

    trail: tuple[str, ...]
    text: str
    start: int
    line: int


def elements(text: str) -> Iterator[Closed]:
    """Every element in the order in which they end. Raises `Refused` for what is not well-formed."""
    open_: list[tuple[str, int, list[str]]] = []
    count, line, position = 0, 1, 0
    while (mark := text.find("<", position)) >= 0:
        if open_ and mark > position:
            _keep(open_[-1][2], text[position : min(mark, position + MAX_VALUE)])
        line += text.count("\n", position, mark)
        end, tag = _token(text, mark, open_)
        if tag is not None:
            closing, name, rest = tag[1], tag[2].rpartition(":")[2], tag[3]
            count += 1
            if count > MAX_ELEMENTS or len(open_) > MAX_DEPTH:
                raise Refused("it is too large or too deep")
            if not closing:
                open_.append((name, line, []))
            if closing or rest.endswith("/"):
                yield _closed(open_, name, line)
        line += text.count("\n", mark, end)
        position = end
    if open_ or not count:
        raise Refused("it is not well-formed")


def _token(text: str, mark: int, open_: list[tuple[str, int, list[str]]]) -> tuple[int, re.Match[str] | None]:
    """Where the token at a mark ends, and the tag if it is one."""
    for opening, closing in (("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")):
        if text.startswith(opening, mark):
            end = text.find(closing, mark + len(opening))
            if end < 0:
                raise Refused("it is not well-formed")
            if opening == "<![CDATA[" and open_:
                _keep(open_[-1][2], text[mark + len(opening) : min(end, mark + MAX_VALUE)])
            return end + len(closing), None
    if text.startswith("<!", mark):
        raise Refused("it declares a document type, which is not read")
    tag = _TAG.match(text, mark)
    if tag is None:
        raise Refused("it is not well-formed")
    return tag.end(), tag


def _closed(open_: list[tuple[str, int, list[str]]], name: str, line: int) -> Closed:
    if not open_ or open_[-1][0] != name:
        raise Refused("it is not well-formed")
    trail = tuple(each[0] for each in open_)
    _, start, pieces = open_.pop()
    value = "".join(pieces)
    for entity, plain in _PLAIN.items():
        value = value.replace(entity, plain)
    return Closed(trail, value.strip(), start, line)


def _keep(pieces: list[str], piece: str) -> None:
    if sum(map(len, pieces)) < MAX_VALUE and len(pieces) < 50:
        pieces.append(piece)


ECOSYSTEM = "maven"
_PROPERTY = re.compile(r"\$\{([\w.-]{1,100})\}")
_EXACT = re.compile(r"[\w.+-]{1,100}")
_CONFIGURATION = (
    "implementation|api|compile|compileOnly|runtimeOnly|runtime|testImplementation|testCompile|testRuntimeOnly|annotationProcessor"
    "|kapt|classpath|developmentOnly|providedCompile|testCompileOnly|debugImplementation|androidTestImplementation"
)
_GRADLE = re.compile(
    rf"[ \t]{{0,40}}({_CONFIGURATION})[ \t(]{{1,5}}(?:platform|enforcedPlatform|kotlin)?\(?[ \t]{{0,5}}['\"]"
    r"([\w.-]{1,200}):([\w.-]{1,200})(?::([^'\"@:]{1,100}))?"
)
_GRADLE_NAMED = re.compile(
    rf"[ \t]{{0,40}}({_CONFIGURATION})[ \t(]{{1,5}}group[ \t:=]{{1,5}}['\"]([\w.-]{{1,200}})['\"][ \t,]{{1,5}}name[ \t:=]{{1,5}}"
    r"['\"]([\w.-]{1,200})['\"](?:[ \t,]{1,5}version[ \t:=]{1,5}['\"]([^'\"]{1,100})['\"])?"
)
_GRADLE_URL = re.compile(r"\burl[ \t(=:]{0,8}(?:uri\()?['\"](https?://[^'\"\s]{1,200})['\"]")
_GRADLE_LOCK = re.compile(r"([\w.-]{1,200}):([\w.-]{1,200}):([^=\s]{1,100})=")


@dataclass(slots=True)
class _Reading:
    """What was collected so far, while the elements go by. A row is a dependency: its parts with their lines."""

    current: dict[str, tuple[str, int]] = field(default_factory=dict[str, tuple[str, int]])
    rows: list[tuple[bool, dict[str, tuple[str, int]]]] = field(default_factory=list[tuple[bool, dict[str, tuple[str, int]]]])
    properties: dict[str, str] = field(default_factory=dict[str, str])
    options: list[IndexOption] = field(default_factory=list[IndexOption])


def read_pom(path: str, text: str) -> Manifest:
    reading = _Reading()
    try:
        for each in elements(text):
            _ended(reading, each)
    except Refused as error:
        return Manifest(path, Role.DECLARES, problems=(f"{path} was not read to the end: {error}",), ecosystem=ECOSYSTEM)
    managed = {_name(row): _value(row, "version") for is_managed, row in reading.rows if is_managed}
    declared = [
        found for is_managed, row in reading.rows if not is_managed and (found := _declared(row, managed, reading.properties))
    ]
    return Manifest(path, Role.DECLARES, tuple(declared), tuple(reading.options), ecosystem=ECOSYSTEM)


def _ended(reading: _Reading, element: Closed) -> None:
    """What the element that just closed tells."""
    trail, value = element.trail, element.text[:300]
    name, parent = trail[-1], trail[-2] if len(trail) > 1 else ""
    if name == "dependency" or trail == ("project", "parent"):
        reading.rows.append(("dependencyManagement" in trail, {**reading.current, "": ("", element.start)}))
        reading.current = {}
        if name == "parent":
            reading.properties["project.parent.version"] = _value(reading.rows[-1][1], "version")
            reading.properties.setdefault("project.version", reading.properties["project.parent.version"])
    elif parent == "dependency" or trail[:-1] == ("project", "parent"):
        reading.current[name] = (value, element.line)
    elif parent == "properties" and len(trail) == 3:
        reading.properties[name] = value
    elif trail == ("project", "version"):
        reading.properties["project.version"] = value
    elif name == "url" and parent in ("repository", "pluginRepository", "snapshotRepository"):
        reading.options.append(IndexOption("index", value, element.line))


def _value(row: dict[str, tuple[str, int]], key: str) -> str:
    return row.get(key, ("", 0))[0]


def _name(row: dict[str, tuple[str, int]]) -> str:
    return f"{_value(row, 'groupId')}:{_value(row, 'artifactId')}"


def _declared(row: dict[str, tuple[str, int]], managed: dict[str, str], properties: dict[str, str]) -> Declared | None:
    if not _value(row, "artifactId"):
        return None
    version = _value(row, "version") or managed.get(_name(row), "")
    for _ in range(5):
        found = _PROPERTY.search(version)
        if not found or found[1] not in properties:
            break
        version = version.replace(found[0], properties[found[1]])
    moving = version.upper().endswith(("SNAPSHOT", "LATEST", "RELEASE"))
    pinned = bool(_EXACT.fullmatch(version)) and not moving
    line = row.get("artifactId", row.get("", ("", 1)))[1]
    return Declared(_name(row), version or "*", pinned, line, development=_value(row, "scope") == "test")


def read_gradle(path: str, text: str) -> Manifest:
    declared: list[Declared] = []
    options: list[IndexOption] = []
    for number, row in enumerate(text.split("\n"), start=1):
        row = row[:1_000]
        found = _GRADLE.match(row) or _GRADLE_NAMED.match(row)
        if found:
            version = (found[4] or "").strip()
            pinned = bool(_EXACT.fullmatch(version)) and "+" not in version and not version.startswith("latest")
            development = found[1].startswith(("test", "androidTest"))
            declared.append(Declared(f"{found[2]}:{found[3]}", version or "*", pinned, number, development=development))
        elif url := _GRADLE_URL.search(row):
            options.append(IndexOption("index", url[1], number))
    return Manifest(path, Role.DECLARES, tuple(declared), tuple(options), ecosystem=ECOSYSTEM)


def read_gradle_lock(path: str, text: str) -> Manifest:
    declared = [
        Declared(f"{found[1]}:{found[2]}", found[3], True, number)
        for number, row in enumerate(text.split("\n"), start=1)
        if (found := _GRADLE_LOCK.match(row[:500]))
    ]
    return Manifest(path, Role.LOCKS, tuple(declared), ecosystem=ECOSYSTEM)
