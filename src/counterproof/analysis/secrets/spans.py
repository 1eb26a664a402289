"""The decision which texts are secrets, for prompts, tools, quotes, logs, reports and findings alike.

In code only literals and comments can contain a secret: a literal by its use or name, if `values.judge` accepts it, and known
formats. Settings are names and values, so in doubt they are hidden. Invariant: no name, expression or operator of code is a
secret; a reported secret is hidden wherever the file is shown.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from counterproof.analysis.secrets.arguments import TAKERS
from counterproof.analysis.secrets.candidate import Place
from counterproof.analysis.secrets.expressions import Position, kind_of
from counterproof.analysis.secrets.file_kinds import has_settings, has_translations, reads_names
from counterproof.analysis.secrets.formats import key_blocks, key_body, public_blocks, token_hits, url_passwords
from counterproof.analysis.secrets.positions import positions
from counterproof.analysis.secrets.randomness import is_digest, is_random, random_runs
from counterproof.analysis.secrets.secret_names import SIGNING, Kind, Secret, names_accounts, secret_kind, words_of
from counterproof.analysis.secrets.tokens import Group, Token, groups_of, tokens_of
from counterproof.analysis.secrets.values import (
    FIELD_NAME,
    LABEL,
    PLACEHOLDER,
    SPOKEN,
    Judgement,
    is_plain,
    is_template,
    is_thought_up,
    judge,
    looks_random,
    spells_words,
)
from counterproof.analysis.secrets.written_values import Form, Written, says_secrets, seeds_in, written_values
from counterproof.analysis.source.languages import language_of

if TYPE_CHECKING:
    from tree_sitter import Tree

EMPTY = "empty"
NAME = "a name, not a secret"
TEMPLATE = "filled in at run time"
_SHOWN = (EMPTY, NAME, TEMPLATE)
_WORD = re.compile(r"[^\W\d][\w-]*")
_DEFINED = re.compile(r"\b(?:def|func|function|fn|fun)\s{1,5}(?:\([^()]{0,80}\)\s{0,5})?(\w{1,80})\s?\(([^()]{0,400})")
_CONSTANT = re.compile(r"""["'\]]{0,2}\s{0,2}=\s{0,2}([A-Z][A-Z0-9_]{2,60})\b(?![.(\[])""")
_ARGUMENT = re.compile(r"\(\s{0,2}([A-Za-z_]\w{1,60})\s{0,2}[,)]")
_JOINED = re.compile(r"""["'`]\s{0,3}[+.]\s{0,3}(?![\s"'`]|(?:en|de)code\b|to\w)""")
"""A literal concatenated with an expression: not the secret itself."""
_AROUND = 600
"""Characters around a word, in data."""
_VERSION = re.compile(r"[-_]?v?\d$", re.IGNORECASE)
_CODE = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|->|::)[A-Za-z_$][\w$]*)*;?")
_SCHEME = re.compile(r"(?:[A-Za-z]{3,10}[ \t]{1,3})?")
_DEPTH = 2
_OTHER_CODE = (
    ".cs", ".kt", ".kts", ".swift", ".rs", ".c", ".h", ".cc", ".cpp", ".hpp", ".scala", ".dart", ".lua", ".vue", ".svelte",
)  # fmt: skip
"""Code without a grammar here: an unquoted word is a name."""


class Named(NamedTuple):
    """A literal that is a secret by its name or use. `hidden`: it is never shown; `judgement` says whether it is also
    reported."""

    start: int
    end: int
    kind: Kind
    name: str
    place: Place
    judgement: Judgement
    hidden: bool
    handed: bool = False


def named_in(text: str, path: str, tree: "Callable[[], Tree | None]") -> Iterator[Named]:
    """The literals in a file that are secrets by name or use, for the findings; `tree` is called if the file has to be parsed."""
    if language_of(path) is not None:
        telling = [found.start() for found in _telling(text, _tells)]
        tokens = tokens_of(text, path, tree(), telling) if telling else iter(())
        for each in _positioned(groups_of(text, tokens), False):
            if each.place is not Place.ASKED and not _JOINED.match(text, each.end):
                yield each
        yield from (_from_text(text, each, True) for each in seeds_in(text))
    elif reads_names(path) and says_secrets(text):
        settings = has_settings(path)
        telling = [found.start() for found in _telling(text, _names)]
        forms = (Form.SEEDED, Form.MARKED, *((Form.BARE,) if settings else ()))
        for start, end in _windows(text, telling):
            part = text[start:end]
            named = (*_written(part, path, settings, forms), *_positioned(groups_of(part, tokens_of(part, "")), settings))
            for each in named:
                place = Place.SEEDED if each.place is Place.SEEDED else Place.CONFIGURED
                yield each._replace(start=each.start + start, end=each.end + start, place=place)


def _telling(text: str, tells: Callable[[str], bool]) -> Iterator[re.Match[str]]:
    """The words in a text that name a secret or a function that takes one; most files have none."""
    known = [*filter(tells, {*_WORD.findall(text)})]
    known += ["identified", "IDENTIFIED"] if "identified" in text.lower() else []
    if not known:
        return iter(())
    taking = {*known}
    known += [found[1] for found in _DEFINED.finditer(text) if taking.intersection(_WORD.findall(found[2]))]
    telling = re.compile("|".join(map(re.escape, sorted(known))))
    given = {held[1] for found in telling.finditer(text) if (held := _given(text, found))}
    return re.finditer("|".join(map(re.escape, sorted({*known, *given}))), text) if given else telling.finditer(text)


def _given(text: str, word: re.Match[str]) -> re.Match[str] | None:
    """`SECRET_KEY = VALUE`, `Fernet(key)`: the name of the value used as a secret."""
    return _CONSTANT.match(text, word.end()) or (_ARGUMENT.match(text, word.end()) if word[0].lower() in TAKERS else None)


@lru_cache(maxsize=200_000)
def _tells(word: str) -> bool:
    return word.lower() in TAKERS or _names(word)


@lru_cache(maxsize=200_000)
def _names(word: str) -> bool:
    lowered = word.lower()
    if lowered.endswith(("s", "userlist")) and names_accounts(word):
        return True
    return (says_secrets(word) or lowered.endswith("pw")) and kind_of(word) is not None


def _windows(text: str, telling: list[int]) -> Iterator[tuple[int, int]]:
    """Line ranges around those words, so that a large data file is not read in full."""
    start = end = 0
    for each in telling:
        if each < end - _AROUND // 2:
            continue
        if each > end:
            if end:
                yield start, end
            start = text.rfind("\n", 0, max(0, each - _AROUND)) + 1
            start = max(start, end)
        end = text.find("\n", each + _AROUND)
        end = len(text) if end < 0 else end
    if end:
        yield start, end


def secrets_in(text: str, path: str = "") -> Iterator[Secret]:
    """Every secret in a file's text, or in a fragment without a known path."""
    coded = bool(path) and language_of(path) is not None
    settings = bool(path) and has_settings(path)
    if not coded:
        yield from _formed(text)
        yield from () if has_translations(path) else _read(text, path, settings, 0)
        return
    tokens = list(tokens_of(text, path))
    for token in tokens:
        if token.kind in ("text", "comment"):
            formed = _shifted(_formed(token.written), token.start)
            yield from (each for each in formed if not is_digest(text, each.start))
            yield from _shifted(_read(token.written, "", False, 1), token.start)
    yield from key_forms(text)
    groups = groups_of(text, iter(tokens))
    yield from _hidden(_positioned(groups, False))
    yield from _joined(text, groups)


def _hidden(found: Iterable[Named]) -> Iterator[Secret]:
    return (Secret(each.start, each.end, each.kind) for each in found if each.hidden)


def _joined(text: str, groups: list[Group]) -> Iterator[Secret]:
    """Secrets in the joined literals of one concatenation: `"… VALUES ('" + name + "', 'x')"`."""
    for item in (item for group in groups for item in group.items if len(item) > 2):
        literals = [each for each in item if isinstance(each, Token) and each.kind == "text"]
        if len(literals) < 2 or not says_secrets(literals[0].written):
            continue
        start, whole = literals[0].start, literals[0].written
        for one, two in pairwise(literals):
            whole += "0" * (two.start - one.end) + two.written
        yield from _shifted(_read(whole, "", False, 1), start)


def _read(text: str, path: str, settings: bool, depth: int) -> Iterator[Secret]:
    """Secrets by name, use and label in a text without a grammar."""
    if depth > _DEPTH or not says_secrets(text):
        return
    yield from _hidden(_written(text, path, settings))
    if depth and "(" not in text and not any(each in text for each in "\"'`"):
        return
    tokens = list(tokens_of(text, ""))
    found = _positioned(groups_of(text, iter(tokens)), (not path and not depth) or settings)
    yield from _hidden(each for each in found if not (settings and text[each.start - 1] == "`"))  # a command of the shell
    for token in tokens:
        if token.kind == "text":
            yield from _shifted(_read(token.written, "", False, depth + 1), token.start)


def _written(text: str, path: str, settings: bool, forms: Sequence[Form] = tuple(Form)) -> Iterator[Named]:
    foreign = path.lower().endswith(_OTHER_CODE)
    for each in written_values(text, settings):
        bare = each.form in (Form.BARE, Form.SPOKEN)
        if each.form in forms and not (foreign and bare and _CODE.fullmatch(text[each.start : each.end])):
            yield _from_text(text, each, not bare or (settings and each.form is Form.BARE))


def _from_text(text: str, each: Written, wide: bool) -> Named:
    """`wide`: at a position only for values, where a doubt hides the text."""
    value = text[each.start : each.end]
    seeded = each.form is Form.SEEDED
    judgement = judge(value, each.kind, seeded, _is_setting(each.name))
    told = each.form is Form.SPOKEN and words_of(each.name) == ("pass",)
    if "‹" in value or is_template(value) or (_is_name(value) and not wide) or told or _only_mentions(each.name, value):
        judgement, hidden = Judgement(False, NAME), False
    else:
        hidden = (not is_plain(value) or judgement.secret) if wide else _hides_bare(value)
    place = Place.SEEDED if seeded else Place.CONFIGURED
    return Named(each.start, each.end, each.kind, each.name, place, judgement, hidden)


def _positioned(groups: list[Group], wide: bool) -> Iterator[Named]:
    for each in positions(groups):
        judgement = _judged(each, wide)
        scheme = _SCHEME.match(each.token.written) if each.name.lower() == "authorization" else None
        start = each.token.start + (scheme.end() if scheme else 0)
        hidden = judgement.secret or (judgement.reason not in _SHOWN and _hides(each, judgement, wide))
        yield Named(start, each.token.end, each.kind, each.name, each.place, judgement, hidden, each.handed)


def _judged(position: Position, wide: bool) -> Judgement:
    """The judgement of a literal. A key that the code itself gives a framework for signing is in use, whatever it looks like."""
    value, name = position.token.written, position.name
    if not value.strip() or "‹" in value or ("\n" in value.strip() and " " in value.strip()):
        return Judgement(False, EMPTY)
    if is_template(value.strip()):
        return Judgement(False, TEMPLATE)
    if _only_mentions(name, value.strip()):
        return Judgement(False, NAME)
    setting = wide or position.place is Place.DEFAULT
    judgement = judge(value, position.kind, position.used, setting and _is_setting(name))
    doubted = position.doubtful and value.islower() and value.replace("_", "").isalnum()
    if value.lower() == name.lower() or (_is_name(value) and not position.used) or (judgement.secret and doubted):
        judgement = Judgement(False, NAME)
    if judgement.secret or name.upper() not in SIGNING or position.place is Place.DEFAULT:
        return judgement
    spelt = words_of(value) == words_of(name)  # `SECRET_KEY = "secret_key"` only repeats its own name
    given = position.handed and any(map(str.isalpha, value)) and not any(each in value for each in "{}$<>%")
    if given or (judgement.reason in (LABEL, FIELD_NAME, NAME) and not spelt):
        return Judgement(True, "a placeholder that the framework signs with", weak=True)
    return judgement


def _only_mentions(name: str, value: str) -> bool:
    """`pass: "accepted"`: a field of this name is a password only if its value looks like one."""
    return words_of(name.rstrip("0123456789")) == ("pass",) and not is_thought_up(value)


def _is_setting(name: str) -> bool:
    """`POSTGRES_PASSWORD=password`: an environment variable is used literally, even if its value looks like a label."""
    return name.isupper() and "_" in name


def _formed(text: str) -> Iterator[Secret]:
    addresses = text.split("\n") if "@" in text or ";" in text else ()
    start = 0
    hits = list(token_hits(text))
    for line in addresses:
        hits += [replace(hit, start=hit.start + start, end=hit.end + start) for hit in url_passwords(line)]
        start += len(line) + 1
    for hit in hits:
        if not is_template(text[hit.start : hit.end]):
            yield Secret(hit.start, hit.end, hit.kind)
    public = public_blocks(text)
    for start, end in random_runs(text):
        if not any(first < start < last for first, last in public):
            yield Secret(start, end, Kind.KEY)
    yield from key_forms(text)


def key_forms(text: str) -> Iterator[Secret]:
    """Private keys, and lines of base64 as in key files."""
    for start, end in key_blocks(text):
        yield Secret(start, end, Kind.KEY)
    start, public = 0, public_blocks(text)
    for line in text.split("\n"):
        if (body := key_body(line)) and not any(first < start < last for first, last in public):
            yield Secret(start + body[0], start + body[1], Kind.KEY)
        start += len(line) + 1


def _shifted(found: Iterator[Secret], by: int) -> Iterator[Secret]:
    for start, end, kind in found:
        yield Secret(start + by, end + by, kind)


def _hides(position: Position, judgement: Judgement, wide: bool) -> bool:
    """Return True if a doubt hides a text that is not itself a secret."""
    value, name = position.token.written, position.name
    if wide and judgement.reason in (SPOKEN, PLACEHOLDER, "a word, not a token", "words, not a token"):
        return True
    plain = is_plain(value) or spells_words(value)
    telling = len(words_of(name)) > 1 or name.lower() == "authorization"
    return position.kind is Kind.TOKEN and telling and is_thought_up(value) and (position.used or not plain)


def _hides_bare(value: str) -> bool:
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
