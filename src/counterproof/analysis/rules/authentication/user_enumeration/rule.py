"""Login responses that reveal whether an account exists.

## What it finds
A function that checks a password and responds with one message for an unknown user and another for a wrong password; a
password-reset handler that says whether the address is registered.

## Why it matters
The two responses tell anyone which names and addresses have an account, so only the password remains to be guessed.

## What is safe
The same message in both cases.

## Limits
Only messages in English are compared, not status codes or response times.
"""

from collections.abc import Iterable, Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.logins import checks_password
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Impact, Match, Severity
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Const, Function, Index, Name, Node
from counterproof.analysis.syntax.walk import last_name, walk

MAX_TEXT = 200
MAX_BLAME = 4
"""Largest number of words in a text such as `Email incorrect!` that says nothing else."""
_FORGOTTEN = vocabulary("forgot forgotten reset recover recovery lost")
_KNOWN = vocabulary("change update edit delete")
"""Words for actions with a password that require a login."""
_PERSON = vocabulary("user username account email login member customer")
_LOGGING = vocabulary("log logger logging print")
_PASSWORD = vocabulary("password passphrase pin")
_CREDENTIALS = vocabulary("credentials credential login")
_UNKNOWN = ("not exist", "not found", "no such", "unknown", "no user", "no account", "not registered", "isn't registered")
_ABSENT = (*_UNKNOWN, "'t exist", "\u2019t exist", "doesnt exist", "do not have", "don't have")
_BLAMED = ("invalid user", "invalid email", "incorrect user", "wrong user", "incorrect email")
_SENT = ("sent", "check your", "reset link")
_WRONG = ("wrong", "incorrect", "invalid", "not correct", "bad", "does not match", "doesn't match", "not match", "mismatch")


def _check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    if not any(_says_unknown(text) or _says_wrong(text) for _, text in _of_interest(outline.texts)):
        return
    for function in outline.module.functions:
        texts = tuple(_texts(function))
        unknown = next((node for node, text in texts if _says_unknown(text)), None)
        wrong = next((node for node, text in texts if _says_wrong(text)), None)
        if unknown is None and wrong is None:
            continue
        if set(words(function.name)) & _KNOWN:
            continue
        if not checks_password(codebase, outline, function):
            if unknown is not None and _sends_reset(function, texts):
                yield bad(_site(outline, function, unknown), "reset answers", "differ for unknown users", Confidence.MEDIUM)
            continue
        refused = wrong if wrong is not None else next((node for node, text in texts if _refuses(text)), None)
        told = wrong is not None or (unknown is not None and _is_absent(str(unknown.value).lower()))
        if unknown is not None and refused is not None and told and not _known_already(function):
            yield bad(_site(outline, function, unknown), "login answers", "differ for unknown users", Confidence.MEDIUM)
        else:
            yield good(_site(outline, function, unknown or wrong), "login answers", "the same for unknown users, or not two")


def _known_already(function: Function) -> bool:
    """`email = session["user"]`: the user is already logged in and cannot choose the name."""
    kept = [node for node in walk(*function.body) if isinstance(node, Assign) and isinstance(node.value, Index | Call)]
    taken = [each for each in kept if each.value is not None and _is_session_entry(each.value)]
    return any(isinstance(target, Name) and set(words(target.id)) & _PERSON for each in taken for target in each.targets)


def _is_session_entry(value: Node) -> bool:
    """`session["user"]`, `self.session.get("email")`."""
    holder = value.value if isinstance(value, Index) else None
    if isinstance(value, Call) and isinstance(value.callee, Attribute) and value.callee.name == "get":
        holder = value.callee.value
    name = last_name(holder)
    return name == "session"


def _sends_reset(function: Function, texts: tuple[tuple[Const, str], ...]) -> bool:
    """Return True if a password-reset function returns a different message after it has sent an e-mail."""
    asked = set(words(function.name)) & _FORGOTTEN
    return bool(asked) and any(each in text for _, text in texts for each in _SENT)


def _texts(function: Function) -> Iterator[tuple[Const, str]]:
    """The texts that a function may return to the client; log messages are excluded."""
    calls = [node for node in walk(*function.body) if isinstance(node, Call) and words_in(node.callee) & _LOGGING]
    logged = {id(node) for call in calls for node in walk(*call.arguments)}
    return _of_interest(node for node in walk(*function.body) if isinstance(node, Const) and id(node) not in logged)


def _of_interest(nodes: Iterable[Const]) -> Iterator[tuple[Const, str]]:
    for node in nodes:
        text = text_of(node)
        if text is not None and 8 <= len(text) <= MAX_TEXT:
            yield node, text.lower()


def _says_unknown(text: str) -> bool:
    if text.startswith(("if ", "when ")):
        return False  # `If the account exists, …` reveals nothing
    spoken = set(words(text))
    blamed = bool(spoken & {"incorrect", "wrong", "invalid"}) and len(spoken) <= MAX_BLAME
    if not blamed and not any(each in text for each in (*_ABSENT, *_BLAMED)):
        return False
    return bool(spoken & _PERSON) and not spoken & _PASSWORD


def _says_wrong(text: str) -> bool:
    """Return True if a text blames the password alone: `wrong username or password` reveals nothing."""
    if not any(each in text for each in _WRONG):
        return False
    either = " or " in f" {text} " or " and " in f" {text} " or "/" in text
    return not either and bool(set(words(text)) & _PASSWORD)


def _is_absent(text: str) -> bool:
    """Return True if a text says that the user does not exist, not only that the name is invalid."""
    return any(each in text for each in _ABSENT)


def _refuses(text: str) -> bool:
    """`Email or password is incorrect`: the message for a known user."""
    spoken = set(words(text))
    return any(each in text for each in _WRONG) and bool(spoken & (_PASSWORD | _CREDENTIALS)) and not _says_unknown(text)


def _site(outline: Outline, function: Function, node: Const | None) -> Site[Node]:
    assert node is not None
    return Site(node, function, outline.classes.get(function.owner))


RULE = CheckRule(
    title="User enumeration at login",
    kind="login",
    cwe=204,
    severity=Severity.LOW,
    posture=True,
    impact=Impact.LOCAL,
    consequence="Anyone can find out which names have an account, and try passwords on those alone.",
    remedy="Return the same message and status whether the name or the password was wrong.",
    check=_check,
    query="texts that logins answer with",
)
