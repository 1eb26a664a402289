"""Random runs of characters: keys and tokens without a name; and their opposite, words.

Invariant: linear in the text. A run is random if its letters, digits and symbols alternate more often than in words and numbers;
a digest next to a name such as digest, revision or checksum is public and stays visible.
"""

import re
from collections.abc import Iterator
from urllib.parse import unquote

Span = tuple[int, int]

_RUN = re.compile(r"(?<![\w+/=‹#@-])[A-Za-z0-9+/_-]{20,4000}={0,2}(?![\w‹])")
_SIGNED = re.compile(r"(?<![^\s\"'`=:,(])[A-Za-z0-9!%^*~+_#&?-]{20,200}={0,2}(?=[\s\"'`,;)]|$)")
_HEX = re.compile(r"(?<![A-Za-z0-9_+/=#@‹.-])[0-9a-fA-F]{32,1024}(?![A-Za-z0-9_+/=-]|\.[a-z])")
_DIGEST = re.compile(
    r"(?:sha\d{0,3}|md5|integrity|checksum|digest|hash(?:es)?|h1|blake2\w?|commit|rev(?:ision)?|resolved|etag|fingerprint|blob|"
    r"tree|parent|uuid|guid|version|nonce_?count|\bat|ssh-\w{3,10}|ecdsa-[\w-]{1,30})[\"']?\s{0,3}[:=(\[,-]{0,2}\s{0,3}[\"'(\[]{0,2}(?:sha\d{3}[:-])?$",
    re.IGNORECASE,
)
_FRAGMENT = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^A-Za-z0-9]+")
_PUBLIC = re.compile(r"sha\d{3}-|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")
"""Digests as package managers write them, and random identifiers that are not secret."""
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_UNSIGNED = re.compile(r"[^A-Za-z0-9!%^*~+_#&?=-]+")
_ESCAPED = 3
_SHORTEST = 20
_LOOK_BACK = 40
_ADDRESS = 200
_MIXED = 0.36
_SIGNS = 0.45
_LETTERS = 0.42


_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_DIGITS = re.compile(r"[0-9]{1,4}")
_BETWEEN = " _.:/,'-"
_WORD_LENGTH = 3.5
"""Average length of a word in letters: in random text every second or third letter starts a new one."""
_VOWELS = 0.26
"""Share of vowels, higher than in random text."""
_LONGEST = 4_000


def random_runs(text: str) -> Iterator[Span]:
    """The spans of random characters."""
    for found in _RUN.finditer(text):
        for start, end in _parts(text, *found.span()):
            if is_random(text[start:end]) and not _PUBLIC.match(text[start:end]) and not is_digest(text, start):
                yield start, end
    for found in _SIGNED.finditer(text):
        if _is_signed(found.group()) and not _PUBLIC.match(found.group()) and not is_digest(text, found.start()):
            yield found.span()
    for found in _HEX.finditer(text):
        if _is_random_number(found.group()) and not is_digest(text, found.start()):
            yield found.span()


def _is_signed(run: str) -> bool:
    """URL escapes (`%3Cscript%3E`) look random, so a run with several is judged by its decoded text."""
    written = _UNSIGNED.split(unquote(run)) if len(_ESCAPE.findall(run)) >= _ESCAPED else [run]
    return any(len(each) >= _SHORTEST and is_random(each, _SIGNS) for each in written)


def _parts(text: str, start: int, end: int) -> Iterator[Span]:
    """The parts between slashes: base64 contains slashes; in a URL they separate names, one of which may be random."""
    line = text[max(0, start - _ADDRESS) : start]
    if "/" not in text[start:end] or "://" not in line[line.rfind(" ") + 1 :]:
        yield start, end
        return
    for found in re.finditer(r"[^/]{20,}", text[start:end]):
        if not _HEX.fullmatch(found.group()):
            yield start + found.start(), start + found.end()


def is_digest(text: str, start: int) -> bool:
    """Return True if the name before a run says that it is public."""
    before = text[max(0, start - _LOOK_BACK) : start]
    return _DIGEST.search(before.rpartition("\n")[2]) is not None


def is_random(run: str, share: float = _MIXED) -> bool:
    """Return True if letters, digits and symbols alternate as in random text; `share` of the characters start a new group."""
    digits = sum(map(str.isdigit, run))
    if not any(map(str.islower, run)) or (not any(map(str.isupper, run)) and digits < 4):
        return False
    fragments = _FRAGMENT.findall(run)
    if len(set(run)) < 10 or len(fragments) < 8:
        return False
    if max(map(len, fragments)) > max(8, len(run) // 4) and len(run) < 200:
        return False
    changes = sum(each[0].isalnum() for each in fragments) if share == _MIXED else len(fragments)
    return changes / len(run) > (share if digits > 1 else _LETTERS)


def _is_random_number(run: str) -> bool:
    """Return True for a random hexadecimal number: letters among the digits, and no pattern such as `00000000…` or
    `0123456789…`."""
    letters = sum(map(str.isalpha, run))
    mixed = run.islower() or run.isupper() or letters == 0
    return mixed and 0.15 < letters / len(run) < 0.65 and len(set(run.lower())) >= 10 and "012345678" not in run


def reads_as_words(value: str) -> bool:
    """`USER_PASSWORD_UPDATE`, `ssm:GetParameter`, `dev-secret-2`: words with symbols between them. Random text contains no words;
    only its use shows whether words are a secret."""
    parts, numbers = _WORDS.findall(value[:_LONGEST]), _DIGITS.findall(value[:_LONGEST])
    letters = "".join(parts).lower()
    if not parts or len(numbers) > 1 or len(letters) < len(parts) * _WORD_LENGTH:
        return False
    signs = sum(each in _BETWEEN for each in value)
    spoken = sum(each in "aeiouy" for each in letters) > len(letters) * _VOWELS
    return spoken and len(letters) + sum(map(len, numbers)) + signs == len(value)
