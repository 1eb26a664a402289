"""Recognising mentions in prose lines: files, folders, code, commands. Only text marked as code, or of an unmistakable form.

Invariant: every pattern is linear and every line is bounded in advance. Not handled here: the plan's changes, which `intents`
reads.
"""

import re
from dataclasses import dataclass

from counterproof.model.plan.outline import Mention

_EXTENSIONS = (
    "py|pyi|js|jsx|mjs|cjs|ts|tsx|mts|java|kt|kts|go|php|rb|rs|c|h|cc|cpp|hpp|cs|swift|dart|ex|exs|lua|zig|scala|sql|html|jinja|jinja2"
    "|j2|css|scss|vue|svelte|astro|json|jsonc|ya?ml|toml|ini|cfg|conf|env|md|mdx|rst|txt|in|lock|sh|bash|ps1|xml|gradle|properties"
    "|graphql|proto|tf|prisma|po|mod|sum|csv|svg|ipynb"
)
FILE = re.compile(
    rf"(?:[\w.@+()\[\]-]{{1,80}}/){{0,14}}(?:\[{{1,2}}[\w.]{{1,60}}\]{{1,2}})?[\w.@+-]{{0,80}}\.(?:{_EXTENSIONS})(?![\w/-])"
)
_PLAIN_FILE = re.compile(rf"(?<![\w/.`:@-])(?:[\w.@+-]{{1,80}}/){{1,14}}[\w.@+-]{{1,80}}\.(?:{_EXTENSIONS})(?![\w/-])")
_NAMED_FILE = re.compile(r"(?:[\w.-]{1,80}/){0,12}(?:Dockerfile|Makefile|Procfile|Pipfile|Jenkinsfile|Gemfile|justfile)(?![\w.])")
_PLACE = re.compile(
    r"(?P<path>.{1,300}?)(?P<at>(?:::?[A-Za-z_][\w.:\[\]-]{1,120}|:L?\d{1,6}(?:[-–]L?\d{1,6})?(?:,.{0,40})?|#L\d.{0,20}))\Z"
)
_FOLDER = re.compile(r"(?:\./)?(?:[\w.@-]{1,80}/){1,12}\Z")
_TICKED = re.compile(r"(`{1,2})([^`\n]{1,200})\1")
_LINKED = re.compile(r"\[([^\]\n]{1,200})\]\([^)\n]{1,300}\)")
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]{1,12}://[^\s)>`]{1,500}", re.IGNORECASE)
COMMAND = re.compile(
    r"(?:\$ ?)?(?:[A-Z_]{2,30}=\S{1,80} ){0,3}(?:cd [\w./-]{1,80} && )?"
    r"(?:uv run |poetry run |pipenv run |hatch run |corepack )?"
    r"(?:pytest|python3?|pip|uv|tox|nox|make|npm|npx|yarn|pnpm|bun|bunx|node|flask|django-admin|git|docker|just"
    r"|alembic|cargo|go|mvn|gradle|bundle|rake|rails|php|composer|bash|sh|curl|\./[\w./-]{1,80})(?:\s.{1,250})?\Z"
)
_SYMBOL = re.compile(r"@?(?:[A-Za-z_$][\w$]{0,80}(?:\.|::|#)){0,6}[A-Za-z_$][\w$]{0,80}(\(.{0,150}\))?\Z")
_CALLED = re.compile(r"(?<![\w.$#'\"/-])([A-Za-z_$][\w$]{4,80})\(")
"""A function called in a longer piece of code."""
_PLAIN = frozenset(
    """None True False self cls null true false undefined int str bool float dict list set string number object any void
    this""".split()  # noqa: SIM905 - one word a name
)


@dataclass(frozen=True, slots=True)
class Found:
    """A mention in a line, from `start` to `end`. `detail` is a call as written, or the location inside a file."""

    kind: Mention
    text: str
    start: int
    end: int
    detail: str = ""


def named_in(text: str) -> list[Found]:
    """The mentions in one prose line, in order. Web addresses are not mentions."""
    text = _ADDRESS.sub(lambda match: " " * len(match[0]), text)
    found: list[Found] = []
    taken: list[tuple[int, int]] = []
    for match in _TICKED.finditer(text):
        taken.append(match.span())
        found += _marked(match[2].strip(), match.span())
    for match in _LINKED.finditer(text):
        if FILE.fullmatch(match[1]):
            taken.append(match.span())
            found.append(Found(Mention.FILE, match[1].removeprefix("./"), *match.span()))
    for match in _PLAIN_FILE.finditer(text):
        if not any(start <= match.start() < end for start, end in taken):
            found.append(Found(Mention.FILE, match[0].removeprefix("./"), *match.span()))
    return sorted(found, key=lambda each: (each.start, each.kind))


def _marked(inner: str, span: tuple[int, int]) -> list[Found]:
    """The mention between backticks, by its form."""
    if " " in inner and COMMAND.match(inner):
        return [Found(Mention.COMMAND, inner, *span)]
    path, at = inner, ""
    if not _is_file(inner) and (place := _PLACE.match(inner)) and _is_file(place["path"]):
        path, at = place["path"], place["at"]
    if _is_file(path):
        return [Found(Mention.FILE, path.removeprefix("./"), *span, at)]
    if _FOLDER.match(inner):
        return [Found(Mention.FOLDER, inner.removeprefix("./"), *span)]
    symbol = _SYMBOL.match(inner)
    name = inner.partition("(")[0].lstrip("@").replace("::", ".").replace("#", ".")
    if symbol is None:
        called = (match[1] for match in _CALLED.finditer(inner))
        return [Found(Mention.SYMBOL, each, *span) for each in called if _is_shaped(each, False)]
    if name in _PLAIN or not _is_shaped(name, symbol[1] is not None):
        return []
    return [Found(Mention.SYMBOL, name, *span, inner if symbol[1] else "")]


def _is_file(text: str) -> bool:
    return (FILE.fullmatch(text) or _NAMED_FILE.fullmatch(text)) is not None and not re.fullmatch(r"\.\w+", text)


def _is_shaped(name: str, called: bool) -> bool:
    """Return True if a word has a form that only code names have."""
    last = name.rpartition(".")[2]
    return called or "_" in last.strip("_") or re.search(r"[a-z0-9][A-Z]", last) is not None


def commands_in(text: str, language: str) -> list[Found]:
    """The commands in a line of a code block."""
    line = text.strip().removeprefix("$ ")
    if language in ("bash", "sh", "shell", "console", "zsh", "text", "powershell") and COMMAND.match(line):
        return [Found(Mention.COMMAND, line[:300], 0, len(text))]
    return []
