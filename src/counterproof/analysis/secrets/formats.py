"""Secrets recognised by their format alone, whatever their name.

Invariant: every expression is linear (one bounded repetition after a fixed prefix), and a match is exactly the secret. Names and
entropy do not matter here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.secrets.secret_names import Kind


@dataclass(frozen=True, slots=True)
class Hit:
    """A secret at `start` to `end` of the text that was searched."""

    start: int
    end: int
    label: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class _Format:
    label: str
    kind: Kind
    hint: tuple[str, ...]
    pattern: re.Pattern[str]


def _format(label: str, kind: Kind, hint: str, pattern: str) -> _Format:
    return _Format(label, kind, tuple(hint.split()), re.compile(pattern))


_FORMATS = (
    _format("an AWS access key id", Kind.KEY, "AKIA ASIA", r"\b(?:AKIA|ASIA)[A-Z2-7]{16}\b"),
    _format("a GitHub token", Kind.TOKEN, "ghp_ gho_ ghu_ ghs_ ghr_", r"\bgh[pousr]_[A-Za-z0-9]{36,255}\b"),
    _format("a GitHub token", Kind.TOKEN, "github_pat_", r"\bgithub_pat_[A-Za-z0-9_]{50,255}\b"),
    _format("a GitLab token", Kind.TOKEN, "glpat-", r"\bglpat-[A-Za-z0-9_-]{20,100}\b"),
    _format("a Slack token", Kind.TOKEN, "xox", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,250}\b"),
    _format(
        "a Slack webhook", Kind.TOKEN, "hooks.slack.com", r"hooks\.slack\.com/services/T[A-Z0-9]{6,12}/B[A-Z0-9]{6,12}/\w{16,40}"
    ),
    _format("a Stripe key", Kind.KEY, "sk_live_ rk_live_ sk_test_", r"\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,250}\b"),
    _format("a Google API key", Kind.KEY, "AIza", r"\bAIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"),
    _format("a Google OAuth secret", Kind.KEY, "GOCSPX-", r"\bGOCSPX-[A-Za-z0-9_-]{28}(?![A-Za-z0-9_-])"),
    _format("a SendGrid key", Kind.KEY, "SG.", r"\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{30,64}(?![A-Za-z0-9_-])"),
    _format("a model provider's key", Kind.KEY, "sk-", r"\bsk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{32,250}(?![A-Za-z0-9_-])"),
    _format("an npm token", Kind.TOKEN, "npm_", r"\bnpm_[A-Za-z0-9]{36}\b"),
    _format("a PyPI token", Kind.TOKEN, "pypi-AgE", r"\bpypi-AgE[A-Za-z0-9_-]{50,400}"),
    _format("a Telegram bot token", Kind.TOKEN, ":AA", r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])"),
    _format(
        "a signed JSON web token",
        Kind.TOKEN,
        "eyJ",
        r"\beyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{4,4000}\.[A-Za-z0-9_-]{10,1000}(?![A-Za-z0-9_-])",
    ),
)

_SHOWN = re.compile(r"[Xx]{8}|0{8}|[-_/](?:your|example|xyz|x{3,8}|token|secret)(?:[-_/]|$)")
"""Text in place of a token's body in an example."""
DOCUMENTED = "EXAMPLE"
"""Suffix of the keys in a provider's own documentation: redacted like other keys, but not reported."""

_HINTS = re.compile("|".join(re.escape(hint) for form in _FORMATS for hint in form.hint))

_URL_PASSWORD = re.compile(r"\b[A-Za-z][A-Za-z0-9+.-]{1,30}://([^\s:/@'\"<>]{0,100}):([^\s/@'\"<>]{1,200})@([^\s/'\"<>:]{1,200})")
_PAIR_PASSWORD = re.compile(r";\s?(?:pwd|password)=([^;'\"\s{}%$<>]{3,100})(?=[;'\"]|$)", re.IGNORECASE)
_PAIR_SERVER = re.compile(r"\b(?:server|data source|uid|user id|driver|host)=", re.IGNORECASE)
_SAMPLE_USERS = ("user", "username", "user_name", "login", "name", "me", "u", "usr", "")
_SAMPLE_PASSWORDS = ("pass", "password", "passwd", "pwd", "pw", "p", "secret")
_LOCAL = ("localhost", "127.0.0.1", "0.0.0.0", "host", "hostname")  # noqa: S104 (what is compared with, not bound to)
_COMMENT = re.compile(r"\s{0,200}(?:#|//|\*|;|--)")
_PRIVATE_KEY = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_PUBLIC_BLOCK = re.compile(
    r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}(?:PUBLIC KEY|CERTIFICATE(?: REQUEST)?)-----[A-Za-z0-9+/=\s\\\"',]{1,20000}-----END"
)
_KEY_RUN = re.compile(r"(?<![A-Za-z0-9+/=])(?:\\\\?[nr])?([A-Za-z0-9+/]{8,}={0,2})")
_MAX_KEY = 20_000
_KEY_BODY = re.compile(r"[ \t]*[brfu]{0,2}[\"']?([A-Za-z0-9+/]{60,}={0,2})(?:\\n)?[\"']?[ \t]*[+,)\\]{0,3}[ \t]*")


def may_hold_secrets(text: str) -> bool:
    """A fast test that is False for most files."""
    if ("://" in text and "@" in text) or "PRIVATE KEY" in text or _HINTS.search(text) is not None:
        return True
    return _PAIR_PASSWORD.search(text) is not None


def token_hits(line: str) -> tuple[Hit, ...]:
    """Tokens of known forms in one line, from left to right."""
    if not _HINTS.search(line):
        return ()
    found = [
        Hit(match.start(), match.end(), form.label, form.kind)
        for form in _FORMATS
        if any(hint in line for hint in form.hint)
        for match in form.pattern.finditer(line)
        if len(set(match.group())) >= 8 and not _SHOWN.search(match.group())
    ]
    return tuple(sorted(found, key=lambda hit: (hit.start, -hit.end)))


def _is_sample(user: str, password: str, host: str) -> bool:
    """`user:pass@`, `guest:guest@localhost`, `1:1@`: an example, or a default login on developers' machines."""
    if (user in _SAMPLE_USERS and password in _SAMPLE_PASSWORDS) or not any(each.isalnum() for each in password):
        return True
    return user == password and (len(password) < 3 or host in _LOCAL)


def url_passwords(line: str) -> tuple[Hit, ...]:
    """Passwords inside URLs such as `scheme://user:password@host` or `SERVER=…;PWD=…`, but not in templates of them."""
    pairs = _PAIR_PASSWORD.finditer(line) if ";" in line and _PAIR_SERVER.search(line) else ()
    found = [
        Hit(match.start(1), match.end(1), "a password in a connection string", Kind.PASSWORD)
        for match in pairs
        if match[1].lower() not in _SAMPLE_PASSWORDS
    ]
    if "://" not in line or "@" not in line or "e.g." in line:
        return tuple(found)
    remark = _COMMENT.match(line) is not None
    return (
        *found,
        *(
            Hit(match.start(2), match.end(2), "a password in a connection string", Kind.PASSWORD)
            for match in _URL_PASSWORD.finditer(line)
            if not _is_sample(match[1].lower(), match[2].lower(), match[3].lower())
            and not (remark and match[3].lower() in _LOCAL)  # a comment that shows the URL's form
        ),
    )


def opens_private_key(line: str) -> bool:
    """Return True if a PEM private key starts on this line; if it also ends there, it must have a body."""
    head = _PRIVATE_KEY.search(line) if "PRIVATE KEY" in line else None
    foot = line.find("-----END", head.end()) if head is not None else -1
    return head is not None and (foot < 0 or _KEY_RUN.search(line, head.end(), foot) is not None)


def key_blocks(text: str) -> Iterator[tuple[int, int]]:
    """Every run of base64 between the header and footer of a private key, however the lines are written."""
    if "PRIVATE KEY" not in text:
        return
    for head in _PRIVATE_KEY.finditer(text):
        foot = text.find("-----END", head.end(), head.end() + _MAX_KEY)
        end = foot if foot >= 0 else min(len(text), head.end() + _MAX_KEY)
        for found in _KEY_RUN.finditer(text, head.end(), end):
            if foot < 0 and len(found[1]) < 40:
                break
            yield found.span(1)


def public_blocks(text: str) -> list[tuple[int, int]]:
    """The spans of public keys and certificates."""
    return [found.span() for found in _PUBLIC_BLOCK.finditer(text)] if "-----BEGIN" in text else []


def key_body(line: str) -> tuple[int, int] | None:
    """The span of the only run of base64 in a line, as in key files."""
    if len(line) < 60 or len(line) > 20_000:
        return None
    found = _KEY_BODY.fullmatch(line.rstrip("\r"))
    return found.span(1) if found else None
