"""Cookie flags, as settings and on `set_cookie`."""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.settings import for_development, settings_of
from counterproof.analysis.config.values import literal, switch
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.settings import django_settings, is_django_settings
from counterproof.analysis.program.spread import given, is_read
from counterproof.analysis.program.traversal import argument, keyword, text_of
from counterproof.analysis.program.words import mentions, vocabulary, words, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import Match
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Concat, Const, Expr, Format, Function, Index, Name
from counterproof.analysis.syntax.walk import walk
from counterproof.model.severity import Confidence

SESSION_WORDS = vocabulary(
    "session sessionid sid auth token jwt remember login user username userid uid access refresh identity sso"
)
_RIGHTS = vocabulary("admin role email")
"""What a cookie of its own should not say in the first place: who somebody is, or what they may do."""
_SWITCHES = ("true", "false", "yes", "no", "on", "off", "1", "0")
_COOKIES = vocabulary("cookie cookies")
_CSRF = vocabulary("csrf xsrf csrftoken")
_SETTING = ("set_cookie", "set_secure_cookie", "set_signed_cookie", "add_cookie")
_SPELLED = {"httponly": "http_only", "samesite": "same_site"}
"""What Falcon calls them."""
_HEADING = ("send_header", "add_header", "set_header", "add", "append", "append_header", "setdefault")
_STORAGES = ("RedisStorage", "EncryptedCookieStorage", "SimpleCookieStorage", "NaClCookieStorage", "SessionMiddleware")


def setting_matches(project: Project, path: str, names: frozenset[str]) -> Iterator[Match]:
    """Settings that must be on."""
    codebase, outline = opened(project, path)
    for setting in settings_of(outline, names):
        found = switch(codebase, outline, setting.value, setting.function)
        if setting.form == "entry" and setting.owner and "config" not in setting.owner.name.lower():
            yield good(setting.site, setting.name, "a library's default, left to the application")
            continue
        if found.on is False and found.certain and not for_development(outline, setting.owner):
            yield bad(setting.site, setting.name, "switched off")
        elif found.on is False:
            yield good(setting.site, setting.name, "off in development, or unless the environment switches it on")
        else:
            yield good(setting.site, setting.name, "on" if found.on else "decided at run time")


def is_set_cookie(call: Call) -> bool:
    return isinstance(call.callee, Attribute) and call.callee.name in _SETTING


def cookie_matches(project: Project, path: str, flag: str) -> Iterator[Match]:
    """`set_cookie` calls: an explicit false counts for every cookie that matters, a missing flag only for session cookies."""
    codebase, outline = opened(project, path)
    for site in outline.of(Call):
        known = is_set_cookie(site.node) and bool(site.node.arguments) and is_read(codebase, outline, site)
        if known and not _is_own(codebase, outline, site):
            yield _judged(codebase, outline, site, flag)


def _is_own(codebase: Codebase, outline: Outline, site: Site[Call]) -> bool:
    """A function of the project that happens to have the name; the call inside it is the one that counts."""
    callee = site.node.callee
    found = codebase.meaning(outline, callee, site.function)
    if found is not None and isinstance(found.node, Function):
        return True
    match callee:
        case Attribute(value=Name(id="self"), name=name) if site.owner is not None and name in outline.methods(site.owner):
            return True
        case _:
            first = argument(site.node, 0, "key")
            return isinstance(first, Name) and first.id in ("self", "handler", "request", "response")


def cookie_name(codebase: Codebase, outline: Outline, site: Site[Call]) -> str | None:
    """The cookie's name where it is a literal or a constant."""
    given = argument(site.node, 0, "key") or keyword(site.node, "name")
    name = literal(codebase, outline, given, site.function)
    return name if isinstance(name, str) else None


def _judged(codebase: Codebase, outline: Outline, site: Site[Call], flag: str) -> Match:
    name = cookie_name(codebase, outline, site)
    item = f"{flag} of cookie {name}" if isinstance(name, str) else f"{flag} of a cookie"
    said = flag_of(codebase, outline, site, flag)
    if is_deleted(codebase, outline, site):
        return good(site, item, "the cookie is being removed")
    session = _is_session(outline, site, name)
    if said is None:
        if _is_on_by_default(outline, site.node, flag):
            return good(site, item, "on unless it is switched off")
        if session and not _is_csrf(outline, site, name):
            return bad(site, item, "not set on a cookie that identifies a user")
        return good(site, item, "not set; the cookie names no session")
    found = switch(codebase, outline, said, site.function)
    if found.on is False and found.certain and (session or flag == "secure"):
        return bad(site, item, "switched off", Confidence.HIGH if session else Confidence.MEDIUM)
    return good(
        site, item, "on" if found.on else "decided at run time" if found.on is None else "off; the cookie names no session"
    )


def flag_of(codebase: Codebase, outline: Outline, site: Site[Call], flag: str) -> Expr | None:
    """What a call says about a flag, by whichever name the framework gives it."""
    said = given(codebase, outline, site, flag)
    return said if said is not None else given(codebase, outline, site, _SPELLED.get(flag, flag))


def _is_on_by_default(outline: Outline, call: Call, flag: str) -> bool:
    """Falcon's `set_cookie` sets both flags by itself, Sanic's `add_cookie` only `secure`."""
    if isinstance(call.callee, Attribute) and call.callee.name == "add_cookie":
        return flag == "secure"
    return any(each.partition(".")[0] == "falcon" for each in outline.module.imports.values())


def header_matches(project: Project, path: str, flag: str) -> Iterator[Match]:
    """`Set-Cookie` written by hand: the flag must stand somewhere in the same function."""
    _, outline = opened(project, path)
    for site in _headers(outline):
        if site.function is None:
            continue
        texts = [text for node in walk(*site.function.body) if (text := text_of(node))]
        said = {word for text in texts for word in words(text)} | words_in(*site.function.body)
        if flag in said or any(flag in text.lower() for text in texts):  # `HttpOnly` is two words
            yield good(site, f"{flag} of a cookie", "given by hand")
        elif mentions(frozenset(said), SESSION_WORDS):
            yield bad(site, f"{flag} of a cookie", "not set on a cookie that identifies a user", Confidence.MEDIUM)


def _headers(outline: Outline) -> Iterator[Site[Call] | Site[Assign]]:
    """Where `Set-Cookie` is written: `send_header("Set-Cookie", …)`, `headers.add(…)`, `headers["Set-Cookie"] = …`."""
    for site in outline.of(Call):
        callee = site.node.callee
        heading = isinstance(callee, Attribute) and callee.name in _HEADING
        if heading and (text_of(argument(site.node, 0, "keyword")) or "").lower() == "set-cookie":
            yield site
    for assigned in outline.of(Assign):
        keys = [target.key for target in assigned.node.targets if isinstance(target, Index)]
        if any((text_of(key) or "").lower() == "set-cookie" for key in keys):
            yield assigned


def morsel_matches(project: Project, path: str, flag: str) -> Iterator[Match]:
    """`response.cookies["sid"]["httponly"] = False`: a cookie changed after it was made."""
    codebase, outline = opened(project, path)
    for site in outline.of(Assign):
        for target in site.node.targets:
            match target:
                case Index(value=Index(value=holder, key=key), key=given) if (text_of(given) or "").lower() == flag:
                    found = switch(codebase, outline, site.node.value, site.function)
                    known = mentions(words_in(holder), _COOKIES)
                    if known and found.on is False and found.certain:
                        yield bad(site, f"{flag} of cookie {(text_of(key) or '')[:40]}", "switched off")
                case _:
                    pass


def is_deleted(codebase: Codebase, outline: Outline, site: Site[Call]) -> bool:
    value = literal(codebase, outline, argument(site.node, 1, "value"), site.function)
    ended = any(
        isinstance(each, Const) and each.value == 0 for each in (keyword(site.node, "expires"), keyword(site.node, "max_age"))
    )
    return value == "" or ended


def _is_session(outline: Outline, site: Site[Call], name: object) -> bool:
    value = argument(site.node, 1, "value")
    found = set(words(name)) if isinstance(name, str) else set[str]()
    if (text_of(value) or "").lower() in _SWITCHES and not found & _RIGHTS:
        return False  # it only says that something was done; there is nothing in it to steal
    made = outline.local(site.function, value.id) if isinstance(value, Name) else None
    parts = [value] if value is not None else []
    parts += (
        [made.value] if made is not None and isinstance(made.value, Concat | Format) else []
    )  # put together, from a name for example
    found |= words_in(*parts)
    return mentions(frozenset(found), SESSION_WORDS | _RIGHTS)


def _is_csrf(outline: Outline, site: Site[Call], name: object) -> bool:
    """By its name, or by what the setting is called that names it: scripts have to read such a cookie."""
    if isinstance(name, str):
        return bool(set(words(name)) & _CSRF)
    given = argument(site.node, 0, "key")
    made = outline.local(site.function, given.id) if isinstance(given, Name) else None
    parts = [each for each in (given, made.value if made is not None else None) if each is not None]
    return bool(words_in(*parts) & _CSRF)


def storage_matches(project: Project, path: str, flag: str) -> Iterator[Match]:
    """Session storages that take the flag themselves."""
    codebase, outline = opened(project, path)
    for site in outline.of(Call):
        value = keyword(site.node, flag)
        if value is not None and outline.dotted(site.node.callee).rpartition(".")[2] in _STORAGES:
            found = switch(codebase, outline, value, site.function)
            off = found.on is False and found.certain
            yield (
                bad(site, f"{flag} of sessions", "switched off") if off else good(site, f"{flag} of sessions", "not switched off")
            )


def unset_in_django(project: Project, path: str) -> Iterator[Match]:
    """Django's default is off, so settings that configure sessions and never mention the flag leave it off."""
    codebase, outline = opened(project, path)
    if not is_django_settings(codebase, path) or for_development(outline, None):
        return
    engine = outline.top_level.get("SESSION_ENGINE")
    if engine is None or any("SESSION_COOKIE_SECURE" in each.top_level for each in django_settings(codebase)):
        return
    yield bad(Site(engine, None, None), "SESSION_COOKIE_SECURE", "never set, and off by default", Confidence.MEDIUM)
