"""A literal in a place where secrets stand, before anyone has judged it."""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.analysis.secrets.secret_names import Kind


class Place(StrEnum):
    """How the literal gets to be used; the words are those of the findings."""

    ASSIGNED = "assigned"
    PASSED = "passed to a call"
    ENTRY = "an entry of a mapping"
    DEFAULT = "a default that applies when nothing else is set"
    COMPARED = "compared with what a user sends"
    ASKED = "compared with what a setting holds"
    SEEDED = "the password of an account that the program creates"
    CONFIGURED = "set in a configuration file"
    FORM = "recognised by its form"


@dataclass(frozen=True, slots=True)
class Candidate:
    """`name` is what the literal is called; `label` says what it is where the form alone told."""

    path: str
    line: int
    name: str
    value: str
    kind: Kind
    place: Place
    function: str = ""
    label: str = ""
    handed: bool = False
    """Put into an object that uses it, `app.secret_key`, and not into a variable of its own."""
