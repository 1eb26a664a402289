"""What the identifiers of a test ask of the caller. Data, and one reader of it; Python and scripts share it.

Always holds: names that speak of a form, a client program, a limit or a setting ask nothing of who is calling.
"""

from collections.abc import Iterable

from counterproof.analysis.outline.words import vocabulary, words
from counterproof.model.recon import Asks

_ROLE = vocabulary(
    "role roles permission permissions perm perms admin administrator staff superuser superadmin moderator scope scopes group "
    "groups acl privilege privileges capability capabilities ability"
)
_IDENTITY = vocabulary(
    "user username users userid session sessions authenticated login logged signed identity principal account anonymous viewer "
    "currentuser member auth authenticate passport"
)
_TOKEN = vocabulary("token tokens apikey bearer jwt authorization signature hmac secret credential credentials digest")
_OWNER = vocabulary("owner owned owns author")
_ADDRESS = vocabulary("addr ip ips host hostname hosts localhost loopback")
_OF_REQUEST = vocabulary("request req environ headers header meta client remote http forwarded ctx scope peer")
_ELSEWHERE = vocabulary("csrf xsrf agent captcha limit limits limiter rate throttle maintenance nonce")
"""A name with one of these words is about a form, a client program or a load, not about the caller."""
_SETTINGS = vocabulary("config settings setting feature enabled disabled debug")


def asked_of_names(names: Iterable[str]) -> Asks:
    """The strongest thing that these identifiers ask for."""
    every = [frozenset((*words(name), name.lower())) for name in names]
    if any(each & _ELSEWHERE for each in every):
        every = [each for each in every if not each & (_ELSEWHERE | _TOKEN | {"session", "user"})]
    if any(each & _SETTINGS for each in every) and not any("user" in each or "session" in each for each in every):
        return Asks.NOTHING
    spoken = frozenset(word for each in every for word in each)
    if spoken & _ROLE and not (spoken & _ROLE == {"scope"} and spoken & _ADDRESS):
        return Asks.ROLE
    if spoken & _OWNER:
        return Asks.OWNER
    if spoken & _IDENTITY:
        return Asks.IDENTITY
    if spoken & _TOKEN or any({"api", "key"} <= each for each in every):
        return Asks.TOKEN
    return Asks.ADDRESS if spoken & _ADDRESS and spoken & _OF_REQUEST else Asks.NOTHING
