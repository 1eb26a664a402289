"""The user's request."""

from dataclasses import dataclass

from counterproof.model.review.comment import Comment
from counterproof.model.review.profile import Profile
from counterproof.model.user_context import UserContext
from counterproof.protocols.guard.budget import ModelTerms
from counterproof.protocols.review.presets import TERMS, Preset


@dataclass(frozen=True, slots=True)
class ReviewRequest:
    """One review. `profile` is the team that takes part. `budget` is in tokens, None for the preset's; `budget_micros` in
    millionths of a dollar. `source_url` is the web address of a line, with `{path}` and `{line}` as placeholders. `agents`
    names models by specialist as the user wrote it, `prompts` is the digest of their prompts; `accept_unread` are globs of
    source that may stay unread (R40); `intent` is the user's description of the change, such as a pull request's text (R42);
    `comments` are external comments to rule on (R31); `team` is "full" for the profile's seats, "compact" for a hunter and a
    challenger, "" to choose by the size of the change (R3); `window` and `context` are as in an audit."""

    target: str
    profile: Profile
    preset: Preset = Preset.DEFAULT
    paths: tuple[str, ...] = ()
    diff: str = ""
    delta: bool = False
    strict_scope: bool = False
    budget: int | None = None
    unlimited: bool = False
    threshold: int = 0
    yes: bool = False
    forced: bool = False
    secrets: bool = False
    max_seconds: int = 0
    agents: str = ""
    prompts: str = ""
    accept_unread: tuple[str, ...] = ()
    intent: str = ""
    comments: tuple[Comment, ...] = ()
    budget_micros: int | None = None
    source_url: str = ""
    team: str = ""
    window: int = 0
    context: UserContext | None = None

    @property
    def terms(self) -> ModelTerms | None:
        """The terms for using models; None if no model takes part."""
        most = None if self.unlimited else self.tokens
        named = ModelTerms(self.agents, most, self.budget_micros, prompts=self.prompts, window=self.window)
        return named if self.agents else None

    @property
    def iterations(self) -> int:
        return TERMS[self.preset].iterations

    @property
    def tokens(self) -> int:
        """The planned total."""
        return self.budget if self.budget is not None else TERMS[self.preset].tokens
