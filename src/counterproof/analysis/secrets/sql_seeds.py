"""Accounts that a program creates in its own database: `INSERT INTO users (name, password) VALUES ('admin', 'letmein')`.

Reads literal statements only, and of their SQL only the table, the column names and the quoted values.
"""

import re

_INSERT = re.compile(
    r"\binsert[ \t\r\n]{1,20}(?:or[ \t]{1,5}\w{1,10}[ \t]{1,5})?into[ \t\r\n]{1,20}[`\"\[]?([\w.]{1,80})[`\"\]]?[ \t\r\n]{0,20}"
    r"(?:\(([^()]{1,2000})\)[ \t\r\n]{0,20})?values[ \t\r\n]{0,20}\(([^()]{1,4000})",
    re.IGNORECASE,
)
_TABLES = ("user", "users", "account", "accounts", "login", "logins", "credentials", "members", "admins", "customers",
           "usuarios", "usuario", "utilisateurs", "benutzer", "utenti")  # fmt: skip
_EMAIL = re.compile(r"[^@ ]{1,60}@[^@ ]{1,100}\.[^@. ]{1,20}")
_PASSWORD_COLUMN = re.compile(
    r"(?:user_?|hashed_?)?pass(?:word|wd|code|phrase)?|pwd|secret|contrase(?:n|ñ)a|clave|senha|mot_?de_?passe|passwort|kennwort|wachtwoord|haslo|parola",
    re.IGNORECASE,
)
_HOLDERS = re.compile(r"[\s,?]+|[\s,]*(?:%s|\$\d+|:\w+)(?:[\s,]|%s|\$\d+|:\w+)*")


def seeded_passwords(statement: str) -> tuple[tuple[int, str], ...]:
    """(offset, password) of every literal password that the statement inserts."""
    found: list[tuple[int, str]] = []
    for insert in _INSERT.finditer(statement):
        values = _split(insert[3])
        password = _by_column(insert[2], values) if insert[2] else _by_position(insert[1], values)
        if password:
            found.append((insert.start(3), password))
    return tuple(found)


def _split(values: str) -> list[str]:
    """The values between the commas; "" for anything but a quoted literal."""
    parts: list[str] = []
    current = ""
    quote = ""
    for character in values:
        if quote:
            current += character
            quote = "" if character == quote else quote
        elif character == ",":
            parts.append(current)
            current = ""
        else:
            quote = character if character in "'\"" else ""
            current += character
    texts = [part.strip() for part in (*parts, current)]
    return [text[1:-1] if len(text) > 1 and text[0] in "'\"" and text[-1] == text[0] else "" for text in texts]


def _by_column(columns: str, values: list[str]) -> str:
    for column, value in zip(columns.split(","), values, strict=False):
        if _PASSWORD_COLUMN.fullmatch(column.strip(" \t\r\n`\"[]'")):
            return value
    return ""


def _by_position(table: str, values: list[str]) -> str:
    """Without column names: in a table of accounts, the first text after the account name that is not an e-mail address."""
    if not keeps_accounts(table):
        return ""
    texts = [value for value in values if value]
    return next((text for text in texts[1:] if not _EMAIL.fullmatch(text)), "")


def keeps_accounts(table: str) -> bool:
    """Return True if a table of this name contains people who can log in."""
    return table.strip('`"[]').rpartition(".")[2].lower() in _TABLES


def password_holder(statement: str) -> int | None:
    """Which placeholder of a statement that inserts an account is its password."""
    insert = _INSERT.search(statement)
    if insert is None or not insert[2] or not _HOLDERS.fullmatch(insert[3]):
        return None
    columns = [each.strip(" \t\r\n`\"[]'") for each in insert[2].split(",")]
    return next((position for position, each in enumerate(columns) if _PASSWORD_COLUMN.fullmatch(each)), None)
