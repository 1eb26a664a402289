"""Where secrets stand outside Python: settings, environment files, manifests of containers, markup, other languages.

Line by line, with expressions that cannot backtrack far. Prose (Markdown, plain text, translations) is read for known
token forms only: a password in a tutorial's sentence is nobody's password.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.secrets.candidate import Candidate, Place
from counterproof.analysis.secrets.formats import may_hold_secrets, opens_private_key, token_hits, url_passwords
from counterproof.analysis.secrets.secret_names import Kind, secret_kind
from counterproof.analysis.secrets.sql_seeds import seeded_passwords
from counterproof.analysis.secrets.values import is_said

MAX_LINE = 20_000
MAX_SEEDED = 1_000_000
"""Characters of a file that is searched for statements; what is longer is a dump of data."""

_PROSE = vocabulary(".md .rst .txt .adoc .po .pot .csv .tsv .svg .html .htm .css .scss .sass .less .map .log .ipynb")
_PROSE_FOLDERS = frozenset(("locale", "locales", "i18n", "l10n", "translations", "lang", "langs"))
_LOCKS = frozenset(
    (
        "poetry.lock", "uv.lock", "pdm.lock", "Pipfile.lock", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "go.sum",
        "composer.lock", "Gemfile.lock", "Cargo.lock", "npm-shrinkwrap.json",
    )
)  # fmt: skip
_SETTINGS = frozenset(
    (".env", ".ini", ".cfg", ".conf", ".config", ".properties", ".toml", ".yaml", ".yml", ".sh", ".bash", ".tf", ".tfvars")
)

_SETTING = re.compile(
    r"[ \t]*(?:-[ \t]{1,5})?(?:export[ \t]{1,5}|ENV[ \t]{1,5}|ARG[ \t]{1,5}|set[ \t]{1,5})?"
    r"[\"']?([A-Za-z_][A-Za-z0-9_.-]{0,80})[\"']?[ \t]{0,20}[=:][ \t]{0,20}(\S.{0,4000})"
)
_DOCKER_PAIR = re.compile(r"(?<=[ \t])([A-Za-z_][A-Za-z0-9_]{0,80})=(\"[^\"]{1,400}\"|'[^']{1,400}'|[^\s\"']{1,400})")
_DOCKER_SPACED = re.compile(r"ENV[ \t]{1,5}([A-Za-z_]\w{0,80})[ \t]{1,5}([^=\s][^=]{0,400})$")
_QUOTED = re.compile(
    r"(?<![A-Za-z0-9_])([A-Za-z_][A-Za-z0-9_-]{0,80})[\"']?\]?[ \t]{0,20}(?:=>|:=|[:=])[ \t]{0,20}"
    r"(?:\"([^\"\n]{1,1000})\"|'([^'\n]{1,1000})'|`([^`\n]{1,1000})`)"
)
_ELEMENT = re.compile(r"<([A-Za-z_][A-Za-z0-9_.-]{0,80})>([^<>\n]{1,400})</")
_COMMENT = re.compile(r"[ \t]*(?:#|//|;|--|\*|/\*|<!--)")


def form_candidates(path: str, text: str) -> Iterator[Candidate]:
    """Tokens, private keys and passwords in addresses; looked for in every text file."""
    if not may_hold_secrets(text):
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line) > MAX_LINE:
            line = line[:MAX_LINE]
        for hit in token_hits(line):
            yield Candidate(path, number, hit.label, line[hit.start : hit.end], hit.kind, Place.FORM, label=hit.label)
        for hit in url_passwords(line):
            yield Candidate(path, number, "password", line[hit.start : hit.end], hit.kind, Place.CONFIGURED, label=hit.label)
        if opens_private_key(line) and _has_body(text, line):
            yield Candidate(path, number, "private key", "", Kind.KEY, Place.FORM, label="a private key")


def _has_body(text: str, line: str) -> bool:
    """A header alone is a parser's constant; a key has a body. One that a passphrase locks opens nothing by itself."""
    after = text[text.find(line) :][:600].partition("PRIVATE KEY")[2]
    if "ENCRYPTED PRIVATE KEY" in line or "4,ENCRYPTED" in after:
        return False
    return re.search(r"[A-Za-z0-9+/]{40}", after) is not None


def has_long_lines(text: str) -> bool:
    """Whether some line is longer than what is searched."""
    return len(text) > MAX_LINE and any(len(line) > MAX_LINE for line in text.split("\n"))


def reads_settings(path: str) -> bool:
    """Whether names and values are looked for in this file, beyond known forms."""
    place = PurePosixPath(path)
    if place.name in _LOCKS or any(part.lower() in _PROSE_FOLDERS for part in place.parts[:-1]):
        return False
    return place.suffix.lower() not in _PROSE


def has_settings(path: str) -> bool:
    """Whether the lines of this file are names and values without quotes."""
    return _reader(PurePosixPath(path)) in (_docker_pairs, _setting_pairs)


_NEAR = 8
_FEW = 3
_JOINED = re.compile(r"""^["'`]\s{0,3}[+.|]|[+.|]\s{0,3}["'`]$""")
"""Between two texts that are joined, as in `"… password = '" + password + "'"`: a statement with a variable in it."""


def setting_candidates(path: str, text: str) -> Iterator[Candidate]:
    """Names with values, by the conventions of the file's kind."""
    read = _reader(PurePosixPath(path))
    tried = False
    for number, line in enumerate(text.split("\n"), start=1):
        if not line or len(line) > MAX_LINE or _COMMENT.match(line):
            continue
        tried = _opens_trials(line) if line[0] == "[" else tried
        if tried:
            continue
        for name, value in read(line):
            kind = secret_kind(name)
            if kind and not _JOINED.search(value):
                yield Candidate(path, number, name, value, kind, Place.CONFIGURED)


def among_texts(lines: list[str], number: int) -> bool:
    """Whether nearly all values around a line are phrases and words with a capital: a table of what a program says, where a
    password is a word."""
    near = lines[max(number - 1 - _NEAR, 0) : number + _NEAR]
    values = [each for line in near for _, each in _quoted_pairs(line[:MAX_LINE])]
    phrases = sum(" " in each.strip() for each in values)
    return phrases > _FEW and sum(" " in each.strip() or is_said(each) for each in values) * 5 >= len(values) * 4


def _opens_trials(line: str) -> bool:
    """`[tool.pytest.ini_options]`, `[testenv]`: what follows is for tests."""
    return line.startswith(("[tool.pytest", "[tool:pytest", "[pytest", "[testenv", "[tool.tox"))


def _reader(place: PurePosixPath) -> Callable[[str], Iterator[tuple[str, str]]]:
    name = place.name.lower()
    if name.startswith(("dockerfile", "containerfile")) or name.endswith(".dockerfile"):
        return _docker_pairs
    environment = name.startswith(".") and (name.startswith(".env") or name.endswith("env"))  # as `.flaskenv`
    if place.suffix.lower() in _SETTINGS or environment or name in (".npmrc", ".pypirc", ".netrc"):
        return _setting_pairs
    return _markup_pairs if place.suffix.lower() in (".xml", ".plist") else _quoted_pairs


def _setting_pairs(line: str) -> Iterator[tuple[str, str]]:
    found = _SETTING.match(line)
    if not found:
        return
    value = found[2].strip()
    if value[0] in "\"'":
        closing = value.find(value[0], 1)
        yield found[1], value[1:closing] if closing > 0 else ""
    elif value[0] == "`":
        return  # what a command prints
    elif value[0] not in "{[|>&*!":
        yield found[1], _before_comment(value)
    else:
        yield from _quoted_pairs(line)


def _before_comment(value: str) -> str:
    for opening in (" #", "\t#", " ;", " //"):
        value = value.partition(opening)[0]
    return value.strip().rstrip(",")


def _docker_pairs(line: str) -> Iterator[tuple[str, str]]:
    if line.lstrip().upper().startswith(("ENV ", "ARG ")):
        spaced = _DOCKER_SPACED.match(line.strip())
        if spaced:
            yield spaced[1], spaced[2].strip("\"' ")
        for found in _DOCKER_PAIR.finditer(line):
            yield found[1], found[2].strip("\"'")


def _quoted_pairs(line: str) -> Iterator[tuple[str, str]]:
    for found in _QUOTED.finditer(line):
        before = line[max(0, found.start() - 2) : found.start()]
        if before.endswith(("&", "?")):
            continue  # `"…&api_key=" + key`: the end of a text in which an address is put together
        if before.endswith(":") and before != "::":
            continue  # `v-model:password="repeated"`: an attribute that names a variable
        quote = line[found.end(1)]
        if quote in "\"'" and line[line.rfind(quote, 0, found.start()) + 1 : found.start()].count(" ") > 1:
            continue  # `"keep the current password": "…"`: a sentence that is said otherwise, or in another language
        yield found[1], found[found.lastindex or 2]


def _markup_pairs(line: str) -> Iterator[tuple[str, str]]:
    for found in _ELEMENT.finditer(line):
        yield found[1], found[2]
    yield from _quoted_pairs(line)


def seed_candidates(path: str, text: str) -> Iterator[Candidate]:
    """Accounts that a statement creates, in a file of SQL or in a text of the code."""
    if len(text) > MAX_SEEDED or "insert" not in text.lower():
        return
    for offset, password in seeded_passwords(text):
        yield Candidate(path, text.count("\n", 0, offset) + 1, "INSERT", password, Kind.PASSWORD, Place.SEEDED)
