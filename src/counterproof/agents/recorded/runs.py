"""Reads recorded runs from a file: one JSON object per line, with the findings of one agent on one target.

Invariant: sizes and counts are bounded; invalid entries are counted and reported, never guessed; texts that address a reader
instead of describing code are withheld, because a model wrote them after reading a possibly hostile target (X8). The file is
the user's, never the target's. Not handled here: judging claims.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from counterproof.analysis.text.hidden import visible
from counterproof.model.dimension import Dimension
from counterproof.model.errors import InvalidValue, UserError
from counterproof.model.finding import Finding
from counterproof.model.location import Location
from counterproof.model.misfits import in_plain_words
from counterproof.model.severity import Confidence, Impact, Rating, Reach, Severity
from counterproof.model.weaknesses import dimension_of
from counterproof.protocols.guard.injection import addresses_model

MAX_BYTES: Final = 64_000_000
MAX_RUNS: Final = 10_000
MAX_CLAIMS: Final = 500
UNSEEN: Final = "(the recorded run quoted nothing, and there is no such line)"

_SEVERITY: Final = {
    "critical": Severity.CRITICAL,
    "error": Severity.HIGH,
    "high": Severity.HIGH,
    "warning": Severity.MEDIUM,
    "medium": Severity.MEDIUM,
    "info": Severity.LOW,
    "note": Severity.LOW,
    "low": Severity.LOW,
}
_CONFIDENCE: Final = {"high": Confidence.HIGH, "medium": Confidence.MEDIUM, "low": Confidence.PATTERN}
_RATING: Final = Rating(Reach.LOW_PRIVILEGE, Impact.PARTIAL)
"""A recorded run states neither who can reach the flaw nor its impact, so both get the middle value."""


class _Claim(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    path: str = Field(max_length=4_096)
    start: int
    end: int | None = None
    cwe: tuple[int, ...] = Field(default=(), max_length=50)
    severity: str = Field(default="", max_length=50)
    confidence: str = Field(default="", max_length=50)
    rule: str = Field(default="", max_length=500)
    message: str = Field(default="", max_length=50_000)


class _Run(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    target: str = Field(max_length=500)
    model: str = Field(min_length=1, max_length=200)
    run: int = 1
    findings: tuple[_Claim, ...]


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """One run of one agent on one target. `dropped` counts claims without a location or a weakness.

    The findings have no quotations: their evidence is a placeholder until the engine attaches the line.
    """

    target: str
    model: str
    run: int
    claims: tuple[Finding, ...]
    dropped: int = 0

    @property
    def name(self) -> str:
        return f"{self.model} run {self.run}"


def read_runs(file: Path) -> tuple[RecordedRun, ...]:
    """All runs of a file, in order. Raises `UserError` if the file has another format."""
    try:
        if file.stat().st_size > MAX_BYTES:
            raise UserError(f"{file.name} is larger than {MAX_BYTES:,} bytes")
        lines = [line for line in file.read_bytes().split(b"\n") if line.strip()]
    except OSError as error:
        raise UserError(f"{file.name} cannot be read: {error.strerror}") from error
    if len(lines) > MAX_RUNS:
        raise UserError(f"{file.name} holds more than {MAX_RUNS:,} runs")
    return tuple(_run(file.name, number, line) for number, line in enumerate(lines, 1))


def _run(name: str, number: int, line: bytes) -> RecordedRun:
    try:
        given = _Run.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part)[:40] for part in first["loc"])
        hint = "each line is one JSON object with target, model and findings"
        raise UserError(f"{name}, line {number}: {place}: {in_plain_words(first['msg'])}"[:300], hint) from error
    claims = [_finding(each) for each in given.findings[:MAX_CLAIMS]]
    sound = tuple(dict.fromkeys(each for each in claims if each))
    repeats = len([each for each in claims if each]) - len(sound)
    return RecordedRun(
        given.target,
        given.model,
        given.run,
        sound,
        len(given.findings) - len(sound) - repeats,
    )


def _finding(each: _Claim) -> Finding | None:
    cwe = next((number for number in each.cwe if 1 <= number <= 9_999), None)
    if cwe is None:
        return None
    message = _said(each.message)
    try:
        return Finding(
            id="",
            rule="",
            title=_title(message, cwe),
            dimension=dimension_of(cwe) or Dimension.D9,
            cwe=cwe,
            severity=_SEVERITY.get(each.severity.lower(), Severity.MEDIUM),
            confidence=_CONFIDENCE.get(each.confidence.lower(), Confidence.MEDIUM),
            location=Location(each.path.removeprefix("./"), each.start, max(each.start, each.end or each.start)),
            evidence=UNSEEN,
            impact=message,
            rating=_RATING,
            no_poc_reason="a recorded run cannot be asked for one",
        )
    except InvalidValue:
        return None


def _said(text: str) -> str:
    shown = visible(" ".join(text.split())).text[:1_000]
    signs = addresses_model(shown)
    return f"(the recorded text was withheld: it {signs[0].kind.value})" if signs else shown


def _title(message: str, cwe: int) -> str:
    sentence = message.split(". ")[0].rstrip(".")
    return sentence[:120].strip() or f"CWE-{cwe}"
