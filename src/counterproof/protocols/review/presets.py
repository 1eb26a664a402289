"""Presets (R3) and the scope's thresholds (R4)."""

from dataclasses import dataclass, replace
from enum import StrEnum

from counterproof.model.review.profile import Profile, Specialist
from counterproof.protocols.review.refinement import MAX_ITERATIONS


class Preset(StrEnum):
    """The thoroughness of a review."""

    QUICK = "quick"
    DEFAULT = "default"
    THOROUGH = "thorough"


@dataclass(frozen=True, slots=True)
class Terms:
    """The settings of a preset."""

    iterations: int
    tokens: int
    everyone: bool

    def __post_init__(self) -> None:
        assert self.iterations <= MAX_ITERATIONS


TERMS: dict[Preset, Terms] = {
    Preset.QUICK: Terms(2, 150_000, everyone=False),
    Preset.DEFAULT: Terms(2, 350_000, everyone=True),
    Preset.THOROUGH: Terms(3, 800_000, everyone=True),
}

COMPACT = "REV"
"""The hunter of the compact team."""
SMALL = 400
"""Below this number of changed lines the compact team is the default (R3)."""

WARN_TOKENS, WARN_FILES, MOST_FILES = 20_000, 50, 200


def team(profile: Profile, preset: Preset, only: tuple[str, ...] = ()) -> Profile:
    """The participants: those that the user named, otherwise those of the preset."""
    if only:
        return profile.only(only)
    return profile if TERMS[preset].everyone else profile.only(profile.quick)


def compact(profile: Profile) -> Profile:
    """One hunter with all domains of the profile; the devil's advocate is its challenger (R3, R17)."""
    hunter = Specialist(COMPACT, "reviewer", tuple(dict.fromkeys(profile.domains)))
    return replace(profile, specialists=(hunter,), quick=(COMPACT,))


def is_compact(team: str, preset: Preset, agents: str, lines: int) -> bool:
    """True if a single model that plays all seats reviews a small change as a hunter with one challenger."""
    one = bool(agents) and "=" not in agents and "," not in agents
    if team or preset is Preset.THOROUGH or not one:
        return team == "compact" and preset is not Preset.THOROUGH
    return 0 < lines < SMALL


def scope_warning(files: int, tokens: int) -> str:
    """The warning before a large review; '' for a small one."""
    if tokens > WARN_TOKENS or files > WARN_FILES:
        return f"this is a large scope: {files} files, about {tokens:,} tokens"
    return ""


def scope_refusal(files: int, forced: bool) -> str:
    """Why a scope is rejected; '' if it is not."""
    if files > MOST_FILES and not forced:
        return f"{files} files are more than {MOST_FILES}; name fewer, or use --force"
    return ""
