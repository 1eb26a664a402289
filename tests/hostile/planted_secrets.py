"""Secrets planted in every way that code, settings and prose carry them: carriers × kinds, by a seed.

A carrier writes a value into a file (or a commit's message) the way people do. A kind makes a value. Kinds that a program reads
by form or randomness must stay hidden in every carrier; what a person thought up (`HUMAN`) only where something beside it says
that it is a secret, so carriers that say nothing are marked `SILENT`. `HELD_OUT` carriers were written with the others and not
used while the redaction was made.
"""

import base64
import random
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass

Carrier = Callable[[str], str]
COMMIT = "commit message"
_BASE64 = string.ascii_letters + string.digits + "+/"
_HEX = "0123456789abcdef"


@dataclass(frozen=True, slots=True)
class Planted:
    """One secret in one place. `pieces` are what must not be seen: the value, or each line of a key."""

    path: str
    text: str
    pieces: tuple[str, ...]
    carrier: str
    kind: str


def _some(chance: random.Random, alphabet: str, count: int) -> str:
    return "".join(chance.choice(alphabet) for _ in range(count))


def _password(chance: random.Random) -> str:
    word = chance.choice(("Winter", "Tulip", "granite", "Falcon", "biscuit", "Harbour", "velvet"))
    return f"{word}{chance.randrange(10, 9999)}{chance.choice(('!', '', '#', '_x'))}"


KINDS: dict[str, Callable[[random.Random], str]] = {
    "a password that a person thought up": _password,
    "random base64": lambda chance: _some(chance, _BASE64, 44),
    "random letters and digits": lambda chance: _some(chance, string.ascii_letters + string.digits, 24),
    "hexadecimal, 32": lambda chance: _some(chance, _HEX, 32),
    "hexadecimal, 64": lambda chance: _some(chance, _HEX, 64),
    "AWS key id": lambda chance: "AKIA" + _some(chance, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16),
    "AWS secret": lambda chance: _some(chance, _BASE64, 40),
    "GitHub token": lambda chance: "ghp_" + _some(chance, string.ascii_letters + string.digits, 36),
    "Slack token": lambda chance: "xoxb-" + _some(chance, string.digits, 12) + "-" + _some(chance, string.ascii_letters, 24),
    "Stripe key": lambda chance: "sk_" + "live_" + _some(chance, string.ascii_letters + string.digits, 24),
    "web token": lambda chance: ".".join(
        (
            "eyJ" + _some(chance, string.ascii_letters, 17),
            "eyJ" + _some(chance, string.ascii_letters, 20),
            _some(chance, string.ascii_letters + string.digits, 43),
        )
    ),
    "random letters, digits and signs": lambda chance: _some(chance, string.ascii_letters + string.digits + "!%^*-_~", 28),
}
HUMAN = "a password that a person thought up"

CARRIERS: dict[str, tuple[str, Carrier]] = {
    "assignment": ("a.py", lambda v: f'DB_PASSWORD = "{v}"\n'),
    "annotated": ("a.py", lambda v: f'db_password: Final[str] = "{v}"\n'),
    "tuple": ("a.py", lambda v: f'user, password = "bob", "{v}"\n'),
    "tuple in brackets": ("a.py", lambda v: f'(host, port, user, password) = ("db", 5432, "bob", "{v}")\n'),
    "continued line": ("a.py", lambda v: f'db_password = \\\n    "{v}"\n'),
    "in brackets on the next line": ("a.py", lambda v: f'api_key = (\n    "{v}"\n)\n'),
    "two literals": ("a.py", lambda v: f'secret_key = "{v[: len(v) // 2]}" "{v[len(v) // 2 :]}"\n'),
    "two literals on two lines": ("a.py", lambda v: f'secret_key = (\n    "{v[: len(v) // 2]}"\n    "{v[len(v) // 2 :]}"\n)\n'),
    "added literals": ("a.js", lambda v: f"const apiKey = '{v[: len(v) // 2]}' +\n  '{v[len(v) // 2 :]}';\n"),
    "mapping": ("a.py", lambda v: f'config = {{"user": "bob", "password": "{v}"}}\n'),
    "mapping, value on the next line": ("a.py", lambda v: f'config = {{\n    "password":\n        "{v}",\n}}\n'),
    "keyword": ("a.py", lambda v: f'connect(host="db", password="{v}")\n'),
    "keyword, bytes": ("a.py", lambda v: f'sign(key=b"{v}", secret=b"{v}")\n'),
    "default of a parameter": ("a.py", lambda v: f'def connect(user, password: str | None = "{v}"):\n    pass\n'),
    "fallback of the environment": ("a.py", lambda v: f'password = os.environ.get("DB_PASSWORD", "{v}")\n'),
    "fallback over lines": ("a.py", lambda v: f'key = os.environ.get(\n    "API_KEY",\n    "{v}",\n)\n'),
    "field with a default": ("a.py", lambda v: f'api_token: str = Field(default="{v}", description="Token")\n'),
    "comparison": ("a.py", lambda v: f'if request.form["password"] == "{v}":\n    pass\n'),
    "set into the environment": ("a.py", lambda v: f'os.environ["API_SECRET"] = "{v}"\n'),
    "setdefault": ("a.py", lambda v: f'options.setdefault("api_key", "{v}")\n'),
    "argument list": ("a.py", lambda v: f'subprocess.run(["tool", "--password", "{v}", "--quiet"])\n'),
    "login call": ("a.py", lambda v: f'client.login("bob", "{v}")\n'),
    "pair for basic authentication": ("a.py", lambda v: f'requests.get(url, auth=("bob", "{v}"))\n'),
    "address": ("a.py", lambda v: f'URL = "postgresql://bob:{v}@db.internal/shop"\n'),
    "query string": ("a.py", lambda v: f'get("https://api.internal/v1/items?page=1&api_key={v}")\n'),
    "bearer header": ("a.py", lambda v: f'headers = {{"Authorization": "Bearer {v}"}}\n'),
    "bearer header, put together": ("a.js", lambda v: f"headers.set('Authorization', 'Bearer ' + '{v}');\n"),
    "statement with a password": ("a.py", lambda v: f"db.execute(\"CREATE USER bob IDENTIFIED BY '{v}'\")\n"),
    "role with a password": ("a.sql", lambda v: f"ALTER ROLE bob WITH LOGIN PASSWORD '{v}';\n"),
    "inserted row": ("a.sql", lambda v: f"INSERT INTO users (name, password) VALUES ('bob', '{v}');\n"),
    "inserted rows over lines": (
        "a.sql",
        lambda v: f"INSERT INTO accounts\n  (id, password, mail)\nVALUES\n  (1, 'x1', 'a@b.c'),\n  (2, '{v}', 'b@b.c');\n",
    ),
    "docker ENV": ("Dockerfile", lambda v: f"FROM python\nENV DB_PASSWORD {v}\n"),
    "docker ENV with sign": ("Dockerfile", lambda v: f"FROM python\nENV MODE=prod DB_PASSWORD={v} LEVEL=1\n"),
    "docker ARG": ("Dockerfile", lambda v: f'FROM python\nARG NPM_TOKEN="{v}"\n'),
    "compose list": ("compose.yml", lambda v: f"services:\n  db:\n    environment:\n      - POSTGRES_PASSWORD={v}\n"),
    "compose mapping": ("compose.yml", lambda v: f"services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: {v}\n"),
    "name and value, yaml": ("pod.yaml", lambda v: f"env:\n  - name: DB_PASSWORD\n    value: {v}\n"),
    "name and value, json": ("task.json", lambda v: f'{{"environment": [{{"name": "DB_PASSWORD", "value": "{v}"}}]}}\n'),
    "name and value, json over lines": (
        "task.json",
        lambda v: f'{{\n  "name": "API_TOKEN",\n  "value": "{v}"\n}}\n',
    ),
    "block scalar": ("conf.yaml", lambda v: f"db:\n  password: |\n    {v}\n  port: 5432\n"),
    "yaml quoted": ("conf.yaml", lambda v: f"db:\n  password: '{v}'\n"),
    "ini": ("conf.ini", lambda v: f"[db]\npassword = {v}\n"),
    "toml over lines": ("conf.toml", lambda v: f'[db]\npassword = """\n{v}"""\n'),
    "environment file": (".env", lambda v: f"SECRET_KEY={v}\n"),
    "export": ("run.sh", lambda v: f"export AWS_SECRET_ACCESS_KEY={v}\n"),
    "before a command": ("run.sh", lambda v: f"PGPASSWORD={v} psql -h db shop\n"),
    "curl -u": ("run.sh", lambda v: f"curl -s -u bob:{v} https://api.internal/items\n"),
    "curl -u quoted": ("run.sh", lambda v: f"curl --user 'bob:{v}' https://api.internal/items\n"),
    "curl with a header": ("run.sh", lambda v: f"curl -H 'X-Api-Key: {v}' https://api.internal/items\n"),
    "option with a blank": ("run.sh", lambda v: f"deploy --token {v} --env prod\n"),
    "option with a sign": ("run.sh", lambda v: f"deploy --api-key={v} --env prod\n"),
    "netrc": (".netrc", lambda v: f"machine api.internal login bob password {v}\n"),
    "npmrc": (".npmrc", lambda v: f"//registry.internal/:_authToken={v}\n"),
    "xml element": ("conf.xml", lambda v: f"<db>\n  <password>{v}</password>\n</db>\n"),
    "xml attributes": ("web.config", lambda v: f'<add key="DbPassword" value="{v}"/>\n'),
    "property list": ("a.plist", lambda v: f"<dict>\n  <key>apiSecret</key>\n  <string>{v}</string>\n</dict>\n"),
    "properties": ("a.properties", lambda v: f"spring.datasource.password={v}\n"),
    "java setter": ("A.java", lambda v: f'class A {{ void a() {{ source.setPassword("{v}"); }} }}\n'),
    "php define": ("a.php", lambda v: f"<?php\ndefine('DB_PASSWORD', '{v}');\n"),
    "php array": ("a.php", lambda v: f"<?php\n$conf['db']['password'] = '{v}';\n"),
    "ruby hash": ("a.rb", lambda v: f"config = {{ :user => 'bob', :password => '{v}' }}\n"),
    "go field": ("a.go", lambda v: f'package a\nvar c = Config{{User: "bob", Password: "{v}"}}\n'),
    "go variable": ("a.go", lambda v: f'package a\nconst apiToken string = "{v}"\n'),
    "script object": ("a.js", lambda v: f"module.exports = {{ user: 'bob', password: `{v}` }};\n"),
    "script fallback": ("a.ts", lambda v: f"const jwtSecret = process.env.JWT_SECRET || '{v}';\n"),
    "comment": ("a.py", lambda v: f"# old password: {v}\nx = 1\n"),
    "commit message": (COMMIT, lambda v: f"Rotate the database password, was {v}"),
    "commit message with a name": (COMMIT, lambda v: f"Set API_KEY={v} for the tests"),
    "commit message with a token": (COMMIT, lambda v: f"deploy: use token {v}"),
}

SILENT: dict[str, tuple[str, Carrier]] = {
    "a literal that nothing names": ("a.py", lambda v: f'values = ["{v}"]\n'),
    "an argument that nothing names": ("a.py", lambda v: f'send(1, "{v}")\n'),
    "a line of a text file": ("notes.txt", lambda v: f"see {v} for this\n"),
    "a line of its own": ("a.pem", lambda v: f"{v}\n"),
    "yaml list": ("a.yaml", lambda v: f"items:\n  - {v}\n"),
    "commit message that says nothing": (COMMIT, lambda v: f"Try {v} again"),
}
"""Nothing beside the value tells that it is a secret: a random one still must not show."""

HELD_OUT: dict[str, tuple[str, Carrier]] = {
    "walrus": ("a.py", lambda v: f'if (api_key := "{v}"):\n    pass\n'),
    "chained": ("a.py", lambda v: f'password = PASSWORD = "{v}"\n'),
    "augmented class field": ("a.py", lambda v: f'class Settings:\n    jwt_secret: SecretStr = SecretStr("{v}")\n'),
    "named tuple call": ("a.py", lambda v: f'Login(user="bob",\n      passwd="{v}")\n'),
    "format call": ("a.py", lambda v: f'"mysql://{{}}:{{}}@h".format(user, password or "{v}")\n'),
    "raw triple quoted": ("a.py", lambda v: f'client_secret = r"""{v}"""\n'),
    "kotlin": ("a.kt", lambda v: f'val apiToken: String = "{v}"\n'),
    "c macro": ("a.h", lambda v: f'#define WIFI_PASSWORD "{v}"\n'),
    "c# property": ("a.cs", lambda v: f'public string Password {{ get; set; }} = "{v}";\n'),
    "rust constant": ("a.rs", lambda v: f'const CLIENT_SECRET: &\'static str = "{v}";\n'),
    "terraform variable": ("a.tf", lambda v: f'variable "db_password" {{\n  default = "{v}"\n}}\n'),
    "helm set": ("run.sh", lambda v: f"helm install shop ./shop --set auth.password={v} --set replicas=2\n"),
    "kubectl literal": ("run.sh", lambda v: f"kubectl create secret generic db --from-literal=password={v}\n"),
    "mysql -p": ("run.sh", lambda v: f"mysql -u root -p{v} shop < dump.sql\n"),
    "sshpass": ("run.sh", lambda v: f"sshpass -p '{v}' ssh bob@host\n"),
    "docker login": ("run.sh", lambda v: f"docker login -u bob -p {v} registry.internal\n"),
    "echo into a file": ("run.sh", lambda v: f"echo 'password={v}' >> conf\n"),
    "redis in an address": ("a.env", lambda v: f"CACHE=redis://:{v}@cache:6379/0\n"),
    "basic header": ("a.http", lambda v: f"Authorization: Basic {base64.b64encode(f'bob:{v}'.encode()).decode()}\n"),
    "graphql": ("a.graphql", lambda v: f'mutation {{ login(email: "a@b.c", password: "{v}") {{ id }} }}\n'),
    "table of accounts": ("users.csv", lambda v: f"id,user,password,mail\n1,bob,{v},b@b.c\n"),
    "wordpress salt": ("wp.php", lambda v: f"<?php define( 'AUTH_KEY',         '{v}' );\n"),
    "powershell": ("a.ps1", lambda v: f"$password = ConvertTo-SecureString '{v}' -AsPlainText -Force\n"),
    "erlang": ("a.config", lambda v: f'[{{shop, [{{db_password, "{v}"}}]}}].\n'),
    "commit that removes": (COMMIT, lambda v: f"Remove hard-coded secret key '{v}' from settings"),
    "commit with a curl": (COMMIT, lambda v: f"Document curl -u bob:{v} for the importer"),
}

_KEY_LABELS = ("RSA ", "EC ", "OPENSSH ", "")
KEY_CARRIERS: dict[str, tuple[str, Callable[[str, str, list[str]], str]]] = {
    "file": ("id.pem", lambda top, end, rows: "\n".join((top, *rows, end)) + "\n"),
    "text in code": ("a.py", lambda top, end, rows: 'KEY = """' + "\n".join((top, *rows, end)) + '"""\n'),
    "text with escapes": ("a.json", lambda top, end, rows: '{"private_key": "' + "\\n".join((top, *rows, end)) + '\\n"}\n'),
    "literal per line": (
        "a.py",
        lambda top, end, rows: "KEY = (\n" + "".join(f'    "{r}\\n"\n' for r in (top, *rows, end)) + ")\n",
    ),
    "added literals": ("a.js", lambda top, end, rows: "const k = " + " +\n".join(f"'{r}\\n'" for r in (top, *rows, end)) + ";\n"),
    "indented block": ("a.yaml", lambda top, end, rows: "key: |\n" + "".join(f"    {r}\n" for r in (top, *rows, end))),
    "one line": ("a.env", lambda top, end, rows: f"KEY={top}{''.join(rows)}{end}\n"),
    "commit message": (COMMIT, lambda top, end, rows: "Remove key\n\n" + "\n".join((top, *rows, end)) + "\n"),
}


def _key(chance: random.Random) -> tuple[str, str, list[str]]:
    label = chance.choice(_KEY_LABELS)
    rows = [_some(chance, _BASE64, 64) for _ in range(chance.randrange(3, 6))]
    rows.append(_some(chance, _BASE64, chance.randrange(21, 58)) + "==")
    return f"-----BEGIN {label}PRIVATE KEY-----", f"-----END {label}PRIVATE KEY-----", rows


def _pieces(value: str, text: str) -> tuple[str, ...]:
    """The whole value, or its parts if the carrier truncated or encoded it."""
    if value in text:
        return (value,)
    halves = tuple(each for each in (value[: len(value) // 2], value[len(value) // 2 :]) if each in text)
    return halves or tuple(word for word in text.split() if len(word) > 20)


def planted(seed: int, carriers: dict[str, tuple[str, Carrier]], kinds: tuple[str, ...] = tuple(KINDS)) -> Iterator[Planted]:
    """Every carrier with every kind, each in a file of its own folder."""
    chance = random.Random(seed)
    for number, (name, (file, write)) in enumerate(carriers.items()):
        for index, kind in enumerate(kinds):
            value = KINDS[kind](chance)
            text = write(value)
            path = COMMIT if file == COMMIT else f"c{number:03}k{index:02}/{file}"
            yield Planted(path, text, _pieces(value, text), name, kind)


def planted_keys(seed: int) -> Iterator[Planted]:
    """Private keys in every carrier."""
    chance = random.Random(seed)
    for number, (name, (file, write)) in enumerate(KEY_CARRIERS.items()):
        top, end, rows = _key(chance)
        path = COMMIT if file == COMMIT else f"key{number:02}/{file}"
        yield Planted(path, write(top, end, rows), tuple(rows), name, "private key")


def seen(each: Planted, shown: str) -> bool:
    """True if a piece of the secret appears in the displayed text."""
    return any(piece in shown for piece in each.pieces)
