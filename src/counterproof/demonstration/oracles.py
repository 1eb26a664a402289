"""The oracles decide from outside the target whether an effect occurred.

Invariant: only the engine's own observations count (a folder's descriptor, its listener, the bytes of an answer compared with
words that were just randomly generated); an answer that merely repeats the input proves nothing.
"""

import re
import secrets
from collections.abc import Callable
from typing import Any

from counterproof.demonstration.sandbox.running import Sandbox
from counterproof.demonstration.templates import Effect, Filling

Answer = dict[str, Any]
_QUOTE = r"(?:[\"'“`:\\\s]|&\w{2,5};|&#\d{2,4};){0,6}"
"""The characters around a word in an error's text, plain or escaped for JSON or HTML."""
_MOVED = (301, 302, 303, 307, 308)
_LOGIN = re.compile(r"log-?in|sign-?in|auth|session", re.I)
_HTML = re.compile(r"html|^$", re.I)


def look_for(effect: Effect, sandbox: Sandbox, filling: Filling) -> Callable[[Answer], bool]:
    """The check for this effect in one try."""
    a, b = filling.words
    n, m = filling.numbers
    looks: dict[Effect, Callable[[Answer], bool]] = {
        Effect.MARK: lambda _: sandbox.is_marked(filling.mark),
        Effect.GONE: lambda _: filling.kept in sandbox.kept and not sandbox.is_marked(filling.kept),
        Effect.READ: lambda answer: filling.content in _all(answer),
        Effect.HEARD: lambda _: sandbox.heard(filling.token),
        Effect.LEADS: lambda answer: _leads(answer, f"{filling.token}.example"),
        Effect.JOINED: lambda answer: a + b in _all(answer),
        Effect.PRODUCT: lambda answer: str(n * m) in _all(answer).replace(",", ""),
        Effect.MARKUP: lambda answer: bool(_HTML.search(_header(answer, "content-type"))) and f"<i{a}>" in _body(answer),
        Effect.HEADER: lambda answer: bool(_header(answer, f"x-{a}")),
        Effect.ERROR: lambda answer: bool(re.search(rf"near\s*{_QUOTE}{a}", _all(answer), re.I)),
    }
    return looks[effect]


def _body(answer: Answer) -> str:
    return str(answer.get("body", "")) if answer.get("headers") is not None else ""


def _all(answer: Answer) -> str:
    """The whole answer, including error texts."""
    return f"{answer.get('body', '')}\n{answer.get('error', '')}"


def _header(answer: Answer, name: str) -> str:
    headers: list[list[str]] = answer.get("headers") or []
    return next((str(each[1]) for each in headers if len(each) == 2 and str(each[0]).lower() == name), "")


def _leads(answer: Answer, host: str) -> bool:
    """Interpret the address like a browser: the text after two slashes, of either kind, is the host."""
    location = _header(answer, "location").strip()
    return bool(re.match(rf"(?:https?:)?[\\/]{{2,}}{re.escape(host)}(?:[/?#:]|$)", location))


def is_refused(answer: Answer) -> bool:
    """True if the answer rejects a visitor without a session."""
    status = answer.get("status")
    return status in (401, 403) or (status in _MOVED and bool(_LOGIN.search(_header(answer, "location"))))


def is_answered(answer: Answer) -> bool:
    """True if the entry point performs its function."""
    return answer.get("status") in (200, 201, 202, 204)


def bare(answer: Answer, value: str, filling: Filling) -> str:
    """The answer without repetitions of the input, so that two answers can be compared."""
    if answer.get("error"):
        return "error"
    text = f"{answer.get('status')} {answer.get('body', '')}"
    for word in (value, *filling.words, *map(str, filling.numbers)):
        text = text.replace(word, "")
    return text


def usual(answer: Answer, value: str) -> str:
    """How a harmless input was answered: status or error, content type, body, repeated input. A fix must not change this."""
    body = _all(answer).strip()
    what = "an error" if answer.get("error") else str(answer.get("status") or "a value")
    content = _header(answer, "content-type").partition(";")[0]
    return ", ".join(filter(None, (what, content, "" if body else "no body", "with the input" if value in body else "")))


def benign(length: int) -> str:
    """A word of this length that matches no pattern on purpose."""
    return (secrets.token_hex(length // 2 + 1) + "Q")[:length]
