"""Flags of the cookies that scripts set, by session middleware or one by one.

Always holds: an option that is computed counts as on. Does not belong here: cookies of Python, see `config/cookies.py`.
"""

from counterproof.analysis.flow.seen_calls import SeenCall, is_true
from counterproof.analysis.libraries import names
from counterproof.analysis.outline.words import mentions, vocabulary, words
from counterproof.analysis.ruleset import Match
from counterproof.model.survey import Language

SESSION_MIDDLEWARE = names("session", "cookie-middleware", Language.JAVASCRIPT)
"""Packages that keep the session of an Express, Koa or Fastify application in a cookie."""
COOKIE_CALLS = (*SESSION_MIDDLEWARE, "http.ServerResponse().cookie", "fastify.FastifyReply().setCookie")
SECRETS = vocabulary("session sess sid token jwt auth access refresh remember login credential secret")


def cookie_flag(seen: SeenCall, flag: str, secrets: frozenset[str] = SECRETS, *, by_default: bool = False) -> Match | None:
    """Whether a cookie whose name speaks of a secret has the flag. `by_default`: session middleware sets it by itself."""
    if seen.name in SESSION_MIDDLEWARE:
        nested = seen.option(0, "cookie", flag)
        given = nested if nested is not None else seen.option(0, flag)
        if given is None and by_default:
            return seen.good("session cookie", f"{flag} is not touched")
        if is_true(given) is False:
            return seen.bad("session cookie", f"{flag} is switched off" if by_default else f"set without {flag}")
        return seen.good("session cookie", f"{flag} is on or computed")
    name = seen.text(0) or ""
    if is_true(seen.option(2, flag)) is not False:
        return seen.good(f"cookie {name}".strip(), f"{flag} is on or computed")
    if not mentions(frozenset(words(name)), secrets) or seen.text(1) == "":
        return seen.good(f"cookie {name}".strip(), "its name or value holds nothing secret")
    return seen.bad(f"cookie {name}", f"set without {flag}")
