"""Documents that ship with the package: the protocol documents of each mode, read from disk and hashed when used."""

from hashlib import sha256
from importlib.resources import files

from counterproof.protocols.audit.events import Document


def load_protocol_document(name: str) -> tuple[Document, str] | None:
    """The document and its text, or None if the package does not hold it."""
    place = files("counterproof.knowledge") / "protocol"
    for part in name.split("/"):
        place = place / part
    if not place.is_file():
        return None
    data = place.read_bytes()
    return Document(name, sha256(data).hexdigest()), data.decode()
