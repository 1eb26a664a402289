"""What passes between the server and the process of one run, a line of JSON for each thing said.

Invariant: what comes in is checked against its type before anything is done with it. A process that is ended over a limit is
followed by another on the same line: each says `Hello` first, and calls that were meant for the one before are passed over. Does
not belong here: who reads and who writes.
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
    """What somebody says about a place. `quote` is the code they saw there."""

    root: str
    file: str
    line: int
    quote: str
    cwe: int
    description: str


@dataclass(frozen=True, slots=True)
class Assessed:
    """`refused` says why verification does not let the claim stand; otherwise the analysers' own word on it."""

    finding: Finding
    refused: str
    word: Corroboration = Corroboration.UNCHECKED
    judgement: Judgement | None = None


@dataclass(frozen=True, slots=True)
class Order:
    """What a process is started for: a new run, the id of one to go on with, or a claim. `yes` is the user's word, given in
    advance."""

    yes: bool
    audit: AuditRequest | None = None
    review: ReviewRequest | None = None
    verification: VerifyRequest | None = None
    run: str = ""
    claim: Claim | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """Something asked of the desk of the run, by the server. `era` names the process that is meant."""

    era: str
    number: int
    what: What
    seconds: float = 0.0
    task: str = ""
    said: Said | None = None
    context: str = ""


@dataclass(frozen=True, slots=True)
class Hello:
    """A process has taken the run up."""

    era: str
    kind: Literal["hello"] = "hello"


@dataclass(frozen=True, slots=True)
class Begun:
    """The run exists and has this id."""

    run: str
    kind: Literal["begun"] = "begun"


@dataclass(frozen=True, slots=True)
class Told:
    """A marker of the run, or what is being done just now."""

    text: str
    passing: bool = False
    kind: Literal["told"] = "told"


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of a call: what is shown, the desk's counts, or an error with what to do next."""

    number: int
    shown: Shown | None = None
    counts: tuple[int, int, int] = (0, 0, 0)
    error: str = ""
    hint: str = ""
    kind: Literal["answered"] = "answered"


@dataclass(frozen=True, slots=True)
class Left:
    """How a run was left by who drove it: how it came out, and how to go on."""

    outcome: Outcome
    hint: str


@dataclass(frozen=True, slots=True)
class Over:
    """The last thing that a process says."""

    finished: Left | None = None
    assessed: Assessed | None = None
    error: str = ""
    kind: Literal["over"] = "over"


ORDER = Codec[Order](Order)
CALL = Codec[Call](Call)
REPORTED = Codec[Hello | Begun | Told | Answered | Over](
    Annotated[Hello | Begun | Told | Answered | Over, Field(discriminator="kind")]
)
