"""How a file is searched for secrets: as settings, as markup or data, or, for prose, only for known formats.

A password in a tutorial's sentence belongs to no one. Not handled here: what a secret looks like.
"""

import re
from pathlib import PurePosixPath

from counterproof.analysis.program.words import vocabulary

_PROSE = vocabulary(".md .rst .txt .adoc .po .pot .csv .tsv .svg .html .htm .css .scss .sass .less .map .log .ipynb")
_PROSE_FOLDERS = frozenset(("locale", "locales", "i18n", "l10n", "translations", "lang", "langs"))
_LOCKS = vocabulary(
    "poetry.lock uv.lock pdm.lock Pipfile.lock package-lock.json yarn.lock pnpm-lock.yaml go.sum composer.lock "
    "Gemfile.lock Cargo.lock npm-shrinkwrap.json"
)
_SETTINGS = frozenset(
    (".env", ".ini", ".cfg", ".conf", ".config", ".properties", ".toml", ".yaml", ".yml", ".sh", ".bash", ".tf", ".tfvars")
)
_TRIALS = re.compile(r"\[(?:tool[.:](?:pytest|tox)|pytest|testenv)")
"""`[tool.pytest.ini_options]`, `[testenv]`: the following lines are for tests."""
_REMARK = re.compile(r"[ \t]*(?:#|//|;|--|\*|/\*|<!--)")
_EXAMPLE = re.compile(r"""\s*(?:-\s+)?["']?(?:x-)?examples?["']?\s*:""", re.IGNORECASE)
"""A field for example values in an interface description."""


def reads_names(path: str) -> bool:
    """Return True if names and values are searched in this file, in addition to known formats."""
    place = PurePosixPath(path)
    return place.name not in _LOCKS and not has_translations(path) and place.suffix.lower() not in _PROSE


def has_translations(path: str) -> bool:
    """Return True if names in this file are keys of what a page shows."""
    return any(part.lower() in _PROSE_FOLDERS for part in PurePosixPath(path).parts[:-1])


def has_settings(path: str) -> bool:
    """Return True if the lines of this file are names and unquoted values."""
    place = PurePosixPath(path)
    name = place.name.lower()
    if name.startswith(("dockerfile", "containerfile", ".env")) or name.endswith(".dockerfile"):
        return True
    environment = name.startswith(".") and name.endswith("env")  # as `.flaskenv`
    return environment or place.suffix.lower() in _SETTINGS or name in (".npmrc", ".pypirc", ".netrc")


def lines_for_show(path: str, lines: list[str]) -> frozenset[int]:
    """Lines of settings and data with unused values: comments, examples, and sections for tests."""
    found: set[int] = set()
    tried = False
    sections = path.endswith((".ini", ".cfg", ".toml"))
    for number, line in enumerate(lines, start=1):
        if sections and line[:1] == "[":
            tried = _TRIALS.match(line) is not None
        if tried or _REMARK.match(line) or _EXAMPLE.match(line[:200]):
            found.add(number)
    return frozenset(found)
