"""Whether a literal is a working secret, a placeholder, or text about secrets.

A weak value is still a secret if the program uses it: `SECRET_KEY = "secret"` is worse than a strong one. Not secrets: templates,
lookups, "your key here", labels, messages, names of other settings.
"""

import math
import re
from dataclasses import dataclass

from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.secrets.formats import opens_private_key
from counterproof.analysis.secrets.randomness import is_random, reads_as_words
from counterproof.analysis.secrets.secret_names import Kind, secret_kind, speaks_of_password, words_of

MAX_VALUE = 4_000
PLACEHOLDER = "a placeholder"
FIELD_NAME = "the name of a field"
LABEL = "the label of a field"
SPOKEN = "a label or a message"

_TEMPLATE = re.compile(
    r"[$#]\{|\{\{|\}\}|<%|%\([\w.]{1,60}\)[sdr]|^\$[A-Za-z_]\w*$|^\{[\w.!:]{0,60}\}$|^!(?:vault|secret|env|ENV|Ref|Sub|GetAtt)\b"
)
_MAYBE_TEMPLATE = re.compile(r"%[sdr](?![\w%])|\$\(|\{(?:\d?|[A-Za-z_][\w.]{0,40})\}")
_PLACEHOLDER = re.compile(
    r"(?:^|[^a-z])(?:change[ _-]?(?:me|this|it|in)|replace|your|insert|enter|fill|put|todo|tbd|fixme|placeholder|dummy|"
    r"example|sample|redacted|removed|hidden|fake|foo|bar|foobar|xxx+|xyz|none|null|nil|undefined|unset|n/?a|not[ _-]?set|"
    r"goes[ _-]?here|do[ _-]not[ _-]use|here|env|secretref|vault|overrid(?:e|den|able))(?:[^a-z]|$)",
    re.IGNORECASE,
)
_TOLD_TO = re.compile(
    r"(?:^|[_ -])(?:put|insert|enter|replace|change|paste|fill)[_ -](?:your|me|this|with|in|the|a)(?:[_ -]|$)"
    r"|(?:^|[_ -])your[_ -](?:\w{1,40}[_ -]){1,6}here$",
    re.IGNORECASE,
)
"""`PUT_YOUR_TOKEN_HERE`: an instruction in place of the value, however many different letters it has."""
_FILLER = re.compile(r"[xX*.\-_#?•…0 ]+|<[^<>]{0,200}>|\[[^\[\]]{0,200}\]|\(.{0,100}\)")
_REFERENCE = re.compile(
    r"[a-z][a-z0-9+.-]{1,20}://\S*|\.{0,2}/[\w./~ -]*|~/.*|[\w./\\-]+\.(?:pem|key|crt|cer|json|ya?ml|txt|env|py|ini|toml|html?)"
    r"|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Za-z_]+(?:\.(?:[A-Za-z_]+|v\d{1,2}))+(?:\(\)|:\w+)?"
    r"|(?:var|local|module|data|each|self|this|process|config|settings|secrets|env)(?:\.\w+)+|[A-Za-z_]\w*\[.*\]",
)
_ROUTE = re.compile(r"(?:v\d{1,2}|[a-z][a-z_-]*)(?:/:?[a-z][a-z_-]*)+/?")
"""`v1/credentials/:id`: words separated by slashes."""
_ADDRESS = re.compile(r"(?:https?|wss?|ftp)://[^\s@]+")
_ADDRESS_PARTS = re.compile(r"[/?&=#:]+")
_SPOKEN = re.compile(r"[A-Za-z'’,;:.!?()/&-]+(?: [A-Za-z0-9'’,;:.!?()/&-]+)+[ .!?:]?")
_TOKEN_TEXT = re.compile(r"(?:[A-Za-z]{1,10} )?[A-Za-z0-9._~+/=:|%@!-]+")
_MARKUP = re.compile(r"<[a-zA-Z][a-zA-Z0-9]{0,20}(?: [^<>]{0,200})?>[^<>]{0,200}</[a-zA-Z]")
_PHRASE = re.compile(r"\bAPI [Kk]ey\b|\bAccess [Tt]oken\b")
_ONE_WORD = re.compile(r"[^\s\[\]()|\\<>{}‹›\"'`]+")
_ALGORITHM = re.compile(
    r"(?i:utf|sha|md|hs|rs|es|ps|iso|latin|cp|aes|base|rfc|http|ipv|oauth|python|pbkdf|argon|ed|x|p|v|s|ec|des|rc|u?int|float)"
    r"[-_]?\d[\w.:/-]{0,20}"
)
"""`utf-8`, `HS256`, `aes-256-gcm`: algorithm names next to a key in a call."""
_BOOLEAN = vocabulary("true false yes no on off null none optional required enabled disabled read write inherit")
_TYPES = vocabulary(
    "function string str text integer int number boolean bool object array bytes binary char varchar bearer basic oauth "
    "oauth2 jwt apikey header query cookie body form file submit hidden input plain plaintext sha256 sha512 md5 bcrypt "
    "hs256 rs256 invalid incorrect missing unknown default auto prompt ask keyring env url email public generate generated "
    "autogenerate"
)
_LABELS = frozenset(("api", "access", "auth", "private", "client", "app", "secret", "key", "token", "password", "id"))
"""Words of a form label for a secret."""
_STRESSED = frozenset(("super", "very", "my", "our", "some"))
"""First words of secrets that somebody made up: `My Secret Key`."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """`secret`: it works as a secret. `weak`: it is easy to guess. `reason` is a short phrase for the ledger."""

    secret: bool
    reason: str
    weak: bool = False


_VERSION = re.compile(r"[\^~<>=v]{0,3}\d{1,4}\.\d{1,4}\.\d{1,4}(?:[-+][\w.]{1,30})?(?:=\w{1,40})?")
_ESCAPED_SYMBOL = re.compile(r"\\[0-9a-fA-F]{4,6}|(?:\\u[0-9a-fA-F]{4}){1,6}")
"""An icon-font character in a style sheet, or an emoji in a script."""
_NUMBER = re.compile(r"-?\d{0,9}\.\d{1,12}")
"""`cls_pw: 0.63`: a weight, whatever its name abbreviates."""


def entropy(text: str) -> float:
    """Shannon entropy in bits per character."""
    if not text:
        return 0.0
    total = len(text)
    return -sum(count / total * math.log2(count / total) for count in (text.count(each) for each in sorted(set(text))))


def looks_random(text: str) -> bool:
    """Letters and digits mixed without words, as generators produce them."""
    if len(text) < 16 or any(character.isspace() for character in text[:200]):
        return False
    digits = sum(character.isdigit() for character in text)
    letters = sum(character.isalpha() for character in text)
    if not digits or not letters:
        return False
    hexadecimal = all(character in "0123456789abcdefABCDEF-" for character in text)
    return entropy(text) > (2.8 if hexadecimal else 3.5)


def judge(value: str, kind: Kind, in_use: bool = False, setting: bool = False) -> Judgement:
    """Judge the literal for the kind of secret that its name means. `in_use`: an account is created with it; `setting`: it is an
    environment variable's value, so a single word is used literally, but a sentence is still a message."""
    bare = value.strip()
    if not bare:
        return Judgement(False, "empty")
    if len(bare) > MAX_VALUE:
        return Judgement(False, "too long for a secret")
    for test, reason in _TELLS:
        if test(bare):
            return Judgement(False, reason)
    if kind is Kind.TOKEN:
        return _judge_token(bare)
    if kind is Kind.PASSWORD:
        return _judge_password(bare, in_use, setting)
    return _judge_key(bare)


def spells_words(value: str) -> bool:
    """`s3tables_catalog_endpoint_url`: three or more words separated by symbols, with a few digits."""
    parts = re.split(r"[_.-]", value)
    return len(parts) > 2 and all(sum(map(str.isalpha, part)) > max(1, 2 * sum(map(str.isdigit, part))) for part in parts)


def is_template(value: str) -> bool:
    """A value that is filled in at run time."""
    if _TEMPLATE.search(value[:MAX_VALUE]) or (value[0] == "{" and value[-1] == "}"):
        return True
    return not looks_random(value) and _MAYBE_TEMPLATE.search(value[:MAX_VALUE]) is not None


def is_plain(value: str) -> bool:
    """A label, a message, a location or a placeholder word: text that people write next to a secret's name."""
    return _is_reference(value) or _is_switch(value) or _SPOKEN.fullmatch(value) is not None or value.lower() in _TYPES


def is_thought_up(value: str) -> bool:
    """Return True if a value looks like a secret when only the value is known: letters with digits or symbols, in one word."""
    if not 6 <= len(value) <= MAX_VALUE or not _ONE_WORD.fullmatch(value) or is_template(value):
        return False
    if is_plain(value) or _is_version(value) or _ALGORITHM.fullmatch(value):
        return False
    letters, digits = any(map(str.isalpha, value)), any(map(str.isdigit, value))
    return letters and (digits or is_random(value))


def _is_placeholder(value: str) -> bool:
    if _FILLER.fullmatch(value) is not None or _TOLD_TO.search(value) is not None:
        return True
    if "-----BEGIN" in value and "PRIVATE KEY" in value and not opens_private_key(value):
        return True  # key markers without a body
    return not looks_random(value) and _PLACEHOLDER.search(value) is not None


def _is_reference(value: str) -> bool:
    if _ADDRESS.fullmatch(value):
        return not any(looks_random(part) for part in _ADDRESS_PARTS.split(value[:MAX_VALUE]))
    return not looks_random(value) and _REFERENCE.fullmatch(value) is not None


def _is_route(value: str) -> bool:
    return _ROUTE.fullmatch(value) is not None


def _is_switch(value: str) -> bool:
    return value.lower() in _BOOLEAN


def _is_symbol(value: str) -> bool:
    if _ESCAPED_SYMBOL.fullmatch(value):
        return True
    return not any(character.isascii() and character.isalnum() for character in value)


def _is_markup(value: str) -> bool:
    """`<b>API key</b>`: what a page shows."""
    return _MARKUP.search(value) is not None


def _is_version(value: str) -> bool:
    """`^2.0.4` next to a package name that mentions passwords."""
    return _VERSION.fullmatch(value) is not None or _NUMBER.fullmatch(value) is not None


_TELLS = (
    (_is_version, "a version, not a secret"),
    (is_template, "filled in at run time"),
    (_is_placeholder, PLACEHOLDER),
    (_is_reference, "names a place, not a secret"),
    (_is_route, "names a place, not a secret"),
    (_is_switch, "a switch, not a secret"),
    (_is_symbol, "a symbol, not a secret"),
    (_is_markup, "markup, not a secret"),
)


def _judge_token(value: str) -> Judgement:
    if not _TOKEN_TEXT.fullmatch(value):
        return Judgement(False, "not written like a token")
    if reads_as_words(value):
        return Judgement(False, "words, not a token")
    if looks_random(value):
        return Judgement(True, "a literal with the entropy of a real token")
    mixed = any(each.isdigit() for each in value) and any(each.isalpha() for each in value)
    if len(value) >= 10 and mixed and entropy(value) > 2.5:
        return Judgement(True, "a literal that can serve as a token")
    return Judgement(False, "a word, not a token")


_HASH = re.compile(r"[0-9a-fA-F]{96,}")
"""Too long to be typed."""


def _judge_password(value: str, in_use: bool, setting: bool) -> Judgement:
    said = _SPOKEN.fullmatch(value) or (not setting and value[:-1].isalpha() and value[-1] in ".:!?")
    if not in_use and said:
        return Judgement(False, SPOKEN)
    if not (in_use or setting) and (value.lower() in _TYPES or _is_field_name(value) or _is_label(value)):
        return Judgement(False, "the name of a field or a type")
    if (value[0] == "$" and value.count("$") >= 3) or _HASH.fullmatch(value):
        return Judgement(False, "a password hash")
    strong = not reads_as_words(value) and (looks_random(value) or (len(value) >= 12 and entropy(value) > 3))
    return Judgement(True, "a literal password", weak=not strong)


def _is_field_name(value: str) -> bool:
    """`password`, `new_password`, `Password`: a form field's name; `reset-password`: an action."""
    named = secret_kind(value) is Kind.PASSWORD or speaks_of_password(value)
    return named and value.replace("-", "_").isidentifier() and (value.islower() or len(words_of(value)) == 1)


def _is_label(value: str) -> bool:
    """`API Key`, `Secret`: capitalised words next to a field."""
    if _PHRASE.search(value) and _SPOKEN.fullmatch(value):
        return True
    words = value.split()
    titled = all(word.isalpha() and word[0].isupper() and (word.isupper() or word[1:].islower()) for word in words)
    named = words[0].lower() not in _STRESSED and words[-1].lower() in _LABELS and len(words) > 2
    return titled and (named or all(word.lower() in _LABELS for word in words))


def _judge_key(value: str) -> Judgement:
    if value.lower() in _TYPES:
        return Judgement(False, "the name of a field or a type")
    if _is_label(value) and not value.isupper():
        return Judgement(False, LABEL)
    words = words_of(value)
    if _SPOKEN.fullmatch(value) and not any(word in ("secret", "key", "super", "very") for word in words):
        return Judgement(False, SPOKEN)
    if "_" in value and value.isidentifier() and value.islower() and not any(each.isdigit() for each in value):
        return Judgement(False, FIELD_NAME)
    strong = not reads_as_words(value) and (looks_random(value) or (len(value) >= 20 and entropy(value) > 3.2))
    return Judgement(True, "a literal key", weak=not strong)
