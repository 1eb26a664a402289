"""Doubts about what code needs around it: variables of the environment that nothing sets, tables that no migration changes.

Always: only where the repository shows the custom: a file that lists the variables, a folder that keeps the migrations. A
variable that any other line of the plan or of the tree names, and a plan that speaks of migrations at all, are not doubted.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.plans.blocks import Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence

_EXAMPLE = re.compile(
    r"(?:^|/)\.?env\.(?:example|sample|template|dist|defaults)\Z|(?:^|/)\.env\.[\w.-]*(?:example|sample|template)\Z"
)
_LISTED = re.compile(r"(?m)^[ \t]*(?:#[ \t]*)?(?:export[ \t]+)?[A-Z][A-Z0-9_]{2,60}[ \t]*=")
MIN_LISTED = 3
"""Variables from which on a file is a list of them."""
_READ = re.compile(
    r"(?:process\.env\.|import\.meta\.env\.|process\.env\[['\"]|os\.environ\[['\"]|os\.getenv\(['\"]|os\.environ\.get\(['\"]"
    r"|os\.Getenv\(\"|env::var\(\"|ENV(?:\.fetch\(|\[)['\"])(?P<name>[A-Z][A-Z0-9_]{3,60})['\"]?(?P<after>[^\n]{0,40})"
)
_HAS_DEFAULT = re.compile(r"[\])]{0,2}!?[ \t]*(?:,[ \t]*\S|\?\?|\|\||\bor\b|===?|!==?|\?[ \t]|&&|[\])]{0,2}\.unwrap_or)")
_GIVEN = re.compile(
    r"NODE_ENV|CI|HOME|PATH|PORT|TZ|USER|PWD|DEBUG|LANG|SHELL|TMPDIR|HOSTNAME|(?:GITHUB|VERCEL|RAILWAY|NEXT|npm)_.+|DEV|PROD|MODE|BASE_URL|SSR"
)


def unset_variables(case: Case) -> Iterator[Doubt]:
    """Variables that the plan's code reads and that neither the list of them nor anything else sets."""
    lists = [
        path
        for path in case.ground.project.files
        if _EXAMPLE.search(path) and len(_LISTED.findall(case.ground.text(path))) >= MIN_LISTED
    ]
    seen: set[str] = set()
    for code in case.new_codes if lists else ():
        for name, line in _read(code):
            if name not in seen and not _is_said(case, name):
                seen.add(name)
                yield _unset(name, line, min(lists, key=lambda path: (path.count("/"), path)))


def _read(code: Code) -> Iterator[tuple[str, int]]:
    """Variables that a block counts on: read without a value to fall back to, and not by a test."""
    for match in _READ.finditer(code.text) if not code.is_test else ():
        if not _HAS_DEFAULT.match(match["after"]) and not _GIVEN.fullmatch(match["name"]):
            yield match["name"], code.line_of(match.start("name"))


def _is_said(case: Case, name: str) -> bool:
    """Whether the tree knows the variable, or a line of the plan other than those that read it names it."""
    word = re.compile(rf"(?<!\w){name}(?!\w)")
    told = any(word.search(_READ.sub("", line)) for line in case.lines if name in line)
    return (
        told
        or case.ground.occurrences(name).known
        or any(name in case.ground.text(path) for path in case.ground.project.files if _EXAMPLE.search(path))
    )


def _unset(name: str, line: int, listed: str) -> Doubt:
    return Doubt(
        Kind.SETTING,
        name,
        "",
        f"`{listed}` lists the variables that the program is given, but not `{name}`; nothing in the tree and no step sets it",
        f"Where line {line} runs, the variable is empty",
        f"Add `{name}` to `{listed}`, and say who sets it",
        lines=(line,),
        places=(f"{listed}:1",),
        search=(name,),
        evidence=Evidence.UNSAID,
    )


@dataclass(frozen=True, slots=True)
class _Custom:
    """How a library keeps migrations: their files, the files that hold the tables, a line that brings something stored."""

    kept: re.Pattern[str]
    tables: re.Pattern[str]
    stored: re.Pattern[str]


_CUSTOMS = (
    _Custom(
        re.compile(r"(?P<home>.*?)/?migrations/\d{4}_\w+\.py\Z"),
        re.compile(r"(?:^|/)models(?:/\w+)?\.py\Z"),
        re.compile(r"(?m)^[ \t+]+(?P<name>[a-z]\w*)[ \t]*=[ \t]*models\.(?:\w+Field|ForeignKey)\("),
    ),
    _Custom(
        re.compile(r"(?P<home>.*?)/?(?:alembic|migrations)/versions/\w+\.py\Z"),
        re.compile(r"\.py\Z"),
        re.compile(
            r"(?m)^[ \t+]+(?P<name>[a-z]\w*)[ \t]*(?::[ \t]*Mapped\[[^\n]{1,120}\][ \t]*)?="
            r"[ \t]*(?:\w+\.)?(?:Column|mapped_column)\("
        ),
    ),
    _Custom(
        re.compile(r"(?P<home>.*?)/?migrations/[^/]+/migration\.sql\Z"),
        re.compile(r"schema\.prisma\Z"),
        re.compile(r"(?m)^[ \t+]+(?P<name>[a-z]\w*)[ \t]+(?:String|Int|Boolean|DateTime|Float|Json|Decimal|BigInt)\b"),
    ),
)
_SPOKEN_OF = re.compile(r"migrat|alembic|prisma db push|\bdb:push\b|迁移|スキーマ変更", re.IGNORECASE)


def missing_migrations(case: Case) -> Iterator[Doubt]:
    """Fields that the plan adds to a table of a repository that keeps migrations, in a plan that speaks of none."""
    if _SPOKEN_OF.search(case.text):
        return
    for custom in _CUSTOMS:
        kept = sorted(path for path in case.ground.project.files if custom.kept.match(path))
        for code in case.new_codes if kept else ():
            path = case.ground.resolve(code.path) if code.path else ""
            near = [each for each in kept if _is_near(custom, each, path)]
            added = _added(case, custom, code, path) if path and custom.tables.search(path) and near else None
            if added:
                yield _unmigrated(*added, path, near[-1])
                return


def _is_near(custom: _Custom, kept: str, path: str) -> bool:
    """Whether a migration belongs to the part of the tree that a file lies in."""
    match = custom.kept.match(kept)
    return match is not None and path.startswith(f"{match['home']}/" if match["home"] else "")


def _added(case: Case, custom: _Custom, code: Code, path: str) -> tuple[str, int] | None:
    """The first stored field of a block that the file does not hold yet."""
    there = case.ground.text(path)
    found = [match for match in custom.stored.finditer(code.text) if not re.search(rf"(?<!\w){match['name']}(?!\w)", there)]
    return (found[0]["name"], code.line_of(found[0].start("name"))) if found else None


def _unmigrated(name: str, line: int, path: str, kept: str) -> Doubt:
    return Doubt(
        Kind.MIGRATION,
        name,
        f"to {path}",
        f"The tables of `{path}` are changed by migrations, the last of them {kept}; no line of the plan speaks of one",
        f"After line {line} the code asks for a column that no database has",
        f"Add the step that makes the migration for `{name}`, and what undoes it",
        lines=(line,),
        places=(f"{kept}:1",),
        evidence=Evidence.UNSAID,
    )
