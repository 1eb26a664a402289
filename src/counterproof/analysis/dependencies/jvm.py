"""Maven and Gradle: pom.xml, build.gradle, build.gradle.kts, gradle.lockfile.

Invariant: XML with a document type is rejected, so no entity is ever declared or expanded; build scripts are read by line, never
run. Not handled here: dependencies managed by a parent outside the tree; their version is '*'.
"""

import re
from dataclasses import dataclass, field
from xml.parsers import expat

from counterproof.analysis.dependencies.manifest import Declared, IndexOption, Manifest, Role

MAX_DEPTH = 200
MAX_ELEMENTS = 100_000
MAX_VALUE = 1_000
MAX_PIECES = 50
"""Text fragments kept per element."""


class Refused(Exception):
    """Raised with the reason why the document is not read."""


@dataclass(frozen=True, slots=True)
class Closed:
    """A closed element: the names from the root to it, its text, its first and last line."""

    trail: tuple[str, ...]
    text: str
    start: int
    line: int


def elements(text: str) -> list[Closed]:
    """Every element in closing order. Raises `Refused` for a document that is not well-formed, is too large or too deep, or
    declares a document type, which could name files and expand without limit."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    open_: list[tuple[str, int, list[str]]] = []
    found: list[Closed] = []

    def refuse(*_: object) -> None:
        raise Refused("it declares a document type, which is not read")

    def begin(name: str, _: object) -> None:
        if len(found) + len(open_) > MAX_ELEMENTS or len(open_) > MAX_DEPTH:
            raise Refused("it is too large or too deep")
        open_.append((name.rpartition(":")[2], parser.CurrentLineNumber, []))

    def end(_: str) -> None:
        trail = tuple(each[0] for each in open_)
        _name, start, pieces = open_.pop()
        found.append(Closed(trail, "".join(pieces)[:MAX_VALUE].strip(), start, parser.CurrentLineNumber))

    parser.StartDoctypeDeclHandler, parser.StartElementHandler, parser.EndElementHandler = refuse, begin, end
    parser.CharacterDataHandler = lambda piece: open_[-1][2].append(piece) if open_ and len(open_[-1][2]) < MAX_PIECES else None
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise Refused("it is not well-formed") from error
    return found


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
    """The data collected so far. A row is a dependency: its parts with their lines."""

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
    """Process an element that just closed."""
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
