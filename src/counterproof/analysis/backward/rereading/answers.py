"""What a second reading says: yes, no or unclear, with a sentence."""

from collections.abc import Callable
from dataclasses import dataclass

from counterproof.analysis.backward.rereading.passage import Passage
from counterproof.model.finding import StepResult


@dataclass(frozen=True, slots=True)
class Answer:
    result: StepResult
    text: str


def yes(text: str) -> Answer:
    return Answer(StepResult.PASS, text)


def no(text: str) -> Answer:
    return Answer(StepResult.FAIL, text)


def unclear(text: str) -> Answer:
    return Answer(StepResult.PARTIAL, text)


Reader = Callable[[Passage], Answer]
