"""Runs of characters that no person wrote: keys and tokens that nothing names; and what reads as words instead.

Invariant: linear in the text. A run is random if its letters, digits and signs change places more often than words and numbers
do; a digest that something beside it calls a digest, a revision or a checksum is public and stays.
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
    r"tree|parent|uuid|guid|version|nonce_?count)[\"']?\s{0,3}[:=(\[,-]{0,2}\s{0,3}[\"'(\[]{0,2}(?:sha\d{3}[:-])?$",
    re.IGNORECASE,
)
_FRAGMENT = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^A-Za-z0-9]+")
_PUBLIC = re.compile(r"sha\d{3}-|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")
"""Digests as package managers write them, and identifiers that are random but tell nothing."""
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
"""Letters of a word, on average: of letters by chance every second or third begins a new one."""
_VOWELS = 0.26
"""More than chance puts there."""
_LONGEST = 4_000


def random_runs(text: str) -> Iterator[Span]:
    """Where random characters stand."""
    for found in _RUN.finditer(text):
        for start, end in _parts(text, *found.span()):
            if is_random(text[start:end]) and not _PUBLIC.match(text[start:end]) and not _is_digest(text, start):
                yield start, end
    for found in _SIGNED.finditer(text):
        if _is_signed(found.group()) and not _PUBLIC.match(found.group()) and not _is_digest(text, found.start()):
            yield found.span()
    for found in _HEX.finditer(text):
        if _is_random_number(found.group()) and not _is_digest(text, found.start()):
            yield found.span()


def _is_signed(run: str) -> bool:
    """Escapes of an address (`%3Cscript%3E`) look like chance, so a run with several is judged by what they stand for."""
    written = _UNSIGNED.split(unquote(run)) if len(_ESCAPE.findall(run)) >= _ESCAPED else [run]
    return any(len(each) >= _SHORTEST and is_random(each, _SIGNS) for each in written)


def _parts(text: str, start: int, end: int) -> Iterator[Span]:
    """Base64 holds slashes; in an address they part names, among which one may be random."""
    line = text[max(0, start - _ADDRESS) : start]
    if "/" not in text[start:end] or "://" not in line[line.rfind(" ") + 1 :]:
        yield start, end
        return
    for found in re.finditer(r"[^/]{20,}", text[start:end]):
        if not _HEX.fullmatch(found.group()):
            yield start + found.start(), start + found.end()


def _is_digest(text: str, start: int) -> bool:
    before = text[max(0, start - _LOOK_BACK) : start]
    return _DIGEST.search(before.rpartition("\n")[2]) is not None


def is_random(run: str, share: float = _MIXED) -> bool:
    """Whether letters, digits and signs follow each other as chance has it; `share` of the characters begin something new."""
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
    """In base 16, with letters among the digits as chance puts them, and no pattern such as `00000000…` or `0123456789…`."""
    letters = sum(map(str.isalpha, run))
    mixed = run.islower() or run.isupper() or letters == 0
    return mixed and 0.15 < letters / len(run) < 0.65 and len(set(run.lower())) >= 10 and "012345678" not in run


def reads_as_words(value: str) -> bool:
    """`USER_PASSWORD_UPDATE`, `ssm:GetParameter`, `dev-secret-2`: words with signs between them. Chance makes no words; whether
    somebody uses words as a secret, only what is done with them can tell."""
    parts, numbers = _WORDS.findall(value[:_LONGEST]), _DIGITS.findall(value[:_LONGEST])
    letters = "".join(parts).lower()
    if not parts or len(numbers) > 1 or len(letters) < len(parts) * _WORD_LENGTH:
        return False
    signs = sum(each in _BETWEEN for each in value)
    spoken = sum(each in "aeiouy" for each in letters) > len(letters) * _VOWELS
    return spoken and len(letters) + sum(map(len, numbers)) + signs == len(value)
