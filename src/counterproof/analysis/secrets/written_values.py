"""Credentials in text other than code: settings, scripts, statements, URLs, headers, labels, tables, sentences.

Works line by line on text alone. Invariant: linear (every repetition is bounded), and template values stay visible. `spans`
decides whether a value is hidden.
"""

import re
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from counterproof.analysis.secrets.expressions import kind_of
from counterproof.analysis.secrets.secret_names import Kind
from counterproof.analysis.secrets.sql_seeds import seeded_passwords

_STEM = re.compile(
    r"pass|pwd|psw|secret|token|key|cred|log_?[io]n|sign|insert|connect|hmac|jwt|crypt|-u|mysql|mongo|redis|"
    r"bearer|auth|(?:\b|_)pw\b|psk|\bpat\b|jdbc|securestring|userpwd|identified|:5432:|contrase|senha|clave|mdp|wort|woord|has[lł]o|parola|lösenord|"
    r"salasana|adgangskode|heslo|lozinka|geslo|jelszó|[şs]ifre|mật|пароль|密|口令|パス|비밀|รหัส|كلمة|סיסמה",
    re.IGNORECASE,
)
_PAIR = re.compile(
    r"(?<![\w$.@%])(?<!\$\{)(?P<name>-{0,2}[^\W\d][\w.-]{0,80}|[Mm]ot de passe|[Aa][Pp][Ii] [Kk]ey|[Mm]ật khẩu|كلمة المرور)"
    r"(?=[\"'`\]*]{0,3}(?P<sign>[ \t]{0,20}(?:=>|:=|[=：:])(?![=/:])[ \t]{0,20}\*{0,2})(?!\$[{(\w]|!\w|<%)"
    r"(?P<value>[^\s\"'`(){}\[\]<>‹›,;&|=]{1,4000}={0,2}))"
)
_OPTION = re.compile(
    r"(?<![\w-])(?P<name>--?[A-Za-z][A-Za-z0-9-]{2,40})[ \t]{1,4}[\"']?(?P<value>[^\s\"'`‹›|$-][^\s\"'‹›]{2,400})"
)
_INSTRUCTION = re.compile(r"^(?:ENV|ARG)[ \t]+(?P<name>\w{3,80})[ \t]+(?P<value>[^\s\"'‹›=$]{3,400})", re.MULTILINE)
_SET = re.compile(
    r"^[ \t]*(?:(?:ENV|ARG|machine|login|requirepass|masterauth|set)\b[^\n=]{0,200}?[ \t])?(?P<name>[A-Za-z_]\w{2,80})[ \t]{1,8}"
    r"(?P<value>[^\s\"'‹›={}(\[:;|,]{3,400})[ \t]*$",
    re.MULTILINE,
)
_LINE = re.compile(
    r"^[ \t]*(?:-[ \t]+)?(?:export[ \t]+)?[\"']?(?P<name>[^\W\d][\w.-]{0,80})[\"']?[ \t]*[=:][ \t]+"
    r"(?P<value>[^\s\"'\[{>|&*!%#$][^\n#]{2,200})",
    re.MULTILINE,
)
_BLOCK = re.compile(
    r"^[ \t]*(?:-[ \t]+)?(?P<name>[\w.-]{3,80}):[ \t]*[|>][+-]?[ \t]*\n[ \t]{1,40}(?P<value>[^\s‹:]{4,4000})[ \t]*$", re.MULTILINE
)
_TRIPLE = re.compile(r"(?P<name>[\w.-]{3,80})[ \t]*=[ \t]*(?:\"\"\"|''')\n(?P<value>[^\n\"']{3,4000})")
_NAMED = re.compile(
    r"\b(?:name|key|Name|Key|id|variable)[\"']?[ \t]*[=:][ \t]*[\"']?(?P<name>[\w.-]{3,80})[\"']?"
    r"(?:[ \t]{0,4},)?\s{1,40}(?:,[ \t]{0,4})?"
    r"[\"']?(?:value|Value|default|string)[\"']?[ \t]{0,4}[=:][ \t]{0,4}[\"']?(?P<value>[^\s\"'<>‹›{]{3,4000})"
    r"|<key>(?P<key>[\w.-]{3,80})</key>\s{0,40}<string>(?P<string>[^<>‹›\n]{3,4000})<"
    r"|<(?P<element>[A-Za-z_][\w.-]{0,80})>(?P<inner>[^<>‹›\n]{1,4000})</"
)
_SPOKEN = re.compile(
    r"(?P<name>\b(?:(?:secret|api|access|private) )?[A-Za-z]{2,20})"
    r"(?=[\"'`]?(?::|,(?=[ \t]was ))?[ \t]{1,3}(?:(?:is|was|to|from|be|now|set|changed|of|as)[ \t]{1,3}){0,3}[\"'`]?"
    r"(?P<value>[^\s\"'`‹›()=]{6,200}+)(?!\())"
)
_ESCAPED = re.compile(
    r"(?<![\w$.@%])(?P<name>[^\W\d][\w.-]{0,80})(?:\\[\"'])?[ \t]{0,4}[=:][ \t]{0,4}\\[\"'](?P<value>[^\s\"'\\‹›]{1,400})\\[\"']"
)
"""`password=\"x\"` within a literal."""
_FALLBACK = re.compile(r"\$\{(?P<name>[A-Za-z_][\w.-]{1,80}):[-=]?(?P<value>[^\s${}‹›]{1,400})\}")
_UNNAMED = (
    re.compile(r"(?<![\w-])(?:-u|--user|--proxy-user|-U)[ =]?[\"']?[^\s:\"'‹$]{1,60}:(?P<value>[^\s\"'`‹$][^\s\"'‹]{2,400})"),
    re.compile(
        r"\b(?:sshpass|mysql\w{0,10}|mariadb|mongo\w{0,8}|redis-cli|ldap\w{2,10}|smbclient|"
        r"(?:docker|podman|helm|az|oc|npm)[ \t](?:registry[ \t])?login)\b"
        r"[^\n|;&‹]{0,200}?[ \t](?:-p|-a|-w)(?!assword)[ \t]?[\"']?(?P<value>[^\s\"'`‹$-][^\s\"'‹]{2,400})"
    ),
    re.compile(
        r"\b(?:echo|printf)[ \t]+(?:-n[ \t]+)?[\"']?"
        r"(?P<value>[^\s\"'$‹|]{4,200})[\"']?[ \t]*\|[^\n|]{0,80}(?:-stdin|\bpasswd|sudo -S)"
    ),
    re.compile(r"\bConvertTo-SecureString[ \t]+(?:-String[ \t]+)?[\"'](?P<value>[^\"'$‹\n]{2,400})[\"']"),
    re.compile(r"^[\w.*-]{1,200}:(?:5432|\*):[\w*-]{1,60}:[\w*-]{1,60}:(?P<value>[^\s:‹]{3,400})$", re.MULTILINE),
    re.compile(r"\b(?:Bearer|Basic)[ \t]{1,3}(?:[\"'][ \t]{0,3}[+.][ \t]{0,3}[\"'])?(?P<value>[A-Za-z0-9._~+/=!#%^*-]{8,4000})"),
)
_MAX_ROWS = 200
_MAX_LINE = 1_000
MAX_SEEDED = 1_000_000
"""Limit on the characters searched for statements; a longer text is a data dump."""


class Form(Enum):
    """How a value is written."""

    SPOKEN = 0
    """After its name in a sentence."""
    BARE = 1
    """Unquoted, so in code it may be a name."""
    MARKED = 2
    """At a position only for values."""
    SEEDED = 3
    """In a row that creates an account."""


class Written(NamedTuple):
    """A value that is a secret by its name, option or column."""

    start: int
    end: int
    kind: Kind
    form: Form
    name: str = "password"


def says_secrets(text: str) -> bool:
    """A fast test that is False for most texts."""
    return _STEM.search(text) is not None


def written_values(text: str, settings: bool) -> Iterator[Written]:
    """The positions of values; `settings`: the file's lines are names and values."""
    lines = (_SET, _LINE, _BLOCK) if settings else ()
    forms = (
        (Form.BARE, (_PAIR, _BLOCK)),
        (Form.SPOKEN, (_SPOKEN,)),
        (Form.MARKED, (_OPTION, _TRIPLE, _FALLBACK, _INSTRUCTION, _ESCAPED, *lines)),
    )
    for form, patterns in forms:
        for found in (found for pattern in patterns for found in pattern.finditer(text)):
            if known := kind_of(found["name"]):
                end = found.start("value") + len(found["value"].rstrip(" \t,"))
                yield Written(found.start("value"), end, known[1], form, found["name"])
    for found in _NAMED.finditer(text):
        place = "value" if found["name"] else "string" if found["key"] else "inner"
        name = found["name"] or found["key"] or found["element"]
        if known := kind_of(name):
            yield Written(*found.span(place), known[1], Form.MARKED, name)
    for pattern in _UNNAMED:
        for found in pattern.finditer(text):
            yield Written(*found.span("value"), Kind.PASSWORD, Form.BARE if pattern is _UNNAMED[-1] else Form.MARKED)
    yield from seeds_in(text)
    yield from _tables(text)


def seeds_in(text: str) -> Iterator[Written]:
    """The passwords of accounts that statements create."""
    if len(text) > MAX_SEEDED:
        return
    for offset, password in seeded_passwords(text) if "insert" in text.lower() else ():
        start = text.find(password, offset)
        if start >= 0 and "\n" not in password:
            yield Written(start, start + len(password), Kind.PASSWORD, Form.SEEDED, "INSERT")


_COLUMN = re.compile(
    r"[ \t]*[`\"\[]?\w{2,80}[`\"\]]?[ \t]+(?:text|(?:var|n|nvar)?char|u?int(?:eger)?|big|small|blob|bytea|json"
    r"|uuid|bool|date|time)"
    r"[^,\n]{0,120},[ \t]*\Z",
    re.IGNORECASE,
)
"""A column of a table's definition, which is no header row."""


def _tables(text: str) -> Iterator[Written]:
    """Rows of values under a header row, one per line, separated by commas, tabs or bars."""
    lines = text.split("\n")
    start = 0
    for number, line in enumerate(lines[:-1]):
        sign = next((each for each in ("|", "\t", ";", ",") if each in line), "")
        names = line.split(sign) if sign and len(line) < _MAX_LINE and _STEM.search(line) else []
        if len(names) > 1 and not _COLUMN.match(line) and all(re.fullmatch(r"[\w .\"-]{0,60}", each) for each in names):
            yield from _under(lines[number + 1 : number + 1 + _MAX_ROWS], start + len(line) + 1, sign, names)
        start += len(line) + 1


def _under(lines: list[str], start: int, sign: str, names: list[str]) -> Iterator[Written]:
    places = [(place, known[1]) for place, name in enumerate(names) if (known := kind_of(name.strip(' "')))]
    for line in lines if places else ():
        cells = line.split(sign)
        if len(cells) != len(names) or len(line) > _MAX_LINE or any(each in line for each in "(){}[]=" if sign != "|"):
            return
        for place, kind in places:
            value = cells[place].strip(' "')
            first = start + sum(len(each) + 1 for each in cells[:place]) + cells[place].find(value)
            if len(value.strip("-:")) > 2:
                yield Written(first, first + len(value), kind, Form.MARKED, names[place].strip(' "'))
        start += len(line) + 1
