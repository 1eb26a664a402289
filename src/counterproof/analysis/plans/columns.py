"""Doubts about columns that a plan drops or renames while code still names them (P21).

Invariant: only SQL, a migration call or an instruction that says "column" counts. A column that the plan itself adds, as in the
rollback of its own migration, does not. It stands if an SQL statement of the code names the column with its table; any other name
in the code may be something else, so it is a question.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Evidence, shown
from counterproof.model.counting import counted
from counterproof.model.plan.outline import Intent, Mention

Place = tuple[str, int]

_NAME = r"[\"'`\[:]{0,2}(?P<name>[A-Za-z_]\w{2,80})"
_TABLE = r"[\"'`\[:]{0,2}[A-Za-z_][\w.]{0,80}[\"'`\]]?"
_FORMS = (
    re.compile(rf"\b(?:DROP|RENAME)[ \t]+COLUMN[ \t]+(?:IF[ \t]+EXISTS[ \t]+)?{_NAME}", re.IGNORECASE),
    re.compile(rf"\b(?:op\.drop_column|remove_column|removeColumn)\(?[ \t]*{_TABLE}[ \t]*,[ \t]*{_NAME}"),
    re.compile(rf"\.(?:dropColumn|renameColumn)\([ \t]*{_NAME}"),
    re.compile(rf"\bRemoveField\([ \t]*(?:model_name[ \t]*=[ \t]*)?{_TABLE},[ \t]*(?:name[ \t]*=[ \t]*)?{_NAME}"),
)
_INSTRUCTION = re.compile(
    r"[ \t>]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(?:\[[ xX]\][ \t]+)?[*_]{0,2}(?:drop|remove|delete|rename)[ \t]+(?:the[ \t]+)?"
    r"(?:column[ \t]+`(?P<name>[A-Za-z_]\w{2,80})`|`(?:\w{1,80}\.)?(?P<before>[A-Za-z_]\w{2,80})`[ \t]+column\b)",
    re.IGNORECASE,
)
_ADDED = re.compile(
    r"\bADD[ \t]+(?:COLUMN[ \t]+)?(?:IF[ \t]+NOT[ \t]+EXISTS[ \t]+)?[\"'`\[]?(\w{3,81})"
    r"|\badd_?column\([^)\n]{0,80}[\"'](\w{3,81})",
    re.IGNORECASE,
)
_OF = re.compile(
    r"\bALTER[ \t]+TABLE[ \t]+(?:IF[ \t]+EXISTS[ \t]+)?[\"'`\[]?(\w{2,80})|\b(?:drop_column|remove_column|removeColumn)\(?[ \t]*"
    r"[:\"']{1,2}(\w{2,80})|\b(?:from|of|in)[ \t]+(?:the[ \t]+)?(?:table[ \t]+)?`(\w{2,80})`|`(\w{2,80})\.\w{2,80}`[ \t]+column",
    re.IGNORECASE,
)
"""The table of a dropped column."""
_STATEMENT = re.compile(r"\b(?:SELECT|INSERT|UPDATE|DELETE)\b[^`\";]{0,1500}")
_TABLES = re.compile(r"(?i:\b(?:FROM|JOIN|INTO|UPDATE)\s+[\"`\[]?(?:\w+\.)?)(\w{2,80})")
_SCHEMA = re.compile(r"\.sql\Z|(?:^|/)(?:migrations?|alembic|versions)/", re.IGNORECASE)


def dropped_columns(case: Case) -> Iterator[Doubt]:
    """Columns that one line of the plan drops and that the repository's code names."""
    added = {each.short for each in case.intents(Mention.SYMBOL) if each.intent is Intent.CREATES}
    added |= {name for match in _ADDED.finditer(case.text) for name in match.groups() if name}
    for name, line in _dropped(case).items():
        users = [] if name in added or _is_spoken_of(case, name, line) else _users(case, name)
        live = _live(case, name, line, users)
        if users:
            yield _doubt(case, name, line, users, live)


def _dropped(case: Case) -> dict[str, int]:
    """Each dropped column with its line."""
    found: dict[str, int] = {}
    for number, line in enumerate(case.lines, 1):
        if number not in case.code_lines and (told := _INSTRUCTION.match(line[:2_000])):
            found.setdefault(told["name"] or told["before"], number)
    for code in case.new_codes:
        for number, line in enumerate(code.text.split("\n"), code.block.first):
            for match in (match for form in _FORMS for match in form.finditer(line[:2_000])):
                found.setdefault(match["name"], number)
    return found


def _users(case: Case, name: str) -> list[Place]:
    """The first location in each code file that names the column, except tests and migrations; empty for a common name."""
    held = case.ground.occurrences(name)
    first: dict[str, int] = {}
    for path, line in () if held.full else sorted([*held.definitions, *held.uses]):
        if not _SCHEMA.search(path):
            first.setdefault(path, line)
    return list(first.items())


def _live(case: Case, name: str, line: int, users: list[Place]) -> list[Place]:
    """The first SQL statement of each file that names the column of this table; without a table only if all name the same one."""
    column = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    found: dict[str, dict[str, int]] = {}
    for path, _ in users:
        text = case.ground.text(path)
        for match in _STATEMENT.finditer(text):
            named = column.search(match[0])
            for table in {each.lower() for each in _TABLES.findall(match[0])} if named else ():
                found.setdefault(table, {}).setdefault(
                    path, text.count("\n", 0, match.start() + (named.start() if named else 0)) + 1
                )
    told = _OF.search(case.line(line))
    tables = [next(filter(None, told.groups())).lower()] if told else list(found)
    return list(found.get(tables[0], {}).items()) if len(tables) == 1 else []


def _is_spoken_of(case: Case, name: str, line: int) -> bool:
    """Return True if another line of the plan mentions the column, and so covers its users."""
    named = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    return any(named.search(text) for number, text in enumerate(case.lines, 1) if number != line)


def _doubt(case: Case, name: str, line: int, users: list[Place], live: list[Place]) -> Doubt:
    users = [*live, *(each for each in users if each[0] not in {path for path, _ in live})]
    verb, who = ("names", "it") if len(users) == 1 else ("name", "they")
    sql = f", {'one' if len(live) == 1 else len(live)} of them in SQL" if live and len(users) > 1 else " in SQL" if live else ""
    said = f"{counted(len(users), 'file')} still {verb} it{sql}: {shown(users)}"
    return Doubt(
        Evidence.LIVE_COLUMN if live else Evidence.COLUMN,
        name,
        f"{case.where(line)} drops or renames the column `{name}`",
        said if live else f"{said}. Should {who} change?",
        f"{users[0][0]}:{users[0][1]} fails: it asks for a column that is gone",
        f"Add a step that changes {shown(users)}, or keep the column",
        lines=(line,),
        places=tuple(f"{path}:{at}" for path, at in users[:10]),
        reach=len(users),
    )
