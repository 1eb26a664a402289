"""The check of `cookie-secure`."""

from functools import partial

from counterproof.analysis.config.cookies import cookie_flag
from counterproof.analysis.config.patterns import Bad, Matching, Settings
from counterproof.analysis.config.places import Place
from counterproof.analysis.flow.seen_calls import COOKIE_CALLS
from counterproof.analysis.flow.seen_calls import cookie_flag as script_flag
from counterproof.analysis.program.settings import django_settings
from counterproof.analysis.ruleset import Confidence

_SETTINGS = tuple(f"{name}_COOKIE_SECURE" for name in ("SESSION", "CSRF", "REMEMBER", "JWT"))


def _is_unset(at: Place) -> bool:
    """Return True if settings configure sessions and never set the flag: Django's default is off."""
    return not any(_SETTINGS[0] in each.top_level for each in django_settings(at.codebase))


check = Matching(
    *cookie_flag("secure", *_SETTINGS),
    Settings(
        ("SESSION_ENGINE",),
        only=lambda at: at.django and not at.development,
        bad=Bad(_is_unset, "never set, and off by default", Confidence.MEDIUM),
        item=_SETTINGS[0],
    ),
)
check_script = partial(script_flag, flag="secure")
calls_script = COOKIE_CALLS
