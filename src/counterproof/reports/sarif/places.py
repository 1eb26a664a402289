"""Locations in the reviewed code as SARIF locations. A path becomes a URI reference that can only name a file below the root."""

from typing import Final
from urllib.parse import quote

from counterproof.model.location import Location
from counterproof.model.text import raw_name
from counterproof.reports.inert import block
from counterproof.reports.sarif.log import ArtifactLocation, PhysicalLocation, Region, Snippet

ROOT: Final = "%SRCROOT%"


def uri(path: str) -> str:
    """A relative path as a URI reference. Bytes that are not UTF-8 keep their value; a colon cannot form a scheme."""
    return quote(raw_name(path), safe="/")


def place(location: Location, code: str = "") -> PhysicalLocation:
    snippet = Snippet("\n".join(block(code))) if code else None
    return PhysicalLocation(ArtifactLocation(uri(location.path), ROOT), Region(location.start, location.end, snippet))
