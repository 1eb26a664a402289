"""Recognises what a line of a plan names: files, symbols, commands, dependencies, endpoints, tables, settings, versions.

Always: every pattern is linear and every line is bounded before it comes here. What the plan means to do with a thing is told
in `intents`.
"""

import re
import sys
from bisect import bisect_right
from dataclasses import dataclass

from counterproof.analysis.plans.bare import bare_names
from counterproof.analysis.plans.packages import packages_in
from counterproof.model.plan.outline import Mention

_EXTENSIONS = (
    "py|pyi|js|jsx|mjs|cjs|ts|tsx|java|kt|go|php|rb|rs|c|h|cpp|cs|sql|html|jinja|jinja2|j2|css|scss|vue|json|ya?ml|toml|ini|cfg"
    "|conf|env|md|rst|txt|in|lock|sh|bash|xml|gradle|properties|graphql|proto|tf|po|mod|sum"
)
_FILE = re.compile(rf"(?:[\w.@+-]{{1,80}}/){{0,12}}[\w.@+-]{{0,80}}\.(?:{_EXTENSIONS})(?![\w/-])")
_NAMED_FILE = re.compile(r"(?:[\w.-]{1,80}/){0,12}(?:Dockerfile|Makefile|Procfile|Pipfile|Jenkinsfile|Gemfile)(?![\w.])")
_FOLDER = re.compile(r"(?:\./)?(?:[\w.-]{1,80}/){1,12}\Z")
_OPTION = re.compile(r"--[a-z][a-z0-9]{1,40}(?:-[a-z0-9]{1,40}){0,6}\Z")
_TICKED = re.compile(r"(`{1,2})([^`\n]{1,200})\1")
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]{1,12}://[^\s)>`]{1,500}", re.IGNORECASE)
_ENDPOINT = re.compile(r"(?:(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)[ \t]+)?(/[A-Za-z0-9_{}<>:.*/-]{1,150})\Z")
_COMMAND = re.compile(
    r"(?:\$ ?)?(?:[A-Z_]{2,30}=\S{1,80} )?"
    r"(?:pytest|python3?|pip|uv|tox|nox|make|npm|npx|yarn|pnpm|node|flask|django-admin|git|docker"
    r"|alembic|cargo|go|mvn|gradle|bundle|rake|rails|php|composer|bash|sh|curl|\./[\w./-]{1,80})(?:\s.{1,180})?\Z"
)
_SETTING = re.compile(r"[A-Z][A-Z0-9]{1,40}(?:_[A-Z0-9]{1,40}){1,10}\Z")
_REQUIREMENT = re.compile(r"([A-Za-z][\w.-]{1,60})(?:\[[\w,-]{1,60}\])?[ \t]?(==|>=|~=|<=|\^|@|>|<)[ \t]?v?(\d[\w.]{0,30})\Z")
_SYMBOL = re.compile(r"@?(?:[A-Za-z_]\w{0,80}(?:\.|::|#)){0,6}[A-Za-z_]\w{0,80}(\(.{0,150}\))?\Z")
_WORD_VERSION = re.compile(r"`?\b([A-Za-z][\w.-]{1,40})`?[ \t]+(?:version[ \t]+)?v?(\d{1,4}(?:\.\d{1,5}){1,3})\b")
_NUMBER = re.compile(r"\b\d{1,9}(?:\.\d{1,4})?[ \t]?(?:%|ms|s|seconds|minutes|hours|rows|users|requests|MB|GB|x)(?!\w)")

_AROUND = 60
"""Characters on either side of a thing that are looked at."""

_PLAIN = frozenset(
    ("None", "True", "False", "self", "cls", "null", "true", "false", "int", "str", "bool", "float", "dict", "list", "set")
)
_BEFORE_PACKAGE = re.compile(r"\b(?:package|library|dependency|dependencies|pip install|npm install)[ \t]+\Z", re.IGNORECASE)
_AFTER_PACKAGE = re.compile(r"[ \t]+(?:package|library|dependency|client library|SDK)\b", re.IGNORECASE)
_BEFORE_TABLE = re.compile(r"\btables?[ \t]+\Z", re.IGNORECASE)
_AFTER_TABLE = re.compile(r"[ \t]+(?:database[ \t]+)?table\b", re.IGNORECASE)
_BEFORE_CODE = re.compile(
    r"\b(?:function|method|class|helper|decorator|module|model|view|handler|fixture|exception|signal|mixin|type)s?[ \t]+\Z",
    re.IGNORECASE,
)
_AFTER_CODE = re.compile(
    r"[ \t]+(?:function|method|class|helper|decorator|model|view|handler|fixture|exception|signal|mixin)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Found:
    """A thing in a line, from `start` to `end`."""

    kind: Mention
    text: str
    start: int
    end: int
    detail: str = ""


def named_in(text: str) -> list[Found]:
    """What one line of prose names, in order. Addresses of the web name nothing of the repository."""
    text = _ADDRESS.sub(lambda match: " " * len(match[0]), text)
    found: list[Found] = []
    ticked: list[tuple[int, int]] = []
    for match in _TICKED.finditer(text):
        ticked.append(match.span())
        inner = match[2].strip()
        before, after = text[max(0, match.start() - _AROUND) : match.start()], text[match.end() : match.end() + _AROUND]
        found += _spoken(inner, match.start(), match.end(), before, after)
    for match in _FILE.finditer(text):
        if "/" in match[0] and not _within(match.start(), ticked):
            found.append(Found(Mention.FILE, match[0].removeprefix("./"), *match.span()))
    found += _bare(text, ticked)
    for match in _WORD_VERSION.finditer(text):
        found.append(Found(Mention.VERSION, match[1], match.start(), match.end(), match[2]))
    for match in _NUMBER.finditer(text):
        if not _within(match.start(), ticked):
            found.append(Found(Mention.NUMBER, match[0], *match.span()))
    return sorted(found, key=lambda each: (each.start, each.kind))


def _bare(text: str, ticked: list[tuple[int, int]]) -> list[Found]:
    """Code and packages that are named without backticks."""
    found: list[Found] = []
    for name, start, end, call in bare_names(text):
        if not _within(start, ticked) and name not in _PLAIN:
            kind = Mention.TEST if name.rpartition(".")[2].startswith("test_") else Mention.SYMBOL
            found.append(Found(kind, name, start, end, call))
    for name, start, end in packages_in(text):
        if not _within(start, ticked):
            found.append(Found(Mention.DEPENDENCY, name, start, end))
    return found


def _within(position: int, spans: list[tuple[int, int]]) -> bool:
    """Whether a position lies in one of these spans, which are in order and apart."""
    index = bisect_right(spans, (position, sys.maxsize)) - 1
    return index >= 0 and position < spans[index][1]


def _spoken(inner: str, start: int, end: int, before: str, after: str) -> list[Found]:
    """What stands between backticks. The words around decide where its form alone does not."""
    place = (start, end)
    requirement = _REQUIREMENT.match(inner)
    endpoint = _ENDPOINT.match(inner)
    if requirement:
        return [Found(Mention.DEPENDENCY, requirement[1], *place, requirement[2] + requirement[3])]
    if _COMMAND.match(inner) and " " in inner:
        return [Found(Mention.COMMAND, inner, *place)]
    path, _, test = inner.partition("::")
    path = re.sub(r":\d+(?:-\d+)?\Z", "", path)
    if _FILE.fullmatch(path) or _NAMED_FILE.fullmatch(path):
        return [Found(Mention.FILE, path.removeprefix("./"), *place, test)]
    if _FOLDER.match(inner):
        return [Found(Mention.FOLDER, inner.removeprefix("./"), *place)]
    if _OPTION.match(inner):
        return [Found(Mention.OPTION, inner, *place)]
    if endpoint and (endpoint[1] or _FILE.search(inner) is None):
        return [Found(Mention.ENDPOINT, endpoint[2], *place, endpoint[1] or "")]
    return _word(inner, place, before, after)


def _word(inner: str, place: tuple[int, int], before: str, after: str) -> list[Found]:
    if _SETTING.match(inner):
        return [Found(Mention.SETTING, inner, *place)]
    symbol = _SYMBOL.match(inner)
    if not symbol:
        return []
    name = inner.partition("(")[0].lstrip("@").replace("::", ".").replace("#", ".")
    if _BEFORE_TABLE.search(before) or _AFTER_TABLE.match(after):
        return [Found(Mention.TABLE, name, *place)]
    if _BEFORE_PACKAGE.search(before) or _AFTER_PACKAGE.match(after):
        return [Found(Mention.DEPENDENCY, name, *place)]
    if name in _PLAIN:
        return []
    called = symbol[1] is not None
    shaped = called or "." in name or "_" in name.strip("_") or re.search(r"[a-z][A-Z]", name) is not None
    if shaped or _BEFORE_CODE.search(before) or _AFTER_CODE.match(after):
        kind = Mention.TEST if name.rpartition(".")[2].startswith("test_") else Mention.SYMBOL
        return [Found(kind, name, *place, inner if called else "")]
    return []


def commands_in(text: str, language: str) -> list[Found]:
    """What a line of a code block runs."""
    line = text.strip().removeprefix("$ ")
    if language in ("bash", "sh", "shell", "console", "zsh", "text") and _COMMAND.match(line):
        return [Found(Mention.COMMAND, line[:200], 0, len(text))]
    return []
