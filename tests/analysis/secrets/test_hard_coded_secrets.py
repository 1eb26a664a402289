"""Secrets in a project: found where they work, left alone where they do not, never shown (D7)."""

import pytest

from counterproof.analysis.secrets import examine
from counterproof.analysis.secrets.redaction import redact
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Confidence

LIVE = "sk_" + "live_" + "4eC39HqLyjWDarjtT1zdp7dc"
KEY_FILE = "-----BEGIN PRIVATE" + " KEY-----\n" + "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n"


def told(project) -> list[str]:
    """Findings as `path:line cwe`; every quote stands in its lines after redaction, as verification demands (A29)."""
    found = examine(project)
    for finding in found.findings:
        place = finding.location
        lines = "\n".join(project.text(place.path).split("\n")[place.start - 1 : place.end])
        assert " ".join(redact(finding.evidence).split()) in " ".join(redact(lines).split())
        assert finding.dimension is Dimension.D7
    return [f"{finding.location} {finding.cwe}" for finding in found.findings]


CODE = {
    "SECRET_KEY = 'secret'": 321,
    "app.config['SECRET_KEY'] = 'random'": 321,
    "app.secret_key = 'Nine tailors and a bell'": 321,
    "user.password = 'admin123'": 798,
    "db = connect(user='root', password='toor')": 798,
    "settings = {'DB_PASSWORD': 'q1w2e3'}": 798,
    "API_KEY = b'9f86d081884c7d659a2feaa0c55ad015'": 798,
    "user, password = 'admin', 'letmein7'": 798,
    "SECRET_KEY = os.environ.get('SECRET_KEY', 'fallback-key-1')": 321,
    "SECRET_KEY = os.getenv('SECRET_KEY') or 'fallback-key-1'": 321,
    "def connect(password='hunter2'): pass": 798,
    "ok = password == 'dsv'": 798,
    "ok = request.form.get('password') == 'dsv'": 798,
    "ok = 'dsv' != request.form['password']": 798,
    "requests.get(url, auth=('me', 'hunter2'))": 798,
    "db = connect('DRIVER=x;SERVER=127.0.0.1;UID=sa;PWD=Sommer2019')": 798,
    "t = jwt.encode(claims, 'hs-key', algorithm='HS256')": 321,
    "m = hmac.new('k1'.encode(), data)": 321,
    "h = generate_password_hash('hunter2')": 798,
    "url = 'postgres://me:s3cr3t@db.internal/x'": 798,
    f"pay('{LIVE}')": 321,
    "users = [('admin', 'SuperSecret'), ('tim', '12345678')]": 798,
    "cur.execute(\"INSERT INTO users (name, password) VALUES ('admin', 'hunter2')\")": 798,
    "cur.execute(\"INSERT INTO Users VALUES(1,'admin','lall0l')\")": 798,
    "parser.add_argument('--password', default='hunter2')": 798,
}
IMPORTS = "import hmac, jwt, os, requests\n"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("TABLES = {'free': 'free', 'secret': 'secret', 'team': 'teams'}\n", []),
        ("login = {'user': 'root', 'password': 'toor7x'}\n", ["app.py:1 798"]),
    ],
)
def test_names_that_stand_for_names_are_no_secrets(project_of, code: str, expected: list[str]) -> None:
    assert told(project_of({"app.py": code})) == expected


@pytest.mark.parametrize(("path", "lines"), [("tests/test_pay.py", [2]), ("pay.py", [2])])
def test_value_repeated_in_a_test_file_is_reported_once(project_of, path: str, lines: list[int]) -> None:
    line = "    post(headers={'X-Api-Key': '9f86d081884c7d659a2feaa0c55ad015'})\n"
    code = "def test_one():\n" + line + "def test_two():\n" + line
    assert told(project_of({path: code})) == [f"{path}:{each} 798" for each in lines]


def test_what_documentation_shows_is_an_example(project_of) -> None:
    shown = '"""Connect.\n\n    connect("postgres://scott:tiger@localhost/test")\n"""\n'
    assert told(project_of({"app.py": shown})) == []
    assert told(project_of({"app.py": "x = " + shown})) == ["app.py:3 798"]


@pytest.mark.parametrize("line", CODE)
def test_secrets_in_code(project_of, line: str) -> None:
    project = project_of({"app.py": IMPORTS + line + "\n"})
    assert told(project) == [f"app.py:2 {CODE[line]}"]


@pytest.mark.parametrize(
    "line",
    [
        "SECRET_KEY = os.environ['SECRET_KEY']",
        "SECRET_KEY = ''",
        "SECRET_KEY = 'changeme'",
        "API_KEY = '<your-key>'",
        "password = request.form['password']",
        "password_field = 'user_password'",
        "PASSWORD_LABEL = 'Password'",
        "errors = {'password': 'Wrong password, try again.'}",
        "form = {'password': 'Password'}",
        "token = 'csrf'",
        "token_url = 'https://example.org/oauth/token'",
        "key = 'user_id'",
        "params['key'] = 'name'",
        "url = 'http://user:${PASSWORD}@host/'",
        "path = 'https://example.org/@me:here'",
        "cxn = f'SERVER=db;UID=sa;PWD={password}'",
        "note = 'ask; password=yours'",
        "ok = password == ''",
        "if token == 'Bearer': pass",
        "users = [('admin', 'Administrator of all')] if x else []",
        "query = 'INSERT INTO users (name, password) VALUES (?, ?)'",
        "def connect(password=None): pass",
        "PEM = '-----BEGIN PRIVATE KEY-----'",
        "JWT_PRIVATE_KEY = '-----BEGIN PRIVATE KEY-----\\n...\\n-----END PRIVATE KEY-----'",
    ],
)
def test_code_without_secrets(project_of, line: str) -> None:
    assert told(project_of({"app.py": IMPORTS + line + "\n"})) == []


def test_key_is_known_by_the_call_that_takes_it(project_of) -> None:
    code = "from cryptography.fernet import Fernet\nkey = 'JHtM1wEt1I1J9N0Evjwqr3yYauXIqSxYzFnRhcf0ZG0='\n"
    assert told(project_of({"app.py": code})) == []
    assert told(project_of({"app.py": code + "box = Fernet(key)\n"})) == ["app.py:2 321"]


def test_a_key_that_a_passphrase_locks_opens_nothing(project_of) -> None:
    old = KEY_FILE.replace("KEY-----\n", "KEY-----\nProc-Type: 4,ENCRYPTED\n", 1)
    assert told(project_of({"a.pem": KEY_FILE.replace("BEGIN ", "BEGIN ENCRYPTED ", 1), "b.pem": old})) == []
    assert told(project_of({"a.pem": KEY_FILE})) == ["a.pem:1 321"]


def test_a_positional_password_is_known_by_the_function_that_takes_it(project_of) -> None:
    model = "class User:\n    @staticmethod\n    def register(name, password, email): ...\n"
    seed = "def seed():\n    User.register('a', 'pass1', 'a@b.c')\n    User.register('b', 'pass2', 'a@b.c')\n"
    project = project_of({"app.py": model + seed})
    assert told(project) == ["app.py:5 798"]
    (finding,) = examine(project).findings
    assert finding.function == "seed"
    assert "line 6" in finding.impact


CONFIGURATION = {
    ".env": "DEBUG=1\nDB_PASSWORD=hunter2x\nTOKEN=${TOKEN}\n",
    ".flaskenv": "FLASK_APP=shop\nDB_PASSWORD=hunter2x\nTOKEN=${TOKEN}\n",
    "config.ini": "[db]\npassword = hunter2x ; really\nuser = me\n",
    "app.yaml": "db:\n  password: hunter2x\n  password_file: /run/x\n  secret: !vault |\n",
    "conf.toml": '[db]\npassword = "hunter2x"\n[x]\nsecret_key = "${X}"\n',
    "conf.json": '{"db":\n {"password": "hunter2x", "user": "me"}}\n',
    "users.xml": "<user>\n<password>hunter2x</password>\n<password>other1pw</password></user>\n",
    "Dockerfile": "FROM x:1\nENV A=1 DB_PASSWORD=hunter2x\nARG TOKEN\n",
    "docker-compose.yml": "services:\n      - MYSQL_PASSWORD=hunter2x\n      - OTHER_PASSWORD=${P}\n",
    "app.js": "// x\nconst password = 'hunter2x';\n// password = 'commented'\n",
}


@pytest.mark.parametrize("name", CONFIGURATION)
def test_secrets_in_configuration(project_of, name: str) -> None:
    project = project_of({name: CONFIGURATION[name]})
    assert told(project) == [f"{name}:2 798"]
    assert "hunter2x" not in repr(examine(project))


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("make.sh", "SECRET_KEY=`pwgen -n 65`\n"),
        ("hyp.yaml", "cls_pw: 0.631\n"),
        ("app.js", "var rest = (key ? '&api-key=' + key : '');\n"),
        ("signs.js", "var signs = {'secret': '\\u3299\\ufe0f'};\n"),
        ("settings.example.json", '{"jwt_secret_key": "somethingrandom"}\n'),
        ("config_examples/a.json", '{"jwt_secret_key": "somethingrandom"}\n'),
        ("dev/environment.env", "SESSION_SECRET=an-insecure-value\n"),
        ("tox.ini", "[testenv]\nADMIN_PASSWORD=admin22\n"),
        ("pyproject.toml", '[tool.pytest.ini_options]\nenv = [\n "SECRET_KEY=secret",\n]\n'),
        ("site/settings/test.py", "SECRET_KEY = 'not-needed-here'\n"),
    ],
)
def test_settings_that_open_nothing(project_of, path: str, code: str) -> None:
    assert told(project_of({path: code})) == []


def test_real_looking_secret_in_tests_is_reported_once(project_of) -> None:
    keys = ("9f86d081884c7d659a2feaa0c55ad015", "60303ae22b998861bce3b28f33eec1be")
    files = {
        "tests/test_a.py": f"encryption_key = '{keys[0]}'\n",
        "tests/unit/test_b.py": f"signing_key = '{keys[1]}'\n",
        "app.py": f"signing_key = '{keys[1]}'\n",
    }
    project = project_of(files)
    assert told(project) == ["app.py:1 321", "tests/test_a.py:1 321"]
    assert "tests/unit/test_b.py:1" in examine(project).findings[1].impact


def test_keys_of_other_services_weigh_less_than_keys_of_this_one(project_of) -> None:
    key = "9f86d081884c7d659a2feaa0c55ad015"
    files = {
        "client.py": f"API_KEY = '{key}'\n",
        "server.py": f"API_KEY = '{key}'\ndef known(sent):\n    return sent == API_KEY\n",
        "sign.py": f"SECRET_KEY = '{key}'\n",
        "trial.py": "API_KEY = 'SomeKey'\n",
        "pay.py": f"pay('{LIVE}')\ntry_out('{LIVE.replace('live', 'test')}')\n",
    }
    found = examine(project_of(files)).findings
    assert sorted((str(each.location), each.severity.name) for each in found) == [
        ("client.py:1", "MEDIUM"),
        ("pay.py:1", "HIGH"),
        ("pay.py:2", "LOW"),
        ("server.py:1", "HIGH"),
        ("sign.py:1", "HIGH"),
        ("trial.py:1", "MEDIUM"),
    ]


def test_prose_locks_and_translations_hold_no_passwords(project_of) -> None:
    files = {
        "README.md": "Set `password: hunter2x` first.\n",
        "locale/en.json": '{"password": "Geheim1x"}\n',
        "uv.lock": 'secret = "9f86d081884c7d659a2feaa0c55ad015"\n',
    }
    assert told(project_of(files)) == []
    settings = {f"config/{name}.json": '{"db_password": "Geheim1x"}\n' for name in ("dev", "stg", "prd", "qa")}
    assert told(project_of(settings))


@pytest.mark.rule("A29")
def test_tests_are_read_but_their_fixtures_are_not_reported(project_of) -> None:
    files = {
        "tests/test_a.py": f"PASSWORD = 'hunter2'\nSECRET_KEY = 'x'\nKEY = '{LIVE}'\n",
        "tests/key.pem": KEY_FILE,
        "examples/app.py": "SECRET_KEY = 'dev'\n",
    }
    project = project_of(files)
    found = examine(project)
    assert sorted(told(project)) == ["tests/key.pem:1 321", "tests/test_a.py:3 321"]
    assert {finding.confidence for finding in found.findings} == {Confidence.PATTERN}
    assert {item.location.path for item in found.items} == set(files)


def test_rows_of_one_table_are_reported_together(project_of) -> None:
    rows = "".join(f"    {{'name': 'u{number}', 'password': 'hunter{number}x'}},\n" for number in range(4))
    project = project_of({"app.py": f"PEOPLE = [\n{rows}]\nmail = {{'passwd': 'q1w2e3'}}\n"})
    assert told(project) == ["app.py:2 798", "app.py:7 798"]
    assert "line 3, line 4, line 5" in examine(project).findings[0].impact


def test_a_private_key_is_found_in_any_file(project_of) -> None:
    assert told(project_of({"deploy/server.key": KEY_FILE})) == ["deploy/server.key:1 321"]


@pytest.mark.rule("A16")
def test_every_candidate_is_an_item_with_a_verdict(project_of) -> None:
    found = examine(project_of({"app.py": "SECRET_KEY = 'changeme'\nPASSWORD = 'hunter2'\n"}))
    assert [(item.kind, item.judged, item.location.start) for item in found.items] == [("key", True, 1), ("password", True, 2)]
    assert [item.verdict for item in found.items] == ["a placeholder", "a secret in the source: a literal password"]
    assert [(search.kind, search.hits) for search in found.searches] == [("key", 1), ("password", 1), ("token", 0)]


@pytest.mark.rule("X17")
def test_no_finding_shows_a_secret(project_of) -> None:
    secrets = ["s3cr3tValue", "pl4ntedKey", "0therS3cret", "p0sitional", "s33dedOne", "splitOver2"]
    code = (
        f"SECRET_KEY = '{secrets[0]}'\nx = connect(password='{secrets[1]}', user='{secrets[1]}')\nurl = 'amqp://u:{secrets[2]}@h'\n"
        f"set_password('{secrets[3]}')\nusers = [\n    ('root', '{secrets[4]}'),\n]\nAPI_SECRET = (\n    '{secrets[5]}'\n)\n"
    )
    project = project_of({"app.py": code})
    assert len(told(project)) == 6
    shown = repr(examine(project).findings)
    assert not [secret for secret in secrets if secret in shown]


def test_long_lines_are_searched_in_part_and_that_is_said(project_of) -> None:
    found = examine(project_of({"data.json": '{"x": "' + "a" * 30_000 + '"}\n'}))
    assert any("data.json" in sentence for sentence in found.limitations)


@pytest.mark.rule("X16")
def test_odd_line_ends_and_endless_lines_make_no_odd_findings(project_of) -> None:
    odd = "\x0b \x0c \x1c \u2028 \x85 "
    project = project_of({"app.yaml": f"password: hunter2x{odd}\n", "app.py": f"password = 'hunter2x' # {odd}{'y' * 5_000}\n"})
    assert told(project) == ["app.py:1 798", "app.yaml:1 798"]
    assert all(len(finding.evidence) <= 400 for finding in examine(project).findings)


@pytest.mark.parametrize(
    "code",
    [
        "class Kind:\n    TEXT = 'Text'\n    SECRET = 'Secret'\n    SECRET_LINES = 'SecretLines'\n    PASSWORD = 'Password'\n",
        "class Hasher:\n    def encode(self, password, salt): ...\n\ndef send(name):\n    return name.encode('utf-8')\n",
    ],
    ids=["kinds", "everyday-method"],
)
def test_what_only_looks_like_a_password(project_of, code: str) -> None:
    assert told(project_of({"app.py": code})) == []


def test_what_stands_where_checks_and_documents_are_kept(project_of) -> None:
    shown = "AWS_ACCESS_KEY_ID: AKIAIOSFODNN7EXAMPLE\n"
    words = "postgresql-password: ZGItcGFzc3dvcmQ=\n"
    random = "postgresql-password: azNZeDkyTG1RcFpyODFUdlduMHE=\n"
    files = {
        ".github/workflows/tests.yml": shown,
        "deploy.yml": shown,
        "docs/k8s/words.yaml": words,
        "docs/k8s/random.yaml": random,
    }
    assert told(project_of(files)) == ["docs/k8s/random.yaml:1 798"]


def test_password_set_by_several_scripts_is_reported_once(project_of) -> None:
    line = "export DB_PASSWORD=linked\n"
    (found,) = examine(project_of({"scripts/run.sh": line, "scripts/try.sh": f"set -e\n{line}"})).findings
    assert str(found.location) == "scripts/run.sh:1"
    assert "scripts/try.sh" in found.impact


def test_the_message_of_a_refusal_is_no_secret(project_of) -> None:
    compose = (
        "services:\n  a:\n    environment:\n      - JWT_SECRET=${JWT_SECRET%s'JWT_SECRET environment variable is not defined'}\n"
    )
    assert told(project_of({"docker-compose.yml": compose % "?"})) == []
    assert told(project_of({"docker-compose.yml": compose % ":?"})) == []
    assert (
        told(project_of({"docker-compose.yml": "services:\n  a:\n    environment:\n      - JWT_SECRET=kT9x2LmQpRz71vYb\n"})) != []
    )
