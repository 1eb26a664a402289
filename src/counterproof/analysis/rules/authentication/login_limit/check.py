"""The check of `login-limit`."""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.logins import checks_password, counts_attempts, limits_everything
from counterproof.analysis.config.passwords import PASSWORDS
from counterproof.analysis.endpoints import entry_points_in
from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.libraries import names
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import calls_in, text_of
from counterproof.analysis.program.words import mentions, names_in, vocabulary, words, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import Confidence, Language, Match
from counterproof.analysis.syntax.ir import Function, Name
from counterproof.analysis.syntax.walk import walk
from counterproof.model.recon import EntryKind, EntryPoint

_OTHER = vocabulary("register registration signup join create chpasswd change reset update delete password profile")

_LOGIN = vocabulary("login signin auth authenticate authentication token")
_MAKING = frozenset({"create_user", "UserCreationForm", "SignupForm", "RegistrationForm", "set_password"})
_METHODS = ("get", "post", "put", "patch", "delete")


def check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    seen: set[str] = set()
    for each in entry_points_in(project, path):
        if each.name in seen:
            continue
        function = outline.functions.get(each.name)
        if function is not None and _tries(codebase, outline, function, each):
            seen.add(each.name)
            site = Site(Name(function.line, function.line, function.name), function, None)
            if limits_everything(codebase) or counts_attempts(function):
                yield good(site, f"login {each.name}", "attempts are limited")
            else:
                yield bad(site, f"login {each.name}", "no limit on attempts is seen", Confidence.MEDIUM)


def _tries(codebase: Codebase, outline: Outline, function: Function, each: EntryPoint) -> bool:
    return _takes_input(each) and checks_password(codebase, outline, function) and not _renews(function)


def _renews(function: Function) -> bool:
    """Return True if the function creates an account or changes its password, and so logs in a user who has just chosen it."""
    called = {name for call in calls_in(*function.body) for name in names_in(call.callee)}
    texts = (text_of(node) or "" for node in walk(*function.body))
    spoken = [set(words(each)) for each in names_in(*function.body)]
    changing = any(each & PASSWORDS and each & {"old", "current"} for each in spoken)
    return changing or bool(called & _MAKING) or any(each.lower().lstrip().startswith("insert ") for each in texts)


def _takes_input(each: EntryPoint) -> bool:
    """Return True if the request may be a login. `create` in a function's name can mean a key or session; in a path, a user."""
    spoken = {*words(each.path), *words(each.name)}
    owner, _, name = each.name.rpartition(".")
    named = {*words(name), *(words(owner) if name.lower() in _METHODS else ())}  # `Signup.post`: the class name decides
    if set(words(each.path)) & _OTHER or named & (_OTHER - {"create"}):
        return False
    if each.kind is EntryKind.HTTP:
        return each.method != "GET" or bool(spoken & _LOGIN)
    return each.kind is EntryKind.RPC and bool(spoken & _LOGIN)


_ROUTERS = names("route", "instance", Language.JAVASCRIPT)
_SCRIPT_LOGIN = vocabulary("login signin authenticate logon sessions")
_LIMITERS = frozenset(names("guard", "rate-limit", Language.JAVASCRIPT))
_COUNTING = vocabulary("attempt attempts limiter ratelimit throttle lockout locked captcha tries")


def check_script(seen: SeenCall) -> Match | None:
    path = seen.route()
    spoken = words(path.rpartition("/")[2])
    if not {*spoken, "".join(spoken)} & _SCRIPT_LOGIN or len(seen.arguments.positional) < (2 if seen.text(0) else 1):
        return None
    handlers = seen.functions()
    if not seen.name.startswith(_ROUTERS) and not any(len(each.parameters) > 1 for each in handlers):
        return None  # a request that the program itself sends
    found = sorted(seen.packages() & _LIMITERS)
    if found:
        return seen.good(f"POST {path}", f"the program uses {found[0]}")
    if mentions(words_in(*seen.node.arguments).union(*(words_in(*each.body) for each in handlers)), _COUNTING):
        return seen.good(f"POST {path}", "attempts are counted")
    return seen.bad(f"POST {path}", "nothing limits attempts", Confidence.MEDIUM)


calls_script = ("*.post", *(f"{router}.post" for router in _ROUTERS))
