"""Maven's pom.xml.

Invariant: a document with a document type is rejected, so no entity is ever declared or expanded. Not handled here: versions that
a parent outside the tree manages; they are '*'.
"""

import re
from xml.parsers import expat

from counterproof.analysis.dependencies.manifest import Declared, Manifest, Role

MAX_DEPTH = 200
MAX_ELEMENTS = 100_000
MAX_PIECES = 50
"""Text fragments kept per element."""
_PROPERTY = re.compile(r"\$\{([\w.-]{1,100})\}")
_EXACT = re.compile(r"[\w.+-]{1,100}")

Row = dict[str, str]
"""The texts in an element that holds others, by name."""
LINE = "#"
"""The key of the artifact's line."""


class Refused(Exception):
    """Raised with the reason why the document is not read."""


def read_pom(path: str, text: str) -> Manifest:
    try:
        rows, properties = _elements(text)
    except Refused as error:
        return Manifest(path, Role.DECLARES, problems=(f"{path} was not read to the end: {error}",), ecosystem="maven")
    managed = {_name(row): row.get("version", "") for trail, row in rows if "dependencyManagement" in trail}
    declared = (_declared(row, managed, properties) for trail, row in rows if "dependencyManagement" not in trail)
    return Manifest(path, Role.DECLARES, tuple(declared), ecosystem="maven")


def _elements(text: str) -> tuple[list[tuple[list[str], Row]], Row]:
    """The dependencies with the elements around them, and the properties. Raises `Refused` for a document that is not
    well-formed, is too large or too deep, or declares a document type, which could name files and expand without limit."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    open_: list[tuple[str, list[str], Row]] = []
    rows: list[tuple[list[str], Row]] = []
    properties: Row = {}
    seen = 0

    def refuse(*_: object) -> None:
        raise Refused("it declares a document type, which is not read")

    def begin(name: str, _: object) -> None:
        nonlocal seen
        seen += 1
        if seen > MAX_ELEMENTS or len(open_) > MAX_DEPTH:
            raise Refused("it is too large or too deep")
        open_.append((name.rpartition(":")[2], [], {}))

    def end(_: str) -> None:
        name, pieces, row = open_.pop()
        around = [each[0] for each in open_]
        value = "".join(pieces)[:300].strip()
        if around == ["project", "properties"] or [*around, name] == ["project", "version"]:
            properties[name if len(around) > 1 else "project.version"] = value
        if name == "dependency" or [*around, name] == ["project", "parent"]:
            rows.append((around, row))
        elif open_:
            open_[-1][2].update({name: value} | ({LINE: str(parser.CurrentLineNumber)} if name == "artifactId" else {}))
        if [*around, name] == ["project", "parent"]:
            properties["project.parent.version"] = row.get("version", "")
            properties.setdefault("project.version", row.get("version", ""))

    parser.StartDoctypeDeclHandler, parser.StartElementHandler, parser.EndElementHandler = refuse, begin, end
    parser.CharacterDataHandler = lambda piece: open_[-1][1].append(piece) if open_ and len(open_[-1][1]) < MAX_PIECES else None
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise Refused("it is not well-formed") from error
    return [each for each in rows if LINE in each[1]], properties


def _name(row: Row) -> str:
    return f"{row.get('groupId', '')}:{row['artifactId']}"


def _declared(row: Row, managed: Row, properties: Row) -> Declared:
    version = row.get("version") or managed.get(_name(row), "")
    for _ in range(5):
        found = _PROPERTY.search(version)
        if not found or found[1] not in properties:
            break
        version = version.replace(found[0], properties[found[1]])
    moving = version.upper().endswith(("SNAPSHOT", "LATEST", "RELEASE"))
    pinned = bool(_EXACT.fullmatch(version)) and not moving
    return Declared(_name(row), version or "*", pinned, int(row[LINE]), development=row.get("scope") == "test")
