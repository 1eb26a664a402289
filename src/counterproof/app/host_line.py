"""The messages between the server and the process of one run, one line of JSON each.

Invariant: input is validated against its type before use. A process killed for exceeding a limit is followed by another on the
same line: each sends `Hello` first, and calls meant for the previous one are skipped. Not handled here: reading and writing.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from counterproof.agents.host.desk import Said, Shown
from counterproof.model.finding import Corroboration, Finding
from counterproof.model.judgement import Judgement
from counterproof.model.receipt import Outcome
from counterproof.protocols.audit.request import AuditRequest
from counterproof.protocols.plan.request import VerifyRequest
from counterproof.protocols.review.request import ReviewRequest
from counterproof.runtime.codec import Codec

What = Literal["take", "again", "answer", "counts"]


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim about a location. `quote` is the code seen there."""

    root: str
    file: str
    line: int
    quote: str
    cwe: int
    description: str


@dataclass(frozen=True, slots=True)
class Assessed:
    """`refused` says why verification rejects the claim; otherwise the analysers' own judgement."""

    finding: Finding
    refused: str
    word: Corroboration = Corroboration.UNCHECKED
    judgement: Judgement | None = None


@dataclass(frozen=True, slots=True)
class Order:
    """The task of a process: a new run, the id of a run to resume, or a claim. `yes` is the user's consent, given in advance."""

    yes: bool
    audit: AuditRequest | None = None
    review: ReviewRequest | None = None
    verification: VerifyRequest | None = None
    run: str = ""
    claim: Claim | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """The server's call to the run's desk. `era` identifies the intended process."""

    era: str
    number: int
    what: What
    seconds: float = 0.0
    task: str = ""
    said: Said | None = None
    context: str = ""


@dataclass(frozen=True, slots=True)
class Hello:
    """A process has started to drive the run."""

    era: str
    kind: Literal["hello"] = "hello"


@dataclass(frozen=True, slots=True)
class Begun:
    """The run exists and has this id."""

    run: str
    kind: Literal["begun"] = "begun"


@dataclass(frozen=True, slots=True)
class Told:
    """A marker of the run, or its current activity."""

    text: str
    passing: bool = False
    kind: Literal["told"] = "told"


@dataclass(frozen=True, slots=True)
class Answered:
    """The result of a call: a text, the desk's counts, or an error with the next step."""

    number: int
    shown: Shown | None = None
    counts: tuple[int, int, int] = (0, 0, 0)
    error: str = ""
    hint: str = ""
    kind: Literal["answered"] = "answered"


@dataclass(frozen=True, slots=True)
class Left:
    """How the run ended or paused, and how to continue."""

    outcome: Outcome
    hint: str


@dataclass(frozen=True, slots=True)
class Over:
    """The last message of a process."""

    finished: Left | None = None
    assessed: Assessed | None = None
    error: str = ""
    kind: Literal["over"] = "over"


ORDER = Codec[Order](Order)
CALL = Codec[Call](Call)
REPORTED = Codec[Hello | Begun | Told | Answered | Over](
    Annotated[Hello | Begun | Told | Answered | Over, Field(discriminator="kind")]
)
