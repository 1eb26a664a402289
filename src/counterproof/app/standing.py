"""A user who agreed in advance or cannot be asked: for `--yes`, for coding agents, and for runs inside another one."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from counterproof.model.plan.challenge import Question, Response
    from counterproof.model.review.scope import Scope


@dataclass(frozen=True, slots=True)
class Standing:
    """The user's consent, given in advance or not at all: then the run pauses."""

    yes: bool = True

    async def confirm(self, question: str) -> bool | None:
        return self._word

    def confirms(self, scope: "Scope", warnings: tuple[str, ...]) -> bool | None:
        return self._word

    def answers(self, iteration: int, questions: "tuple[Question, ...]") -> "tuple[Response, ...] | None":
        return () if self._word else None

    @property
    def _word(self) -> bool | None:
        return True if self.yes else None
