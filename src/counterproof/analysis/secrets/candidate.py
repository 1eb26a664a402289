"""A literal at a position where secrets occur, before it is judged."""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.analysis.secrets.secret_names import Kind


class Place(StrEnum):
    """How the literal is used; the values are the words of the findings."""

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
    """`name` is the literal's name; `label` says what it is if only its format shows that."""

    path: str
    line: int
    name: str
    value: str
    kind: Kind
    place: Place
    function: str = ""
    label: str = ""
    handed: bool = False
    """True if the literal is assigned to an object that uses it, such as `app.secret_key`, and not to a variable."""
