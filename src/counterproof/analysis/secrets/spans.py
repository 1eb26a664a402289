"""Which texts are secrets: the one decision, for prompts, tools, quotes, logs and reports alike.

In code only literals and remarks can hold one: a literal by its use or its name, if `values.judge` calls it a secret, and known
forms. Settings are names and values, so there a doubt hides. Always holds: no name, expression or sign of code is a secret.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from counterproof.analysis.secrets.expressions import Position
from counterproof.analysis.secrets.formats import key_blocks, key_body, token_hits, url_passwords
from counterproof.analysis.secrets.positions import positions
from counterproof.analysis.secrets.randomness import is_random, random_runs
from counterproof.analysis.secrets.secret_names import Kind, Secret, secret_kind, words_of
from counterproof.analysis.secrets.text_files import has_settings
from counterproof.analysis.secrets.tokens import Group, Token, groups_of, tokens_of
from counterproof.analysis.secrets.values import (
    PLACEHOLDER,
    SPOKEN,
    is_plain,
    is_template,
    is_thought_up,
    judge,
    looks_random,
    spells_words,
)
from counterproof.analysis.secrets.written_values import Form, says_secrets, written_values
from counterproof.analysis.source.languages import language_of

_VERSION = re.compile(r"[-_]?v?\d$", re.IGNORECASE)
_CODE = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|->|::)[A-Za-z_$][\w$]*)*;?")
_SCHEME = re.compile(r"(?:[A-Za-z]{3,10}[ \t]{1,3})?")
_DEPTH = 2
_OTHER_CODE = (
    ".cs",
    ".kt",
    ".kts",
    ".swift",
    ".rs",
    ".c",
    ".h",
    ".cc",
    ".cpp",
    ".hpp",
    ".scala",
    ".dart",
    ".lua",
    ".vue",
    ".svelte",
)
"""Code that no grammar reads here: a word without quotes is a name."""


def secrets_in(text: str, path: str = "") -> Iterator[Secret]:
    """Every secret of a file's text, or of a fragment where no path is known."""
    coded = bool(path) and language_of(path) is not None
    settings = bool(path) and has_settings(path)
    if not coded:
        yield from _formed(text)
        yield from _read(text, path, settings, 0)
        return
    tokens = list(tokens_of(text, path))
    for token in tokens:
        if token.kind in ("text", "comment"):
            yield from _shifted(_formed(token.written), token.start)
            yield from _shifted(_read(token.written, "", False, 1), token.start)
    yield from key_forms(text)
    groups = groups_of(text, iter(tokens))
    yield from _positioned(groups, False)
    yield from _joined(text, groups)


def _joined(text: str, groups: list[Group]) -> Iterator[Secret]:
    """What the literals of one sum say together: `"… VALUES ('" + name + "', 'x')"`."""
    for item in (item for group in groups for item in group.items if len(item) > 2):
        literals = [each for each in item if isinstance(each, Token) and each.kind == "text"]
        if len(literals) < 2 or not says_secrets(literals[0].written):
            continue
        start, whole = literals[0].start, literals[0].written
        for one, two in pairwise(literals):
            whole += "0" * (two.start - one.end) + two.written
        yield from _shifted(_read(whole, "", False, 1), start)


def _read(text: str, path: str, settings: bool, depth: int) -> Iterator[Secret]:
    """What names, uses and labels call secrets in a text that no grammar reads."""
    if depth > _DEPTH or not says_secrets(text):
        return
    foreign = path.lower().endswith(_OTHER_CODE)
    for each in written_values(text, settings):
        value = text[each.start : each.end]
        if foreign and each.form is not Form.MARKED and _CODE.fullmatch(value):
            continue
        if _hides_written(value, each.form is Form.MARKED or (settings and each.form is Form.BARE)):
            yield Secret(each.start, each.end, each.kind)
    if depth and "(" not in text and not any(each in text for each in "\"'`"):
        return
    tokens = list(tokens_of(text, ""))
    yield from _positioned(groups_of(text, iter(tokens)), (not path and not depth) or settings)
    for token in tokens:
        if token.kind == "text":
            yield from _shifted(_read(token.written, "", False, depth + 1), token.start)


def _positioned(groups: list[Group], wide: bool) -> Iterator[Secret]:
    for each in positions(groups):
        if _hides(each, wide):
            scheme = _SCHEME.match(each.token.written) if each.name.lower() == "authorization" else None
            yield Secret(each.token.start + (scheme.end() if scheme else 0), each.token.end, each.kind)


def _formed(text: str) -> Iterator[Secret]:
    for hit in (*token_hits(text), *url_passwords(text)):
        if not is_template(text[hit.start : hit.end]):
            yield Secret(hit.start, hit.end, hit.kind)
    for start, end in random_runs(text):
        yield Secret(start, end, Kind.KEY)
    yield from key_forms(text)


def key_forms(text: str) -> Iterator[Secret]:
    """Private keys, and lines of base64 as key files hold them."""
    for start, end in key_blocks(text):
        yield Secret(start, end, Kind.KEY)
    start = 0
    for line in text.split("\n"):
        if body := key_body(line):
            yield Secret(start + body[0], start + body[1], Kind.KEY)
        start += len(line) + 1


def _shifted(found: Iterator[Secret], by: int) -> Iterator[Secret]:
    for start, end, kind in found:
        yield Secret(start + by, end + by, kind)


def _hides(position: Position, wide: bool) -> bool:
    value, kind, name = position.token.written, position.kind, position.name
    if not value.strip() or "‹" in value or is_template(value.strip()) or ("\n" in value.strip() and " " in value.strip()):
        return False
    if value.lower() == name.lower() or (_is_name(value) and not position.used):
        return False
    judgement = judge(value, kind, position.used)
    if judgement.secret:
        return not (position.doubtful and value.islower() and value.replace("_", "").isalnum())
    if wide and judgement.reason in (SPOKEN, PLACEHOLDER, "a word, not a token", "words, not a token"):
        return True
    plain = is_plain(value) or spells_words(value)
    telling = len(words_of(name)) > 1 or name.lower() == "authorization"
    return kind is Kind.TOKEN and telling and is_thought_up(value) and (position.used or not plain)


def _hides_written(value: str, wide: bool) -> bool:
    if "‹" in value or is_template(value) or (_is_name(value) and not wide):
        return False
    if wide:
        return not is_plain(value)
    if not is_thought_up(value):
        return False
    named = _CODE.fullmatch(value) and not looks_random(value) and not is_random(value)
    return not named or (secret_kind(_VERSION.sub("", value)) is None and value.replace("_", "").isalnum())


def _is_name(value: str) -> bool:
    """`apiKeyV2`, `password-kind`, `client_secret_post`: names of a secret; `password1` and `Secret2024` may be secrets."""
    bare = _VERSION.sub("", value)
    return (
        len(words_of(bare)) > 1
        and not any(map(str.isdigit, bare))
        and bare.replace("-", "_").replace(".", "_").isidentifier()
        and any(secret_kind(each) for each in (bare, *words_of(bare)))
    )
