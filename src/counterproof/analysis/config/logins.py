"""Handlers that check passwords, and what keeps attempts within limits."""

from counterproof.analysis.config.passwords import PASSWORDS, holds_password, is_form_check, is_stored_password
from counterproof.analysis.libraries import names
from counterproof.analysis.program.codebase import Codebase, Definition
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.queries import statement_parts, statement_text
from counterproof.analysis.program.settings import django_settings, entry_of, listed, setting
from counterproof.analysis.program.traits import anywhere, trait
from counterproof.analysis.program.traversal import called, calls_in, keyword, text_of
from counterproof.analysis.program.words import mentions, vocabulary, words, words_in
from counterproof.analysis.syntax.ir import Argument, Attribute, Await, Call, Compare, Function, Index, Name, Node, Sequence
from counterproof.analysis.syntax.walk import last_name, walk

MAX_DEPTH = 2
CHECK_DEPTH = 4
"""Functions that a password is handed through before something compares it."""
_CHECKING = vocabulary("login authenticate verify matches match check signin valid validate checkpw compare")
_ASKING = vocabulary("filter get find fetch lookup first one select where")
"""What calls are named that look an account up by the password it is given."""
_LIMITING = vocabulary(
    "limit limits limited limiter ratelimit throttle throttled throttling attempts failures lockout locked axes"
)
_COUNTED = ("failed_logins", "failed_attempts", "login_attempts", "lockout", "locked out", "locked_until", "too many")
"""How columns and messages speak of attempts that are counted."""
_CARRIERS = vocabulary("credentials creds")
"""What holds a password together with a name."""
_CONNECTING = vocabulary("connection connect connected conn cursor pool execute query fetch db database sql")
_CODES = vocabulary("pin otp totp code passcode")
_KEPT = vocabulary("real stored saved expected correct actual db database known hashed")
_FINDING = vocabulary("get find fetch load lookup select query search")
_HASHES = vocabulary("hexdigest digest md5 sha1 sha224 sha256 sha384 sha512 hashpw crypt pbkdf2 scrypt")
_REQUESTS = ("request", "req", "form")
_BLOCKED = vocabulary("blocked")
_ASKING_DJANGO = ("django.contrib.auth.authenticate", "django.contrib.auth.aauthenticate")
SHIPPED_LOGINS = names("route", "login-view")
"""Logins that frameworks ship, none of which counts attempts."""

_LIMITERS = names("guard", "rate-limit")


def checks_password(codebase: Codebase, outline: Outline, function: Function, depth: int = 0) -> bool:
    """Whether a function, or one that it hands the password to, compares it with what is stored."""
    key = ("checks password", id(function), depth)
    return codebase.remembered(key, lambda: _checks_password(codebase, outline, function, depth))


def _checks_password(codebase: Codebase, outline: Outline, function: Function, depth: int) -> bool:
    if any(_asks_framework(outline, call) for call in calls_in(*function.body)):
        return True
    spoken = mentions(words_in(*function.parameters, *function.body), PASSWORDS)
    if not spoken and not holds_password(outline, function, *function.body):
        return any(_hands_request_on(codebase, outline, function, call, depth) for call in calls_in(*function.body))
    for node in walk(*function.body):
        if not isinstance(node, Compare) or is_form_check(node):
            continue
        hashed = any(_is_hash_of_password(outline, function, each) for each in node.operands)
        if hashed or _compares_password(outline, function, node):
            return True
    return any(_call_checks(codebase, outline, function, call, depth) for call in calls_in(*function.body))


def _asks_framework(outline: Outline, call: Call) -> bool:
    """`authenticate(request=request)`, `LoginView.as_view()(request)`: the framework reads and checks the password."""
    dotted = outline.dotted(call.callee)
    if dotted in _ASKING_DJANGO:  # a token in place of a password cannot be guessed
        return all(each.keyword in ("", "request") for each in call.arguments) and len(call.arguments) == 1
    return dotted.removesuffix(".as_view") in SHIPPED_LOGINS


def _compares_password(outline: Outline, function: Function, node: Compare) -> bool:
    """With what is stored, or with a literal that the program takes for the only right one."""
    if any(is_stored_password(each) for each in node.operands):
        return True
    names = [set(words(each.id)) for each in node.operands if isinstance(each, Name)]
    if len(names) == 2 and all(each & PASSWORDS for each in names):
        known = (each.id for each in node.operands if isinstance(each, Name))
        if any(each & _KEPT for each in names) or any(_is_fetched(outline, function, each) for each in known):
            return True
    literal = any(text_of(each) and not mentions(frozenset(words(text_of(each) or "")), PASSWORDS) for each in node.operands)
    return literal and any(isinstance(each, Name) and set(words(each.id)) & PASSWORDS for each in node.operands)


def _is_fetched(outline: Outline, function: Function, name: str) -> bool:
    """`wanted_password = password_of(user)`: given by a function that speaks of passwords and reads no request."""
    made = outline.local(function, name)
    value = made.value.value if made is not None and isinstance(made.value, Await) else made.value if made is not None else None
    if not isinstance(value, Call):
        return False
    spoken = words_in(value.callee)
    return bool(spoken & PASSWORDS) and not spoken & {*_REQUESTS, "getpass", "input", "generate", "hash"}


def _is_hash_of_password(outline: Outline, function: Function, expr: Node) -> bool:
    """`md5(password).hexdigest()`, or a variable that was given it. Whatever that is compared with is what is stored."""
    assigned = outline.local(function, expr.id) if isinstance(expr, Name) else None
    made = assigned.value if assigned is not None else expr
    return isinstance(made, Call) and mentions(words_in(made), PASSWORDS) and bool(words_in(made) & _HASHES)


def _hands_request_on(codebase: Codebase, outline: Outline, function: Function, call: Call, depth: int) -> bool:
    """`return do_login(request)`: a handler that leaves everything to a function which is given the request."""
    given = any(isinstance(each.value, Name) and each.value.id in _REQUESTS for each in call.arguments)
    found = called_function(codebase, outline, function, call) if given and depth < CHECK_DEPTH else None
    if found is None or not isinstance(found.node, Function) or found.node is function:
        return False
    return checks_password(codebase, found.outline, found.node, depth + 1)


def _call_checks(codebase: Codebase, outline: Outline, function: Function, call: Call, depth: int) -> bool:
    parts = _parts(outline, function, call)
    told = mentions(words_in(*(each for each in parts if not _is_remembered(each))), PASSWORDS | _CARRIERS)
    if not told and not holds_password(outline, function, *call.arguments):
        return False
    name = last_name(call.callee)
    if outline.dotted(call.callee).startswith("re."):
        return False  # what a password may look like, not which one it is
    if set(words(name)) & _CHECKING or (set(words(name)) & _ASKING and keyword(call, "password") is not None):
        return True
    if _finds_by_password(frozenset(words(name))):
        return True
    text = " ".join(piece for node in walk(*parts) if (piece := text_of(node))).lower()
    if "select" in text and any(word in text for word in PASSWORDS):
        return True
    found = called_function(codebase, outline, function, call) if depth < CHECK_DEPTH else None
    if found and isinstance(found.node, Function) and found.node is not function:
        return checks_password(codebase, found.outline, found.node, depth + 1)
    return False


def _finds_by_password(spoken: frozenset[str]) -> bool:
    """`get_user_by_name_and_password(…)`: whoever is found gave the right one."""
    return bool(spoken & PASSWORDS) and bool(spoken & {"by", "with"}) and bool(spoken & _FINDING)


def called_function(codebase: Codebase, outline: Outline, function: Function, call: Call) -> Definition | None:
    """The function that a call runs; `self.enter(…)` is a method of the same class."""
    callee = call.callee
    owner = outline.classes.get(function.owner)
    if isinstance(callee, Attribute) and isinstance(callee.value, Name) and callee.value.id == "self" and owner is not None:
        method = codebase.method(Definition(outline, owner), callee.name)
        return Definition(*method) if method else None
    return codebase.meaning(outline, callee, function)


def _is_remembered(part: Node) -> bool:
    """`session["password"]`: what was sent before and kept; passing it on again tries nothing."""
    value = part.value if isinstance(part, Argument) else part
    holder = value.value if isinstance(value, Index) else None
    return holder is not None and "session" in words_in(holder)


def _parts(outline: Outline, function: Function, call: Call) -> tuple[Node, ...]:
    """The arguments of a call; for a statement that is run, also what its variables were given."""
    return (*call.arguments, *statement_parts(outline, function, call)[1:])


def checks_code(outline: Outline, function: Function) -> bool:
    """Whether a function compares a short code from a message with the one that was sent: a reset PIN, a one-time password."""
    for node in walk(*function.body):
        if isinstance(node, Compare) and len(node.operands) == 2 and all(_is_code(each) for each in node.operands):
            return True
        if isinstance(node, Call):
            text = statement_text(statement_parts(outline, function, node))
            _, _, condition = text.partition(" where ")
            if text.startswith("select") and any(set(words(each)) & _CODES for each in _compared(condition)):
                return True
    return False


def _is_code(expr: Node) -> bool:
    name = last_name(expr)
    name = name or (text_of(expr.key) or "" if isinstance(expr, Index) else "")
    spoken = words(name)
    return bool(set(spoken) & _CODES) and not set(spoken) & {"status", "country", "postal", "zip", "currency", "language"}


def _compared(condition: str) -> list[str]:
    """Columns that a condition compares: the word before each `=`."""
    parts = condition.split("=")[:-1]
    return [part.split()[-1] for part in parts if part.split()]


def counts_attempts(codebase: Codebase, outline: Outline, function: Function, depth: int = 0) -> bool:
    """A limiting decorator, or names of counters in the function or in what it calls."""
    key = ("counts attempts", id(function), depth)
    return codebase.remembered(key, lambda: _counts_attempts(codebase, outline, function, depth))


def _counts_attempts(codebase: Codebase, outline: Outline, function: Function, depth: int) -> bool:
    if limits(words_in(*function.decorators, *function.body)):
        return True
    if any(told in text.lower() for node in walk(*function.body) if (text := text_of(node)) for told in _COUNTED):
        return True
    if depth >= MAX_DEPTH:
        return False
    for call in calls_in(*function.body):
        if set(words(called(call))) & _CONNECTING:
            continue  # a database is asked more than once too, and that limits nobody
        found = codebase.meaning(outline, call.callee, function)
        if found and isinstance(found.node, Function) and counts_attempts(codebase, found.outline, found.node, depth + 1):
            return True
    return False


def limits(found: frozenset[str]) -> bool:
    """Whether names speak of limits or counters. That somebody is blocked says nothing about attempts: `blocked_words`."""
    return mentions(found - _BLOCKED, _LIMITING)


@trait("limits every route")
def _limits_routes(outline: Outline) -> bool:
    for site in outline.of(Call):
        last = outline.dotted(site.node.callee).rpartition(".")[2]
        if last == "Limiter" and keyword(site.node, "default_limits") is not None:
            return True
        if last == "SlowAPIMiddleware" or (last == "add_middleware" and mentions(words_in(*site.node.arguments), _LIMITING)):
            return True
    return False


def limits_everything(codebase: Codebase) -> bool:
    """A limiter that covers every route: by default limits, as an installed application, or as middleware."""
    if anywhere(codebase, _limits_routes):
        return True
    installed = [each.text for outline in django_settings(codebase) for each in listed(outline, "INSTALLED_APPS")]
    return any(name.partition(".")[0] in _LIMITERS for name in installed)


def throttles(codebase: Codebase) -> bool:
    """Whether REST framework is told to throttle its views by default."""
    given = [entry_of(setting(outline, "REST_FRAMEWORK"), "DEFAULT_THROTTLE_CLASSES") for outline in django_settings(codebase)]
    return any(isinstance(each, Sequence) and bool(each.items) for each in given)
