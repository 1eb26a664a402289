"""One request and one complete reply, as plain data."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One request made by the provider's library."""

    method: str
    url: str
    headers: tuple[tuple[str, str], ...]
    body: bytes


@dataclass(frozen=True, slots=True)
class Incoming:
    """One complete reply."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str:
        return next((value for key, value in self.headers if key.lower() == name), "")
