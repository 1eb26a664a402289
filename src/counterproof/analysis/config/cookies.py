"""Cookie flags, as settings and on `set_cookie`."""

from counterproof.analysis.config.patterns import Bad, Calls, Headers, Pattern, Settings
from counterproof.analysis.config.places import Place, keyword, off
from counterproof.analysis.program.spread import is_read
from counterproof.analysis.program.traversal import argument, called, text_of
from counterproof.analysis.program.traversal import keyword as keyword_of
from counterproof.analysis.program.words import mentions, vocabulary, words, words_in
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Concat, Const, Format, Function, Name
from counterproof.analysis.syntax.walk import walk
from counterproof.model.severity import Confidence

SESSION_WORDS = vocabulary(
    "session sessionid sid auth token jwt remember login user username userid uid access refresh identity sso"
)
_RIGHTS = vocabulary("admin role email")
"""Name words of data that a cookie should not contain: the user's identity or privileges."""
_SWITCHES = ("true", "false", "yes", "no", "on", "off", "1", "0")
_CSRF = vocabulary("csrf xsrf csrftoken")
SETTING = ("*.set_cookie", "*.set_secure_cookie", "*.set_signed_cookie", "*.add_cookie")
_SPELLED = {"httponly": "http_only", "samesite": "same_site"}
"""Falcon's spelling of the flags."""
_STORAGES = tuple(f"*.{each}Storage" for each in ("Redis", "EncryptedCookie", "SimpleCookie", "NaClCookie"))


def cookie_flag(flag: str, *settings: str) -> tuple[Pattern, ...]:
    """Every place that sets a cookie flag, or omits it: an explicit False counts for every relevant cookie, a missing flag only
    for session cookies."""
    return (
        Settings(settings, bad=Bad(_is_switched_off, "switched off"), good="on, decided at run time, or left to somebody else"),
        Calls(
            SETTING,
            keyword(flag, _SPELLED.get(flag, flag)),
            _is_judged,
            (
                Bad(lambda at: _is_left_out(at, flag), "not set on a cookie that identifies a user"),
                Bad(lambda at: off(at) and _is_session(at), "switched off"),
                Bad(lambda at: off(at) and flag == "secure", "switched off", Confidence.MEDIUM),
            ),
            "on, decided at run time, or the cookie names no session",
            lambda at: f"{flag} of cookie {cookie_name(at)}" if cookie_name(at) else f"{flag} of a cookie",
            optional=True,
        ),
        Calls(
            (*_STORAGES, "*.SessionMiddleware"),
            keyword(flag),
            bad=Bad(off, "switched off"),
            good="not switched off",
            item=f"{flag} of sessions",
        ),
        Headers(
            ("set-cookie",),
            only=lambda at: at.function is not None and isinstance(at.site.node, Assign | Call),
            bad=Bad(lambda at: _is_bare(at, flag), "not set on a cookie that identifies a user", Confidence.MEDIUM),
            good="given by hand, or no session",
            item=f"{flag} of a cookie",
        ),
    )


def _is_switched_off(at: Place) -> bool:
    """Return True for an explicit False, except as a library class's default, which the application may override."""
    setting = at.setting
    own = setting is None or setting.form != "entry" or setting.owner is None or "config" in setting.owner.name.lower()
    return off(at) and own and not at.development


def _is_judged(at: Place) -> bool:
    """Return True for a cookie that is set, not deleted, by a function outside the project; a project function is judged by the
    call inside it."""
    found = at.codebase.meaning(at.outline, at.call.callee, at.function)
    if not isinstance(at.call.callee, Attribute) or not at.call.arguments or (found and isinstance(found.node, Function)):
        return False
    if not is_read(at.codebase, at.outline, at.site) or is_deleted(at):
        return False
    match at.call.callee:
        case Attribute(value=Name(id="self"), name=name) if at.site.owner and name in at.outline.methods(at.site.owner):
            return False
        case _:
            first = argument(at.call, 0, "key")
            return not isinstance(first, Name) or first.id not in ("self", "handler", "request", "response")


def cookie_name(at: Place) -> str:
    """The cookie's name if it is a literal or a constant; "" otherwise."""
    given = argument(at.call, 0, "key") or keyword_of(at.call, "name")
    return at.text(given) if given is not None else ""


def is_deleted(at: Place) -> bool:
    given = argument(at.call, 1, "value")
    ended = (keyword_of(at.call, "expires"), keyword_of(at.call, "max_age"))
    empty = given is not None and at.literal(given) == ""
    return empty or any(isinstance(each, Const) and each.value == 0 for each in ended)


def _is_left_out(at: Place, flag: str) -> bool:
    """Return True if the flag is missing: Falcon's `set_cookie` sets both flags by default, Sanic's `add_cookie` only
    `secure`."""
    adds = called(at.call) == "add_cookie"
    falcon = any(each.partition(".")[0] == "falcon" for each in at.outline.module.imports.values())
    by_default = flag == "secure" if adds else falcon
    return at.value is None and not by_default and _is_session(at) and not _is_csrf(at)


def _is_bare(at: Place, flag: str) -> bool:
    """A handwritten `Set-Cookie` header: the flag must appear somewhere in the same function."""
    body = at.function.body if at.function is not None else ()
    texts = [text for node in walk(*body) if (text := text_of(node))]
    said = words_in(*body).union(*(words(text) for text in texts))
    given = flag in said or any(flag in text.lower() for text in texts)  # `HttpOnly` is two words
    return not given and mentions(said, SESSION_WORDS)


def _is_session(at: Place) -> bool:
    value = argument(at.call, 1, "value")
    found = frozenset(words(cookie_name(at)))
    if (text_of(value) or "").lower() in _SWITCHES and not found & _RIGHTS:
        return False  # it only records that something was done; there is nothing to steal
    made = at.outline.behind(at.function, value) if value is not None else None
    parts = [each for each in (value, made if isinstance(made, Concat | Format) else None) if each is not None]
    return mentions(found | words_in(*parts), SESSION_WORDS | _RIGHTS)


def _is_csrf(at: Place) -> bool:
    """A CSRF cookie, by its name or by the setting with its name: scripts have to read such a cookie."""
    if name := cookie_name(at):
        return bool(set(words(name)) & _CSRF)
    given = argument(at.call, 0, "key")
    return given is not None and bool(words_in(given, at.outline.behind(at.function, given)) & _CSRF)
